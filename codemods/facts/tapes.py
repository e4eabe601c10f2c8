"""Tapes whose gradients are applied, and how each of them is wrapped.

Seed 001, `trans_S` on `with tf.GradientTape()`.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from functools import lru_cache
from typing import Union

from .batches import batches
from .facts import Facts
from .flow import GRADIENT
from .gradients import Unfollowed, training_calls, unknown
from .pattern import Pattern
from .roles import Role
from .sources import Sources, sources_of

With = Union[ast.With, ast.AsyncWith]


class Tapes:
    """What D201 does: names to wrap after a `with`, receivers to wrap in place, sources to list."""

    def __init__(self) -> None:
        self.after: dict[With, list[str]] = {}
        self.moved: dict[With, int] = {}  # statements from here on leave the `with`
        self.in_place: dict[ast.expr, None] = {}
        self.listed: dict[ast.Call, ast.expr] = {}  # gradient of one variable
        self.problems: list[Unfollowed] = []

    def __bool__(self) -> bool:
        return bool(self.after or self.in_place)


@lru_cache(maxsize=4)
def wrapped_tapes(facts: Facts) -> Tapes:
    """The tapes whose gradients reach an optimizer."""
    found = Tapes()
    training = training_calls(facts, found.problems)
    for call in training:
        _check_sources(facts, call, found)
    for receiver, wanted in _receivers(facts, training).items():
        _place(facts, receiver, wanted, training, found)
    return found


def tape_module(facts: Facts) -> str:
    """The name of the Horovod module that has the tape: with Keras, a second import."""
    return facts.fresh("hvd_tf") if facts.pattern is Pattern.KERAS else facts.hvd


def needs_tape_module(facts: Facts) -> bool:
    """Whether a program that Keras trains needs `horovod.tensorflow` beside Keras' own module."""
    is_keras = facts.pattern is Pattern.KERAS
    return is_keras and (bool(wrapped_tapes(facts)) or bool(batches(facts)))


def given_tapes(facts: Facts) -> Iterator[tuple[ast.Call, ast.expr]]:
    """`optimizer.minimize(loss, variables, tape=tape)`, with the tape."""
    for call in facts.calls("minimize"):
        for value in [*call.args, *(k.value for k in call.keywords)]:
            if facts.role(value) is Role.TAPE:
                yield call, value


def _check_sources(facts: Facts, call: ast.Call, found: Tapes) -> None:
    assert isinstance(call.func, ast.Attribute)
    given = facts.argument(call, "sources", 1)
    kind = sources_of(facts, call)
    if (
        call.func.attr != "gradient"
        or len(call.args) > 3
        or given is None
        or _has_unsupported(call)
    ):
        why = "Horovod's tape has only gradient(target, sources, output_gradients)"
        found.problems.append(Unfollowed(call, why, "leave the other arguments out"))
    elif kind is Sources.NESTED:
        why = "Horovod's tape takes a flat list of variables only"
        found.problems.append(
            Unfollowed(
                given, why, "concatenate the lists: a.trainable_variables + b.trainable_variables"
            )
        )
    elif kind is Sources.SINGLE:
        found.listed[call] = given


def _has_unsupported(call: ast.Call) -> bool:
    return any(k.arg not in ("target", "sources", "output_gradients") for k in call.keywords)


# -- where the wrapper goes -------------------------------------------------------------------


def _receivers(facts: Facts, training: dict[ast.Call, None]) -> dict[ast.expr, ast.AST]:
    """The expressions that name the tape where it trains, with the call they belong to."""
    found: dict[ast.expr, ast.AST] = {}
    for call in training:
        assert isinstance(call.func, ast.Attribute)
        found[call.func.value] = call
    for call, tape in given_tapes(facts):
        found[tape] = call
    return found


