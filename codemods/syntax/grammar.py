"""The tables behind the parser: Grammar.txt, numbered as fissix numbers its own symbols.

Bowler compiles patterns with fissix's numbers, so a rule that fissix knows keeps its number here
and a new rule gets one above all of them. fissix's own grammar is read and never changed.
"""

from __future__ import annotations

import io
import pkgutil
from functools import cache
from typing import Any

from fissix import pytree
from fissix.pgen2.pgen import ParserGenerator
from fissix.pygram import python_grammar

# What to do with a token: the state to be in afterwards, and the states of the rules it opens.
Move = tuple["State", tuple["State", ...]]


class State:
    """A place within a rule; `accepting` if the rule may end here, `final` if it must."""

    __slots__ = ("accepting", "arcs", "final", "moves", "symbol")

    def __init__(self, symbol: int, accepting: bool) -> None:
        self.symbol, self.accepting, self.final = symbol, accepting, False
        self.arcs: dict[int, tuple[State, int | None]] = {}  # label -> next state, rule opened
        self.moves: dict[int, Move | None] = {}  # label -> all of it at once, filled when used


class Grammar:
    """The rules as linked states, and the labels that tokens and keywords have in them."""

    def __init__(self, tables: Any) -> None:
        self.numbers = _numbers(tables)
        self.keywords: dict[str, int] = tables.keywords
        self.tokens: dict[int, int] = tables.tokens
        self.rules: dict[int, State] = {}
        for name, number in tables.symbol2number.items():
            self.rules[self.numbers[name]] = self._states(tables, number)[0]
        self.start = self.rules[self.numbers["file_input"]]

    def _states(self, tables: Any, number: int) -> list[State]:
        rows, _first = tables.dfas[number]
        symbol = self.numbers[tables.number2symbol[number]]
        states = [State(symbol, (0, index) in arcs) for index, arcs in enumerate(rows)]
        for index, (state, arcs) in enumerate(zip(states, rows)):
            state.final = arcs == [(0, index)]
            for label, target in arcs:
                if label:  # label 0 only says that the state accepts
                    self._connect(tables, state, label, states[target])
        return states

    def _connect(self, tables: Any, state: State, label: int, target: State) -> None:
        kind = tables.labels[label][0]
        if kind < 256:
            state.arcs[label] = (target, None)
            return
        opened = self.numbers[tables.number2symbol[kind]]
        for first in tables.dfas[kind][1]:
            state.arcs[first] = (target, opened)

    def move(self, state: State, label: int) -> Move | None:
        """All that the token does in this state, or None if the rule can't go on with it."""
        if label not in state.moves:
            state.moves[label] = self._find_move(state, label)
        return state.moves[label]

    def _find_move(self, state: State, label: int) -> Move | None:
        if label not in state.arcs:
            return None
        after, opened = state.arcs[label]
        states = [after]
        while opened is not None:
            inner, opened = self.rules[opened].arcs[label]
            states.append(inner)
        return states[0], tuple(states[1:])


def _numbers(tables: Any) -> dict[str, int]:
    known: dict[str, int] = python_grammar.symbol2number
    fresh = max(known.values()) + 1
    added = sorted(set(tables.symbol2number) - set(known))
    new = {name: fresh + index for index, name in enumerate(added)}
    return {name: known.get(name) or new[name] for name in tables.symbol2number}


@cache
def grammar() -> Grammar:
    """The grammar, built once in a process (about 40 ms)."""
    text = pkgutil.get_data(__package__, "Grammar.txt")
    assert text is not None
    rules = ParserGenerator("Grammar.txt", io.StringIO(text.decode("ascii")))
    built = Grammar(rules.make_grammar())
    pytree.type_repr(built.start.symbol)  # fills fissix's table of names for repr
    for name, number in built.numbers.items():
        pytree._type_reprs.setdefault(number, name)
    return built
