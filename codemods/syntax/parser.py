"""From a text to fissix's concrete tree, layout and comments included.

An LL(1) parser over the tables of grammar.py. Soft keywords need no guessing: `ast` says where
`match` and `type` statements begin, and `case` is a keyword where only a case block can follow.
"""

from __future__ import annotations

import ast

from fissix.pgen2 import token

from ..model import SyntaxProblem
from .grammar import Grammar, State, grammar
from .source import Source
from .tokens import Token, tokens
from .tree import LN, Leaf, Node

DEEPEST = 400  # str() of a fissix tree recurses twice per level, and Python allows 1,000
SOFT = frozenset({"match", "type"})
SOFT_STATEMENTS = tuple(getattr(ast, name) for name in ("Match", "TypeAlias") if hasattr(ast, name))


def parse(text: str, module: ast.Module | None = None) -> Node:
    """The `file_input` node of a text; `str` of it is the text again.

    `module` is what `ast.parse` makes of the text, for those who have it already. Raises
    SyntaxProblem for everything that `ast.parse` refuses.
    """
    return _Parser(grammar(), _soft_keywords(Source(text, module))).tree(text)


def _soft_keywords(source: Source) -> frozenset[tuple[int, int]]:
    """Where statements begin with `match` or `type`."""
    if not SOFT_STATEMENTS or not ("match" in source.text or "type" in source.text):
        return frozenset()
    found = (node for node in ast.walk(source.module) if isinstance(node, SOFT_STATEMENTS))
    return frozenset(source.span(node)[:2] for node in found)


class _Parser:
    """The rule being read (its state and children so far) and those around it (the stack)."""

    def __init__(self, grammar: Grammar, soft: frozenset[tuple[int, int]]) -> None:
        self.grammar, self.soft = grammar, soft
        self.case = grammar.keywords["case"]
        self.names: set[str] = set()
        self.state = grammar.start
        self.children: list[LN] = []
        self.stack: list[tuple[State, list[LN]]] = []

    def tree(self, text: str) -> Node:
        for found in tokens(text):
            self._take(found)
        root = Node(self.grammar.start.symbol, self.children)
        root.used_names = self.names  # what fissix's fixers expect of a tree
        return root

    def _take(self, found: Token) -> None:
        kind, value, prefix, line, column = found
        label = self._label(kind, value, line, column)
        move = self.grammar.move(self.state, label)
        while move is None:
            if not self.state.accepting or not self.stack:
                raise SyntaxProblem(f"{value!r} can't stand here", line, column)
            self._close()
            move = self.grammar.move(self.state, label)
        self.state, opened = move
        for inner in opened:
            self.stack.append((self.state, self.children))
            self.state, self.children = inner, []
        self.children.append(Leaf(kind, value, (prefix, (line, column))))
        while self.state.final and self.stack:
            self._close()

    def _close(self) -> None:
        """A rule ends; where it holds one thing only, the thing stands for it, as in fissix."""
        children = self.children
        node = children[0] if len(children) == 1 else Node(self.state.symbol, children)
        self.state, self.children = self.stack.pop()
        self.children.append(node)

    def _label(self, kind: int, value: str, line: int, column: int) -> int:
        if kind == token.NAME:
            self.names.add(value)
            label = self.grammar.keywords.get(value)
            if label is not None and self._is_keyword(value, line, column):
                return label
        return self.grammar.tokens[kind]

    def _is_keyword(self, value: str, line: int, column: int) -> bool:
        if value == "case":
            return self.case in self.state.arcs
        return value not in SOFT or (line, column) in self.soft
