"""The probe in eager code and functions: it sees each step, and changes no number of a program."""

from __future__ import annotations

import fcntl
import importlib.util
import json
import os
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import pytest

HERE = Path(__file__).resolve().parent
PROBE = HERE.parents[1] / "assistant/verify/probe"
PROGRAMS = HERE / "probed"
BIN = Path(sys.executable).parent
PATIENCE = float(os.environ.get("DISTIFY_PATIENCE", "1"))
QUIET = dict.fromkeys(("OMP_NUM_THREADS", "TF_NUM_INTRAOP_THREADS"), "1")
QUIET["TF_CPP_MIN_LOG_LEVEL"] = "3"
if importlib.util.find_spec("tf_keras"):  # TensorFlow 2.16 and later
    QUIET["TF_USE_LEGACY_KERAS"] = "1"
CHOSEN = [1, 2, 3, 4, 5, 6, 9, 13, 19, 28]

Record = dict[str, Any]


@dataclass(frozen=True)
class Seen:
    """One run: its exit code and output, and what the probe wrote on each worker."""

    code: int
    output: str
    folder: Path
    ranks: tuple[list[Record], ...]

    def all(self, event: str, rank: int = 0, **fields: Any) -> list[Record]:
        found = [each for each in self.ranks[rank] if each["event"] == event]
        return [each for each in found if fields.items() <= each.items()]

    def lines(self, word: str) -> list[str]:
        """What the program printed behind a word."""
        return sorted(x.partition(word)[2] for x in self.output.splitlines() if word in x)


def run(folder: Path, *program: str, workers: int = 2, probe: bool = True, **options: Any) -> Seen:
    """Runs a program, and holds the probe's lock as distify would."""
    records, cwd = folder / "records", folder / "cwd"
    records.mkdir(parents=True)
    cwd.mkdir()
    environment = {**os.environ, **QUIET, "PATH": f"{BIN}{os.pathsep}{os.environ['PATH']}"}
    if probe:
        environment["PYTHONPATH"] = str(PROBE)
        environment["DISTIFY_PROBE"] = str(records)
        environment["DISTIFY_PROBE_TOKEN"] = folder.name
        environment["DISTIFY_PROBE_OPTIONS"] = json.dumps({"root": str(PROGRAMS), **options})
    launcher = ["horovodrun", "-np", str(workers), "--gloo"] if workers > 1 else []
    with open(records / "alive", "w") as alive:
        fcntl.flock(alive, fcntl.LOCK_EX)
        done = subprocess.run(
            [*launcher, sys.executable, *program], cwd=cwd, env=environment, check=False,
            capture_output=True, text=True, timeout=300 * PATIENCE,
        )  # fmt: skip
    files = sorted(records.glob("rank*.jsonl"))
    ranks = tuple([json.loads(line) for line in file.open()] for file in files)
    return Seen(done.returncode, done.stdout + done.stderr, records, ranks)


# ---------------------------------------------------------------- every form of training


@dataclass(frozen=True)
class Form:
    """What the probe is to see of a form: of each optimizer its class, API, steps and rates."""

    name: str
    optimizers: tuple[str, ...]
    api: str
    steps: int
    states: tuple[int, ...]  # of the first optimizer, before the next form
    plain: bool = True
    distributed: bool = True
    losses: tuple[int, ...] | None = None  # None: one for each step
    rates: tuple[float, ...] = ()  # of the first steps


