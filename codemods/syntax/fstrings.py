"""Fields of f-strings as nodes of the concrete tree, where they are places of edits.

For fissix an f-string is one leaf. One whose fields are edited becomes a node: pieces of the
literal, and between them the code of those fields.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable
from typing import Callable

from fissix.pgen2 import token
from fissix.pygram import python_symbols as syms

from ..program.node_fields import within
from ..program.records import NamedTuple
from .leaves import Leaves
from .parser import parse
from .source import Source, Unmade
from .strings import FORMATTED, fields
from .tree import LN, Leaf, Node

Resolve = Callable[[Node, Source, Iterable[ast.AST]], "dict[ast.AST, LN]"]
NO_FIELD = "a field of this f-string can't be edited"


def opened_around(node: LN) -> Node | None:
    """The opened f-string in whose field a node stands; None if it stands in none."""
    while node.parent is not None:
        node = node.parent
        if getattr(node, "is_fstring", False):
            return node
    return None


def in_fields(
    leaves: Leaves, source: Source, wanted: set[ast.AST], resolve: Resolve
) -> dict[ast.AST, LN]:
    """The nodes of what stands in fields of f-strings, which are opened. Raises Unmade."""
    found: dict[ast.AST, LN] = {}
    for string in within(source.module) if wanted else ():
        if isinstance(string, ast.JoinedStr) and string not in source.in_fstrings:
            own = wanted.intersection(within(string))
            if own:
                literals = leaves.between(*source.offsets(string))
                opened = Opened(string, literals, own, resolve)
                found.update(opened.nodes)
                leaves.exchange(opened.ends)
    return found


class Field(NamedTuple):
    """The code of one field: where it stands in the literal, and its node."""

    begin: int
    end: int
    node: LN


class Opened:
    """One f-string with the fields opened in which edits are due."""

    def __init__(
        self, string: ast.JoinedStr, leaves: Iterable[Leaf], wanted: set[ast.AST], resolve: Resolve
    ) -> None:
        self.nodes: dict[ast.AST, LN] = {}  # of those wanted
        self.ends: list[tuple[Leaf, Leaf, Leaf]] = []  # each leaf, its first and its last piece
        self._resolve = resolve
        parts: dict[int, list[Field]] = {}
        leaves = list(leaves)
        for value, (leaf, begin, end) in zip(*_paired(string, leaves)):
            own = [node for node in within(value.value) if node in wanted]
            if own:
                field = self._field(value.value, leaf.value[begin:end], own)
                parts.setdefault(id(leaf), []).append(Field(begin, end, field))
        for leaf in leaves:
            if id(leaf) in parts:
                self._open(leaf, parts[id(leaf)])

    def _field(self, value: ast.expr, code: str, own: list[ast.AST]) -> LN:
        """The node of a field's code. Raises Unmade."""
        source = Source(f"({code})\n")
        statement = source.module.body[0]
        assert isinstance(statement, ast.Expr)
        if ast.dump(statement.value) != ast.dump(value):
            raise Unmade(NO_FIELD, value)
        same = dict(zip(within(value), within(statement.value)))
        tree = parse(source.text, source.module)
        found = self._resolve(tree, source, [same[node] for node in own])
        brackets = tree.children[0].children[0]
        if brackets in found.values():  # a tuple, which has none in the field
            raise Unmade(NO_FIELD, value)
        self.nodes.update((node, found[same[node]]) for node in own)
        inside = brackets.children[1]
        inside.remove()
        return inside

    def _open(self, leaf: Leaf, parts: list[Field]) -> None:
        begins = [0, *(field.end for field in parts)]
        ends = [*(field.begin for field in parts), len(leaf.value)]
        pieces = [Leaf(token.STRING, leaf.value[a:b]) for a, b in zip(begins, ends)]
        pieces[0].prefix, pieces[0].lineno = leaf.prefix, leaf.lineno
        inner: list[LN] = [each for pair in zip(pieces, parts) for each in (pair[0], pair[1].node)]
        opened = Node(syms.atom, [*inner, pieces[-1]])
        opened.is_fstring = True
        position = next(i for i, child in enumerate(leaf.parent.children) if child is leaf)
        leaf.parent.set_child(position, opened)
        self.ends.append((leaf, pieces[0], pieces[-1]))


def _paired(
    string: ast.JoinedStr, leaves: Iterable[Leaf]
) -> tuple[list[ast.FormattedValue], list[tuple[Leaf, int, int]]]:
    """The fields of an f-string, and where the code of each stands in its leaves. Raises Unmade."""
    values = [value for value in string.values if isinstance(value, ast.FormattedValue)]
    spans = [
        (leaf, *span)
        for leaf in leaves
        if FORMATTED.match(leaf.value)
        for span in fields(leaf.value)
    ]
    if len(values) != len(spans):
        raise Unmade(NO_FIELD, string)
    return values, spans
