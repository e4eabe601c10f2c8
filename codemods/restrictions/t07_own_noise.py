"""Every worker moves its weights alike: no noise that nobody seeds, in a callback or an optimizer.

Gradients are averaged before an optimizer gets them; what it adds, and what a callback adds to the
weights behind a batch, is each worker's own, and they drift apart.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from ..facts import Facts, Role
from ..facts.agreement.chance import draws, draws_tensors
from ..facts.arguments import ASSIGNS, assigned
from ..facts.optimizers.rate_carriers import is_own_rate
from ..model import Finding
from . import restriction
from ._finding import drawn_at, finding

MESSAGE = "each worker adds noise of its own to its weights here, and they drift apart"
BEFORE = ("__init__", "build", "set_model", "on_train_begin")  # the broadcast comes behind these
_VARIABLE = "tensorflow.Variable"


@restriction(code="T07", name="own-noise", proves=True)
def own_noise(facts: Facts) -> Iterator[Finding]:
    """What callbacks and optimizers of this module assign with random numbers in it."""
    for call, draw in noise(facts):
        yield drawn_at(facts, finding(facts, call, "T07", MESSAGE, ""), call, draw)


def noise(facts: Facts) -> Iterator[tuple[ast.Call, ast.AST]]:
    """The calls that assign it, each with the first draw behind it."""
    for call in facts.calls(*ASSIGNS):
        value = assigned(call)
        if value is not None and _moves_weights(facts, call):
            yield from ((call, draw) for draw in list(_draws(facts, value))[:1])


def _moves_weights(facts: Facts, call: ast.Call) -> bool:
    """Whether it stands where a batch is done: in a hook of a callback, a step of an optimizer."""
    cls, function = facts.cls(call), facts.function(call)
    is_there = cls is not None and facts.role_of_class(cls) in (Role.CALLBACK, Role.OPTIMIZER)
    is_early = getattr(function, "name", "") in BEFORE
    return is_there and not is_early and not is_own_rate(facts, call.func.value)  # type: ignore[attr-defined]


def _draws(facts: Facts, value: ast.expr) -> Iterator[ast.AST]:
    """The draws behind a value; not those that a variable begins with, which rank 0 broadcasts."""

    def is_variable(node: ast.AST) -> bool:
        return isinstance(node, ast.Call) and facts.name(node.func) == _VARIABLE

    for node in facts.program.ingredients(value, is_variable):
        if draws(facts, node) or draws_tensors(facts, node):
            yield node
