"""The tables behind the parser: Grammar.txt, numbered as fissix numbers its own symbols.

Bowler compiles patterns with fissix's numbers, so a rule that fissix knows keeps its number here
and a new rule gets one above all of them. fissix's own grammar is read and never changed.
"""

from __future__ import annotations

import io
import pkgutil
from functools import cache
from typing import Any, Optional

from fissix import pytree
from fissix.pgen2.pgen import ParserGenerator
from fissix.pygram import python_grammar


class Moves(dict[int, Optional[tuple["State", ...]]]):
    """What a token does in a state, worked out when first asked for.

    The states to be in afterwards: first that of the rule itself, then those of the rules that the
    token opens. None if the rule can't go on with it.
    """

    def __init__(self, state: State) -> None:
        self.state = state

    def __missing__(self, label: int) -> tuple[State, ...] | None:
        states = []
        arc = self.state.arcs.get(label)
        while arc is not None:
            states.append(arc[0])
            arc = arc[1].arcs[label] if arc[1] else None
        self[label] = tuple(states) or None
        return self[label]


class State:
    """A place within a rule; `accepting` if the rule may end here, `final` if it must."""

    __slots__ = ("accepting", "arcs", "final", "moves", "symbol")

    def __init__(self, symbol: int, accepting: bool) -> None:
        self.symbol, self.accepting, self.final = symbol, accepting, False
        self.arcs: dict[int, tuple[State, State | None]] = {}  # label -> next state, rule opened
        self.moves = Moves(self)


class Grammar:
    """The rules as linked states, and the labels that tokens and keywords have in them."""

    def __init__(self, tables: Any) -> None:
        self.numbers = _numbers(tables)
        self.keywords: dict[str, int] = tables.keywords
        self.tokens: dict[int, int] = tables.tokens
        rules = {number: self._states(tables, number) for number in tables.number2symbol}
        for number, states in rules.items():
            for state, arcs in zip(states, tables.dfas[number][0]):
                for label, target in arcs:
                    if label:  # label 0 only says that the state accepts
                        self._connect(tables, rules, state, label, states[target])
        self.start = rules[tables.start][0]

    def _states(self, tables: Any, number: int) -> list[State]:
        symbol = self.numbers[tables.number2symbol[number]]
        rows = tables.dfas[number][0]
        states = [State(symbol, (0, index) in arcs) for index, arcs in enumerate(rows)]
        for index, state in enumerate(states):
            state.final = rows[index] == [(0, index)]
        return states

    @staticmethod
    def _connect(
        tables: Any, rules: dict[int, list[State]], state: State, label: int, target: State
    ) -> None:
        kind = tables.labels[label][0]
        if kind in rules:
            for first in tables.dfas[kind][1]:
                state.arcs[first] = (target, rules[kind][0])
        else:
            state.arcs[label] = (target, None)


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
