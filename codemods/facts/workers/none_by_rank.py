"""Values that only some workers have: `log = open("log") if hvd.rank() == 0 else None`."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import Callable

from ...program.records import NamedTuple
from ..facts import Facts

TestOf = Callable[[ast.AST], "ast.expr | None"]  # the test by rank that leads to a place


class _End(NamedTuple):
    """What a value may be: None or not, and which arm of which test by rank leads there."""

    is_none: bool
    arm: tuple[str, bool] | None


def is_none_by_rank(facts: Facts, test: ast.AST, test_of: TestOf) -> bool:
    """Whether `x is None` comes out by the worker's number, as that has decided what `x` is."""
    if not isinstance(test, ast.Compare) or not isinstance(test.ops[0], (ast.Is, ast.IsNot)):
        return False
    right = test.comparators[0]
    if not isinstance(right, ast.Constant) or right.value is not None:
        return False
    ends = list(_ends(facts, test.left, test_of))
    arms = {end.arm for end in ends if end.arm is not None}
    if len(arms) > 1:
        by_arm = {end.arm: end.is_none for end in ends}
        return len({by_arm[arm] for arm in arms}) > 1
    return bool(arms) and len({end.is_none for end in ends}) > 1


def _ends(facts: Facts, value: ast.expr, test_of: TestOf) -> Iterator[_End]:
    """What may be there; nothing where a part of it can't be seen."""
    found = facts.origins(value)
    is_seen = found.complete and len(found.nodes) == len(found.items)
    for node in found.nodes if is_seen else ():
        is_none = isinstance(node, ast.Constant) and node.value is None
        yield _End(is_none, _arm(facts, node, test_of(node)))


def _arm(facts: Facts, node: ast.AST, test: ast.expr | None) -> tuple[str, bool] | None:
    if test is None:
        return None
    chain, inside = facts.parent(test), {node, *facts.parents(node)}
    body = getattr(chain, "body", ())
    return ast.unparse(test), bool(inside & set(body if isinstance(body, list) else [body]))
