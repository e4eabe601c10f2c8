"""Who writes, who draws, what a number counts: programs of `wild/` as distify writes them.

Each is run once more as a person would write it who knows less. `verify` looks at the training, so
the programs are asked themselves; the experiment logger and the folds are stand-ins.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from probed_jobs import job

PROGRAMS = Path(__file__).parent / "wild"
# What distify writes, without which the program is broken; what is broken then; what to look at.
WILD = {
    "experiment": (
        ', mode=None if hvd.rank() == 0 else "disabled"',
        "",
        "sum(every(run.mode != 'disabled')) == 1",
    ),
    "history": (", default=float", "", "text.startswith('{')"),
    "folds": (
        ", random_state=0",
        "",
        "all(each == every(left_out)[0] for each in every(left_out))",
    ),
    "listed_files": (
        ", seed=0",
        "",
        "(lambda seen: len(set(seen)) == len(seen))"
        "(sum(every(tuple(float(n) for _, ns in data for n in ns)), ()))",
    ),
    "numbered_batches": (
        "    Share(data),",
        "    data,",
        "int(model.optimizer.iterations) == 8 // 2",
    ),
    "full_batch": (
        "SGD(0.1)",
        "SGD(0.1 * hvd.size())",
        "abs(model.get_weights()[0] - alone['model'].get_weights()[0]).max() < 1e-5",
    ),
    "full_rows": (
        "SGD(0.1)",
        "SGD(0.1 * hvd.size())",
        "abs(model.get_weights()[0] - alone['model'].get_weights()[0]).max() < 1e-5",
    ),
    "log_beside_tape": (
        "hvd.DistributedGradientTape(tape)",
        "tape",
        "len(written) == 4 and len(set(every(model.get_weights()[0].tobytes()))) == 1",
    ),
    "shown_total": ("max(1, 8 // hvd.size())", "8", "shown[-1] == '4/4'"),
    "drawn_pictures": (
        "if hvd.rank() == 0:\n    draw(",
        "if True:\n    draw(",
        "sum(every(len(windows))) == 1",
    ),
    "read_by_helper": (
        "hvd.broadcast(0, root_rank=0)  # wait for rank 0's file\n",
        "",
        "len(set(every(found.tobytes()))) == 1",
    ),
}
STANDINS = {
    "matplotlib/__init__.py": "",
    "matplotlib/pyplot.py": """\
windows = []


def figure():
    windows.append([])


def plot(values):
    windows[-1].append(values)


def show():
    pass
""",
    "wandb.py": """\
class Run:
    def __init__(self, mode):
        self.mode = mode


def init(project, mode=None):
    return Run(mode)


def log(values):
    pass
""",
    "sklearn/model_selection.py": """\
import numpy as np


class KFold:
    def __init__(self, n_splits, shuffle=False, random_state=None):
        self.n, self.draws = n_splits, np.random.RandomState(random_state)

    def split(self, x):
        order = self.draws.permutation(len(x))
        for part in range(self.n):
            test = order[part :: self.n]
            yield np.setdiff1d(order, test), np.sort(test)
""",
    "sklearn/__init__.py": "",
}
RUN = """\
import runpy, sys, time
import horovod.tensorflow as hvd
import numpy as np
import tensorflow as tf

sys.path.insert(0, {folder!r})
hvd.init()


def every(value):
    return hvd.allgather_object(repr(value) if isinstance(value, list) else value)


def save(path, array, save=np.save):
    time.sleep(float(hvd.rank() == 0))
    save(path, array)


np.save = save  # worker 0 is late
alone = runpy.run_path({alone!r})
spaces = []  # Horovod keeps one compiled broadcast, which wants the variables of all programs
for program, question in {programs!r}:
    tf.random.set_seed(None)  # that of the program before
    wrong, space = "", {{}}
    try:
        space = runpy.run_path(program)
    except (TypeError, FileNotFoundError) as error:
        is_known = "JSON" in str(error) or ".npy" in str(error)
        wrong = False if is_known else error
    wrong = [each for each in every(wrong) if each != ""]
    space.update(every=every, alone=alone)
    spaces.append(space)
    right = wrong[0] if wrong else eval(question, space)
    if hvd.rank() == 0:
        print("TOLD", program.rpartition("/")[2][:-3], right)
"""


@pytest.fixture(scope="module")
def right(tmp_path_factory: pytest.TempPathFactory, migrate: Any) -> dict[str, str]:
    """Whether each program, ours and broken, did what it was asked; one job runs them all."""
    folder = tmp_path_factory.mktemp("wild")
    for name, text in STANDINS.items():
        (folder / name).parent.mkdir(exist_ok=True)
        (folder / name).write_text(text)
    programs = []
    for name, (ours, broken, question) in WILD.items():
        text = migrate(PROGRAMS / f"{name}.py").read_text()
        assert text.count(ours) == 1
        for form, written in ((name, text), (f"{name}_broken", text.replace(ours, broken))):
            (folder / f"{form}.py").write_text(written)
            programs.append((str(folder / f"{form}.py"), question))
    alone = str(PROGRAMS / "full_batch.py")
    script = RUN.format(programs=programs, folder=str(folder), alone=alone)
    (folder / "run.py").write_text(script)
    seen = job(folder / "job", str(folder / "run.py"), probe=False)
    assert seen.code == 0, seen.output
    return dict(told.split() for told in seen.told())


@pytest.mark.parametrize("name", WILD)
def test_ours_does_what_one_process_did(name: str, right: dict[str, str]) -> None:
    assert right[name] == "True"


@pytest.mark.parametrize("name", WILD)
def test_the_other_form_does_not(name: str, right: dict[str, str]) -> None:
    assert right[f"{name}_broken"] == "False"
