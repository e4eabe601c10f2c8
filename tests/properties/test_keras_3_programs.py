"""The same generated programs under Keras 3: what is written for it, and that nothing breaks."""

from __future__ import annotations

import pytest

from distify.codemods.migrate import migrate
from distify.codemods.model import ALREADY_HOROVOD, Migration, Options, SyntaxProblem
from properties.checks import fresh
from properties.program import NOTHING, Program
from properties.test_generated_programs import some

KERAS_3 = Options(tensorflow=(2, 20))
FOR_KERAS_2 = ("horovod.tensorflow.keras", "DistributedOptimizer", "DistributedGradientTape")
SAMPLE, ALL = 40, 400


@pytest.mark.no_cover
@pytest.mark.parametrize("count", [SAMPLE, pytest.param(ALL, marks=pytest.mark.slow)])
def test_programs_of_keras_3_get_its_forms_alone(count: int) -> None:
    changed = [found for found in map(judged, some(count)) if found is not None]
    assert len(changed) >= count // 5
    for form in ("def average_gradients(", "class BroadcastState(", "hvd.allreduce("):
        assert any(form in found.after for found in changed), form


def judged(program: Program) -> Migration | None:
    """The migration of a program that is changed, once it has kept what is promised."""
    if any(word in program.text for word in FOR_KERAS_2):
        return None
    try:
        found = migrate(program.text, KERAS_3)
    except SyntaxProblem:
        return None
    if found.blocked or not found.steps:
        assert found.after == program.text
        return None
    assert program.kind != NOTHING, program.text
    fresh(found.after)
    assert not [word for word in FOR_KERAS_2 if word in found.after], found.after
    assert "allreduce(" in found.after, found.after
    again = migrate(found.after, KERAS_3)
    assert (again.skipped, again.steps, again.blocked) == (ALREADY_HOROVOD, (), ()), found.after
    return found
