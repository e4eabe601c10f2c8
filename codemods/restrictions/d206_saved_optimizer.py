"""Models from files with their optimizers, for this program and for others that load them."""

from __future__ import annotations

from collections.abc import Iterator

from ..facts import Facts, Pattern
from ..facts.keras_version import is_keras_3
from ..facts.optimizers.compiles import compiles
from ..facts.optimizers.learning_rates import keeps_rates
from ..facts.optimizers.wrapped_optimizers import cannot_be_built, loads_to_distribute
from ..facts.output.reloads import saves
from ..facts.training.pattern import training_of
from ..facts.value_parts import bound_to
from ..model import Finding
from . import restriction
from ._compilation import compilation
from ._finding import LOOK, finding, note

MESSAGE = "this file will name Horovod's class of the optimizer, which other programs can't load"
FIX = "load it there with compile=False, or with custom_objects={'Adam': …}; .h5 needs neither"


LOADED = "this model goes on with the plain optimizer of its file, whose gradients nobody averages"
COMPILE = "compile it again behind this line, with the optimizer and the loss it had: `{}`"
OF_FILE = (
    "this goes on with the learning rate of the file, which is that of the workers who saved it"
)
SET = (
    "right for as many as now; of one device, or of another number, set it behind the load: "
    "`model.optimizer.learning_rate.assign(rate * hvd.size())`"
)


@restriction(code="D206", name="loaded-optimizer")
def loaded_optimizer(facts: Facts) -> Iterator[Finding]:
    """What trains on from a file with an optimizer whose state can't be taken over.

    With Keras 3 the optimizer of the file itself averages (D105).
    """
    if cannot_be_built(facts) and not is_keras_3(facts):
        for call in loads_to_distribute(facts):
            fix = COMPILE.format(compilation(facts, bound_to(facts, call) or "model"))
            yield finding(facts, call, "D206", LOADED, fix)


@restriction(code="D206", name="saved-optimizer")
def saved_optimizer(facts: Facts) -> Iterator[Finding]:
    """Notes for whole models that are saved in Keras' own format."""
    is_wrapped = training_of(facts).pattern is Pattern.KERAS and not is_keras_3(facts)
    if is_wrapped and any(True for _ in compiles(facts)):
        for call in saves(facts):
            yield note(facts, call, "D206", MESSAGE, FIX, kind=LOOK)


@restriction(code="D206", name="rate-of-file")
def rate_of_file(facts: Facts) -> Iterator[Finding]:
    """Notes for models that go on with the rate of their file: N workers' own is N times as large.

    A resumed run of as many workers goes on as it was; the file doesn't say how many there were.
    """
    if not cannot_be_built(facts) and not keeps_rates(facts):
        for call in loads_to_distribute(facts):
            yield note(facts, call, "D206", OF_FILE, SET, kind=LOOK)
