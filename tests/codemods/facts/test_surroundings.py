"""What stands around a node: the same answer as by climbing, whatever was asked before."""

from __future__ import annotations

import ast
import random

import pytest

from distify.codemods.facts import Facts
from distify.codemods.program.parts import FunctionNode

TEXT = """\
@deco(lambda: 1)
def outer(a=lambda: 2):
    if a:
        x = 1
    elif b:
        class C(Base):
            y = 2
            async def inner(self):
                try:
                    return [z for z in a]
                except E:
                    match a:
                        case 1:
                            w = lambda: q
                finally:
                    pass
    return x
while True:
    with a as b:
        for c in d:
            e = f
"""


def climbed(facts: Facts, node: ast.AST) -> list[ast.AST]:
    return list(facts.parents(node))


@pytest.mark.parametrize("seed", range(5))
def test_the_answers_are_those_of_a_climb_in_any_order(seed: int) -> None:
    text = TEXT
    try:
        facts = Facts.of(text)
    except Exception:  # `match` came with Python 3.10
        facts = Facts.of(text.replace("match a", "if a").replace("case 1", "if 1"))
    nodes = list(ast.walk(facts.module))
    random.Random(seed).shuffle(nodes)
    for node in nodes:
        around = climbed(facts, node)
        functions = [parent for parent in around if isinstance(parent, FunctionNode)]
        assert facts.function(node) is (functions[0] if functions else None)
        if isinstance(node, ast.stmt):
            statements = [p for p in around if isinstance(p, ast.stmt)]
            assert facts.top(node) is (statements[-1] if statements else node)


def test_a_statement_has_its_number_in_its_own_block() -> None:
    facts = Facts.of("if a:\n    b\n    c\nelse:\n    d\n    e\ntry:\n    f\nexcept E:\n    g\n")
    for node in ast.walk(facts.module):
        if isinstance(node, ast.stmt):
            block, number = facts.block(node)
            assert block[number] is node
