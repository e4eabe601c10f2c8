"""Optimizers that always step together: one flag, and one broadcast behind the last of them.

What one of them trains is broadcast a few statements later than it could be, and before anything
but the other steps has used it.
"""

from __future__ import annotations

import ast
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence

from ...program.node_fields import within
from ..facts import Facts
from .broadcast_records import Broadcast
from .flag_records import Flag
from .flag_resets import is_reached
from .variables import OfPairs, read

_TAPE = "tensorflow.GradientTape"


def merge_broadcasts(facts: Facts, found: Sequence[Broadcast]) -> list[Broadcast]:
    """The broadcasts, each team of them as its last one."""
    left = list(found)
    for team in _teams(facts, found):
        flag = _common(facts, team)
        if flag is not None:
            *first, last = team
            resets = tuple(dict.fromkeys(reset for one in team for reset in one.resets))
            whole = last._replace(flag=flag, together=tuple(first), resets=resets)
            left = [whole if one is last else one for one in left if one not in first]
    return left


def _teams(facts: Facts, found: Sequence[Broadcast]) -> Iterator[list[Broadcast]]:
    """Steps of one block, one behind the other, each of which is the only one of its flag."""
    calls = Counter(one.key for one in found)
    only = [o for o in found if calls[o.key] == 1 and not o.is_nested and not o.flag.keys]
    only.sort(key=lambda one: facts.place(one.call))
    team: list[Broadcast] = []
    for one in only:
        if team and not _step_together(facts, team, one):
            yield from [team] if len(team) > 1 else []
            team = []
        team.append(one)
    yield from [team] if len(team) > 1 else []


def _step_together(facts: Facts, team: Sequence[Broadcast], last: Broadcast) -> bool:
    """Whether nothing stands between but gradients, and all state can be read behind the last."""
    block, end = facts.block(facts.statement(last.call))
    first, start = facts.block(facts.statement(team[0].call))
    if block is not first:
        return False
    steps = {facts.statement(one.call) for one in team}
    if not all(s in steps or _is_gradients(facts, s) for s in block[start:end]):
        return False
    return not any(isinstance(one.applied.variables, OfPairs) for one in team) and not (
        _bound(block[start : end + 1]) & _names(team)
    )


def _is_gradients(facts: Facts, statement: ast.stmt) -> bool:
    """`with tf.GradientTape() as tape:` or an assignment: nothing is kept, or left."""
    if isinstance(statement, ast.With):
        calls = [item.context_expr for item in statement.items]
        is_tape = all(isinstance(c, ast.Call) and facts.name(c.func) == _TAPE for c in calls)
        return is_tape and all(_is_gradients(facts, inner) for inner in statement.body)
    if any(isinstance(node, (ast.Yield, ast.YieldFrom, ast.Await)) for node in within(statement)):
        return False  # what goes on in between is not seen here
    return isinstance(statement, (ast.Assign, ast.AnnAssign, ast.AugAssign, ast.Pass, ast.Delete))


def _bound(statements: Iterable[ast.stmt]) -> set[str]:
    """Names and attributes that get another value there, or get one put into them."""
    nodes = (node for statement in statements for node in within(statement))
    stores = [n for n in nodes if isinstance(getattr(n, "ctx", None), (ast.Store, ast.Del))]
    return {name for store in stores for name in _called(store)}


def _called(target: ast.AST) -> Iterator[str]:
    """The name of a variable or attribute; all of them for `a.b[c]`."""
    parts = within(target) if isinstance(target, ast.Subscript) else (target,)
    yield from (getattr(node, "id", "") or getattr(node, "attr", "") for node in parts)


def _names(team: Iterable[Broadcast]) -> set[str]:
    """Names and attributes that the state of these steps is read from."""
    read_from = [expr for one in team for expr in _state(one)]
    nodes = [node for expr in read_from for node in within(expr)]
    return {getattr(node, "id", "") or getattr(node, "attr", "") for node in nodes} - {""}


def _state(one: Broadcast) -> Iterator[ast.expr]:
    yield from read(one.applied.variables)
    yield from (one.optimizer.holder, *one.asked)


def _common(facts: Facts, team: Sequence[Broadcast]) -> Flag | None:
    """The flag of a team, made where the last of its optimizers is; None where none fits all."""
    flags = [one.flag for one in team]
    if len({flag.holder and ast.unparse(flag.holder) for flag in flags}) > 1:
        return None
    if all(flag.before for flag in flags):
        is_one_place = len({flag.before for flag in flags}) == 1
        return flags[-1] if is_one_place and not any(flag.after for flag in flags) else None
    if any(flag.before or len(flag.after) != 1 for flag in flags):
        return None
    return _behind_the_last(facts, team)


def _behind_the_last(facts: Facts, team: Sequence[Broadcast]) -> Flag | None:
    """The flag of optimizers that are made in one block, behind the last of them."""
    made = sorted(
        (facts.block(s)[1], number, s) for number, one in enumerate(team) for s in one.flag.after
    )
    blocks = {id(facts.block(statement)[0]) for _, _, statement in made}
    _, number, last = made[-1]
    flag = team[number].flag
    resets = [(one.call, reset) for one in team for reset in one.resets]
    is_before = all(_is_made_before(facts, last, flag, *each) for each in resets)
    return flag if len(blocks) == 1 and is_before else None


def _is_made_before(
    facts: Facts, made: ast.stmt, flag: Flag, step: ast.Call, reset: ast.stmt
) -> bool:
    """Whether the flag is there when it is set back."""
    is_here = facts.function(made) is facts.function(reset)
    is_above = not is_here or facts.place(made) < facts.place(reset)
    return is_above and is_reached(facts, step, flag, reset)
