"""Calls by name, so that the many rules that ask for some need not look at all of them."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterable, Iterator
from functools import cached_property
from operator import itemgetter

from .index import Index

_Numbered = dict[str, list[tuple[int, ast.Call]]]  # calls with their place in the order of the text


class CallsByName:
    """The calls of one module by what they call; each table is made when it is first asked for."""

    def __init__(self, index: Index, name: Callable[[ast.AST], str | None]) -> None:
        self._index, self._name = index, name

    def of_methods(self, methods: Iterable[str]) -> Iterator[ast.Call]:
        """Calls of attributes with one of these names, in the order of the text."""
        return _in_order(self._by_method, methods)

    def of_names(self, canonical: Iterable[str]) -> Iterator[ast.Call]:
        """Calls of library things with one of these canonical names, in the same order."""
        return _in_order(self._by_name, canonical)

    @cached_property
    def _by_method(self) -> _Numbered:
        return _numbered(self._index.calls, _method)

    @cached_property
    def _by_name(self) -> _Numbered:
        return _numbered(self._index.calls, self._called_name)

    def _called_name(self, call: ast.Call) -> str | None:
        return self._name(call.func)


def _numbered(calls: list[ast.Call], name_of: Callable[[ast.Call], str | None]) -> _Numbered:
    found: _Numbered = {}
    for number, call in enumerate(calls):
        name = name_of(call)
        if name is not None:
            found.setdefault(name, []).append((number, call))
    return found


def _method(call: ast.Call) -> str | None:
    return call.func.attr if isinstance(call.func, ast.Attribute) else None


def _in_order(calls: _Numbered, names: Iterable[str]) -> Iterator[ast.Call]:
    chosen = [numbered for name in set(names) for numbered in calls.get(name, ())]
    return (call for _, call in sorted(chosen, key=itemgetter(0)))
