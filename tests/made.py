"""What the engine says of a short program: what makes `SINK`, what decides about it, how often."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Mapping
from typing import Callable

import pytest

from distify.codemods.program.core import NO_LIBRARY, Questions
from distify.codemods.program.domain import Domain, Operands
from distify.codemods.program.edges import ANY, VALUE, Edge
from distify.codemods.program.origins import Kind, Origin
from distify.codemods.program.program import Program

Texts = frozenset[str]
UNKNOWN = "?"
HEAD = """\
import argparse, asyncio, collections, contextlib, copy, dataclasses, functools, itertools, os
import types, typing
from lib import c, d
"""


def _label(origin: Origin) -> str:
    """A constant as it is written, what stands outside of the project by its name."""
    if origin.kind is Kind.UNKNOWN:
        return UNKNOWN
    if origin.kind is Kind.CONSTANT:
        return repr(origin.name)
    if origin.kind is Kind.THING:
        name = type(origin.thing).__name__.lower()
        return str(getattr(origin.thing, "kind", getattr(origin.thing, "name", name)))
    if origin.kind is Kind.EXCEPTION:
        return "raised"
    name = origin.name[-1] if isinstance(origin.name, tuple) else origin.name
    return f"{name or 'something'}()" if origin.kind is Kind.CALL else f"<{name}>"


def _made(origin: Origin, operands: Operands[Texts]) -> Texts:
    return frozenset({_label(origin)})


def _from(origin: Origin, operands: Operands[Texts]) -> Texts:
    return _made(origin, operands).union(*operands.of(origin))


def _domain(through: Edge, with_operands: bool = False) -> Domain[Texts]:
    create = _from if with_operands else _made
    return Domain(frozenset(), frozenset({UNKNOWN}), frozenset.union, create, through)


MADE, FROM = _domain(VALUE), _domain(VALUE | Edge.COMPUTED, with_operands=True)
DECIDED = _domain(ANY, with_operands=True)


class Asked:
    """A program of one module, which begins with HEAD, or of several whose last is asked about."""

    def __init__(self, text: str | dict[str, str], questions: Questions = NO_LIBRARY) -> None:
        modules = {"main": HEAD + text} if isinstance(text, str) else text
        self.program = Program(modules, questions)
        self.nodes = list(ast.walk(self.program.modules[list(modules)[-1]]))

    def sink(self) -> ast.expr:
        """What is assigned to `SINK` in the last line that does."""
        stores = [n for n in self.nodes if isinstance(n, ast.Assign)]
        found = [s for s in stores if getattr(s.targets[0], "id", "") == "SINK"]
        return max(found, key=lambda s: s.lineno).value

    def value(self, domain: Domain[Texts]) -> set[str]:
        return set(self.program.value(domain, self.sink()))


def made(text: str | dict[str, str], questions: Questions = NO_LIBRARY) -> set[str]:
    """What makes the value of `SINK`; "?": perhaps something else."""
    return Asked(text, questions).value(MADE)


def deciding(text: str, questions: Questions = NO_LIBRARY) -> set[str]:
    """The outside calls that decide which value gets to `SINK`, or whether one does."""
    asked = Asked(text, questions)
    return _calls(asked.value(DECIDED) - asked.value(FROM))


def turns(text: str, questions: Questions = NO_LIBRARY) -> set[str]:
    """The outside calls that decide how often the last loop runs."""
    asked = Asked(text, questions)
    loops = [n for n in asked.nodes if isinstance(n, ast.For)]
    rounds = asked.program.rounds(max(loops, key=lambda n: n.lineno).iter)
    return _calls(asked.program.value(DECIDED, rounds))


Ask = Callable[[str], set[str]]  # one of those above


def cases(*tables: tuple[Ask, Mapping[str, set[str]]]) -> pytest.MarkDecorator:
    """A case for each text of the tables: what to ask of it, the text, and what is to be said."""
    rows = [
        pytest.param(ask, text, expected, id=f"{ask.__name__}-{text}")
        for ask, table in tables
        for text, expected in table.items()
    ]
    return pytest.mark.parametrize(("ask", "text", "expected"), rows)


def _calls(texts: Iterable[str]) -> set[str]:
    return {text for text in texts if text.endswith("()") and text != "something()"}
