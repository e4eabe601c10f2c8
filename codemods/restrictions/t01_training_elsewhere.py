"""The training loop is in one file: what trains, and what starts it, must be visible in it.

Seed 000, section 3.1, restriction 1.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from functools import partial

from ..facts import Facts, Pattern, Role
from ..facts.causes import MODELS, OPTIMIZERS, Cause, setting, spelled
from ..facts.training.pattern import training_of
from ..facts.walks import reached
from ..model import Finding
from ..program.parts import FunctionNode
from . import restriction
from ._finding import finding, moved, traced
from ._trials import SIDE_BY_SIDE, TRIALS, is_tuner

# Of a model's methods, and of an optimizer's `minimize`.
UNTRACED = (
    (
        "what this `{}` trains can't be traced to a Keras model of this file",
        "create the model (or its class) in this file, and call `{}` on a name bound to it",
    ),
    (
        "nobody can tell what this `{}` trains",
        "create the optimizer by its class in this file: `tf.keras.optimizers.Adam(0.001)`",
    ),
)

CALLED = "call `{}` on a name bound to it"
KNOWN = (Role.MODEL, Role.OPTIMIZER)
MODULE = "nothing in sight starts this training, and `hvd.init()` belongs where it starts"
NOTEBOOK = "a notebook's command starts this training: a Python program can't run it"


@restriction(code="T01", name="training-elsewhere")
def training_elsewhere(facts: Facts) -> Iterator[Finding]:
    """`.fit` of something that can't be traced to a model, and modules that start no training."""
    for use, name, owner in training_of(facts).uncertain:
        tuner = next(
            (n for n in facts.program.ingredients(owner or use) if is_tuner(facts, n)), None
        )
        if isinstance(tuner, ast.Call):
            yield finding(facts, tuner, "T01", TRIALS.format(spelled(tuner.func)), SIDE_BY_SIDE)
            continue
        what, fix = UNTRACED[name == "minimize"]
        if owner is not None and facts.role(owner) in KNOWN:
            fix = CALLED
        key = OPTIMIZERS if name == "minimize" else MODELS
        fix = fix.format(name) + setting(facts, owner, key)
        found = finding(facts, use, "T01", what.format(name), fix)
        yield traced(facts, found, use, owner, KNOWN)
    for place in unstarted(facts)[:1]:
        yield not_started(facts, place)


def unstarted(facts: Facts) -> list[ast.Call]:
    """What trains, where nothing in the file starts it."""
    training = training_of(facts)
    is_started = training.pattern is Pattern.UNKNOWN or training.starts_here
    return [] if is_started else [place for place, _ in training.places]


def not_started(facts: Facts, place: ast.Call) -> Finding:
    """The training, or the command of a notebook that may start it, with a call for a fix."""
    fix = f'call it in this file: `if __name__ == "__main__":`, `{starting(facts, place)}`'
    commands = facts.index.loads.get("get_ipython")
    if not commands:
        return finding(facts, place, "T01", MODULE, fix)
    return moved(facts, finding(facts, place, "T01", NOTEBOOK, fix), place, Cause(commands[0]))


def starting(facts: Facts, place: ast.AST) -> str:
    """The call of the outermost function around the training; a method is called of an object."""
    functions = starting_functions(facts, place)
    if not functions:
        return "train()"
    cls = facts.classes.method_of(functions[-1])
    if cls is None:
        return _call(functions[-1].name, functions[-1].args)
    init = facts.classes.method(cls, "__init__")
    made = f"{cls.name}()" if init is None else _call(cls.name, init.args, 1)
    return f"{made}.{_call(functions[-1].name, functions[-1].args, 1)}"


def _call(name: str, args: ast.arguments, given: int = 0) -> str:
    return f"{name}({'…' if has_required(args, given) else ''})"


def starting_functions(
    facts: Facts, place: ast.AST
) -> list[ast.FunctionDef | ast.AsyncFunctionDef]:
    """The functions around the training, and around their calls: the outermost one last."""
    found = reached([place], partial(callers, facts))
    return [each for each in found if isinstance(each, FunctionNode)]


def callers(facts: Facts, node: ast.AST) -> list[ast.AST]:
    """The functions around a node and around the calls of a function."""
    places = facts.call_sites(node) if isinstance(node, FunctionNode) else [node]
    return [function for each in places if (function := facts.function(each)) is not None]


def has_required(args: ast.arguments, given: int = 0) -> bool:
    """Whether a call has to pass something besides the first ones, which are given."""
    many = len(args.posonlyargs + args.args) - given
    return many > len(args.defaults) or None in args.kw_defaults
