"""Where a loop broadcasts its state: after `apply_gradients`, once per optimizer and variables.

Seed 001, `trans_S` on `apply_gradients`, with a tf.Variable for a flag: a Python one is read while
`@tf.function` traces, which leaves the broadcast out of the graph that runs.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from ...library.optimizers import is_legacy
from ..causes import cause_of
from ..facts import Facts, recorded
from ..keras_version import is_keras_3
from ..naming import can_be_named, is_first
from ..optimizers.optimizer_makers import creation, innermost
from ..problems import Problem
from ..roles import Role
from ..training.pattern import runs_graph, training_of
from .applications import applications
from .applied import EACH, Applied, applied_variables, hides_variables, round_of
from .batches import Batch, batches
from .broadcast_already import is_applied_state_broadcast, is_broadcast_by_hand
from .broadcast_records import Broadcast, Broadcasts, OptimizerState
from .companions import companions, listed, unnamed
from .flag_records import UNTRACED, Flag, Unplaced
from .flag_resets import resets, resets_in
from .flags import flag_in_maker, flag_of
from .keyed_flags import is_shared, keyed_flag, keyed_flag_of_model
from .merged_broadcasts import merge_broadcasts
from .variables import Part, owners

CALLABLE_VARIABLES = (2, 12)  # from here on `optimizer.variables` is a property
OPTIMIZERS = (Role.OPTIMIZER,)


@recorded
def broadcasts(facts: Facts) -> Broadcasts:
    """Every broadcast of a program with loops of its own."""
    found = Broadcasts()
    for call in list(_broadcasting(facts)):
        flag = _flag(facts, call)
        if isinstance(flag, Unplaced):
            found.problems.append(_unplaced(facts, call, flag))
        elif hides_variables(facts, call):
            why = "it can't be seen which variables this call changes"
            found.problems.append(Problem(call, why, "pass the pairs as its first argument"))
        elif _changes(facts, call, flag):
            found.problems.append(Problem(call, *EACH))
        elif _is_nested(facts, call) and not _comes_first(facts, call):
            why = "this call is part of a larger expression"
            found.problems.append(Problem(call, why, "make it a statement of its own"))
        else:
            found.applications.append(_of_application(facts, call, flag, found))
            found.problems.extend(unnamed(facts, call))
    _set_back(facts, found)
    found.applications = merge_broadcasts(facts, found.applications)
    for batch in batches(facts):
        if not is_broadcast_by_hand(facts, batch.call):
            _add_batch(facts, batch, found)
    return found


def need_weak_references(facts: Facts) -> bool:
    """Whether flags are asked for by objects, which these don't keep alive."""
    found = broadcasts(facts)
    return any(one.flag.keys for one in (*found.applications, *found.batches))


def _flag(facts: Facts, call: ast.Call) -> Flag | Unplaced:
    """The flag of a call, by a name or, where there are several objects, by these."""
    flag = flag_of(facts, call)
    is_of_several = flag.of_objects if isinstance(flag, Unplaced) else _changes(facts, call, flag)
    return (keyed_flag(facts, call) if is_of_several else None) or flag


def _changes(facts: Facts, call: ast.Call, flag: Flag) -> bool:
    """Whether rounds of a loop give it other variables, and one flag serves them all."""
    loop = None if flag.keys else round_of(facts, call)
    made = (*flag.before, *flag.after)
    return loop is not None and not any(loop in facts.parents(place) for place in made)


def _comes_first(facts: Facts, call: ast.Call) -> bool:
    """Whether it can stand in a statement of its own, right before the one that it is in."""
    return can_be_named(facts, call) and is_first(facts, call)


def _unplaced(facts: Facts, call: ast.Call, why: Unplaced) -> Problem:
    if why is not UNTRACED:
        return Problem(call, why.why, why.fix, why.cause)
    receiver: ast.expr = call.func.value  # type: ignore[attr-defined]
    cause = cause_of(facts, receiver, OPTIMIZERS)
    return Problem(call, why.why, creation(facts, receiver), cause)


def _broadcasting(facts: Facts) -> Iterator[ast.Call]:
    """The training calls after which the program doesn't broadcast its state itself."""
    for call in _training(facts):
        is_kerass = training_of(facts).in_train_step(call)
        if not is_kerass and not is_applied_state_broadcast(facts, call):
            yield call


def _training(facts: Facts) -> Iterator[ast.Call]:
    if runs_graph(facts):
        return
    yield from applications(facts)
    for call in facts.calls("minimize"):
        if facts.roles(call.func.value) & {Role.OPTIMIZER, Role.LOSS_SCALE}:  # type: ignore[attr-defined]
            yield call


def _is_nested(facts: Facts, call: ast.Call) -> bool:
    return not isinstance(facts.parent(call), (ast.Expr, ast.Assign, ast.AnnAssign))


def _of_application(facts: Facts, call: ast.Call, flag: Flag, found: Broadcasts) -> Broadcast:
    applied, optimizer = applied_variables(facts, call), _optimizer_state(facts, call)
    asked = _asked(facts, found, call, applied)
    beside = listed(facts, call)
    return Broadcast(call, flag, applied, optimizer, _is_nested(facts, call), asked, beside)


