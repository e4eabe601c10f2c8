"""Broadcasts that come too early, too late, from several workers, or to nothing."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from ...library.horovod_names import BROADCAST_HOOK
from ...library.tensorflow_names import CONFIG, FUNCTION, INPUT_LAYERS
from ...program.node_fields import within
from ...program.parts import Function, FunctionNode
from ..facts import Facts
from ..horovod import BROADCAST, WRAPPERS, calls_of, member
from ..names import KERAS
from ..own_values import RANK, own_number, seeded
from ..roles import Role
from ..training.pattern import GRAPHS, training_of
from ..training.training_loops import trains
from .rank_tests import rank_test_of

# -- models without variables --------------------------------------------------------------------
# Models of Keras that have no variables yet: their layers are made when they see a shape.

_SEQUENTIAL = re.compile(rf"{KERAS}\.(?:models\.)?Sequential$")
_LAYER = f"{KERAS}.layers."
_SHAPES = ("input_shape", "batch_input_shape", "input_dim", "batch_shape", "input_length")
_PASSIVE = ("compile", "variables", "trainable_variables", "weights", "trainable_weights")
_DEFINITIONS = (*FunctionNode, ast.ClassDef, ast.Lambda)


def is_unbuilt_at(facts: Facts, model: ast.expr, place: ast.Call) -> bool:
    """Whether a model has no variables there, as nothing has come to it since it was made."""
    made = facts.origins(model).only
    if not isinstance(made, ast.Call) or facts.function(made) is not facts.function(place):
        return False
    return _has_no_shape(facts, made) and _is_untouched(facts, model, made, place)


def _has_no_shape(facts: Facts, made: ast.Call) -> bool:
    if _SEQUENTIAL.match(facts.name(made.func) or ""):
        layers = made.args[0] if made.args else None
        return isinstance(layers, ast.List) and all(_is_open(facts, e) for e in layers.elts)
    cls = facts.classes.local(made.func)
    if cls is None or facts.role_of_class(cls) is not Role.MODEL:
        return False
    init = facts.classes.method(cls, "__init__")
    calls = [n for n in within(init) if isinstance(n, ast.Call)] if init is not None else []
    return bool(calls) and all(_is_of_init(facts, call) for call in calls)


def _is_open(facts: Facts, layer: ast.expr) -> bool:
    """Whether it is a layer that isn't told what it will be given."""
    name = facts.name(layer.func) if isinstance(layer, ast.Call) else None
    is_layer = (name or "").startswith(_LAYER) and not (name or "").endswith(INPUT_LAYERS)
    return is_layer and not any(k.arg in _SHAPES for k in layer.keywords)  # type: ignore[attr-defined]


def _is_of_init(facts: Facts, call: ast.Call) -> bool:
    """`super().__init__()`, a layer."""
    is_super = ast.unparse(call.func).startswith("super(") or ast.unparse(call.func) == "super"
    return is_super or _is_open(facts, call)


def _is_untouched(facts: Facts, model: ast.expr, made: ast.Call, place: ast.Call) -> bool:
    """Whether nothing between the two calls uses the model, or calls a function that may do so."""
    between = list(_between(facts, made, place))
    if not between or any(_runs_own(facts, node) for node in between):
        return False
    text = ast.unparse(model)
    uses = (node for node in between if isinstance(node, type(model)) and ast.unparse(node) == text)
    return all(_is_passive(facts, use) for use in uses)


def _between(facts: Facts, made: ast.Call, place: ast.Call) -> Iterator[ast.AST]:
    """What stands between two calls, of which the first is in a block around the second.

    In a loop only where an `if` leaves later rounds out.
    """
    first, inside = facts.statement(made), {place, *facts.parents(place)}
    block, number = facts.block(first)
    last = next((s for s in block[number + 1 :] if s in inside), None)
    if last is None or (isinstance(last, (ast.For, ast.While)) and not _is_once(facts, place)):
        return
    yield place
    for statement in block[number + 1 : block.index(last) + 1]:
        for node in within(statement):
            if _is_written_before(node, place) and not _is_defined(facts, node, statement):
                yield node


def _is_once(facts: Facts, place: ast.Call) -> bool:
    """Whether the round is asked for: `step == 0`, `not done`, `first`."""
    holder = facts.parent(facts.statement(place))
    test = holder.test if isinstance(holder, ast.If) else None
    if isinstance(test, ast.Compare):
        return isinstance(test.ops[0], ast.Eq) and ast.unparse(test.comparators[0]) == "0"
    is_not = isinstance(test, ast.UnaryOp) and isinstance(test.op, ast.Not)
    return isinstance(test, ast.Name) or is_not