FORMS = (
    Form("new", ("SGD",), "keras", 4, (1, 2, 3), rates=(0.01, 0.01, 0.01, 0.01)),
    Form("legacy", ("Adam",), "keras-legacy", 4, (1, 2, 3), False, rates=(0.01, 0.005, 0.0025)),
    Form("schedule", ("Adam",), "keras", 4, (1, 2, 3), False, rates=(0.01, 0.005, 0.0025)),
    Form(
        "schedule_set_later", ("Adam",), "keras", 4, (1, 2, 3), False, rates=(0.01, 0.005, 0.0025)
    ),
    Form("compiled_by_xla", ("SGD",), "keras", 4, (1, 2, 3), distributed=False),
    Form("several_steps_a_call", ("SGD",), "keras", 8, (4,), distributed=False, losses=(4, 8)),
    Form("run_eagerly", ("SGD",), "keras", 4, (1, 2, 3), False, False),
    Form("mixed_precision", ("SGD",), "keras", 4, (1, 2, 3)),
    Form("accumulated", ("SGD",), "keras", 4, (1, 2, 3)),
    Form("on_batches", ("RMSprop",), "keras", 4, (1, 2, 3), False, False),
    Form("loop_in_a_function", ("SGD",), "keras", 7, (), distributed=False, losses=(7,)),
    Form("in_turns", ("SGD", "SGD"), "keras", 3, (1, 2), distributed=False, rates=(0.1, 0.1)),
    Form("of_tf1", ("AdamOptimizer",), "v1", 3, (1, 2), False, False, rates=(0.1, 0.1)),
    Form("by_hand", ("none",), "none", 3, (2,), False, False),
    Form("by_hand_in_a_function", ("none",), "none", 5, (2, 3, 4), False, False, (2, 3, 4, 5)),
    Form("made_in_a_function", ("SGD",), "keras", 3, (1, 2), distributed=False),
    Form("clipped_and_decayed_by_hand", ("SGD",), "keras", 3, (1, 2), distributed=False),
)
ALL = [name for form in FORMS for name in form.optimizers]


@pytest.fixture(scope="module")
def seen(tmp_path_factory: pytest.TempPathFactory) -> Seen:
    """All forms in one job."""
    forms = [form.name for form in FORMS]
    program = str(PROGRAMS / "eager_forms.py")
    found = run(tmp_path_factory.mktemp("forms"), program, *forms, "starts", values=True)
    assert found.code == 0, found.output[-6000:]
    assert len(found.ranks) == 2
    return found


def number(form: Form) -> int:
    """The id of the form's first optimizer."""
    before = FORMS[: FORMS.index(form)]
    return sum(len(each.optimizers) for each in before)


@pytest.mark.parametrize("rank", [0, 1])
@pytest.mark.parametrize("form", FORMS, ids=lambda form: form.name)
def test_every_form_is_seen(seen: Seen, form: Form, rank: int) -> None:
    first = number(form)
    for index, name in enumerate(form.optimizers):
        (found,) = seen.all("optimizer", rank, id=first + index)
        assert (found["class"], found["api"]) == (name, form.api)
        assert found["plain_sgd"] is form.plain
        assert found["distributed"] is form.distributed
        assert found["variables"]
        assert found["where"].startswith("eager_forms.py:")
    (end,) = seen.all("state", rank, at="end")
    assert end["steps"][first] == form.steps
    states = [each["steps"] for each in seen.all("state", rank, at="step")]
    mine = [steps[first] for steps in states if len(steps) == first + len(form.optimizers)]
    assert tuple(mine) == form.states


@pytest.mark.parametrize("form", FORMS, ids=lambda form: form.name)
def test_losses_and_rates(seen: Seen, form: Form) -> None:
    first = number(form)
    losses = seen.all("loss", 1, optimizer=first)
    expected = range(1, form.steps + 1) if form.losses is None else form.losses
    assert [loss["steps"] for loss in losses] == list(expected)
    assert all(0 <= loss["value"] < 30 for loss in losses)  # not 1,024 times as much
    rates = seen.all("rate", 0, optimizer=first)[: len(form.rates)]
    assert [rate["steps"] for rate in rates] == list(range(1, len(form.rates) + 1))
    assert [rate["value"] for rate in rates] == pytest.approx(form.rates)


def test_nothing_else_is_taken_for_an_optimizer(seen: Seen) -> None:
    for rank in (0, 1):
        assert [each["class"] for each in seen.all("optimizer", rank)] == ALL


