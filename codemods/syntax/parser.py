"""From a text to fissix's concrete tree, layout and comments included.

An LL(1) parser over the tables of grammar.py. Soft keywords need no guessing: `ast` says where
`match` and `type` statements begin, and `case` is a keyword where only a case block can follow.
"""

from __future__ import annotations

import ast
import sys
from functools import cached_property

from fissix.pgen2 import token

from ..model import SyntaxProblem
from ..program.node_fields import within
from ..starting.collector import without_collector
from .grammar import Grammar, State, grammar
from .source import Source
from .tokens import Token, tokens
from .tree import LN, Leaf, Node

CALLS = 3  # that `str` of a fissix tree takes for each level
OTHERS = 250  # calls that stand around it
SOFT = frozenset({"match", "case", "type"})
SOFT_STATEMENTS = tuple(getattr(ast, name) for name in ("Match", "TypeAlias") if hasattr(ast, name))


def parse(text: str, module: ast.Module | None = None) -> Node:
    """The `file_input` node of a text; `str` of it is the text again.

    `module` is what `ast.parse` makes of the text, for those who have it already. Raises
    SyntaxProblem for everything that `ast.parse` refuses, and for what is nested so deeply that
    fissix's nodes could not be printed.
    """
    with without_collector():  # every node of a tree stays alive
        return _Parser(grammar(), Source(text, module)).tree()


class _Parser:
    """The open rules, innermost last: how far each is, and where its nodes begin in `nodes`."""

    def __init__(self, grammar: Grammar, source: Source) -> None:
        self.grammar, self.source = grammar, source
        self.names: set[str] = set()
        self.states: list[State] = [grammar.start]
        self.begins: list[int] = [0]
        self.nodes: list[LN] = []
        self.deepest = 0

    def tree(self) -> Node:
        for found in tokens(self.source.text):
            self._take(found)
            self.deepest = max(self.deepest, len(self.states))
        root = Node(self.grammar.start.symbol, self.nodes)
        if self.deepest > deepest_level():
            _check_depth(root)
        root.used_names = self.names  # what fissix's fixers expect of a tree
        return root

    def _take(self, found: Token) -> None:
        kind, value, prefix, line, column = found
        label = self._label(kind, value, line, column)
        move = self.states[-1].moves[label]
        while move is None:
            if len(self.states) == 1 or not self.states[-1].accepting:
                raise SyntaxProblem(f"{value!r} can't stand here", line, column)
            self._close()
            move = self.states[-1].moves[label]
        self.states[-1:] = move
        self.begins += [len(self.nodes)] * (len(move) - 1)
        self.nodes.append(Leaf(kind, value, (prefix, (line, column))))
        while self.states[-1].final and len(self.states) > 1:
            self._close()

    def _close(self) -> None:
        """A rule ends; where it holds one thing only, the thing stands for it, as in fissix."""
        begin, symbol = self.begins.pop(), self.states.pop().symbol
        if len(self.nodes) - begin > 1:
            self.nodes[begin:] = [Node(symbol, self.nodes[begin:])]

    def _label(self, kind: int, value: str, line: int, column: int) -> int:
        if kind == token.NAME:
            self.names.add(value)
            label = self.grammar.keywords.get(value)
            if label is not None and (value not in SOFT or self._begins(label, line, column)):
                return label
        return self.grammar.tokens[kind]

    def _begins(self, label: int, line: int, column: int) -> bool:
        """Whether a soft keyword is one here, where perhaps it only could be."""
        if not self._fits(label):
            return False
        return label == self.grammar.keywords["case"] or (line, column) in self._soft_statements

    def _fits(self, label: int) -> bool:
        for state in reversed(self.states):
            if label in state.arcs or not state.accepting:
                return label in state.arcs
        return False

    @cached_property
    def _soft_statements(self) -> frozenset[tuple[int, int]]:
        """Where statements begin with `match` or `type`."""
        found = (node for node in within(self.source.module) if isinstance(node, SOFT_STATEMENTS))
        return frozenset(self.source.span(node)[:2] for node in found)


def deepest_level() -> int:
    """What Python's stack allows: 250 levels as it comes, 1,583 under the command line."""
    return (sys.getrecursionlimit() - OTHERS) // CALLS


def _check_depth(tree: Node) -> None:
    """Most open rules hold one thing only and leave no node, so the nodes are counted here."""
    stack: list[tuple[LN, int]] = [(tree, 0)]
    deepest = deepest_level()
    while stack:
        node, depth = stack.pop()
        if depth > deepest:
            raise SyntaxProblem("the code is nested too deeply", node.get_lineno())
        stack.extend((child, depth + 1) for child in node.children)
