"""How many examples a program counts on: some have the length of a data set written into them."""

from __future__ import annotations

import ast
import contextlib
import sys
from collections.abc import Iterable, Iterator

from . import places


def sources() -> Iterator[str]:
    """The text of every file of the program that has been imported so far."""
    for module in list(sys.modules.values()):
        name = getattr(module, "__file__", None)
        if isinstance(name, str) and name.endswith(".py") and places.is_the_users(name):
            yield _text(name)


def _text(name: str) -> str:
    try:
        with open(name, encoding="utf-8") as file:
            return file.read()
    except (OSError, UnicodeDecodeError):
        return ""


def counts_on(own: Iterable[int], small: int, texts: Iterable[str]) -> bool:
    """Whether a text names one of a data set's own lengths, or cuts where `small` has nothing."""
    lengths = set(own)
    for text in texts:
        with contextlib.suppress(SyntaxError, ValueError, RecursionError):
            for node in ast.walk(ast.parse(text)):
                if isinstance(node, ast.Slice) and any(n >= small for n in _numbers(node)):
                    return True
                if isinstance(node, ast.Constant) and _is_among(node.value, lengths):
                    return True
    return False


def _is_among(value: object, lengths: set[int]) -> bool:
    return type(value) is int and value in lengths


def _numbers(node: ast.AST) -> Iterator[int]:
    for each in ast.walk(node):
        if isinstance(each, ast.Constant) and type(each.value) is int:
            yield each.value
