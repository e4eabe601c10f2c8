"""The tables behind the parser: those of Grammar.txt, numbered as fissix numbers its own symbols.

Bowler compiles patterns with fissix's numbers, so a rule that fissix knows keeps its number here
and a new rule gets one above all of them. fissix's own grammar is read and never changed.
"""

from __future__ import annotations

from functools import cache
from typing import Optional

from fissix import pytree
from fissix.pygram import python_grammar

from . import tables


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

    def __init__(self) -> None:
        self.numbers = _numbers()
        self.keywords, self.tokens = tables.KEYWORDS, tables.TOKENS
        rules = {
            number: self._states(self.numbers[name], rows)
            for number, (name, rows, _) in tables.RULES.items()
        }
        for number, states in rules.items():
            for state, arcs in zip(states, tables.RULES[number][1]):
                for label, target in arcs:
                    if label:  # label 0 only says that the state accepts
                        self._connect(rules, state, label, states[target])
        self.start = rules[tables.START][0]

    @staticmethod
    def _states(symbol: int, rows: tables.Rows) -> list[State]:
        states = [State(symbol, (0, index) in arcs) for index, arcs in enumerate(rows)]
        for index, state in enumerate(states):
            state.final = rows[index] == ((0, index),)
        return states

    @staticmethod
    def _connect(rules: dict[int, list[State]], state: State, label: int, target: State) -> None:
        kind = tables.LABELS[label]
        if kind in rules:
            for first in tables.RULES[kind][2]:
                state.arcs[first] = (target, rules[kind][0])
        else:
            state.arcs[label] = (target, None)


def _numbers() -> dict[str, int]:
    known: dict[str, int] = python_grammar.symbol2number
    fresh = max(known.values()) + 1
    names = [name for name, _, _ in tables.RULES.values()]
    new = {name: fresh + index for index, name in enumerate(sorted(set(names) - set(known)))}
    return {name: known.get(name) or new[name] for name in names}


@cache
def grammar() -> Grammar:
    """The grammar, built once in a process (about 2 ms)."""
    built = Grammar()
    pytree.type_repr(built.start.symbol)  # fills fissix's table of names for repr
    for name, number in built.numbers.items():
        pytree._type_reprs.setdefault(number, name)
    return built
