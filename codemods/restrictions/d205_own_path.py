"""A file that every worker reads under a name of its own, while rank 0 has written another one."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from ..facts import Facts, Role
from ..facts.causes import Cause
from ..facts.output.file_accesses import can_be_shared, unshared
from ..facts.output.file_paths import path_argument
from ..facts.output.reloads import read_again
from ..facts.own_values import CHANCE, own
from ..facts.value_parts import ingredients
from ..library.agreement import CLOCK
from ..model import Finding
from . import restriction
from ._finding import finding, moved

MESSAGE = (
    "each worker gets a name of its own here: rank 0 writes under its own, the others read nothing"
)
FIX = "name it by what all workers share, such as an option, not by the clock or at random"
UNSHARED = "only rank 0 saves, and only it gets to know this path: the others would read nothing"
BIND = "read what all workers can name: `manager.latest_checkpoint`, tf.train.latest_checkpoint(…)"
# What these are made of is no part of a path: `ckpt.restore(manager.latest_checkpoint)`.
HOLDERS = frozenset({Role.MODEL, Role.OPTIMIZER, Role.CHECKPOINT, Role.DATASET})
OWN = (CLOCK, CHANCE)


@restriction(code="D205", name="own-path")
def own_path(facts: Facts) -> Iterator[Finding]:
    """Folders and files named by the clock, a process or chance, which are read again."""
    for access, written in read_again(facts):
        part = next((n for n in _parts(facts, access.call) if is_own(facts, n)), None)
        # A pick of other files is no name that rank 0 has written under.
        if part is not None and any(_may_name(facts, part, each.call) for each in written):
            found = finding(facts, access.call, "D205", MESSAGE, FIX)
            yield moved(facts, found, access.call, Cause(part))
            return  # one name mends them all


@restriction(code="D205", name="unshared-path")
def unshared_path(facts: Facts) -> Iterator[Finding]:
    """What a save of rank 0 gave is None on the others, and can't be broadcast by its name."""
    for access, _ in read_again(facts):
        path = unshared(facts, access)
        if path is not None and not can_be_shared(facts, path):
            yield finding(facts, path, "D205", UNSHARED, BIND)


def _may_name(facts: Facts, part: ast.AST, written: ast.Call) -> bool:
    """Whether it may be part of the path of what is written; a function is told its path apart."""
    path = path_argument(facts, written)
    return path is None or facts.name(written.func) is None or part in ingredients(facts, path)


def _parts(facts: Facts, call: ast.Call) -> Iterator[ast.AST]:
    """What the arguments of a call that reads or writes are made of."""
    for argument in arguments(call):
        yield from ingredients(facts, argument, HOLDERS)


def arguments(call: ast.Call) -> list[ast.expr]:
    """What may say where a call reads."""
    return [*call.args, *(keyword.value for keyword in call.keywords)]


def is_own(facts: Facts, node: ast.AST) -> bool:
    """Whether the call gives each worker a value of its own."""
    found = own(facts, node) if isinstance(node, ast.Call) else None
    return found is not None and found.source is node and found.kind in OWN
