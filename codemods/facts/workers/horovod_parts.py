"""Which parts of Horovod a program has, and which are there twice, late, or for another Keras."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence

from ...library.gpu_calls import TAKES
from ...library.horovod_names import BROADCAST_HOOK, OF_KERAS, OF_TF_KERAS, member_of
from ...library.names import KERAS
from ...library.tensorflow_names import SET_SEED
from ...program.domain import Domain, Operands
from ...program.node_fields import within
from ...program.objects import Objects as Several
from ...program.origins import Kind, Origin
from ...program.parts import FunctionNode
from ...program.records import NamedTuple
from ..averaging import Averaged, Wrapped, averaged, averaged_models, is_for_one, objects
from ..by_rank import depends_on_rank
from ..facts import Facts, recorded
from ..flow import Flow, flow_to
from ..gradients.tapes import applications
from ..horovod import AVERAGES, OPTIMIZER, TAPES, WRAPPERS, calls_of, member
from ..optimizers.compiles import compiles
from ..optimizers.optimizer_makers import innermost
from ..optimizers.wrapped_optimizers import minimizing_calls
from ..setup.pinning import chosen_devices, statements
from ..training.pattern import runs_graph, training_of
from .collective_calls import names_of

# -- all of horovod ------------------------------------------------------------------------------
# Programs that have every part of Horovod: nothing is left to complete, known forms or not.
#
# https://horovod.readthedocs.io/en/stable/summary_include.html, Usage.

_ELASTIC = "elastic.run"  # what it is given has a state that every worker takes over from rank 0
_PARTS: tuple[tuple[str, ...], ...] = (
    ("init",),
    (*WRAPPERS, *AVERAGES),
    (
        "broadcast_global_variables",
        "broadcast_variables",
        BROADCAST_HOOK,
        "callbacks.BroadcastGlobalVariablesCallback",
        _ELASTIC,
    ),
)


@recorded
def is_whole(facts: Facts) -> bool:
    """Whether it starts Horovod, averages gradients and brings the workers to one start."""
    if not facts.has_horovod:
        return False
    found = {member_of(name) for call in facts.index.calls for name in names_of(facts, call)}
    found |= {member(facts, use) for use in facts.index.loads.get("run", ())}
    return all(found.intersection(part) for part in _PARTS)


# -- averages of gradients -----------------------------------------------------------------------
# Gradients that are averaged twice, or by nobody though an optimizer of Horovod's is there.
#
# horovod/horovod#141, #291, #303, #384; what Horovod 0.28's optimizers average was read there.

_CAUGHT = (ast.With, ast.AsyncWith, ast.Try)


def averaged_twice(facts: Facts) -> Iterator[tuple[ast.Call, ast.expr]]:
    """Applications of gradients, and what averages them for the first time."""
    for call in facts.calls("minimize", "compute_gradients"):
        tape = facts.argument(call, "tape", 3 if call.func.attr == "minimize" else 2)  # type: ignore[attr-defined]
        if tape is not None and _is_averaged(facts, call):
            if averaged(facts, tape) is Averaged.YES:
                yield call, tape
    for application in applications(facts):
        flow = _flow_of(facts, application)
        wrapped = [call for call in flow.gradients if _is_averaged(facts, call)]
        again = next((call for call in flow.averaged if _is_averaged(facts, call)), None)
        if again is not None:
            yield application, again
        elif wrapped and _is_averaged(facts, application):
            yield application, wrapped[0]


class Unaveraged(NamedTuple):
    """A call by which many workers train with an optimizer that nobody has wrapped.

    `made` makes the optimizer. `is_certain`: it is no choice that may have been wrapped.
    """

    call: ast.Call
    made: ast.AST
    is_certain: bool


def unaveraged(facts: Facts) -> Iterator[Unaveraged]:
    """The optimizers that `compile` or `minimize` is asked with, and that average nothing.

    Each is an object: another one beside it, wrapped, is none of its business.
    """
    for call, optimizer in _asked(facts) if facts.has_horovod else ():
        found = objects(facts, optimizer)
        plain = [each.made for each in found if each.made is not None and not each.by]
        if plain and not is_for_one(facts, call):
            yield Unaveraged(call, plain[0], _is_certain(facts, optimizer, found))


def _is_certain(facts: Facts, optimizer: ast.expr, found: Sequence[Wrapped]) -> bool:
    """Whether one of several objects is a plain one, or all are.

    One call may make several of which another one wraps but one: `opts["a"] = wrap(opts["a"])`.
    """
    wraps = [(each.made, wrap) for each in found for wrap in each.by]
    several = Several(facts.program, facts.index.parents)

    def is_wrapped(made: ast.AST) -> bool:
        by = [wrap for each, wrap in wraps if each is made]
        often = [wrap for wrap in by if several.is_made_often(wrap, optimizer)]
        return bool(often if several.is_made_often(made, optimizer) else by)

    plain = [each.made for each in found if each.made is not None and not each.by]
    are_alone = not all(map(is_wrapped, plain))
    return are_alone and (not wraps or several.are_several(optimizer))


def _asked(facts: Facts) -> Iterator[tuple[ast.Call, ast.expr]]:
    """The calls by which optimizers compute gradients themselves, each with the optimizer."""
    for compiled in compiles(facts):
        optimizer = compiled.optimizer
        if optimizer is not None and not compiled.own_step and _is_trained(facts, compiled.call):
            yield compiled.call, optimizer
    for call in minimizing_calls(facts):
        assert isinstance(call.func, ast.Attribute)
        if call.func.attr == "minimize" or call in _applied_plain(facts):
            yield call, call.func.value


@recorded
def _applied_plain(facts: Facts) -> frozenset[ast.AST]:
    """What is made of gradients that are applied, without a call that averages on its way."""

    def averages(node: ast.AST) -> bool:
        return isinstance(node, ast.Call) and member(facts, node.func) in AVERAGES

    steps = facts.calls("apply_gradients")
    given = [facts.argument(step, "grads_and_vars", 0) for step in steps]
    ways = (facts.program.sources(each, ("each", 0), averages) for each in given if each)
    return frozenset(node for way in ways for node in way)


def _is_trained(facts: Facts, compiled: ast.Call) -> bool:
    """Whether a `fit` may be of a model that is compiled there, and nothing else averages."""
    made = {*facts.origins(compiled.func.value).nodes}  # type: ignore[attr-defined]
    averaging = {n for call in averaged_models(facts) for n in facts.origins(call.args[0]).nodes}
    fits = (call.func for call, _ in training_of(facts).places)
    trained = (facts.origins(f.value) for f in fits if isinstance(f, ast.Attribute))
    is_trained = any(not made.isdisjoint(each.nodes) or each.unknown for each in trained)
    return is_trained and made.isdisjoint(averaging)


def dropped_wrappers(facts: Facts) -> Iterator[ast.Call]:
    """Calls that wrap an optimizer or a tape and whose result nobody keeps."""
    for call in calls_of(facts, OPTIMIZER, *TAPES):
        is_dropped = isinstance(facts.parent(call), ast.Expr)
        if is_dropped and not any(isinstance(each, _CAUGHT[:2]) for each in facts.parents(call)):
            yield call


def passed_by(facts: Facts) -> Iterator[ast.Call]:
    """In a graph: gradients of the optimizer that is wrapped elsewhere, or of `tf.gradients`."""
    if not runs_graph(facts):
        return
    dropped = set(dropped_wrappers(facts))
    wrapping = [call for call in calls_of(facts, *WRAPPERS) if call not in dropped]
    given = [value for call in wrapping for value in call.args[:1]]
    wrapped = {made for value in given for made in innermost(facts, value)}
    for call in facts.calls("minimize", "compute_gradients"):
        assert isinstance(call.func, ast.Attribute)
        is_plain = averaged(facts, call.func.value) is Averaged.NO
        if is_plain and wrapped & set(innermost(facts, call.func.value)):
            yield call
    for call in facts.calls("apply_gradients"):
        if _is_averaged(facts, call) and _is_of_function(facts, call):
            yield call


def _is_of_function(facts: Facts, application: ast.Call) -> bool:
    """Whether `tf.gradients` computes them, and nothing averages them on the way."""
    given = facts.argument(application, "grads_and_vars", 0)
    if given is None:
        return False
    flow = _flow_of(facts, application)
    names = [facts.name(call.func) for call in flow.foreign]
    ways = facts.program.sources(given, ("each", 0))
    by_hand = any(member(facts, n.func) in AVERAGES for n in ways if isinstance(n, ast.Call))
    return bool(names) and all((n or "").endswith(".gradients") for n in names) and not by_hand


def _is_averaged(facts: Facts, call: ast.Call) -> bool:
    return averaged(facts, call.func.value) is Averaged.YES  # type: ignore[attr-defined]


def _flow_of(facts: Facts, application: ast.Call) -> Flow:
    given = facts.argument(application, "grads_and_vars", 0)
    return Flow({}, {}, {}, set()) if given is None else flow_to(facts, given, ("each", 0))


# -- scale domain --------------------------------------------------------------------------------
# The domain of scales: how often a number is multiplied by the number of workers.

_MOST = 9  # nothing gets there yet; it ends what a circle adds up


def _join(a: int, b: int) -> int:
    return min(a, b)


def _create(origin: Origin, operands: Operands[int]) -> int:
    if origin.kind is Kind.CALL:
        return int(member_of(origin.name) == "size")
    node = origin.node
    if origin.kind is not Kind.COMPUTED or not isinstance(node, (ast.BinOp, ast.AugAssign)):
        return 0
    values = operands.of(origin, "of")
    if len(values) != 2:
        return 0
    return _combined(node.op, *values)


def _combined(op: ast.operator, left: int, right: int) -> int:
    if isinstance(op, ast.Mult):
        return min(left + right, _MOST)
    if isinstance(op, (ast.Div, ast.FloorDiv)):
        return max(left - right, -_MOST)
    return min(left, right) if isinstance(op, (ast.Add, ast.Sub)) else 0


SCALED: Domain[int] = Domain(_MOST, 0, _join, _create)


# -- modules of Horovod --------------------------------------------------------------------------
# Horovod's module for one Keras beside a program of the other one.
#
# horovod/horovod#1601, #1802, #3183.

_OWN = ("keras", "tf_keras")


def of_other_keras(facts: Facts) -> Iterator[tuple[ast.stmt, str]]:
    """The imports of `horovod.keras` beside `tf.keras` alone, and what is to be imported."""
    imports = [(node, name) for node in facts.index.imports for name in _modules(node)]
    uses_own = any(name.partition(".")[0] in _OWN for _, name in imports)
    uses_tensorflow = any(name.startswith(KERAS) for _, name in imports)
    uses_tensorflow = uses_tensorflow or any(
        isinstance(use, ast.Attribute) and facts.name(use) == KERAS
        for use in facts.index.loads.get("keras", ())
    )
    for node, name in imports:
        if _is_of(name, OF_KERAS) and uses_tensorflow and not uses_own:
            yield node, OF_TF_KERAS


def _modules(node: ast.Import | ast.ImportFrom) -> list[str]:
    """The full names that an import reads."""
    if isinstance(node, ast.Import):
        return [alias.name for alias in node.names]
    return [] if node.level else [f"{node.module}.{alias.name}" for alias in node.names]


def _is_of(name: str, module: str) -> bool:
    return name == module or name.startswith(module + ".")


# -- late pins -----------------------------------------------------------------------------------
# A GPU that is chosen by the worker's number when TensorFlow has taken all of them already.

_SEEDS = (SET_SEED,)


def late_pins(facts: Facts) -> Iterator[tuple[ast.stmt, ast.Call]]:
    """The statements that choose a GPU, each with a call above it that has taken one."""
    for statement in statements(facts):
        devices = chosen_devices(facts, statement)
        if devices is not None and depends_on_rank(facts, devices):
            first = next(_taken_before(facts, statement), None)
            if first is not None:
                yield statement, first


def pins_of_job(facts: Facts) -> Iterator[ast.Call]:
    """`hvd.rank()` where it alone says which GPU is chosen: not `rank % 4`, nor `local_rank()`."""
    listed = facts.attribute_stores.get("visible_device_list", ())  # of a session's config
    devices = [binding.value for _, binding in listed]
    devices += [chosen_devices(facts, statement) for statement in statements(facts)]
    for chosen in (each for each in devices if each is not None):
        parts = list(facts.program.ingredients(chosen))
        is_reckoned = any(isinstance(part, ast.BinOp) for part in parts)
        ranks = [part for part in parts if _asks(facts, part, "rank")]
        if ranks and not is_reckoned and not any(_asks(facts, p, "local_rank") for p in parts):
            yield ranks[0]  # type: ignore[misc]


def _asks(facts: Facts, node: ast.AST, number: str) -> bool:
    return isinstance(node, ast.Call) and member(facts, node.func) == number


def _taken_before(facts: Facts, statement: ast.stmt) -> Iterator[ast.Call]:
    """Above it in its function, else above the one call that runs the function."""
    yield from _taken_above(facts, statement)
    function = facts.function(statement)
    calls = [] if function is None else facts.call_sites(function)
    if len(calls) == 1 and facts.function(calls[0]) is not function:
        yield from _taken_above(facts, facts.statement(calls[0]))


def _taken_above(facts: Facts, statement: ast.stmt) -> Iterator[ast.Call]:
    above: ast.AST | None = statement
    while isinstance(above, ast.stmt) and not isinstance(above, FunctionNode):
        block, number = facts.block(above)
        for earlier in block[:number]:
            if not isinstance(earlier, (*FunctionNode, ast.ClassDef)):
                yield from _taking(facts, earlier)
        above = facts.parent(above)


def _taking(facts: Facts, statement: ast.stmt) -> Iterator[ast.Call]:
    for node in within(statement):
        name = facts.name(node.func) if isinstance(node, ast.Call) else None
        if isinstance(node, ast.Call) and name and name not in _SEEDS and TAKES.match(name):
            yield node
