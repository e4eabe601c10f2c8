"""Models of code out of sight: whoever is compiled with an optimizer of Keras and a loss is one.

`mn.networks.Dense3D(…)` of a library, then `compile(optimizer=Adam(…), loss="mse")`: no other
interface has both. An agent of keras-rl is compiled, too, but with no loss, and is none.
"""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from ..library.call_results import gives
from ..library.names import normal
from .factories import module_of

if TYPE_CHECKING:
    from .facts import Facts

_READ = ("tensorflow", "keras", "horovod", "tf_keras", "builtins")  # libraries whose rows say it
OPTIMIZER = "optimizer"


def compiled_models(facts: Facts) -> frozenset[ast.Call]:
    """The calls of libraries that make what is compiled as a Keras model."""
    made = (_made(facts, call) for call in facts.calls("compile"))
    return frozenset(each for each in made if each is not None)


def _made(facts: Facts, call: ast.Call) -> ast.Call | None:
    """What makes the object of a `compile`, if nothing but that tells what it is."""
    assert isinstance(call.func, ast.Attribute)
    optimizer = facts.argument(call, "optimizer", 0)
    if optimizer is None or facts.argument(call, "loss", 1) is None or facts.name(call.func):
        return None
    if not _is_optimizer(facts, optimizer):
        return None
    made = facts.program.origins(call.func.value).only
    is_outside = isinstance(made, ast.Call) and _is_outside(facts, made)
    return made if is_outside else None  # type: ignore[return-value]


def _is_optimizer(facts: Facts, expr: ast.expr) -> bool:
    """Whether a class of Keras makes it."""
    made = facts.program.origins(expr).only
    name = facts.name(made.func) if isinstance(made, ast.Call) else None
    return name is not None and gives(normal(name)) == OPTIMIZER


def _is_outside(facts: Facts, made: ast.Call) -> bool:
    """Whether it is a function or class of a library that no row knows."""
    name = facts.name(made.func)
    if name is None or name.startswith(".") or name.partition(".")[0] in _READ:
        return False
    return gives(name) is None and _unread(facts).isdisjoint(name.split("."))


def _unread(facts: Facts) -> frozenset[str]:
    """The modules of the project that are not followed: a class of theirs may train by itself."""
    left = () if facts.joined is None else facts.joined.left
    return facts.options.unread | {module_of(path).rpartition(".")[2] for path in left}
