"""Whether an original and an erased result are one program, with the liberties that rules take."""

from __future__ import annotations

import ast
from typing import Any

from .eraser import is_call

# Arguments that a rule may add to a call: who adds them and with what value is checked elsewhere.
ADDED = frozenset({"custom_objects", "exist_ok"})
MAY_BE_WRITTEN_OUT = frozenset({"learning_rate", "lr", "callbacks", "verbose", "end_learning_rate"})


def difference(old: Any, new: Any) -> str | None:
    """The first place where they differ, as text; None if there is none."""
    if isinstance(old, ast.AST) and isinstance(new, ast.AST):
        return _nodes(old, new)
    if isinstance(old, list) and isinstance(new, list):
        return _lists(old, new)
    return None if type(old) is type(new) and old == new else f"{old!r} became {new!r}"


def _nodes(old: ast.AST, new: ast.AST) -> str | None:
    if _is_named_class(old, new) or _is_no_callbacks(old, new):
        return None
    if isinstance(new, ast.Call) and is_call(new, "repeat") and not is_call(old, "repeat"):
        return difference(old, new.func.value)  # type: ignore[attr-defined]
    if type(old) is not type(new):
        return f"{_text(old)} became {_text(new)}"
    if isinstance(old, ast.Call) and isinstance(new, ast.Call):
        return _calls(old, new)
    for field in old._fields:
        if field in ("ctx", "type_comment"):
            continue
        found = difference(getattr(old, field, None), getattr(new, field, None))
        if found:
            return found
    return None


def _calls(old: ast.Call, new: ast.Call) -> str | None:
    if not (is_call(old, "mkdir") and is_call(new, "makedirs")):
        found = difference(old.func, new.func)
        if found:
            return found
    given = {keyword.arg for keyword in old.keywords}
    named = [_as_before(keyword, given) for keyword in new.keywords]
    kept = [k for k in named if k.arg in given or not _may_be_added(k)]
    args = new.args
    if is_call(new, "compile") and len(args) == len(old.args) + 1 and not old.args:
        args = args[1:] if _is_default(args[0]) else args
    return difference(old.args, args) or difference(old.keywords, kept)


def _as_before(keyword: ast.keyword, given: set[str | None]) -> ast.keyword:
    """Keras ignores `lr=`, so that it is written as what counts."""
    if keyword.arg != "learning_rate" or "lr" not in given or "learning_rate" in given:
        return keyword
    return ast.keyword("lr", keyword.value)


def _may_be_added(keyword: ast.keyword) -> bool:
    if keyword.arg in ADDED:
        return True
    if keyword.arg == "optimizer":
        return _is_default(keyword.value)
    return keyword.arg in MAY_BE_WRITTEN_OUT and hasattr(keyword.value, "inserted")


def _is_default(node: ast.AST) -> bool:
    """Whether it is what `compile` takes for a missing optimizer."""
    return isinstance(node, ast.Call) and _text(node.func).endswith("RMSprop")


def _is_named_class(old: ast.AST, new: ast.AST) -> bool:
    """`"adam"` stands for `Adam` with its default rate."""
    if not isinstance(old, ast.Constant) or not isinstance(old.value, str):
        return False
    if not isinstance(new, ast.Call) or new.args or len(new.keywords) != 1:
        return False
    name = _text(new.func).rpartition(".")[2].rstrip("_").lower()
    return name == old.value.lower() and hasattr(new.keywords[0].value, "inserted")


def _is_no_callbacks(old: ast.AST, new: ast.AST) -> bool:
    """No callbacks but Horovod's: `None` and `[]` say the same."""
    is_none = isinstance(old, ast.Constant) and old.value is None
    return is_none and isinstance(new, ast.List) and hasattr(new, "inserted") and not new.elts


def _lists(old: list[Any], new: list[Any]) -> str | None:
    for one, other in zip(old, new):
        found = difference(one, other)
        if found:
            return found
    if len(old) != len(new):
        longer = old if len(old) > len(new) else new
        what = "was lost" if longer is old else "was inserted"
        return f"{_text(longer[min(len(old), len(new))])} {what}"
    return None


def _text(node: object) -> str:
    if not isinstance(node, ast.AST):
        return repr(node)
    try:
        return ast.unparse(node)
    except (AttributeError, ValueError):
        return ast.dump(node)
