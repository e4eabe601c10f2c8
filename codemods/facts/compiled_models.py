"""Models of code out of sight: whoever is compiled with an optimizer of Keras and a loss is one.

`mn.networks.Dense3D(…)` of a library, then `compile(optimizer=Adam(…), loss="mse")`: no other
interface has both. An agent of keras-rl is compiled, too, but with no loss, and is none.
"""

from __future__ import annotations

import ast
from collections.abc import Callable
from typing import Optional

from ..library.call_results import gives
from ..library.names import normal
from ..program.calls_by_name import CallsByName
from ..program.program import Program
from .arguments import argument

_READ = ("tensorflow", "keras", "horovod", "tf_keras", "builtins")  # libraries whose rows say it
OPTIMIZER = "optimizer"


Name = Callable[[ast.AST], Optional[str]]  # the full name of a library's thing


def compiled_models(
    calls: CallsByName, name: Name, program: Callable[[], Program], unread: frozenset[str]
) -> frozenset[ast.Call]:
    """The calls of libraries that make what is compiled as a Keras model.

    `unread`: the modules of the project that are not followed: a class of theirs may train by
    itself.
    """
    called = (_compiled(name, call) for call in calls.of_methods(["compile"]))
    made = (_made(name, program(), *each, unread) for each in called if each is not None)
    return frozenset(each for each in made if each is not None)


def _compiled(name: Name, call: ast.Call) -> tuple[ast.expr, ast.expr] | None:
    """The object of a `compile` with an optimizer and a loss, and that optimizer."""
    assert isinstance(call.func, ast.Attribute)
    optimizer = argument(call, "optimizer", 0)
    if optimizer is None or argument(call, "loss", 1) is None or name(call.func):
        return None
    return call.func.value, optimizer


def _made(
    name: Name, program: Program, model: ast.expr, optimizer: ast.expr, unread: frozenset[str]
) -> ast.Call | None:
    """What makes a model, if nothing but that it is compiled tells what it is."""
    if not _is_optimizer(name, program.origins(optimizer).only):
        return None
    made = program.origins(model).only
    is_outside = isinstance(made, ast.Call) and _is_outside(name(made.func), unread)
    return made if is_outside else None  # type: ignore[return-value]


def _is_optimizer(name: Name, made: ast.AST | None) -> bool:
    """Whether a class of Keras makes it."""
    found = name(made.func) if isinstance(made, ast.Call) else None
    return found is not None and gives(normal(found)) == OPTIMIZER


def _is_outside(name: str | None, unread: frozenset[str]) -> bool:
    """Whether it is a function or class of a library that no row knows."""
    if name is None or name.startswith(".") or name.partition(".")[0] in _READ:
        return False
    return gives(name) is None and unread.isdisjoint(name.split("."))
