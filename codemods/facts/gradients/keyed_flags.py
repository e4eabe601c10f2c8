"""Broadcasts that several objects come to: a flag for each model with its optimizer.

One flag under a name is one object's. Where a step gets now one model and now another one, each
pair has to be broadcast once, and its flag is asked for by the objects themselves.
"""

from __future__ import annotations

import ast

from ...program.objects import Objects
from ..facts import Facts, recorded
from ..roles import Role
from .applied import applied_variables, hides_variables
from .broadcast_records import Broadcast
from .flag_records import Flag
from .paths import is_path
from .variables import ALL, OfPairs, Part, Variables, parts, read


def keyed_flag(facts: Facts, call: ast.Call) -> Flag | None:
    """The flag of the objects of a call; None where they can't be told from others.

    Those are the optimizer and what has the variables: what is trained beside them has to be one
    object, since a variable is no key.
    """
    if hides_variables(facts, call) or not _is_known(facts, call.func.value):  # type: ignore[attr-defined]
        return None
    alone = list(parts(applied_variables(facts, call).variables))
    whole = [each for each in alone if isinstance(each, Part) and each.attribute in ALL]
    owners, others = [each.owner for each in whole], [each for each in alone if each not in whole]
    if not owners or any(_may_be_several(facts, each) for each in others):
        return None
    return _of_objects(facts, call, [*owners, call.func.value])  # type: ignore[attr-defined]


def keyed_flag_of_model(facts: Facts, call: ast.Call) -> Flag | None:
    """The same for `train_on_batch`: the model has its optimizer."""
    return _of_objects(facts, call, [call.func.value])  # type: ignore[attr-defined]


def _of_objects(facts: Facts, call: ast.Call, objects: list[ast.expr]) -> Flag | None:
    if not all(map(is_path, objects)):
        return None
    keys = tuple({ast.unparse(each): each for each in objects}.values())
    owner = f"each {', '.join(map(ast.unparse, keys))}"
    return Flag(owner, before=(facts.top(facts.statement(call)),), keys=keys)


def _is_known(facts: Facts, optimizer: ast.expr) -> bool:
    """Whether all that comes here is known, and an optimizer."""
    made = facts.origins(optimizer)
    nodes = [each for each in made.nodes if not isinstance(each, ast.Constant)]
    roles = (Role.OPTIMIZER, Role.LOSS_SCALE)
    are_optimizers = (isinstance(n, ast.Call) and facts.made_by(n) in roles for n in nodes)
    return made.complete and bool(nodes) and all(are_optimizers)


def _may_be_several(facts: Facts, variables: Variables) -> bool:
    return any(map(_objects(facts).are_several, read(variables))) or isinstance(variables, OfPairs)


def is_shared(facts: Facts, broadcast: Broadcast) -> bool:
    """Whether one flag under a name would stand for several objects that are not apart in time."""
    flag, objects = broadcast.flag, _objects(facts)
    given = [each for p in parts(broadcast.applied.variables) for each in read(p)]
    back = {*flag.before, *flag.after, *broadcast.resets}
    return any(
        not _is_in(flag.holder, value)
        and objects.are_several(value)
        and not objects.are_one_after_another(value, broadcast.call, back.__contains__)
        for value in (*given, broadcast.optimizer.holder)
    )


def _is_in(holder: ast.expr | None, value: ast.expr) -> bool:
    """Whether the object that holds the flag holds the value, too."""
    base = value.value if isinstance(value, ast.Attribute) else None
    return holder is not None and base is not None and ast.unparse(base) == ast.unparse(holder)


@recorded
def _objects(facts: Facts) -> Objects:
    return Objects(facts.program, facts.index.parents)
