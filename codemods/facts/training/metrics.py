"""Whether what a validation says may be averaged over the shares of the workers."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from functools import partial

from ...library.metrics import is_mean
from ..facts import Facts, recorded
from ..names import KERAS
from ..walks import reached

_OF_COMPILE = (("metrics", 2), ("weighted_metrics", 4))
_METRICS = (f"{KERAS}.metrics.", f"{KERAS}.losses.")


@recorded
def are_means(facts: Facts) -> bool:
    """Whether all metrics that models are compiled with are certainly means over examples."""
    return all(_is_averaged(facts, value) for value in _given(facts))


def _given(facts: Facts) -> Iterator[ast.AST]:
    for call in facts.calls("compile"):
        if facts.name(call.func) is None and facts.callee(call) is None:
            values = (facts.argument(call, *each) for each in _OF_COMPILE)
            yield from (value for value in values if value is not None)


def _is_averaged(facts: Facts, value: ast.AST) -> bool:
    """A metric that is put into the list later counts, too."""
    nodes = facts.program.ingredients(value)
    names = (facts.name(node.func) or "" for node in nodes if isinstance(node, ast.Call))
    if not all(is_mean(name) for name in names if name.startswith(_METRICS)):
        return False
    return all(_is_known(facts, node) for node in reached([value], partial(_parts, facts)))


def _parts(facts: Facts, node: ast.AST) -> Iterator[ast.AST]:
    """The metrics in lists and dictionaries, whatever they are called."""
    if isinstance(node, (ast.List, ast.Tuple)):
        yield from node.elts
    elif isinstance(node, ast.Dict):
        yield from node.values
    elif isinstance(node, ast.Starred):
        yield node.value
    elif facts.name(node) is None and isinstance(node, (ast.Name, ast.Attribute)):
        yield from facts.origins(node).nodes


def _is_known(facts: Facts, node: ast.AST) -> bool:
    """A container, a name of something else that is looked at itself, or a mean."""
    if isinstance(node, (ast.List, ast.Tuple, ast.Dict, ast.Starred)):
        return True
    if isinstance(node, ast.Constant):
        return node.value is None or (isinstance(node.value, str) and is_mean(node.value))
    name = facts.name(node.func if isinstance(node, ast.Call) else node)
    if name is not None:
        return is_mean(name)
    is_name = isinstance(node, (ast.Name, ast.Attribute))
    return is_name and bool(facts.origins(node).items) and facts.origins(node).complete
