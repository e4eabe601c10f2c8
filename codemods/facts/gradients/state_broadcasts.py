"""Where a loop broadcasts its state: once per optimizer and variables, or once for several."""

from __future__ import annotations

import ast
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence

from ...library.optimizers import is_legacy
from ...library.tensorflow_names import TAPE
from ...program.node_fields import children, within
from ...program.objects import Objects
from ..by_rank import is_decided
from ..causes import Problem, cause_of
from ..facts import Facts, recorded
from ..horovod import calls_of
from ..keras_version import is_keras_3
from ..optimizers.optimizer_makers import creation, innermost
from ..roles import Role
from ..training.optimizer_calls import given_variables, is_apply
from ..training.pattern import runs_graph, training_of
from ..value_parts import can_be_named, is_first
from ..walks import reached
from .applied_variables import (
    ALL,
    EACH,
    Applied,
    OfPairs,
    Part,
    Variables,
    applied_variables,
    hides_variables,
    is_path,
    owners,
    parts,
    read,
    round_of,
    whole_model,
)
from .broadcast_flags import (
    UNTRACED,
    Broadcast,
    Broadcasts,
    Flag,
    OptimizerState,
    Unplaced,
    flag_in_maker,
    flag_of,
    is_reached,
    resets,
    resets_in,
)
from .tapes import applications
from .trained_models import Batch, batches
from .untrained_models import companions, listed, unnamed

# -- broadcast already ---------------------------------------------------------------------------
# Whether a program brings variables to the same start itself, with `hvd.broadcast_variables`.

EVERYTHING = "broadcast_global_variables"
_PARTS = ("variables", "trainable_variables", "weights", "trainable_weights")
_PAIRING = ("builtins.zip", "builtins.list", "builtins.tuple")


def is_applied_state_broadcast(facts: Facts, application: ast.Call) -> bool:
    """Whether all variables of an `apply_gradients` or `minimize` call are broadcast somewhere."""
    if not facts.has_horovod:
        return False
    if is_apply(facts, application):
        given = given_variables(facts, application)
        return given is not None and _is_covered(facts, given)
    method = getattr(application.func, "attr", "")
    is_pairs = method != "minimize"
    name, position = ("grads_and_vars", 0) if is_pairs else ("var_list", 1)
    value = facts.argument(application, name, position)
    expr = None if value is None else (_variables(facts, value) if is_pairs else value)
    return expr is not None and _is_covered(facts, expr)


def is_broadcast_by_hand(facts: Facts, method: ast.Call) -> bool:
    """Whether the model whose `fit` or `train_on_batch` is called is broadcast somewhere."""
    is_method = isinstance(method.func, ast.Attribute)
    return facts.has_horovod and is_method and _is_covered(facts, method.func.value)  # type: ignore[attr-defined]


def is_same_model(facts: Facts, one: ast.Call, other: ast.Call) -> bool:
    """Whether two methods are called on a model that is created at the same place."""
    roots = [_roots(facts, [call.func.value]) for call in (one, other)]  # type: ignore[attr-defined]
    return bool(roots[0]) and roots[0] == roots[1]


def _is_covered(facts: Facts, expr: ast.AST) -> bool:
    wanted = _roots(facts, [expr])
    found: set[ast.AST | str] = set()
    for call in calls_of(facts, EVERYTHING, "broadcast_variables"):
        if is_on_one_worker(facts, call):
            continue
        if facts.name(call.func) and str(facts.name(call.func)).endswith(EVERYTHING):
            return True
        named = [k.value for k in call.keywords if k.arg == "variables"]
        given = [_held(each) for each in call.args[:1] or named]
        found |= _roots(facts, given)
        if not wanted and _is_spelled_alike(facts, expr, given):
            return True
    if bool(wanted) and wanted <= found:
        return True
    model = whole_model(facts, expr) if isinstance(expr, ast.expr) else None
    return model is not None and _is_covered(facts, model)


def _held(given: ast.expr) -> ast.expr:
    """`model.weights` of `[v.value for v in model.weights]`, as Keras 3 needs it."""
    is_plain = isinstance(given, (ast.ListComp, ast.GeneratorExp)) and len(given.generators) == 1
    return given.generators[0].iter if is_plain else given  # type: ignore[attr-defined]


