"""Callbacks that steer every worker and print what they do: one of them need tell it.

https://www.tensorflow.org/versions/r2.15/api_docs/python/tf/keras/callbacks (`verbose`)
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from ...library.callbacks import PREFIX, PRINTING
from ...program.records import NamedTuple
from ..facts import Facts
from ..training import fits


class Printing(NamedTuple):
    """A call that makes such a callback; its level, and the position at which that may stand."""

    call: ast.Call
    level: str
    position: int


def printing_callbacks(facts: Facts) -> Iterator[Printing]:
    """Those that are told a level above 0; a program with Horovod of its own decided on that."""
    is_told = not facts.has_horovod and any(True for _ in fits.fits(facts))
    for name, position in PRINTING.items() if is_told else ():
        for call in facts.calls_of(PREFIX + name):
            given = facts.argument(call, "verbose", position)
            if isinstance(given, ast.Constant) and given.value:
                yield Printing(call, "1" if given.value is True else repr(given.value), position)
