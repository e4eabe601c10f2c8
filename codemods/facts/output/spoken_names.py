"""What a program calls a value that it prints: `print("Test loss:", f())` says test loss."""

from __future__ import annotations

import ast
import builtins
import keyword
import re
from collections.abc import Iterator

from ...library.words import words
from ...program.node_fields import children, within

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
