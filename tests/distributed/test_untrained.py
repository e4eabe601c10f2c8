"""Models and variables that nothing trains are worker 0's on all workers behind the first step.

Programs of `untrained/` run as distify writes them, and as they were written before: with what the
optimizer is given broadcast alone. `verify` looks at what is trained, so they are asked themselves.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from probed_jobs import job

PROGRAMS = Path(__file__).parent / "untrained"
# What nothing trains, and the line without which it stays each worker's own.
UNTRAINED = {
    "target_network": "broadcast_variables(target.variables",
    "moving_mean": "broadcast_variables(self.teacher.variables",
    "frozen_network": "broadcast_variables(frozen.variables",
    "copied_variables": "broadcast_variables([projection, *shadows]",
    "batches_towards_a_target": "broadcast_variables(target.variables",
    "meta_steps": "broadcast_variables(learner.variables",
    "fitted_towards_a_target": "tf.keras.utils.set_random_seed(0)",
}
VALUES = {
    "moving_mean": "pair.teacher.variables",
    "frozen_network": "frozen.variables",
    "copied_variables": "[projection, *shadows]",
    "meta_steps": "net.variables",
}
RUN = """\
import runpy, sys
import numpy as np
import horovod.tensorflow as hvd
from tensorflow import keras

for program, values in {programs!r}:
    space = runpy.run_path(program)
    mine = [each.numpy() for each in eval(values, space)]
    every = hvd.allgather_object([np.asarray(each).tobytes() for each in mine])
    if hvd.rank() == 0:
        print("TOLD", program.rpartition("/")[2][:-3], all(one == every[0] for one in every))
    keras.backend.clear_session()
"""


@pytest.fixture(scope="module")
def alike(tmp_path_factory: pytest.TempPathFactory, migrate: Any) -> dict[str, str]:
    """Whether all workers have the same, by the name of each program; one job runs them all."""
    folder = tmp_path_factory.mktemp("untrained")
    programs = []
    for name, line in UNTRAINED.items():
        ours = migrate(PROGRAMS / f"{name}.py").read_text()
        broken = "".join(each for each in ours.splitlines(True) if line not in each)
        assert ours.count(line) == 1
        for form, text in ((f"{name}_broken", broken), (name, ours)):  # the seed of one would last
            (folder / f"{form}.py").write_text(text)
            programs.append((str(folder / f"{form}.py"), VALUES.get(name, "target.variables")))
    (folder / "run.py").write_text(RUN.format(programs=programs))
    seen = job(folder / "job", str(folder / "run.py"), probe=False)
    assert seen.code == 0, seen.output
    return dict(told.split() for told in seen.told())


@pytest.mark.parametrize("name", UNTRAINED)
def test_what_nothing_trains_is_the_same_on_all_workers(name: str, alike: dict[str, str]) -> None:
    assert alike[name] == "True"


@pytest.mark.parametrize("name", UNTRAINED)
def test_without_its_broadcast_it_is_each_workers_own(name: str, alike: dict[str, str]) -> None:
    assert alike[f"{name}_broken"] == "False"
