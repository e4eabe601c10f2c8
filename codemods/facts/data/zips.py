"""Calls of `tf.data.Dataset.zip`."""

from __future__ import annotations

import ast

from ..facts import Facts

_ZIP = ("tensorflow.data.Dataset.zip", "tensorflow.compat.v1.data.Dataset.zip")


def zips(facts: Facts, call: ast.Call) -> bool:
    """Whether it joins datasets element by element."""
    return facts.name(call.func) in _ZIP


def zip_of(facts: Facts, key: object) -> ast.Call | None:
    """The call that gets the content of a container, which is all that sees it."""
    box = key[1] if isinstance(key, tuple) else None
    call = facts.parent(box) if isinstance(box, (ast.Tuple, ast.List)) else None
    return call if isinstance(call, ast.Call) and zips(facts, call) else None
