"""Where a loop broadcasts its state: after `apply_gradients`, once per optimizer and variables.

Seed 001, `trans_S` on `apply_gradients`, with a tf.Variable for a flag: a Python one is read while
`@tf.function` traces, which leaves the broadcast out of the graph that runs.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from typing import NamedTuple

from ..facts import Facts, recorded
from ..keras_classes import is_legacy
from ..optimizers.optimizer_makers import innermost
from ..roles import Role
from ..training.pattern import training_of
from .applied import Applied, applied_variables
from .batches import Batch, batches
from .broadcast_already import is_applied_state_broadcast, is_broadcast_by_hand
from .companions import companions
from .flag_resets import resets, resets_in
from .flags import Flag, Unplaced, flag_of
from .gradients import Unfollowed, applications
from .naming import can_be_named

CALLABLE_VARIABLES = (2, 12)  # from here on `optimizer.variables` is a property


class Broadcast(NamedTuple):
    """What happens at one `apply_gradients` (or `minimize`) call."""

    call: ast.Call
    flag: str
    applied: Applied
    optimizer: str  # its variables
    result: str | None  # a name for what the call returns, where that is used further
    asked: tuple[str, ...] = ()  # models that the step asks, but does not train


class Broadcasts:
    """What D202 does: broadcasts, and the statements that make (or reset) their flags."""

    def __init__(self) -> None:
        self.calls: list[Broadcast] = []
        self.after: dict[ast.stmt, list[str]] = {}
        self.before: dict[ast.stmt, list[str]] = {}
        self.problems: list[Unfollowed] = []


@recorded
def broadcasts(facts: Facts) -> Broadcasts:
    """Every broadcast of a program with loops of its own."""
    found = Broadcasts()
    calls = list(_broadcasting(facts))
    keys: dict[tuple[str, str], str] = {}
    placed = []
    for call in calls:
        flag, applied = flag_of(facts, call), applied_variables(facts, call)
        if isinstance(flag, Unplaced):
            found.problems.append(Unfollowed(call, flag.why, flag.way_out))
            continue
        keys.setdefault((flag.owner, applied.key), "")
        placed.append((call, flag, applied))
    missing = [batch for batch in batches(facts) if not is_broadcast_by_hand(facts, batch.call)]
    for batch in missing:
        keys.setdefault((batch.model, batch.model), "")
    _name_flags(facts, keys)
    for batch in missing:
        _add_batch(facts, found, batch, keys[batch.model, batch.model])
    steps: dict[str, list[ast.Call]] = {}
    for call, flag, applied in placed:
        name = keys[flag.owner, applied.key]
        if _add(facts, found, call, flag, applied, name):
            steps.setdefault(flag.spelled(name), []).append(call)
    for _, flag, applied in placed:
        name = flag.spelled(keys[flag.owner, applied.key])
        _set_back(facts, found, steps.pop(name, []), flag, name)
    return found


def _broadcasting(facts: Facts) -> Iterator[ast.Call]:
    """The training calls after which the program doesn't broadcast its state itself."""
    for call in _training(facts):
        is_kerass = training_of(facts).in_train_step(call)
        if not is_kerass and not is_applied_state_broadcast(facts, call):
            yield call


def _training(facts: Facts) -> Iterator[ast.Call]:
    yield from applications(facts)
    for call in facts.calls("minimize"):
        if facts.roles(call.func.value) & {Role.OPTIMIZER, Role.LOSS_SCALE}:  # type: ignore[attr-defined]
            yield call


def _name_flags(facts: Facts, keys: dict[tuple[str, str], str]) -> None:
    """`broadcast_done` where there is one, else one that begins like its optimizer."""
    for _number, (owner, variables) in enumerate(keys):
        last = owner.rpartition(".")[2].rpartition(" ")[2].lstrip("_")
        same = [
            key for key in keys if key[0].rpartition(".")[2].rpartition(" ")[2].lstrip("_") == last
        ]
        base = "broadcast_done" if len(keys) == 1 else f"{last}_broadcast_done"
        suffix = f"_{same.index((owner, variables)) + 1}" if len(same) > 1 else ""
        keys[owner, variables] = facts.fresh(base + suffix)


