"""What of a call under a guard every worker has to evaluate still, and how that value is called."""

from __future__ import annotations

import ast
import builtins
import keyword
import re
from collections.abc import Iterator
from itertools import takewhile

from ...library.array_names import ITERATE
from ...library.purity import AT_ONCE
from ...library.words import words
from ...program.node_fields import children, within
from ...program.records import NamedTuple
from ..facts import Facts
from .evaluation import is_settled, is_steady
from .outputs import is_output
from .side_effects import Effects

# -- cores ---------------------------------------------------------------------------------------
# The part of an expression that every worker has to evaluate, where the rest only computes.

# What evaluates all of its parts, each once.
_WHOLE = (
    ast.Attribute,
    ast.BinOp,
    ast.Call,
    ast.FormattedValue,
    ast.JoinedStr,
    ast.Slice,
    ast.Starred,
    ast.Subscript,
    ast.Tuple,
    ast.UnaryOp,
    ast.keyword,
)
_OF_VALUES = ("numpy.", "tensorflow.", "math.")
_GIVE_LISTS = words("run eval evaluate predict")  # of sessions, tensors and models
_NO_VALUES = (ast.FormattedValue, ast.Slice, ast.Starred, ast.keyword)


def core_of(facts: Facts, effects: Effects, value: ast.expr, statement: ast.stmt) -> ast.expr:
    """The smallest part of a value that has its effect: `step(x)` of `f"{n}: {float(step(x))}"`.

    What stands before it must mean the same behind it, and what is around it only computes.
    """
    found = value
    for part in _inwards(effects, value):
        parts = children(part)
        before = list(takewhile(effects.skippable, parts))
        if not all(_may_wait(facts, part, each, statement) for each in before):
            break
        inner = parts[len(before)]
        if not _is_used_at_once(facts, part, inner):
            break
        if isinstance(inner, ast.expr) and not isinstance(inner, _NO_VALUES):
            found = inner
    return found


def _inwards(effects: Effects, part: ast.AST) -> Iterator[ast.AST]:
    """A part that computes by itself and holds one that doesn't, that one, and so on."""
    while isinstance(part, _WHOLE) and effects.only_computes(part):
        with_effects = [each for each in children(part) if not effects.skippable(each)]
        if len(with_effects) != 1:
            return
        yield part
        (part,) = with_effects


def _is_used_at_once(facts: Facts, around: ast.AST, inner: ast.AST) -> bool:
    """Whether what an inner part gives is a value, and no iterator that runs where it is read."""
    if isinstance(inner, (ast.GeneratorExp, ast.Lambda)):
        return False
    if isinstance(around, ast.Starred):
        method = inner.func if isinstance(inner, ast.Call) else None
        return isinstance(method, ast.Attribute) and method.attr in _GIVE_LISTS
    if not isinstance(around, ast.Call) or inner is around.func:
        return True
    name = facts.name(around.func) or ""
    is_known = name in AT_ONCE or (name.startswith(_OF_VALUES) and name not in ITERATE)
    return is_known or (isinstance(around.func, ast.Attribute) and around.func.attr == "format")


def _may_wait(facts: Facts, around: ast.AST, part: ast.AST, statement: ast.stmt) -> bool:
    """Whether a part means the same behind the one with the effect.

    A name that is handed on is no more than looked up: what is done with that comes after both.
    """
    if isinstance(part, ast.Attribute) and part is getattr(around, "func", None):
        return _may_wait(facts, around, part.value, statement)
    is_handed_on = isinstance(around, (ast.Call, ast.Tuple, ast.Subscript, ast.Starred))
    if is_handed_on and isinstance(part, ast.expr) and is_steady(facts, part, statement):
        return True
    return is_settled(facts, part, statement)


# -- spoken names --------------------------------------------------------------------------------
# What a program calls a value that it prints: `print("Test loss:", f())` says test loss.

_WORD = re.compile(r"[a-z][a-z0-9]*|[0-9]+")
_PLACE = re.compile(r"%[^a-zA-Z%]*[a-zA-Z]")  # for a value, in a text before `%`
_MOST_WORDS = 3  # more are a sentence
_SHORTEST = 3  # letters of a name that says something
_DOING = ("ed", "ing", "done")  # "Restored", "Saving": what happens, and no value
_GIVES = {"evaluate": "scores", "predict": "predictions"}  # methods of models and estimators
_RUNS = ("run", "eval")  # of a session, of a tensor
_ASKS = re.compile(r"(?:get|compute|calculate|calc|measure)_(\w+)")  # `get_loss()` gives a loss
_SHOWN = (ast.BinOp, ast.FormattedValue, ast.JoinedStr, ast.Tuple)
_SAME = words("numpy item mean float int str round")  # of a loss they give a loss


