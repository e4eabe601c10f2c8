"""In which `fit` of a program something happened: one that resumes, or trains in two phases."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..record.events import Callbacks, State
from ._seen import everyone

if TYPE_CHECKING:
    from ..record.evidence import Evidence

_NUMBERS = ("first", "second", "third", "fourth", "fifth")


def phase(evidence: Evidence, steps: tuple[int, ...]) -> str:
    """`in the second fit (train.py:29)`; empty where there is but one, or it can't be told."""
    for worker in everyone(evidence):
        fits = [each for each in worker.all(Callbacks) if each.method.startswith("fit")]
        seen = next((state for state in worker.all(State) if state.steps == steps), None)
        begun = [each for each in fits if seen and each.t <= seen.t]
        if len(fits) > 1 and begun:
            where = f" ({begun[-1].where})" if begun[-1].where else ""
            return f"in the {_number(len(begun))} fit{where}"
    return ""


def _number(count: int) -> str:
    return _NUMBERS[count - 1] if count <= len(_NUMBERS) else f"{count}th"