def _add(
    facts: Facts, found: Broadcasts, call: ast.Call, flag: Flag, applied: Applied, name: str
) -> bool:
    """Whether the broadcast can stand behind the call: then it is added."""
    parent = facts.parent(call)
    is_whole = isinstance(parent, (ast.Expr, ast.Assign, ast.AnnAssign))
    if not is_whole and not can_be_named(facts, call):
        found.problems.append(
            Unfollowed(
                call, "this call is part of a larger expression", "make it a statement of its own"
            )
        )
        return False
    result = None if is_whole else facts.fresh("applied")
    optimizer = _optimizer_variables(facts, call)
    asked = _asked(facts, found, call, applied)
    found.calls.append(Broadcast(call, flag.spelled(name), applied, optimizer, result, asked))
    made = f"{facts.tf}.Variable(False, trainable=False)"
    for statement, target in flag.after.items():
        _append(found.after, statement, f"{target.format(name)} = {made}\n")
    for statement in flag.before:
        _append(found.before, statement, f"{name} = {made}\n")
    return True


def _set_back(
    facts: Facts, found: Broadcasts, steps: list[ast.Call], flag: Flag, name: str
) -> None:
    """Where what the steps of one flag train is changed, the next one broadcasts again."""
    again = resets(facts, steps, flag) if steps else []
    if isinstance(again, Unplaced):
        found.problems.append(Unfollowed(steps[0], again.why, again.way_out))
        return
    for statement in again:
        _append(found.after, statement, f"{name}.assign(False)\n")


def _asked(facts: Facts, found: Broadcasts, call: ast.Call, applied: Applied) -> tuple[str, ...]:
    """The untrained models of this step that no earlier broadcast in its function has."""
    trained = re.findall(r"([\w.]+)\.(?:variables|weights)\b", applied.code)
    home = facts.function(call)
    earlier = {m for b in found.calls if facts.function(b.call) is home for m in b.asked}
    return tuple(m for m in companions(facts, call) if m not in earlier and m not in trained)


def _add_batch(facts: Facts, found: Broadcasts, batch: Batch, name: str) -> None:
    """The flag is made before the loop, so that every start of it synchronises the model."""
    is_whole = isinstance(facts.parent(batch.call), (ast.Expr, ast.Assign, ast.AnnAssign))
    recent = facts.options.tensorflow >= CALLABLE_VARIABLES
    optimizer = f"{batch.model}.optimizer.variables" + ("" if recent else "()")
    found.calls.append(
        Broadcast(
            batch.call,
            name,
            Applied(f"{batch.model}.variables"),
            optimizer,
            None if is_whole else facts.fresh("applied"),
        )
    )
    line = f"{name} = {facts.tf}.Variable(False, trainable=False)\n"
    _append(found.before, batch.loop, line)
    for statement in resets_in(facts, batch):
        _append(found.after, statement, f"{name}.assign(False)\n")


def _append(lines: dict[ast.stmt, list[str]], statement: ast.stmt, line: str) -> None:
    present = lines.setdefault(statement, [])
    if line not in present:
        present.append(line)


def _optimizer_variables(facts: Facts, call: ast.Call) -> str:
    """`optimizer.variables`: a method until TensorFlow 2.11 and of the legacy classes.

    Later classes of Keras 2 allow both, so the call is right where the class is not known.
    """
    assert isinstance(call.func, ast.Attribute)
    path = ast.unparse(call.func.value)
    made = innermost(facts, call.func.value)
    is_property = bool(made) and all(_has_property(facts, node) for node in made)
    recent = facts.options.tensorflow >= CALLABLE_VARIABLES
    return f"{path}.variables" if is_property and recent else f"{path}.variables()"


def _has_property(facts: Facts, call: ast.Call) -> bool:
    kind = facts.kind(call)
    return facts.made_by(call) is Role.OPTIMIZER and kind is not None and not is_legacy(kind)