def _is_written_before(node: ast.AST, place: ast.Call) -> bool:
    line = getattr(node, "lineno", None)
    return line is not None and (line, node.col_offset) < (place.lineno, place.col_offset)  # type: ignore[attr-defined]


def _is_defined(facts: Facts, node: ast.AST, until: ast.stmt) -> bool:
    """Whether it stands in the body of a function, which is not run here."""
    if isinstance(until, _DEFINITIONS):
        return True
    return any(isinstance(p, _DEFINITIONS) for p in _up_to(facts, node, until))


def _up_to(facts: Facts, node: ast.AST, until: ast.stmt) -> Iterator[ast.AST]:
    for parent in facts.parents(node):
        if parent is until:
            return
        yield parent


def _runs_own(facts: Facts, node: ast.AST) -> bool:
    return isinstance(node, ast.Call) and bool(facts.program.functions(node.func).nodes)


def _is_passive(facts: Facts, use: ast.AST) -> bool:
    """`model.compile(…)`, `model.variables`, `Checkpoint(model=model)`."""
    parent = facts.parent(use)
    if isinstance(parent, ast.Attribute):
        return parent.attr in _PASSIVE
    call = facts.parent(parent) if isinstance(parent, ast.keyword) else parent
    return isinstance(call, ast.Call) and facts.made_by(call) is Role.CHECKPOINT


# -- misplaced broadcasts ------------------------------------------------------------------------
# Broadcasts of TensorFlow 2 that come too early, too late, or from another worker on each.
#
# horovod/horovod#1402, #2587; https://horovod.readthedocs.io/en/stable/tensorflow.html, step 6.

_VARIABLES = "broadcast_variables"
_ROOTS = (
    (("broadcast_global_variables", BROADCAST, BROADCAST_HOOK), 0),
    ((_VARIABLES, "broadcast", "broadcast_", "broadcast_object"), 1),
)
_SETS = ("load_weights", "set_weights", "restore", "read")
_LOADS = ("load_weights", "set_weights", "restore", "load_model", "read")


def own_roots(facts: Facts) -> Iterator[ast.expr]:
    """The root of a broadcast, where each worker names itself."""
    for names, position in _ROOTS:
        for call in calls_of(facts, *names):
            root = facts.argument(call, "root_rank", position)
            if root is not None and own_number(facts, root).kind == RANK:
                yield root


def of_nothing(facts: Facts) -> Iterator[ast.Call]:
    """The only broadcast of a model, when the model has no variables yet."""
    calls = list(calls_of(facts, _VARIABLES))
    others = any(True for _ in calls_of(facts, BROADCAST, "broadcast_global_variables"))
    for call in calls if not others else ():
        model = _model(call)
        if model is None or not is_unbuilt_at(facts, model, call):
            continue
        text = ast.unparse(model)
        if not any(each is not call and _may_hold(each, text) for each in calls):
            yield call


def _model(call: ast.Call) -> ast.expr | None:
    """`model` of `broadcast_variables(model.variables, …)`."""
    given = call.args[0] if call.args else None
    is_part = isinstance(given, ast.Attribute) and given.attr.endswith(("variables", "weights"))
    return given.value if is_part else None  # type: ignore[union-attr]


def _may_hold(call: ast.Call, model: str) -> bool:
    """Whether the variables of that model may be among what another call sends."""
    other = _model(call)
    return other is None or ast.unparse(other) == model


def behind_training(facts: Facts) -> Iterator[tuple[ast.Call, ast.stmt]]:
    """The first of the broadcasts, all of which stand behind a loop that trains, and the loop."""
    calls = list(calls_of(facts, _VARIABLES))
    is_alike = bool(seeded(facts)) or any(True for _ in facts.calls(*_LOADS))
    others = any(True for _ in calls_of(facts, BROADCAST, "broadcast_global_variables"))
    loops = [_loop_before(facts, call) for call in calls] if not (is_alike or others) else []
    if loops and loops[0] is not None and None not in loops:
        yield calls[0], loops[0]


def _loop_before(facts: Facts, call: ast.Call) -> ast.stmt | None:
    """The loop that trains above a broadcast that stands in the same block."""
    statement = facts.statement(call)
    if not isinstance(statement, ast.Expr) or facts.in_loop(call):
        return None
    block, number = facts.block(statement)
    loops = (s for s in block[:number] if isinstance(s, (ast.For, ast.While)))
    return next((loop for loop in loops if trains(facts, loop)), None)