def test_only_what_cannot_be_seen_is_blind(seen: Seen) -> None:
    for rank in (0, 1):
        told = {each["why"] for each in seen.all("blind", rank, what="steps")}
        assert told == {"all steps were made in one call: only the last state is known"}
        for what in ("variables", "rate", "loss", "collectives"):
            assert not seen.all("blind", rank, what=what)


def test_the_state_is_that_after_the_broadcast(seen: Seen) -> None:
    """The workers start elsewhere, and are in step from the broadcast after the first step on."""
    distributed = [number(form) for form in FORMS if form.distributed and form.states]
    for states in zip(seen.all("state", 0, at="step"), seen.all("state", 1, at="step")):
        current = len(states[0]["steps"]) - 1
        if current in distributed:
            mine = [
                {k: v for k, v in s["hashes"].items() if k.startswith(f"{current}/")}
                for s in states
            ]
            assert mine[0] == mine[1]


def test_other_starts_are_seen_where_nothing_is_broadcast(seen: Seen) -> None:
    alone = number(next(form for form in FORMS if form.name == "on_batches"))
    ends = [seen.all("state", rank, at="end")[0]["hashes"] for rank in (0, 1)]
    mine = [key for key in ends[0] if key.startswith(f"{alone}/dense")]
    assert len(mine) == 4
    assert all(ends[0][key] != ends[1][key] for key in mine)


def test_weights_start_elsewhere_and_nothing_else_does(seen: Seen) -> None:
    dtypes = ["float64", "float32", "float16", "float32", "int32", *["float32"] * 8]
    # That of a layer, and the program's own that is trained and was given no value before.
    weights = [8, 10]
    lines = [line.strip() for line in seen.output.splitlines() if "AWAY" in line]
    for rank in (0, 1):
        mine = [line.split("AWAY")[1].split()[1:] for line in lines if f"AWAY {rank}" in line]
        assert [dtype for _, dtype in mine] == dtypes
        away = [index for index, (far, _) in enumerate(mine) if float(far) == 0.05]
        assert away == (weights if rank else [])
        assert {float(far) for far, _ in mine} <= {0.0, 0.05}


def test_final_values_are_those_of_the_hashes(seen: Seen) -> None:
    with np.load(seen.folder / "rank1.npz") as values:
        keys = {key for key in seen.all("state", 1, at="end")[0]["hashes"] if "/slot/" not in key}
        assert set(values) == keys


def test_times_and_end(seen: Seen) -> None:
    last = seen.all("times", 0)[-1]
    assert 0 < last["probe"] < last["seconds"]
    assert seen.ranks[0][-1]["event"] == "end"
    assert (seen.folder / "rank0.progress").read_text() == "8"


# ---------------------------------------------------------------- what the probe must not change


def test_no_number_changes_and_nothing_is_saved(tmp_path: Path) -> None:
    program = str(PROGRAMS / "same_numbers.py")
    alone = run(tmp_path / "alone", program, workers=1, probe=False)
    watched = run(tmp_path / "watched", program, workers=1, role="baseline")
    assert (alone.code, watched.code) == (0, 0), watched.output[-3000:]
    assert len(alone.lines("TOLD")) == 9
    assert watched.lines("TOLD") == alone.lines("TOLD")
    assert watched.all("state", at="end")[0]["steps"] == [12, 5]
    assert [each["steps"] for each in watched.all("state", at="step")][:7] == [
        [n] for n in CHOSEN[:7]
    ]
    assert not [each for each in watched.all("blind") if each["what"] in ("steps", "loss", "rate")]
    moving = watched.all("state", at="end")[0]["moving"]
    assert [name.split("/")[1] for name in moving][:2] == ["moving_mean:0#0", "moving_variance:0#1"]


# ---------------------------------------------------------------- leaving

SWALLOWS = """
import sys
import numpy as np, tensorflow as tf, horovod.tensorflow as hvd
hvd.init()
w = tf.Variable([1.0, 2.0])
optimizer = tf.keras.optimizers.SGD(0.1)
@tf.function
def step():
    with tf.GradientTape() as tape:
        loss = tf.reduce_sum(w**2)
    tape = hvd.DistributedGradientTape(tape)
    optimizer.apply_gradients(zip(tape.gradient(loss, [w]), [w]))
for _ in range(9):
    try:
        step()
    except {caught}:
        print("SWALLOWED", flush=True)
print("WENT ON", flush=True)
"""


