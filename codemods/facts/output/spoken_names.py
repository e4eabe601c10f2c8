"""What a program calls a value that it prints: `print("Test loss:", f())` says test loss."""

from __future__ import annotations

import ast
import builtins
import keyword
import re

_WORD = re.compile(r"[a-z][a-z0-9]*|[0-9]+")
_MOST_WORDS = 3  # more are a sentence
_SHORTEST = 3  # letters of a name that says something
_DOING = ("ed", "ing", "done")  # "Restored", "Saving": what happens, and no value
_GIVES = {"evaluate": "scores", "predict": "predictions"}  # methods of models and estimators
_RUNS = ("run", "eval")  # of a session, of a tensor


def spoken_of(call: ast.Call, value: ast.expr) -> str:
    """The words for an argument of a call that prints: of what gives it, or of the text before it.

    Empty where neither tells; whether the name is free is another question.
    """
    name = _by_method(value) or _by_label(call, value)
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
    return f"{fetch.id} value" if isinstance(fetch, ast.Name) else ""


def _by_label(call: ast.Call, value: ast.expr) -> str:
    """The words of the text before it: one, or a few that end with a colon or the like."""
    before = call.args[call.args.index(value) - 1] if value in call.args[1:] else None
    text = before.value if isinstance(before, ast.Constant) else None
    if not isinstance(text, str):
        return ""
    words = _WORD.findall(text.lower())
    is_label = text.rstrip(" >-\t\n").endswith((":", "=")) or len(words) == 1
    if not is_label or not 0 < len(words) <= _MOST_WORDS or words[-1].endswith(_DOING):
        return ""
    name = " ".join(words)
    return name if name[0].isalpha() and len(name) >= _SHORTEST else ""
