"""The probe sees what steps consume and which files are written, and changes no number.

The programs are in `probed/data_*.py`; each runs once on one process, the first also without the
probe.
"""

from __future__ import annotations

import ast
import fcntl
import importlib.util
import json
import os
import re
import subprocess
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

HERE = Path(__file__).resolve().parent
PROBE = HERE.parents[1] / "assistant/verify/probe"
PROGRAMS = HERE / "probed"
PATIENCE = float(os.environ.get("DISTIFY_PATIENCE", "1"))
QUIET = dict.fromkeys(("OMP_NUM_THREADS", "TF_NUM_INTRAOP_THREADS"), "1")
QUIET["TF_CPP_MIN_LOG_LEVEL"] = "3"
if importlib.util.find_spec("tf_keras"):  # TensorFlow 2.16 and later
    QUIET["TF_USE_LEGACY_KERAS"] = "1"

Record = dict[str, Any]


@dataclass(frozen=True)
class Seen:
    """What one process printed of itself, and what the probe wrote."""

    told: list[str]
    records: list[Record]
    cwd: Path

    def all(self, event: str) -> list[Record]:
        return [each for each in self.records if each["event"] == event]

    def forms(self) -> dict[str, list[Record]]:
        """The `examples` of each form, which begins by writing `<form>.mark`."""
        found: dict[str, list[Record]] = {}
        for each in self.records:
            if each["event"] == "write" and each["path"].endswith(".mark"):
                form = Path(each["path"]).stem
                found.setdefault(form, [])
            elif each["event"] == "examples":
                found[form].append(each)
        return found


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> Callable[..., Seen]:
    """Runs a program of `probed/` on one process, once for each set of options."""
    known: dict[str, Seen] = {}

    def once(program: str, probe: bool = True, **options: Any) -> Seen:
        key = f"{program} {probe} {options}"
        if key not in known:
            folder = tmp_path_factory.mktemp(program)
            known[key] = alone(folder, PROGRAMS / f"data_{program}.py", probe, options)
        return known[key]

    return once


def alone(folder: Path, program: Path, probe: bool, options: dict[str, Any]) -> Seen:
    records, cwd, home = folder / "records", folder / "cwd", folder / "home"
    for made in (records, cwd, home):
        made.mkdir()
    environment = {**os.environ, **QUIET, "HOME": str(home)}
    environment.pop("XDG_CACHE_HOME", None)
    if probe:
        given = {"root": str(program.parent), "role": "baseline", **options}
        environment["PYTHONPATH"] = str(PROBE)
        environment["DISTIFY_PROBE"] = str(records)
        environment["DISTIFY_PROBE_OPTIONS"] = json.dumps(given)
    with open(records / "alive", "w") as alive:
        fcntl.flock(alive, fcntl.LOCK_EX)
        done = subprocess.run(
            [sys.executable, str(program)], cwd=cwd, env=environment, capture_output=True,
            text=True, timeout=600 * PATIENCE, check=False,
        )  # fmt: skip
    assert done.returncode == 0, done.stderr[-4000:]
    told = [line[len("TOLD ") :] for line in done.stdout.splitlines() if line.startswith("TOLD ")]
    files = list(records.glob("rank*.jsonl"))
    found = [json.loads(line) for file in files for line in file.open()]
    return Seen(told, found, cwd)


def texts() -> str:
    return (PROGRAMS / "data_forms.py").read_text() + (PROGRAMS / "data_sessions.py").read_text()


def names(program: str) -> Iterator[str]:
    """The forms of a program, as it begins them."""
    text = (PROGRAMS / f"data_{program}.py").read_text()
    yield from re.findall(r"^ *(?:begin|fit)\(\s*\"(\w+)\"", text, re.MULTILINE)


NO_TRAINING = ("none", "saved")
FORMS = [form for form in names("forms") if form not in NO_TRAINING]
SESSIONS = ["feed", "get_next"]
ONE_CALL = {"fit_three_steps_at_once", "loop_dataset", "loop_iterator", "loop_arrays",
            "loop_captured"}  # fmt: skip


# ---------------------------------------------------------------- examples


def check_form(records: list[Record], calls: int) -> None:
    """24 different examples in so many calls, and nothing else."""
    rows = [row for each in records for row in each["rows"]]
    assert len(rows) == len(set(rows)) == 24
    assert len(records) == calls
    steps = [each["steps"] for each in records]
    assert steps == sorted(set(steps))


@pytest.mark.parametrize("form", FORMS)
def test_the_examples_of_a_form_are_seen(form: str, run: Any) -> None:
    calls = 24 if form == "examples_one_by_one" else 1 if form in ONE_CALL else 3
    if form == "fit_mixed_precision":
        calls = 2  # the gradients of the first batch are infinite: Keras makes no step of them
    check_form(run("forms").forms()[form], calls)


@pytest.mark.parametrize("form", SESSIONS)
def test_the_examples_of_a_session_are_seen(form: str, run: Any) -> None:
    check_form(run("sessions").forms()[form], 3)