def spoken_of(call: ast.Call, value: ast.expr, part: ast.expr) -> str:
    """The words for a part of an argument of a call that prints: of what gives it, or before it.

    Empty where neither tells; whether the name is free is another question.
    """
    name = _by_method(part) or _by_function(part) or _by_label(call, value, part)
    is_free = not keyword.iskeyword(name) and not hasattr(builtins, name)
    return name if is_free else ""


def _by_method(value: ast.expr) -> str:
    """`sess.run(loss)` and `loss.eval()` give the value of `loss`, `predict(x)[:3]` predictions."""
    if isinstance(value, ast.Subscript) and isinstance(value.slice, ast.Slice):
        return _by_method(value.value)
    if not isinstance(value, ast.Call) or not isinstance(value.func, ast.Attribute):
        return ""
    method, receiver = value.func.attr, value.func.value
    if method not in _RUNS:
        return _GIVES.get(method, "")
    return _fetched(value.args[0] if method == "run" and value.args else receiver)


def _fetched(fetch: ast.expr) -> str:
    if isinstance(fetch, (ast.List, ast.Tuple)):
        return "values"
    name = getattr(fetch, "id", getattr(fetch, "attr", ""))
    return f"{name} value" if name else ""


def _by_function(value: ast.expr) -> str:
    """`get_loss()` gives a loss, `next(batches)` a batch."""
    func = value.func if isinstance(value, ast.Call) else None
    name = func.attr if isinstance(func, ast.Attribute) else getattr(func, "id", "")
    if name == "next":
        return "batch" if "batch" in ast.unparse(value).lower() else "item"
    asked = _ASKS.fullmatch(name)
    return "" if asked is None else " ".join(_WORD.findall(asked[1]))


def _by_label(call: ast.Call, value: ast.expr, part: ast.expr) -> str:
    """The words of the text before it: one, or a few that end with a colon or the like."""
    text = _text_before(call, value, part)
    said = _WORD.findall(text.lower())
    is_label = text.rstrip(" >-\t\n").endswith((":", "=")) or len(said) == 1
    if not is_label or not 0 < len(said) <= _MOST_WORDS or said[-1].endswith(_DOING):
        return ""
    name = " ".join(said)
    return name if name[0].isalpha() and len(name) >= _SHORTEST else ""


def _text_before(call: ast.Call, value: ast.expr, part: ast.expr) -> str:
    """What is written in front of a part where it is shown; nothing if it is a part of that."""
    text = _constant(call.args[call.args.index(value) - 1]) if value in call.args[1:] else ""
    for around, inner in _steps(value, part):
        if not _is_same(around):
            return ""
        if isinstance(around, ast.JoinedStr):
            number = _number(around.values, inner)
            text = _constant(around.values[number - 1]) if number else ""
        elif isinstance(around, ast.BinOp) and isinstance(around.op, ast.Mod):
            number = _number(inner.elts, _in(inner, part)) if isinstance(inner, ast.Tuple) else 0
            text = [*_PLACE.split(_constant(around.left)), *[""] * (number + 1)][number]
    return text


def _steps(value: ast.expr, part: ast.expr) -> Iterator[tuple[ast.AST, ast.AST]]:
    """Each node on the way from a value to a part of it, with the next one."""
    around: ast.AST = value
    while around is not part:
        inner = _in(around, part)
        yield around, inner
        around = inner


def _in(around: ast.AST, part: ast.AST) -> ast.AST:
    """The child in which a part stands."""
    return next(child for child in children(around) if part in within(child))


def _number(parts: list[ast.expr], part: ast.AST) -> int:
    return next(number for number, each in enumerate(parts) if each is part)


def _constant(node: ast.AST) -> str:
    value = node.value if isinstance(node, ast.Constant) else None
    return value if isinstance(value, str) else ""


def _is_same(around: ast.AST) -> bool:
    """Whether what is around a value is the same thing: a number of it, or a text that shows it."""
    function = around.func if isinstance(around, ast.Call) else around
    name = getattr(function, "attr", getattr(function, "id", ""))
    return name in _SAME or isinstance(around, _SHOWN)


# -- hoists --------------------------------------------------------------------------------------
# What a call that goes under a guard evaluates, and every worker has to evaluate still (R04).


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
