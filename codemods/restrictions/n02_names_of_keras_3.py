"""Names that Keras 3 alone has: they say the target where nobody else does."""

from __future__ import annotations

from collections.abc import Iterator

from ..facts import Facts
from ..facts.keras_target import brings_keras_3, is_by_names, named_of_keras_3
from ..library.names import KERAS
from ..model import Finding
from . import restriction
from ._finding import LOOK, finding, note

TAKEN = "written for TensorFlow 2.16 and later: `{}` is of Keras 3, and nothing else says a version"
SAY = 'say which it is: `tensorflow = "2.20"` under [tool.distify]'
OTHER = "`{}` is of Keras 3, and TensorFlow {}.{}, which is asked for, brings Keras 2"
ASK = 'ask for TensorFlow 2.16 or later: `tensorflow = "2.20"` under [tool.distify]'


@restriction(code="N02", name="names-of-keras-3", stands=True)
def names_of_keras_3(facts: Facts) -> Iterator[Finding]:
    """The first such name: a remark where it decides, a finding where another version is asked."""
    if brings_keras_3(facts.options) and not is_by_names(facts.options):
        return
    found = sorted(named_of_keras_3(facts.index, facts.names), key=lambda it: facts.place(it[0]))
    for node, name in found[:1]:
        short = name.replace(KERAS, "keras", 1)
        if is_by_names(facts.options):
            yield note(facts, node, "N02", TAKEN.format(short), SAY, kind=LOOK)
        else:
            yield finding(facts, node, "N02", OTHER.format(short, *facts.options.tensorflow), ASK)
