"""In which fields of a node others stand, in the order of a walk: most fields never hold any."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import Any

# Fields that never hold a node, or one that nobody asks for.
_PLAIN = (
    "ctx op ops id attr arg kind asname module level conversion is_async simple lineno rest str"
    " kwd_attrs type_comment type_ignores"
)
_TEXTS = {"name": "TypeAlias", "names": "Import ImportFrom"}  # a text, but for these nodes


class _Fields(dict[type, tuple[str, ...]]):
    """The fields of a type of node that can hold nodes, in the order of the text or evaluation."""

    def __init__(self, last_evaluated_first: bool) -> None:
        self._reverse = last_evaluated_first

    def __missing__(self, kind: type) -> tuple[str, ...]:
        found = _fields_with_nodes(kind)
        if self._reverse:  # `generators` are evaluated before what they are for
            found = sorted(found, key="generators".__ne__)[::-1]
        self[kind] = tuple(found)
        return self[kind]


def _fields_with_nodes(kind: type) -> list[str]:
    if kind.__name__ in ("Constant", "MatchSingleton"):
        return []
    names: tuple[str, ...] = kind._fields  # type: ignore[attr-defined]
    held = [name for name in names if name not in _PLAIN.split()]
    return [name for name in held if kind.__name__ in _TEXTS.get(name, kind.__name__).split()]


_WRITTEN, _EVALUATED = _Fields(False), _Fields(True)


def nodes_in(node: ast.AST) -> list[ast.AST]:
    """The nodes in a node, last evaluated first: so they go on a stack."""
    found: list[ast.AST] = []
    for name in _EVALUATED[type(node)]:
        value = getattr(node, name, None)
        if not value:
            continue
        if type(value) is not list:
            found.append(value)
        elif None in value:  # `**other` has no key
            found += [part for part in reversed(value) if part is not None]
        else:
            found += value[::-1]
    return found


def children(node: ast.AST) -> list[ast.AST]:
    """The nodes in a node, as `ast.iter_child_nodes`, but for contexts and operators."""
    found: list[ast.AST] = []
    for name in _WRITTEN[type(node)]:
        value = getattr(node, name, None)
        if not value:
            continue
        if type(value) is not list:
            found.append(value)
        else:
            found += [part for part in value if part is not None] if None in value else value
    return found


def within(node: ast.AST) -> Iterator[ast.AST]:
    """A node and all in it, as `ast.walk`, but for contexts and operators: four times as fast."""
    found = [node]
    for each in found:  # which grows
        for name in _WRITTEN[type(each)]:  # as in `children`: a call for each node takes as long
            value = getattr(each, name, None)
            if not value:
                continue
            if type(value) is not list:
                found.append(value)
            else:
                found += [part for part in value if part is not None] if None in value else value
        yield each


class Transformer(ast.NodeTransformer):
    """As of `ast`, but it passes over contexts and operators, and finds its methods by types."""

    _methods: dict[type, str]

    def __init_subclass__(cls) -> None:
        super().__init_subclass__()
        cls._methods = {}

    def visit(self, node: ast.AST) -> Any:
        """What becomes of a node."""
        kind = type(node)
        name = self._methods.get(kind)
        if name is None:
            name = f"visit_{kind.__name__}"
            own = (each for each in type(self).__mro__ if issubclass(each, Transformer))
            is_known = any(name in vars(each) for each in own)
            name = self._methods[kind] = name if is_known else "generic_visit"
        return getattr(self, name)(node)

    def generic_visit(self, node: ast.AST) -> ast.AST:
        """The node, with what becomes of the nodes in it."""
        for name in _WRITTEN[type(node)]:
            value = getattr(node, name, None)
            if type(value) is list:
                value[:] = self._visited(value)
            elif value is not None:
                new = self.visit(value)
                if new is None:
                    delattr(node, name)
                elif new is not value:
                    setattr(node, name, new)
        return node

    def _visited(self, nodes: list[Any]) -> Iterator[Any]:
        for node in nodes:
            new = node if node is None else self.visit(node)
            if isinstance(new, ast.AST):
                yield new
            elif new is not None:
                yield from new
            elif node is None:  # `**other` has no key
                yield node


def is_placeholder(node: ast.AST) -> bool:
    """Whether it stands for what comes later: `self.model = None` first, or 0, or `[]`."""
    if isinstance(node, ast.Constant):
        return not node.value
    is_empty = isinstance(node, (ast.List, ast.Tuple)) and not node.elts
    return is_empty or (isinstance(node, ast.Dict) and not node.values)
