"""Values that every worker puts into the variables alike: a rate that decays by the epoch, say.

`sess.run(tf.assign(rate, 0.1 * 0.9 ** epoch))`, also by a placeholder that is fed such a number.
Variables are the same on all workers between steps, so a copy of one is, too.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from ...library.names import in_v1
from ..agreement.control import is_shared
from ..facts import Facts
from ..training.session_runs import Run

_VARIABLES = in_v1("Variable", "get_variable")
_LISTS = in_v1("global_variables", "trainable_variables")
_FED = in_v1("placeholder", "placeholder_with_default")
_DEPTH = 9  # of an expression's operators


def is_alike(facts: Facts, run: Run, values: list[ast.expr]) -> bool:
    """Whether all workers put the same there, as far as it can be followed."""
    is_fed = any(_is_fed(facts, node) for v in values for node in facts.program.ingredients(v))
    if is_fed and not all(_feeds_alike(facts, given) for given in _fed(facts, run)):
        return False
    return bool(values) and all(_is_value(facts, value, _DEPTH) for value in values)


def _fed(facts: Facts, run: Run) -> Iterator[ast.expr | None]:
    """What the run is fed; None where that can't be seen."""
    place = 1 if run.session is not None and run.fetches is not run.session else 0
    yield facts.argument(run.call, "feed_dict", place)
    if facts.has_hidden_arguments(run.call):
        yield None


def _feeds_alike(facts: Facts, given: ast.expr | None) -> bool:
    made = None if given is None else facts.origins(given).only
    return isinstance(made, ast.Dict) and all(is_shared(facts, value) for value in made.values)


def _is_fed(facts: Facts, node: ast.AST) -> bool:
    return isinstance(node, ast.Call) and facts.name(node.func) in _FED


def _is_value(facts: Facts, value: ast.expr, depth: int) -> bool:
    if is_shared(facts, value):
        return True
    if isinstance(value, ast.BinOp) and depth:
        return all(_is_value(facts, each, depth - 1) for each in (value.left, value.right))
    found = facts.origins(value)
    return found.complete and bool(found.nodes) and all(_is_same(facts, n) for n in found.nodes)


def _is_same(facts: Facts, node: ast.AST) -> bool:
    """A variable of the graph, or one of a list of them; what is fed was asked for before."""
    if not isinstance(node, ast.Call):
        return isinstance(node, ast.expr) and is_shared(facts, node)
    return facts.name(node.func) in (*_VARIABLES, *_LISTS, *_FED)