def set_by_some(facts: Facts) -> Iterator[tuple[ast.Call, ast.Call]]:
    """What sets variables on some workers between the last broadcast and a loop that trains."""
    calls = [c for c in calls_of(facts, _VARIABLES) if isinstance(facts.parent(c), ast.Expr)]
    for call in facts.calls(*_SETS):
        receiver = call.func.value  # type: ignore[attr-defined]
        is_state = facts.role(receiver) in (Role.MODEL, Role.CHECKPOINT)
        if not is_state or rank_test_of(facts, call, None) is None:
            continue
        before = [each for each in calls if _stands_before(facts, each, call)]
        later = [each for each in calls if each not in before and _may_hold_state(each, receiver)]
        if before and not later and _is_trained_behind(facts, call):
            yield call, before[-1]


def _may_hold_state(call: ast.Call, state: ast.expr) -> bool:
    """Whether a broadcast may send what was set: another name's variables are others."""
    sent = _model(call)
    return sent is None or ast.unparse(sent) == ast.unparse(state)


def _stands_before(facts: Facts, broadcast: ast.Call, call: ast.Call) -> bool:
    """Whether a broadcast is a statement of a block above that of the call, or of one around."""
    block, number = facts.block(facts.statement(broadcast))
    inside = set(facts.parents(call))
    return any(statement in inside for statement in block[number + 1 :])


def _is_trained_behind(facts: Facts, call: ast.Call) -> bool:
    for around in facts.parents(call):
        if isinstance(around, ast.stmt) and isinstance(
            facts.parent(around), (ast.Module, ast.FunctionDef)
        ):
            block, number = facts.block(around)
            later = (s for s in block[number + 1 :] if isinstance(s, (ast.For, ast.While)))
            return any(trains(facts, loop) for loop in later)
    return False


# -- without broadcast ---------------------------------------------------------------------------
# Broadcasts that come to nothing: graph programs whose workers start apart all the same.
#
# horovod/horovod#202, #348, #1238, #1402, #2587; the forms were run on two workers.

_MAKES_NONE = ("append", "extend", "insert")
_ALL = "broadcast_global_variables"
_LISTS = ("hooks", "callbacks", "chief_only_hooks", "training_hooks")
_OTHERS = ("horovod.", "tensorflow.", "numpy.", "os.", "argparse.", "builtins.")
_PREPARES = (
    CONFIG,
    "GPUOptions",
    "disable_v2_behavior",
    "disable_eager_execution",
    "set_verbosity",
    "placeholder",
    "set_random_seed",
    "reset_default_graph",
    "Graph",
)
_INITIALIZERS = ("global_variables_initializer", "initialize_all_variables")


def lost_hooks(facts: Facts) -> Iterator[ast.Call]:
    """`hooks=hooks.append(…)`, which is None: a hook or a callback of Horovod's is lost with it."""
    for call in facts.calls(*_MAKES_NONE):
        keyword = facts.parent(call)
        if isinstance(keyword, ast.keyword) and keyword.arg in _LISTS:
            yield call


def without_broadcast(facts: Facts) -> Iterator[ast.Call]:
    """The wrapper of a program that trains a graph here and has no word of a broadcast."""
    training = training_of(facts)
    if training.pattern not in GRAPHS or not training.starts_here:
        return
    if not any("roadcast" in name for name in facts.index.loads):
        yield from list(calls_of(facts, *WRAPPERS))[:1]


def made_early(facts: Facts) -> Iterator[ast.Call]:
    """`broadcast_global_variables` above all that makes variables: it sends none."""
    if training_of(facts).pattern not in GRAPHS:
        return
    calls = list(calls_of(facts, _ALL))
    made = [(c.lineno, c.col_offset) for c in facts.index.calls if _makes_variables(facts, c)]
    for call in calls if len(calls) == 1 else ():
        is_plain = facts.function(call) is None and not facts.in_loop(call)
        if is_plain and made and (call.lineno, call.col_offset) < min(made):
            yield call


def _makes_variables(facts: Facts, call: ast.Call) -> bool:
    """Whether a call may make variables: any but those that prepare a session, or Horovod's."""
    name = facts.name(call.func)
    if name is None or not name.startswith(_OTHERS):
        return True
    parts = name.rpartition(".")
    return name.startswith("tensorflow.") and parts[2] not in _PREPARES


def overwritten(facts: Facts) -> Iterator[tuple[ast.Call, ast.Call]]:
    """What sets variables in the statements behind the last broadcast, with that broadcast.

    A restore of all workers alike from one file keeps them together; that of some doesn't.
    """
    for broadcast in _runs(facts, _is_broadcast):
        block, number = facts.block(facts.statement(broadcast))
        later = [call for s in block[number + 1 :] for call in _calls(s)]
        if any(_sends(facts, call) for call in later):
            continue
        for call in later:
            is_set = _is_run_of(facts, call, _is_initializer) or _is_restored_by_some(facts, call)
            if is_set and _session(call) == _session(broadcast):
                yield call, broadcast


