"""What a call that goes under a guard evaluates, and every worker has to evaluate still (R04)."""

from __future__ import annotations

import ast

from ...program.records import NamedTuple
from ..facts import Facts
from .cores import core_of
from .effects import Effects
from .outputs import is_output
from .spoken_names import spoken_of
from .steady import is_steady


class Hoist(NamedTuple):
    """An argument that is evaluated on every worker before the guard."""

    value: ast.expr
    number: int  # among those of its statement
    is_text: bool
    wish: str = ""  # the words that say what it is, if the program tells
    unpacked: str = ""  # `*` or `**`
    only_there: bool = False  # it writes, too
    ahead: int = 0  # how many that are evaluated after it stand before it: `f(a=1, *b)`


class Hoists:
    """The arguments to hoist out of the guarded statements of a module."""

    def __init__(self, facts: Facts, effects: Effects) -> None:
        self._facts, self._effects = facts, effects

    def of(self, statement: ast.stmt) -> tuple[Hoist, ...]:
        """The arguments that every worker has to evaluate; empty when there is nothing to guard."""
        call = statement.value if isinstance(statement, ast.Expr) else None
        if not isinstance(call, ast.Call) or not is_output(self._facts, call):
            return ()
        parts = _parts(call)
        needed = [n for n, (value, _) in enumerate(parts) if not self._effects.skippable(value)]
        if not needed or any(isinstance(value, ast.GeneratorExp) for value, _ in parts):
            return ()
        chosen = [
            part
            for n, part in enumerate(parts[: needed[-1] + 1])
            if n in needed or not is_steady(self._facts, part[0], statement)
        ]
        last, unpacked = chosen.pop()
        core = core_of(self._facts, self._effects, last, statement)
        chosen.append((core, unpacked if core is last else ""))
        found: list[Hoist] = []
        for number in range(len(chosen)):
            value = chosen[number][0]
            wish = spoken_of(call, last if value is core else value, value)
            is_free = all(wish != other.wish for other in found)
            found.append(self._hoist(chosen, number, wish if is_free else ""))
        return tuple(found)

    def _hoist(self, chosen: list[tuple[ast.expr, str]], number: int, wish: str) -> Hoist:
        value, unpacked = chosen[number]
        writes = self._effects.skippable(value) and bool(self._effects.outputs(value))
        ahead = sum(_starts(later) < _starts(value) for later, _ in chosen[number + 1 :])
        is_text = _is_text(value) and not unpacked
        return Hoist(value, number, is_text, wish, unpacked, only_there=writes, ahead=ahead)


def _parts(call: ast.Call) -> list[tuple[ast.expr, str]]:
    """What a call evaluates, in order, with how it is unpacked."""
    receiver = [call.func.value] if isinstance(call.func, ast.Attribute) else []
    parts = [(value, "") for value in receiver]
    for value in call.args:
        parts.append((value.value, "*") if isinstance(value, ast.Starred) else (value, ""))
    return parts + [(k.value, "" if k.arg else "**") for k in call.keywords]


def _starts(value: ast.expr) -> tuple[int, int]:
    return value.lineno, value.col_offset


def _is_text(value: ast.expr) -> bool:
    if isinstance(value, ast.BinOp):
        return _is_text(value.left)
    if isinstance(value, ast.Call):
        is_method = isinstance(value.func, ast.Attribute) and value.func.attr in ("format", "join")
        return is_method and _is_text(value.func.value)  # type: ignore[attr-defined]
    return isinstance(value, ast.JoinedStr) or (
        isinstance(value, ast.Constant) and isinstance(value.value, str)
    )