@pytest.mark.parametrize("program", ["forms", "sessions"])
def test_nothing_is_credited_where_nothing_is_trained(program: str, run: Any) -> None:
    found = run(program).forms()
    assert not any(found[form] for form in NO_TRAINING if form in found)


def test_an_example_has_one_fingerprint_however_it_is_seen(run: Any) -> None:
    found = run("forms").forms()
    alike = ["fit_dataset", "fit_generator", "train_on_batch", "eager_dataset", "function_slices"]
    alike += ["xla_slices", "loop_dataset", "loop_arrays", "examples_one_by_one"]
    rows = [[row for each in found[form] for row in each["rows"]] for form in alike]
    assert all(each == rows[0] for each in rows)
    feed = [row for each in run("sessions").forms()["feed"] for row in each["rows"]]
    assert feed == rows[0]


def test_nothing_was_hidden_from_the_probe(run: Any) -> None:
    for program in ("forms", "sessions", "files", "scaled"):
        assert "examples" not in {each["what"] for each in run(program).all("blind")}
        assert "writes" not in {each["what"] for each in run(program).all("blind")}


def test_the_probe_changes_no_number_and_is_in_nothing_saved(run: Any) -> None:
    with_probe, without = run("forms"), run("forms", probe=False)
    assert with_probe.told == without.told
    assert "saved []" in with_probe.told


# ---------------------------------------------------------------- files

WRITTEN = {
    "open": {"renamed", "opened", "array.npy", "arrays.npz"},
    "hdf5": {"data.h5", "model.weights.h5"},
    "tensorflow": {"gfile", "operation", "module", "model.keras", "model.h5", "model", "log.csv",
                   "best.h5", "cache"},
    "records": {"data.tfrecord"},
    "summary": {"summaries", "board/train", "events"},
    "checkpoint": {"checkpoints/saved", "checkpoints/written", "managed", "backup/chief",
                   "saver/model"},
    "download": {"keras/datasets/fetched"},
}  # fmt: skip


def test_files_are_told_by_the_names_the_program_gave(run: Any) -> None:
    seen = run("files")
    found: dict[str, set[str]] = {}
    for each in seen.all("write"):
        name = os.path.relpath(each["path"], os.path.realpath(seen.cwd))
        found.setdefault(each["how"], set()).add(name)
        assert os.path.isabs(each["path"])
        assert each["where"].startswith("data_files.py:"), each
    assert found == WRITTEN


# ---------------------------------------------------------------- the baseline's options


def scaled(run: Any, **options: Any) -> dict[str, Any]:
    return dict(ast.literal_eval(run("scaled", **options).told[0]))


def test_a_baseline_does_what_all_workers_do(run: Any) -> None:
    found = scaled(run, batch_factor=2, rate_factor=2, shuffle=False, seed=7)
    rates = ("rate", "legacy", "tf1", "schedule", "shared", "copied")
    assert {name: found[name] for name in rates} == dict.fromkeys(rates, 0.5)
    assert found["named"] == pytest.approx(2)
    assert (found["batch"], found["unbatched"]) == (6, 10)
    assert found["order"]
    assert found["steps"] == [2, 4]


def test_without_options_nothing_is_changed(run: Any) -> None:
    found = scaled(run)
    rates = ("rate", "legacy", "tf1", "schedule", "shared", "copied")
    assert {name: found[name] for name in rates} == dict.fromkeys(rates, 0.25)
    assert (found["batch"], found["unbatched"]) == (3, 10)
    assert found["steps"] == [4, 8]


def test_a_seed_makes_every_process_begin_alike(run: Any) -> None:
    one = scaled(run, batch_factor=2, rate_factor=2, shuffle=False, seed=7)
    two, other = scaled(run, seed=7), scaled(run)
    assert (one["random"], one["initial"]) == (two["random"], two["initial"])
    assert all(a != b for a, b in zip(two["random"], other["random"]))
    assert two["initial"] != other["initial"]


# ---------------------------------------------------------------- tiny data


def test_data_sets_that_are_not_there_get_small_ones(run: Any) -> None:
    seen = run("tiny", data="tiny")
    told = ast.literal_eval(seen.told[0])
    grey = [(1024, 28, 28), "uint8", (1024,), "uint8", (256, 28, 28)]
    colour = [(1024, 32, 32, 3), "uint8", (1024, 1), (256, 32, 32, 3)]
    assert told["mnist"] == told["mnist of a path"] == told["fashion"] == grey
    for name in ("cifar10", "cifar100"):
        assert [*told[name][:3], told[name][4]] == colour
    assert told["coarse"] == 19
    assert told["imdb"][1] == "object"
    assert told["words"] == [True, True]
    assert told["index"] == 1
    assert told["reuters"][0] == told["reuters"][4] == (640,)
    assert told["boston"] == [(404, 13), "float64", (404,), "float64", (102, 13)]
    assert told["learned"] > 0.9
    loaders = {each["loader"]: each["where"] for each in seen.all("tiny")}
    assert len(loaders) == 8
    assert all(where.startswith("data_tiny.py:") for where in loaders.values())
    assert not seen.all("write")
