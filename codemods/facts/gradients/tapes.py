"""Tapes whose gradients are applied, and how each of them is wrapped.

Seed 001, `trans_S` on `with tf.GradientTape()`.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator

from ..averaging import Averaged, averaged
from ..facts import Facts, recorded
from ..keras_version import is_keras_3
from ..problems import Problem
from ..roles import Role
from ..training.optimizer_calls import Sources, sources_of
from .applications import averaged_by_hand, training_calls, unknown
from .recording_tapes import (
    fleeting,
    is_one_a_line,
    is_persistent,
    is_recorded_by_another,
    last_tapes,
    may_be_left,
    still_records,
    takes_persistent,
)
from .tape_blocks import TapeBlocks, With


class Tapes:
    """What D201 does: names to wrap after a `with`, receivers to wrap in place, sources to list."""

    def __init__(self, facts: Facts) -> None:
        self.blocks = TapeBlocks(facts)
        self.given = {tape for _, tape in given_tapes(facts)}
        self.shared: set[With] = set()  # whose tape is asked where another's may be
        self.after: dict[With, list[str]] = {}
        self.moved: dict[With, int] = {}  # statements from here on leave the `with`
        self.split: dict[With, int] = {}  # so many last items get one of their own for that
        self.in_place: dict[ast.expr, None] = {}
        self.made_persistent: dict[ast.Call, None] = {}  # so that they can be asked while recording
        self.listed: dict[ast.Call, ast.expr] = {}  # gradient of one variable
        self.problems: list[Problem] = []
        self.plain: dict[ast.Call, None] = {}  # with Keras 3: each of their gradients is averaged
        self.nested: set[ast.Call] = set()  # of these, those of lists in lists, or of dictionaries
        self.training: dict[ast.Call, None] = {}  # the calls whose gradients reach an optimizer

    def __bool__(self) -> bool:
        return bool(self.after or self.in_place or self.plain)


@recorded
def wrapped_tapes(facts: Facts) -> Tapes:
    """The tapes whose gradients reach an optimizer."""
    found = Tapes(facts)
    training = found.training = training_calls(facts, found.problems)
    plain = {call: None for call in training if _is_plain(facts, call)}
    if is_keras_3(facts):
        found.plain = plain
        found.nested = {call for call in plain if sources_of(facts, call) is Sources.NESTED}
        _check_plain(facts, plain, found)
        found.problems.extend(_unknown(facts, plain))
        return found
    for call in plain:
        _check_sources(facts, call, found)
    receivers = _receivers(facts, plain)
    seen = [found.blocks.seen_by(receiver) for receiver in receivers]
    found.shared = {block for blocks in seen if len(blocks) > 1 for block in blocks}
    for receiver, wanted in receivers.items():
        if averaged(facts, receiver) is Averaged.NO:
            _place(facts, receiver, wanted, found)
    return found


def _unknown(facts: Facts, calls: Iterable[ast.Call]) -> Iterator[Problem]:
    """Calls of `gradient` on what may be no tape."""
    for call in calls:
        assert isinstance(call.func, ast.Attribute)
        if Role.TAPE not in facts.roles(call.func.value):
            yield unknown(facts, call)


def _is_plain(facts: Facts, call: ast.Call) -> bool:
    """Whether the program averages these gradients nowhere itself."""
    assert isinstance(call.func, ast.Attribute)
    return averaged(facts, call.func.value) is Averaged.NO and not averaged_by_hand(facts, call)


def given_tapes(facts: Facts) -> Iterator[tuple[ast.Call, ast.expr]]:
    """`optimizer.minimize(loss, variables, tape=tape)`, with the tape.

    An optimizer that averages what it applies is given a plain one.
    """
    calls = facts.calls("minimize")
    for call in (c for c in calls if averaged(facts, c.func.value) is Averaged.NO):  # type: ignore[attr-defined]
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
        found.problems.append(Problem(call, why, "leave the other arguments out"))
    elif kind is Sources.NESTED:
        why = "Horovod's tape takes a flat list of variables only"
        fix = "concatenate the lists: a.trainable_variables + b.trainable_variables"
        found.problems.append(Problem(given, why, fix))
    elif kind is Sources.SINGLE:
        found.listed[call] = given


def _check_plain(facts: Facts, calls: Iterable[ast.Call], found: Tapes) -> None:
    """With Keras 3 a plain tape is asked: whatever it takes may stay."""
    for call in calls:
        given = facts.argument(call, "sources", 1)
        if getattr(call.func, "attr", "") != "gradient" or given is None:
            why = "it can't be seen by which variables this tape differentiates"
            found.problems.append(Problem(call, why, "write tape.gradient(loss, variables)"))
        elif sources_of(facts, call) is Sources.SINGLE:
            found.listed[call] = given


def _has_unsupported(call: ast.Call) -> bool:
    return any(k.arg not in ("target", "sources", "output_gradients") for k in call.keywords)


def _receivers(facts: Facts, training: dict[ast.Call, None]) -> dict[ast.expr, ast.AST]:
    """The expressions that name the tape where it trains, with the call they belong to."""
    found: dict[ast.expr, ast.AST] = {}
    for call in training:
        assert isinstance(call.func, ast.Attribute)
        found[call.func.value] = call
    for call, tape in given_tapes(facts):
        found[tape] = call
    return found


def _place(facts: Facts, receiver: ast.expr, call: ast.AST, found: Tapes) -> None:
    if Role.TAPE not in facts.roles(receiver):
        assert isinstance(call, ast.Call)
        found.problems.append(unknown(facts, call))
        return
    block = found.blocks.before(receiver)
    if block is None or not _only_trains(facts, receiver, block, found):
        _wrap_in_place(facts, receiver, found)
        return
    if _is_inside(facts, receiver, block):
        if is_persistent(facts, receiver) or not _may_leave(facts, receiver, block, found):
            _wrap_in_place(facts, receiver, found)
            return
        _leave(facts, receiver, block, found)
    names = found.after.setdefault(block, [])
    assert isinstance(receiver, ast.Name)
    if receiver.id not in names:
        names.append(receiver.id)


def _wrap_in_place(facts: Facts, receiver: ast.expr, found: Tapes) -> None:
    """Wrap a tape where it is asked; one that records there is made persistent, if it is not."""
    found.in_place[receiver] = None
    found.made_persistent.update(dict.fromkeys(fleeting(facts, receiver)))
    if not all(takes_persistent(facts, creation) for creation in fleeting(facts, receiver)):
        found.problems.append(still_records(receiver))


def _is_inside(facts: Facts, node: ast.AST, block: With) -> bool:
    return block in facts.parents(node)


def _only_trains(facts: Facts, receiver: ast.expr, block: With, found: Tapes) -> bool:
    """Whether nothing but training uses the tape after the block: it may be bound again there."""
    assert isinstance(receiver, ast.Name)
    return block not in found.shared and all(
        call in found.training or use in found.given or _is_inside(facts, use, block)
        for use, call in found.blocks.asked(receiver.id, block)
    )


def _may_leave(facts: Facts, receiver: ast.expr, block: With, found: Tapes) -> bool:
    """Whether what follows may leave the block of the tape, or one that the tape gets alone."""
    if may_be_left(facts, block):
        return True
    is_seen = all(takes_persistent(facts, creation) for creation in fleeting(facts, receiver))
    count = last_tapes(facts, block) if is_seen else 0
    if count and (block in found.split or _leaving(facts, receiver, block) is not None):
        found.split[block] = count
        return True
    return False


def _leave(facts: Facts, receiver: ast.expr, block: With, found: Tapes) -> None:
    """A gradient inside of the `with`: the code from there on moves behind it.

    A tape that is not persistent stops recording at its first gradient, so nothing that follows
    is recorded: it may as well follow the block, where the wrapper works.
    """
    inside = _leaving(facts, receiver, block)
    if inside is None:
        found.problems.append(still_records(receiver))
    else:
        found.moved[block] = min(inside, found.moved.get(block, inside))


def _leaving(facts: Facts, receiver: ast.expr, block: With) -> int | None:
    """The number of the statement that asks the tape, if it may leave the block with the rest."""
    around = set(facts.parents(receiver))
    inside = next(i for i, statement in enumerate(block.body) if statement in around)
    simple = isinstance(
        block.body[inside], (ast.Expr, ast.Assign, ast.AnnAssign, ast.AugAssign, ast.Return)
    )
    is_layout_plain = simple and inside > 0 and is_one_a_line(block)
    is_recorded = is_layout_plain and is_recorded_by_another(block, block.body[inside:])
    return inside if is_layout_plain and not is_recorded else None
