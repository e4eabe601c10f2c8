"""The training loop is in one file: what trains, and what starts it, must be visible in it.

Seed 000, section 3.1, restriction 1.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from functools import partial

from ..facts import Facts, Pattern, Role
from ..facts.causes import Cause
from ..facts.scopes import FunctionNode
from ..facts.training.pattern import training_of
from ..facts.unfollowed import MODELS, OPTIMIZERS, setting
from ..facts.walks import reached
from ..model import Finding
from . import restriction
from ._finding import finding, moved, traced

# Of a model's methods, and of an optimizer's `minimize`.
UNTRACED = (
    (
        "what this `{}` trains can't be traced to a Keras model of this file",
        "create the model (or its class) in this file, and call `{}` on a name bound to it",
    ),
    (
        "unknown: what this `{}` trains",
        "create the optimizer by its class in this file: `tf.keras.optimizers.Adam(0.001)`",
    ),
)

CALLED = "call `{}` on a name bound to it"
KNOWN = (Role.MODEL, Role.OPTIMIZER)
MODULE = (
    "nothing in this file starts this training: another module does, and `hvd.init()` belongs there"
)
NOTEBOOK = "a notebook's command starts this training: a Python program can't run it"


@restriction(code="T01", name="training-elsewhere")
def training_elsewhere(facts: Facts) -> Iterator[Finding]:
    """`.fit` of something that can't be traced to a model, and modules that start no training."""
    for use, name, owner in training_of(facts).uncertain:
        what, fix = UNTRACED[name == "minimize"]
        if owner is not None and facts.role(owner) in KNOWN:
            fix = CALLED
        key = OPTIMIZERS if name == "minimize" else MODELS
        fix = fix.format(name) + setting(facts, owner, key)
        found = finding(facts, use, "T01", what.format(name), fix)
        yield traced(facts, found, use, owner, KNOWN)
    if training_of(facts).pattern is not Pattern.UNKNOWN and not training_of(facts).starts_here:
        yield not_started(facts, training_of(facts).places[0][0])


def not_started(facts: Facts, place: ast.Call) -> Finding:
    """The training, or the command of a notebook that may start it, with a call for a fix."""
    fix = f'call it in this file: `if __name__ == "__main__":`, `{starting(facts, place)}`'
    commands = facts.index.loads.get("get_ipython")
    if not commands:
        return finding(facts, place, "T01", MODULE, fix)
    return moved(facts, finding(facts, place, "T01", NOTEBOOK, fix), place, Cause(commands[0]))


def starting(facts: Facts, place: ast.AST) -> str:
    """The call of the outermost function around the training."""
    functions = [f for f in reached([place], partial(callers, facts)) if f is not place]
    name, arguments = "train", ""
    for function in functions:
        assert isinstance(function, FunctionNode)
        name = function.name
        arguments = "…" if has_required(function.args) else ""
    return f"{name}({arguments})"


def callers(facts: Facts, node: ast.AST) -> list[ast.AST]:
    """The functions around a node and around the calls of a function."""
    places = facts.call_sites(node) if isinstance(node, FunctionNode) else [node]
    return [function for each in places if (function := facts.function(each)) is not None]


def has_required(args: ast.arguments) -> bool:
    """Whether a call has to pass something."""
    return len(args.posonlyargs + args.args) > len(args.defaults) or None in args.kw_defaults
