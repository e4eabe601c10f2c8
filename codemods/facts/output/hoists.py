"""What a call that goes under a guard evaluates, and every worker has to evaluate still (R04)."""

from __future__ import annotations

import ast

from ...library.words import table
from ...program.node_fields import within
from ...program.records import NamedTuple
from ..facts import Facts
from .confined_names import is_rebound_elsewhere
from .effects import Effects
from .evaluation import arguments_of
from .outputs import is_output
from .spoken_names import spoken_of

_OF_TEXTS = table("os.path: abspath basename dirname expanduser join normpath splitext")


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
            if n in needed or not self._is_steady(part[0], statement)
        ]
        found: list[Hoist] = []
        for number in range(len(chosen)):
            wish = spoken_of(call, chosen[number][0])
            is_free = all(wish != other.wish for other in found)
            found.append(self._hoist(chosen, number, wish if is_free else ""))
        return tuple(found)

    def _hoist(self, chosen: list[tuple[ast.expr, str]], number: int, wish: str) -> Hoist:
        value, unpacked = chosen[number]
        writes = self._effects.skippable(value) and bool(self._effects.outputs(value))
        ahead = sum(_starts(later) < _starts(value) for later, _ in chosen[number + 1 :])
        is_text = _is_text(value) and not unpacked
        return Hoist(value, number, is_text, wish, unpacked, only_there=writes, ahead=ahead)

    def _is_steady(self, value: ast.expr, statement: ast.stmt) -> bool:
        """Whether it means the same before and after what is hoisted behind it has run."""
        if isinstance(value, ast.Name):
            rebinds = (n.target.id for n in within(statement) if isinstance(n, ast.NamedExpr))
            return not is_rebound_elsewhere(self._facts, value) and value.id not in rebinds
        if isinstance(value, ast.Call):
            return self._is_path(value, statement)
        is_module = isinstance(value, ast.Attribute) and self._facts.name(value) is not None
        return is_module or isinstance(value, ast.Constant)

    def _is_path(self, call: ast.Call, statement: ast.stmt) -> bool:
        """`os.path.join(args.out, "a.npy")`: of texts, which nobody changes in place."""
        return self._facts.name(call.func) in _OF_TEXTS and all(
            self._is_steady(each, statement) or self._is_setting(each, statement)
            for each in arguments_of(call)
        )

    def _is_setting(self, value: ast.expr, statement: ast.stmt) -> bool:
        """`args.out`, which the program sets nowhere."""
        if not isinstance(value, ast.Attribute) or value.attr in self._facts.index.attribute_stores:
            return False
        return isinstance(value.value, ast.Name) and self._is_steady(value.value, statement)


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