def _runs(facts: Facts, is_wanted: object) -> Iterator[ast.Call]:
    for call in facts.calls("run"):
        if _is_run_of(facts, call, is_wanted):
            yield call


def _is_run_of(facts: Facts, call: ast.Call, is_wanted: object) -> bool:
    is_run = isinstance(call.func, ast.Attribute) and call.func.attr == "run" and bool(call.args)
    if not is_run:
        return False
    made = facts.origins(call.args[0]).nodes
    return any(isinstance(n, ast.Call) and is_wanted(facts, n) for n in made)  # type: ignore[operator]


def _sends(facts: Facts, call: ast.Call) -> bool:
    """Whether it is a broadcast, or runs one that is made elsewhere."""
    return _is_broadcast(facts, call) or _is_run_of(facts, call, _is_broadcast)


def _is_broadcast(facts: Facts, call: ast.Call) -> bool:
    return member(facts, call.func) == _ALL


def _is_initializer(facts: Facts, call: ast.Call) -> bool:
    return (facts.name(call.func) or "").rpartition(".")[2] in _INITIALIZERS


def _is_restored_by_some(facts: Facts, call: ast.Call) -> bool:
    is_restore = isinstance(call.func, ast.Attribute) and call.func.attr == "restore"
    return is_restore and rank_test_of(facts, call, None) is not None


def _session(call: ast.Call) -> str:
    """The session that is run, or into which is restored."""
    assert isinstance(call.func, ast.Attribute)
    is_run = call.func.attr == "run"
    return ast.unparse(call.func.value if is_run or not call.args else call.args[0])


def _calls(statement: ast.stmt) -> list[ast.Call]:
    return [node for node in within(statement) if isinstance(node, ast.Call)]


# -- graph flags ---------------------------------------------------------------------------------
# Flags of Python's around a broadcast in a function that becomes a graph.
#
# The flag is read while TensorFlow traces: where variables are made in the first call it traces
# twice, and the graph that runs has no broadcast. A global was run on two workers.

_BROADCASTS = ("broadcast_variables", "broadcast_global_variables", "broadcast")


def graph_flags(facts: Facts) -> Iterator[ast.expr]:
    """The tests of such flags: a global, one of an outer function, an attribute, an entry."""
    for call in calls_of(facts, *_BROADCASTS):
        function = facts.function(call)
        if function is not None and _is_graph(facts, function):
            yield from (test for test in _tests(facts, call) if _is_flag(facts, test, function))


def _tests(facts: Facts, call: ast.Call) -> Iterator[ast.expr]:
    for parent in facts.parents(call):
        if isinstance(parent, FunctionNode):
            return
        if isinstance(parent, ast.If):
            yield parent.test


def _is_flag(facts: Facts, test: ast.expr, function: ast.AST) -> bool:
    """Whether the function sets what the test reads, for the calls that come."""
    outer = {name for node in within(function) for name in _outer_names(node)}
    targets = (t for node in within(function) for t in _targets(node))
    stored = {ast.unparse(t) for t in targets if not isinstance(t, ast.Name) or t.id in outer}
    reads = (n for n in within(test) if isinstance(n, (ast.Name, ast.Attribute, ast.Subscript)))
    return any(ast.unparse(node) in stored for node in reads)


def _outer_names(node: ast.AST) -> list[str]:
    return node.names if isinstance(node, (ast.Global, ast.Nonlocal)) else []


def _targets(node: ast.AST) -> list[ast.expr]:
    return node.targets if isinstance(node, ast.Assign) else []


def _is_graph(facts: Facts, function: Function) -> bool:
    """Whether TensorFlow makes a graph of it: by a decorator, a call, or Keras' `fit`."""
    decorators = (d.func if isinstance(d, ast.Call) else d for d in function.decorator_list)
    if any(facts.name(each) == FUNCTION for each in decorators) or _is_handed_on(facts, function):
        return True
    cls = facts.cls(function) if function.name == "train_step" else None
    return cls is not None and facts.role_of_class(cls) is Role.MODEL


def _is_handed_on(facts: Facts, function: Function) -> bool:
    """`step = tf.function(step)`."""
    given = [arg for call in facts.calls_of(FUNCTION) for arg in call.args[:1]]
    return any(function in facts.program.functions(arg).nodes for arg in given)