@pytest.mark.parametrize(("caught", "swallowed"), [("Exception", 0), ("BaseException", 6)])
def test_a_limited_run_ends_at_the_entry_of_the_next_step(
    tmp_path: Path, caught: str, swallowed: int
) -> None:
    program = tmp_path / "train.py"
    program.write_text(SWALLOWS.format(caught=caught))
    found = run(tmp_path / "run", str(program), limit_steps=3, root=str(tmp_path))
    assert found.code == 0, found.output[-3000:]
    for rank in (0, 1):
        (limited,) = found.all("limited", rank)
        assert limited["steps"] == 3
        assert found.all("state", rank, at="end")[0]["steps"] == [3]
        assert found.ranks[rank][-1]["event"] == "end"
        assert not found.all("error", rank)
    assert len(found.lines("SWALLOWED")) == swallowed
    assert not found.lines("WENT ON")


TWO = """
import tensorflow as tf, horovod.tensorflow.keras as hvd
hvd.init()
a, b = tf.Variable([1.0]), tf.Variable([2.0])
of_a = tf.keras.optimizers.SGD(0.1 * hvd.size())
of_b = tf.keras.optimizers.Adam(tf.keras.optimizers.schedules.CosineDecay(0.3, 10))
for number in range(9):
    for optimizer, w in ((of_a, a), (of_b, b)):
        print("STEP", flush=True)
        with tf.GradientTape() as tape:
            loss = w**2
        optimizer.apply_gradients([(tape.gradient(loss, w), w)])
"""


def test_the_reference_tells_the_rates_and_ends_before_a_second_round(tmp_path: Path) -> None:
    program = tmp_path / "train.py"
    program.write_text(TWO)
    asked = {"role": "reference", "root": str(tmp_path), "wanted": {"0": 0, "1": 0}}
    found = run(tmp_path / "run", str(program), workers=1, **asked)
    assert found.code == 0, found.output[-3000:]
    assert [each["rate"] for each in found.all("optimizer")] == pytest.approx([0.1, 0.3])
    rates = [(each["optimizer"], each["steps"]) for each in found.all("rate")]
    assert rates == [(0, 1), (1, 1)]
    assert len(found.lines("STEP")) == 2
    assert found.ranks[0][-1]["event"] == "end"


def test_the_reference_makes_as_many_steps_as_it_is_asked_for(tmp_path: Path) -> None:
    program = tmp_path / "train.py"
    program.write_text(TWO)
    asked = {"role": "reference", "root": str(tmp_path), "wanted": {"0": 4, "1": 0}}
    found = run(tmp_path / "run", str(program), workers=1, **asked)
    assert found.code == 0, found.output[-3000:]
    assert found.all("end")[0]["steps"] == 4
    assert found.all("limited")


def test_the_reference_of_one_optimizer_makes_no_step(tmp_path: Path) -> None:
    program = str(PROGRAMS / "eager_forms.py")
    found = run(tmp_path, program, "schedule", "new", workers=1, role="reference")
    assert found.code == 0, found.output[-3000:]
    assert [each["rate"] for each in found.all("optimizer")] == pytest.approx([0.01])
    assert found.all("end")[0]["steps"] == 0
    (versions,) = found.all("versions")
    assert versions["keras"].partition(" ")[0] in ("keras", "tf_keras")
    assert versions["horovod"] == "0.28.1"
    assert found.lines("FORM") == [" schedule"]


def test_a_function_that_takes_data_may_wait_for_it_and_another_one_not(seen: Seen) -> None:
    """What `fit` compiles takes its data itself; a step that is given its batch doesn't."""
    told = [each["closed"] for each in seen.all("function")]
    assert told[0] is False
    assert True in told
