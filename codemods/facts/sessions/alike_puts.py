"""Values that every worker puts into the variables alike: a rate that decays by the epoch, say.

`sess.run(tf.assign(rate, 0.1 * 0.9 ** epoch))`, also by a placeholder that is fed such a number.
Variables are the same on all workers between steps, so a copy of one is, too.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from ...library.names import in_v1, normal
from ...program.domain import Domain, Operands
from ...program.edges import ANY
from ...program.origins import Kind, Origin
from ..agreement.control import is_shared
from ..agreement_domain import AGREES, Agreement
from ..facts import Facts, recorded
from ..training.session_runs import Run, fed, puts, session_runs, training_runs

_FED = in_v1("placeholder", "placeholder_with_default")
_MAKERS = in_v1("Variable")
_VARIABLES = in_v1("Variable", "get_variable", "global_variables", "trainable_variables")
_COLLECTED = in_v1("get_collection")


def is_alike(facts: Facts, run: Run, values: list[ast.expr]) -> bool:
    """Whether all workers put the same there, as far as it can be followed."""
    is_fed = any(_is_fed(facts, node) for v in values for node in facts.program.ingredients(v))
    if is_fed and not all(_feeds_alike(facts, given) for given in _fed(facts, run)):
        return False
    return bool(values) and all(
        facts.program.value(_in_graph(facts), value) <= Agreement.IMPORTED for value in values
    )


def _fed(facts: Facts, run: Run) -> Iterator[ast.expr | None]:
    """What the run is fed; None where that can't be seen."""
    yield fed(facts, run)
    if facts.has_hidden_arguments(run.call):
        yield None


def _feeds_alike(facts: Facts, given: ast.expr | None) -> bool:
    made = None if given is None else facts.origins(given).only
    return isinstance(made, ast.Dict) and all(is_shared(facts, value) for value in made.values)


def _is_fed(facts: Facts, node: ast.AST) -> bool:
    return isinstance(node, ast.Call) and facts.name(node.func) in _FED


def _create(origin: Origin, operands: Operands[Agreement]) -> Agreement:
    """What a graph computes of variables, and of what is fed, which was asked for before."""
    name = normal(origin.name) if origin.kind is Kind.CALL and origin.name else ""
    if name in _FED or name in _VARIABLES or (name in _COLLECTED and _are_variables(origin.node)):
        return Agreement.SAME
    return AGREES.create(origin, operands)


def _are_variables(call: ast.AST | None) -> bool:
    """`get_collection(tf.GraphKeys.GLOBAL_VARIABLES)`."""
    key = call.args[0] if isinstance(call, ast.Call) and call.args else None
    return isinstance(key, ast.Attribute) and key.attr.endswith("VARIABLES")


@recorded
def _in_graph(facts: Facts) -> Domain[Agreement]:
    """The domain of what a graph computes, in which all workers have counted alike so far.

    They begin alike, and each put into a counter is asked about by itself: one that isn't alike
    is refused, or followed by a broadcast.
    """
    told = frozenset(run.call for run in session_runs(facts) if _asks_counter(facts, run))

    def create(origin: Origin, operands: Operands[Agreement]) -> Agreement:
        return Agreement.SAME if origin.node in told else _create(origin, operands)

    return Domain(
        AGREES.bottom, AGREES.unknown, AGREES.join, create, through=ANY, suppose=AGREES.suppose
    )


def _asks_counter(facts: Facts, run: Run) -> bool:
    """`epoch.eval()` of `epoch = tf.Variable(0, trainable=False)`, in a run that takes no step."""
    made = facts.origins(run.fetches).nodes
    is_counter = bool(made) and all(_is_counter(facts, node) for node in made)
    return is_counter and run.call not in training_runs(facts) and not _put_along(facts) & {*made}


@recorded
def _put_along(facts: Facts) -> frozenset[ast.AST]:
    """The variables that are given values in the run of a step, which nobody has looked at."""
    runs = training_runs(facts).values()
    run = {*facts.program.ingredients_of(each.fetches for each in runs)}
    targets = (_target(facts, call) for call in puts(facts) if call in run)
    return frozenset(node for target in targets if target for node in facts.origins(target).nodes)


def _target(facts: Facts, put: ast.Call) -> ast.expr | None:
    is_method = facts.name(put.func) is None
    return put.func.value if is_method else facts.argument(put, "ref", 0)  # type: ignore[attr-defined]


def _is_counter(facts: Facts, node: ast.AST) -> bool:
    if not isinstance(node, ast.Call) or facts.name(node.func) not in _MAKERS:
        return False
    begin = facts.argument(node, "initial_value", 0)
    given = facts.argument(node, "trainable")
    is_number = isinstance(begin, ast.Constant) and isinstance(begin.value, int)
    return is_number and isinstance(given, ast.Constant) and given.value is False