def _set_back(facts: Facts, found: Broadcasts) -> None:
    """Where what the steps of one flag train is changed, the next one broadcasts again."""
    steps: dict[tuple[object, ...], list[int]] = {}
    for number, one in enumerate(found.applications):
        steps.setdefault(one.spelled_key, []).append(number)
    for numbers in steps.values():
        first = found.applications[numbers[0]]
        calls = [found.applications[number].call for number in numbers]
        again = resets(facts, calls, first.flag, _apart(found, first))
        if _needs_keys(facts, first, again) and _keyed(facts, found, numbers):
            first = found.applications[numbers[0]]
            again = resets(facts, calls, first.flag)
        if isinstance(again, Unplaced):
            found.problems.append(_unplaced(facts, first.call, again))
        elif again:
            found.applications[numbers[0]] = first._replace(resets=tuple(again))
        elif len(calls) == 1 and not first.flag.keys:
            flag = flag_in_maker(facts, first.call, first.flag)
            found.applications[numbers[0]] = first._replace(flag=flag)


def _apart(found: Broadcasts, one: Broadcast) -> set[str]:
    """The models that other steps ask for their flags by, and this one doesn't train."""
    keys = {ast.unparse(key) for other in found.applications for key in other.flag.keys}
    return keys - {ast.unparse(model) for model in owners(one.applied.variables)}


def _keyed(facts: Facts, found: Broadcasts, numbers: list[int]) -> bool:
    """Give steps that share a flag one for each of their objects; whether that can be done."""
    calls = [found.applications[number].call for number in numbers]
    flags = [flag for flag in (keyed_flag(facts, call) for call in calls) if flag is not None]
    if len(flags) < len(calls):
        return False
    for number, flag in zip(numbers, flags):
        found.applications[number] = found.applications[number]._replace(flag=flag)
    return True


def _needs_keys(facts: Facts, first: Broadcast, again: list[ast.stmt] | Unplaced) -> bool:
    """Whether a flag under a name doesn't do: for several objects, or where it isn't set back."""
    if first.flag.keys:
        return False
    return isinstance(again, Unplaced) or is_shared(facts, first._replace(resets=tuple(again)))


def _asked(
    facts: Facts, found: Broadcasts, call: ast.Call, applied: Applied
) -> tuple[ast.expr, ...]:
    """The untrained models of this step that no earlier broadcast in its function has."""
    home = facts.function(call)
    earlier = [m for b in found.applications if facts.function(b.call) is home for m in b.asked]
    known = set(map(ast.unparse, (*earlier, *owners(applied.variables))))
    paths = [model.path for model in companions(facts, call)]
    return tuple(p for p in paths if p is not None and ast.unparse(p) not in known)


def _add_batch(facts: Facts, batch: Batch, found: Broadcasts) -> None:
    again, one = resets_in(facts, batch), _of_batch(facts, batch)
    if _needs_keys(facts, one, again):
        flag = keyed_flag_of_model(facts, batch.call)
        if flag is not None:
            one, again = one._replace(flag=flag), resets(facts, [batch.call], flag)
    if isinstance(again, Unplaced):
        found.problems.append(_unplaced(facts, batch.call, again))
    else:
        found.batches.append(one._replace(resets=tuple(again)))
        found.problems.extend(unnamed(facts, batch.call))


def _of_batch(facts: Facts, batch: Batch) -> Broadcast:
    """The flag is made before the loop, so that every start of it synchronises the model."""
    flag = Flag(ast.unparse(batch.model), before=(batch.loop,))
    is_method = facts.options.tensorflow < CALLABLE_VARIABLES
    optimizer = OptimizerState(batch.model, is_models=True, is_method=is_method)
    applied = Applied(Part(batch.model, "variables"))
    known = ast.unparse(batch.model)
    paths = [model.path for model in companions(facts, batch.call)]
    asked = tuple(p for p in paths if p is not None and ast.unparse(p) != known)
    return Broadcast(batch.call, flag, applied, optimizer, _is_nested(facts, batch.call), asked)


def _optimizer_state(facts: Facts, call: ast.Call) -> OptimizerState:
    """`optimizer.variables`: a method until TensorFlow 2.11 and of the legacy classes.

    Later classes of Keras 2 allow both, so the call is right where the class is not known.
    """
    assert isinstance(call.func, ast.Attribute)
    holder = call.func.value
    made = innermost(facts, holder)
    is_property = bool(made) and all(_has_property(facts, node) for node in made)
    is_method = not is_property or facts.options.tensorflow < CALLABLE_VARIABLES
    is_method = is_method and not is_keras_3(facts)
    return OptimizerState(holder, is_models=False, is_method=is_method)


def _has_property(facts: Facts, call: ast.Call) -> bool:
    kind = facts.kind(call)
    return facts.made_by(call) is Role.OPTIMIZER and kind is not None and not is_legacy(kind)
