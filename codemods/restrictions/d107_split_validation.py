"""`validation_split` takes the validation from each worker's share, with metrics that are no means.

Horovod averages what the workers measure: of AUC, precision, F1 or a count that is another number
than that of all examples, and callbacks decide by it.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from ..facts import Facts
from ..facts.causes import spelled
from ..facts.data.data_lengths import TRAINING
from ..facts.data.fit_arrays import arrays_of_fits
from ..facts.training import fits
from ..facts.training.fits import are_means
from ..model import Finding
from . import restriction
from ._finding import LOOK, note

MESSAGE = (
    "each worker validates on a part of its own share, and a metric here is no mean over examples: "
    "the average of the workers is not its value on all of them"
)
FIX = (
    "keep the validation whole: `n = int(len({x}) * (1 - {part}))` before, and "
    "`fit({x}[:n], {y}[:n], validation_data=({x}[n:], {y}[n:]))`"
)


@restriction(code="D107", name="split-validation")
def split_validation(facts: Facts) -> Iterator[Finding]:
    """Notes: what is trained is right, what is measured may mislead."""
    if are_means(facts):
        return
    for arrays in arrays_of_fits(facts):
        call = arrays.fit if arrays.purpose == TRAINING else None
        part = None if call is None else fits.argument(facts, call, "validation_split")
        if call is None or part is None or is_none(part):
            continue
        x, y = fits.data(facts, call), fits.argument(facts, call, "y")
        fix = FIX.format(x=named(x, "x"), y=named(y, "y"), part=spelled(part))
        yield note(facts, part, "D107", MESSAGE, fix, kind=LOOK)


def is_none(part: ast.expr) -> bool:
    """Whether nothing is split off."""
    return isinstance(part, ast.Constant) and not part.value


def named(value: ast.expr | None, otherwise: str) -> str:
    """The array in the words of the program, if it has a name."""
    return spelled(value) if isinstance(value, (ast.Name, ast.Attribute)) else otherwise