def _place(
    facts: Facts, receiver: ast.expr, call: ast.AST, training: dict[ast.Call, None], found: Tapes
) -> None:
    if Role.TAPE not in facts.roles(receiver):
        assert isinstance(call, ast.Call)
        found.problems.append(unknown(call))
        return
    block = _with_before(facts, receiver)
    if block is None or not _only_trains(facts, receiver, block, training):
        found.in_place[receiver] = None
        return
    if _is_inside(facts, receiver, block):
        _leave(facts, receiver, block, found)
        if receiver in found.in_place:
            return
    names = found.after.setdefault(block, [])
    assert isinstance(receiver, ast.Name)
    if receiver.id not in names:
        names.append(receiver.id)


def _with_before(facts: Facts, receiver: ast.expr) -> With | None:
    """The last `with … as tape` before (or around) the receiver, in the same function."""
    if not isinstance(receiver, ast.Name):
        return None
    bindings = facts.names.bindings(receiver)
    if any(
        b.kind != "with" or facts.function(b.node) is not facts.function(receiver) for b in bindings
    ):
        return None
    blocks = [b.node for b in bindings if _starts_before(b.node, receiver)]
    last = max(blocks, key=_line, default=None)
    return last if isinstance(last, (ast.With, ast.AsyncWith)) else None


def _line(node: ast.AST) -> int:
    return int(node.lineno)  # type: ignore[attr-defined]


def _starts_before(block: ast.AST, node: ast.AST) -> bool:
    return _line(block) <= _line(node)


def _is_inside(facts: Facts, node: ast.AST, block: With) -> bool:
    return block in facts.parents(node)


def _only_trains(
    facts: Facts, receiver: ast.expr, block: With, training: dict[ast.Call, None]
) -> bool:
    """Whether nothing but training uses the tape after the block: it may be bound again there."""
    assert isinstance(receiver, ast.Name)
    given = {tape for _, tape in given_tapes(facts)}
    for use in facts.index.loads.get(receiver.id, []):
        if not isinstance(use, ast.Name) or _with_before(facts, use) is not block:
            continue
        call = _asked(facts, use)
        if call is not None and call not in training and use not in given:
            inside = _is_inside(facts, use, block)
            if not inside:
                return False
    return True


def _asked(facts: Facts, use: ast.Name) -> ast.Call | None:
    """The call of one of the gradient methods at this use of a tape."""
    attribute = facts.parent(use)
    if isinstance(attribute, ast.Attribute) and attribute.attr in GRADIENT:
        call = facts.parent(attribute)
        return call if isinstance(call, ast.Call) else None
    return None


def _leave(facts: Facts, receiver: ast.expr, block: With, found: Tapes) -> None:
    """A gradient inside of the `with`: a persistent tape is wrapped on the spot, else code moves.

    A tape that is not persistent stops recording at its first gradient, so nothing that follows
    is recorded: it may as well follow the block, where the wrapper works.
    """
    if _is_persistent(facts, receiver):
        found.in_place[receiver] = None
        return
    around = set(facts.parents(receiver))
    inside = next(i for i, statement in enumerate(block.body) if statement in around)
    simple = isinstance(
        block.body[inside], (ast.Expr, ast.Assign, ast.AnnAssign, ast.AugAssign, ast.Return)
    )
    if not simple or inside == 0 or not _one_a_line(block):
        why = "Horovod's tape can't compute gradients while the tape still records"
        found.problems.append(
            Unfollowed(receiver, why, "move tape.gradient(…) below the with block")
        )
        return
    found.moved[block] = min(inside, found.moved.get(block, inside))


def _one_a_line(block: With) -> bool:
    """Whether every statement of the block begins a line."""
    lines = [block.lineno, *(statement.lineno for statement in block.body)]
    return len(set(lines)) == len(lines)


def _is_persistent(facts: Facts, receiver: ast.expr) -> bool:
    for node in facts.origins(receiver).nodes:
        value = facts.argument(node, "persistent", 0) if isinstance(node, ast.Call) else None
        if value is not None and not (isinstance(value, ast.Constant) and not value.value):
            return True
    return False