def _is_spelled_alike(facts: Facts, expr: ast.AST, given: Iterable[ast.AST]) -> bool:
    """Where nothing is known of what is applied, the same words in one function are the same."""
    wanted, found = list(_elements([expr])), list(_elements(given))
    return [ast.dump(each) for each in wanted] == [ast.dump(each) for each in found] and all(
        facts.function(one) is facts.function(other) for one, other in zip(wanted, found)
    )


def _elements(exprs: Iterable[ast.AST]) -> Iterator[ast.AST]:
    for expr in exprs:
        yield from expr.elts if isinstance(expr, (ast.List, ast.Tuple)) else [expr]


def is_on_one_worker(facts: Facts, call: ast.Call) -> bool:
    """Whether the call is a mistake of the program's own: the others never hear of it."""
    return is_decided(facts, call)


def _variables(facts: Facts, pairs: ast.expr) -> ast.expr | None:
    """What stands for the variables in `zip(gradients, variables)` and its like."""
    if isinstance(pairs, ast.Call) and facts.name(pairs.func) in _PAIRING and pairs.args:
        return pairs.args[1] if len(pairs.args) == 2 else _variables(facts, pairs.args[0])
    if isinstance(pairs, (ast.ListComp, ast.GeneratorExp)):
        return _variables(facts, pairs.generators[0].iter)
    if isinstance(pairs, (ast.List, ast.Tuple)):
        return _seconds(pairs.elts)
    if isinstance(pairs, ast.Name):
        values = [b.value for b in facts.reaching(pairs) if b.kind == "assign" and not b.path]
        return (_variables(facts, values[0]) if len(values) == 1 else None) or pairs  # type: ignore[arg-type]
    return None


def _seconds(pairs: list[ast.expr]) -> ast.expr | None:
    """The second of each pair; None where something else stands among them, or nothing."""
    parts = [p.elts[1] for p in pairs if isinstance(p, ast.Tuple) and len(p.elts) == 2]
    return ast.Tuple(parts, ast.Load()) if parts and len(parts) == len(pairs) else None


def _roots(facts: Facts, exprs: Iterable[ast.AST]) -> set[ast.AST | str]:
    """The models and variables, by where they are created, that an expression is made of.

    What comes from elsewhere (an import, a name that nothing here binds) counts by its name.
    """

    def made_of(node: ast.AST) -> Iterator[ast.AST]:
        if isinstance(node, (ast.Name, ast.Attribute)) and not _is_part(node):
            origins = facts.origins(node)
            yield from (item.node for item in origins.items)
            yield from origins.unknown
        elif not isinstance(node, ast.Call):
            yield from children(node)
        elif facts.name(node.func) in _PAIRING:
            yield from node.args

    roots: set[ast.AST | str] = set()
    for node in reached(exprs, made_of):
        if isinstance(node, (ast.Call, ast.arg)):
            roots.add(node)
        elif isinstance(node, ast.Name) and not _is_created_here(facts, node):
            roots.add(node.id)
    return roots


def _is_created_here(facts: Facts, name: ast.Name) -> bool:
    origins = facts.origins(name)
    return any(node is not name for node in (*(i.node for i in origins.items), *origins.unknown))


def _is_part(node: ast.AST) -> bool:
    """`model.variables`: the model counts."""
    return isinstance(node, ast.Attribute) and node.attr in _PARTS


# -- keyed flags ---------------------------------------------------------------------------------
# Broadcasts that several objects come to: a flag for each model with its optimizer.
#
# One flag under a name is one object's. Where a step gets now one model and now another one, each
# pair has to be broadcast once, and its flag is asked for by the objects themselves.


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


# -- merged broadcasts ---------------------------------------------------------------------------
# Optimizers that always step together: one flag, and one broadcast behind the last of them.
#
# What one of them trains is broadcast a few statements later than it could be, and before
# anything but the other steps has used it.


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
        is_tape = all(isinstance(c, ast.Call) and facts.name(c.func) == TAPE for c in calls)
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


# -- broadcasts of loops -------------------------------------------------------------------------
# Where a loop broadcasts its state: after `apply_gradients`, once per optimizer and variables.
#
# Seed 001, `trans_S` on `apply_gradients`, with a tf.Variable for a flag: a Python one is read
# while `@tf.function` traces, which leaves the broadcast out of the graph that runs.

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
