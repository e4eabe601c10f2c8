"""Which calls wait for every worker, and where only some of the workers come to one of them."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator
from functools import partial

from ...library.collectives import collective, is_join
from ...library.horovod_names import member_of
from ...library.tensorflow_names import CONDITIONS, LOOPS, MAPS
from ...program.node_fields import within
from ...program.parts import FunctionNode
from ...program.records import NamedTuple
from ...program.things import Bound, Function, Library, Partial, Thing
from ...program.versions import Condition
from ..agreement.control import Decision, conditions
from ..averaging import Averaged, averaged
from ..by_rank import EXITS
from ..facts import Facts, recorded
from ..flow import is_gradient
from ..own_values import RANK, own_number
from ..roles import Role
from ..training import fits
from ..walks import reached
from .rank_tests import decides, ends_quietly, is_by_rank, rank_test_of

# -- collectives ---------------------------------------------------------------------------------
# Calls that wait until every worker has come to them: Horovod's own, and steps of its training.
#
# https://horovod.readthedocs.io/en/stable/concepts.html; only what is known to be one counts.

STEP = "a step of the training"
_APPLICATIONS = ("apply_gradients", "minimize", "compute_gradients")
_MEETING = ("callbacks.BroadcastGlobalVariablesCallback", "callbacks.MetricAverageCallback")
_FITS = ("fit", "fit_generator", "train_on_batch")
_GROUP = "process_set"  # of some of the workers: who is in it, is not followed


class Collective(NamedTuple):
    """A call that all workers make together; `kind`: those of one kind meet each other."""

    call: ast.Call
    kind: str


@recorded
def collectives(facts: Facts) -> dict[ast.Call, Collective]:
    """All of a module that can be told; none where a worker may tell the others not to wait."""
    if not facts.has_horovod:
        return {}
    calls = facts.index.calls
    if any(is_join(name) for call in calls for name in names_of(facts, call)):
        return {}
    kinds = ((call, _kind(facts, call)) for call in calls)
    return {call: Collective(call, kind) for call, kind in kinds if kind is not None}


def held_by(facts: Facts, parts: Iterable[ast.AST]) -> Iterator[Collective]:
    """The collectives in statements or expressions, and in the functions that they call."""

    def called(node: ast.AST) -> list[ast.AST]:
        calls = (n for n in within(node) if isinstance(n, ast.Call))
        return [function for call in calls for function in facts.program.functions(call.func).nodes]

    known, start = collectives(facts), list(parts)
    for node in reached(start, called):
        yield from (known[n] for n in within(node) if isinstance(n, ast.Call) and n in known)


def names_of(facts: Facts, call: ast.Call) -> tuple[str, ...]:
    """The outside functions that a call may run, also where `hvd` may be None."""
    name = facts.name(call.func)
    if name is not None:
        return (name,)
    partials = (t for t in facts.program.things(call.func) if isinstance(t, Partial))
    filled = (name for each in partials for name in facts.program.names(each.func))
    return (*facts.program.names(call.func), *filled)


def _kind(facts: Facts, call: ast.Call) -> str | None:
    for name in (*names_of(facts, call), *_mapped(facts, call)):
        kind = collective(name)
        if kind is not None:
            return None if any(k.arg == _GROUP for k in call.keywords) else kind
    if not isinstance(call.func, ast.Attribute) or facts.callee(call) is not None:
        return None
    return STEP if _is_step(facts, call, call.func) else None


def _mapped(facts: Facts, call: ast.Call) -> tuple[str, ...]:
    """The outside functions that a call runs for each element: `map(hvd.allreduce, grads)`."""
    is_map = facts.name(call.func) in MAPS and bool(call.args)
    return facts.program.names(call.args[0]) if is_map else ()


def _is_step(facts: Facts, call: ast.Call, func: ast.Attribute) -> bool:
    if func.attr in _FITS:
        return _is_wrapped(facts, func.value) or _has_callbacks(facts, call)
    if func.attr == "run":
        return runs_step(facts, call)
    is_tape = is_gradient(facts, call) and Role.TAPE in facts.roles(func.value)
    return is_tape and averaged(facts, func.value) is Averaged.YES


def _is_wrapped(facts: Facts, model: ast.expr) -> bool:
    """Whether the model was compiled with an optimizer of Horovod's."""
    made = set(facts.origins(model).nodes)
    for call in facts.calls("compile"):
        assert isinstance(call.func, ast.Attribute)
        optimizer = facts.argument(call, "optimizer", 0)
        if optimizer is None or averaged(facts, optimizer) is not Averaged.YES:
            continue
        is_same = ast.dump(call.func.value) == ast.dump(model)
        if is_same or made & set(facts.origins(call.func.value).nodes):
            return True
    return False


def _has_callbacks(facts: Facts, call: ast.Call) -> bool:
    """Whether it is given callbacks of Horovod that wait for the others, on every way."""
    given = (
        fits.argument(facts, call, "callbacks") if fits.method(call) != "train_on_batch" else None
    )
    if not isinstance(given, (ast.List, ast.Tuple)):
        return False
    calls = (element for element in given.elts if isinstance(element, ast.Call))
    return any(member_of(facts.name(each.func)) in _MEETING for each in calls)


def runs_step(facts: Facts, call: ast.Call) -> bool:
    """Whether a session computes what averages gradients, or another collective."""
    if not call.args or facts.name(call.func) is not None:
        return False
    parts = [call.args[0]]
    if isinstance(parts[0], (ast.List, ast.Tuple)):
        parts = parts[0].elts
    return any(_is_operation(facts, node) for part in parts for node in _behind(facts, part))


def _behind(facts: Facts, part: ast.expr) -> Iterator[ast.AST]:
    return facts.program.sources(part, ())


def _is_operation(facts: Facts, node: ast.AST) -> bool:
    if not isinstance(node, ast.Call):
        return False
    if any(collective(name) for name in names_of(facts, node)):
        return True
    is_method = isinstance(node.func, ast.Attribute) and node.func.attr in _APPLICATIONS
    return is_method and averaged(facts, node.func.value) is Averaged.YES  # type: ignore[attr-defined]


# -- same collective in both branches ------------------------------------------------------------
# Whether workers that go different ways meet in a collective all the same.


class Way(NamedTuple):
    """A collective that only some workers come to: `decision` stands before `place`.

    `place` is the collective, or the call in its function that leads there. A decision is the
    test, or a jump that it leads to.
    """

    collective: Collective
    place: ast.Call
    decision: Decision
    test: ast.expr


def meets(facts: Facts, way: Way, ways: Iterable[Way]) -> bool:
    """Whether the workers that don't come this way call one of the same kind on theirs."""
    kind = way.collective.kind
    if any(other.kind == kind for other in held_by(facts, _other_arms(facts, way))):
        return True
    function = facts.function(way.place)
    return any(
        other.collective.kind == kind
        and facts.function(other.place) is function
        and _side(facts, other) != _side(facts, way)
        for other in ways
    )


def _other_arms(facts: Facts, way: Way) -> list[ast.AST]:
    """What stands in the arms of the `if`, or of the choice, that this way doesn't take."""
    chain = facts.parent(way.test)
    if not isinstance(chain, (ast.If, ast.IfExp)) or way.test is not chain.test:
        return []
    inside = _around(facts, way.place)
    arms = (arm if isinstance(arm, list) else [arm] for arm in (chain.body, chain.orelse))
    return [part for arm in arms if not inside & set(arm) for part in arm]


def _side(facts: Facts, way: Way) -> tuple[str, bool]:
    """The text of a test, and whether it holds there: a worker that leaves doesn't come."""
    chain, text = facts.parent(way.test), ast.unparse(way.test)
    is_jump = isinstance(way.decision, ast.stmt)
    inside = _around(facts, way.decision if is_jump else way.place)
    if not isinstance(chain, ast.If):
        return text, not is_jump
    return text, not inside & set(chain.body if is_jump else chain.orelse)


def _around(facts: Facts, node: ast.AST) -> set[ast.AST]:
    return {node, *facts.parents(node)}


# -- calls chosen by rank ------------------------------------------------------------------------
# Calls that run one function on some workers and another one on the others, by their number.


def picked_ways(facts: Facts) -> Iterator[Way]:
    """`{0: lead}.get(hvd.rank(), follow)()`, where only one of the two calls a collective."""
    for call in facts.index.calls:
        things = facts.program.things(call.func)
        if len(things) < 2:
            continue
        options = [{each.kind: each for each in _held(facts, call, thing)} for thing in things]
        for kind in dict.fromkeys(kind for option in options for kind in option):
            missing = sum(kind not in option for option in options)
            if missing and own_number(facts, call.func).kind == RANK:
                found = next(option[kind] for option in options if kind in option)
                yield Way(found, call, call.func, call.func)


def _held(facts: Facts, call: ast.Call, thing: Thing) -> Iterator[Collective]:
    """The collectives that one of the functions of a call comes to."""
    if isinstance(thing, Library):
        kind = collective(thing.name)
        known = collectives(facts).get(call)
        if known is not None and known.kind == kind:
            yield known
        return
    function = thing.function if isinstance(thing, Bound) else thing
    if isinstance(function, Function):
        body = function.node.body
        yield from held_by(facts, body if isinstance(body, list) else [body])


# -- program ends --------------------------------------------------------------------------------
# Places where some workers end the program, and what the others come to behind them.

_DEFINITIONS = (*FunctionNode, ast.ClassDef)


def program_ends(facts: Facts) -> Iterator[ast.stmt]:
    """`sys.exit()`, `raise SystemExit`."""
    for call in facts.index.calls:
        statement = facts.parent(call)
        if isinstance(statement, ast.Expr) and facts.name(call.func) in EXITS:
            yield statement
    yield from (each for each in facts.index.nodes(ast.Raise) if ends_quietly(facts, each))


def behind(facts: Facts, end: ast.stmt) -> Iterator[Collective]:
    """The collectives that come later, in the function or where that is called."""

    def callers(node: ast.AST) -> list[ast.Call]:
        function = facts.function(node)
        return [] if function is None else facts.call_sites(function)

    start: list[ast.AST] = [end]
    for place in reached(start, callers):
        yield from held_by(facts, _later(facts, place))


def _later(facts: Facts, node: ast.AST) -> Iterator[ast.stmt]:
    """The statements behind one in its function: those of its block, and of the blocks around."""
    statement: ast.AST | None = facts.statement(node)
    while isinstance(statement, ast.stmt) and not isinstance(statement, _DEFINITIONS):
        block, number = facts.block(statement)
        yield from (later for later in block[number + 1 :] if not isinstance(later, _DEFINITIONS))
        statement = facts.parent(statement)


# -- collectives under rank tests ----------------------------------------------------------------
# Where the worker's number decides whether a collective is called: the others wait for ever.
#
# Horovod's issue threads 367, 403, 600;
# https://horovod.readthedocs.io/en/stable/troubleshooting.html.

_FUNCTIONS = (*FunctionNode, ast.Lambda)
COUNTS = ("epochs", "initial_epoch", "steps_per_epoch")


@recorded
def split_ways(facts: Facts) -> tuple[Way, ...]:
    """The collectives that a rank keeps from some workers, the first of each decision."""
    known = collectives(facts)
    ways = [way for each in known.values() for way in _ways_to(facts, each)]
    ways += (*_left_ways(facts), *picked_ways(facts)) if known else ()
    found: dict[ast.AST, Way] = {}
    for way in ways:
        if way.decision not in found and not meets(facts, way, ways):
            found[way.decision] = way
    return tuple(found.values())


def _ways_to(facts: Facts, each: Collective) -> Iterator[Way]:
    for place in reached([each.call], partial(_callers, facts)):
        chosen = (*_chosen(facts, each.kind, place), *_repeated(facts, place))
        yield from (Way(each, call, test, test) for call, test in chosen)
        if place is each.call and each.kind == STEP:
            yield from (Way(each, place, test, test) for test in _own_counts(facts, place))
        found = list(decisions_before(facts, place))
        for decision, test in found or _left_loops(facts, place):
            yield Way(each, place, decision, test)


def _chosen(facts: Facts, kind: str, place: ast.Call) -> Iterator[tuple[ast.Call, ast.expr]]:
    """`tf.cond(hvd.rank() == 0, lambda: hvd.allreduce(x), …)`, with its test."""
    function = next((p for p in facts.parents(place) if isinstance(p, _FUNCTIONS)), None)
    for call in facts.calls_of(*CONDITIONS) if function is not None else ():
        test = facts.argument(call, "pred", 0)
        given = (*call.args, *(k.value for k in call.keywords))
        arms = [_bodies_of(facts, arm) for arm in given if arm is not test]
        others = [arm for arm in arms if function not in arm]
        if test is None or len(others) == len(arms) or not is_by_rank(facts, test):
            continue
        if not any(_calls(facts, kind, node) for arm in others for node in arm):
            yield call, test


def _repeated(facts: Facts, place: ast.Call) -> Iterator[tuple[ast.Call, ast.expr]]:
    """`tf.while_loop(lambda i: i < hvd.rank(), lambda i: hvd.allreduce(i), [0])`, with its test."""
    function = next((p for p in facts.parents(place) if isinstance(p, _FUNCTIONS)), None)
    for call in facts.calls_of(*LOOPS) if function is not None else ():
        given, body = facts.argument(call, "cond", 0), facts.argument(call, "body", 1)
        if given is None or body is None or function not in _bodies_of(facts, body):
            continue
        tests = (test for node in _bodies_of(facts, given) for test in _answers(node))
        yield from ((call, test) for test in tests if is_by_rank(facts, test))


def _answers(function: ast.AST) -> Iterator[ast.expr]:
    """What a function gives back."""
    if isinstance(function, ast.Lambda):
        yield function.body
    elif isinstance(function, FunctionNode):
        returns = (n for s in function.body for n in within(s) if isinstance(n, ast.Return))
        yield from (each.value for each in returns if each.value is not None)


def _own_counts(facts: Facts, fit: ast.Call) -> Iterator[ast.expr]:
    """How many epochs or steps a rank gives to a `fit`: `epochs=9 if hvd.rank() == 0 else 5`."""
    given = (fits.argument(facts, fit, name) for name in COUNTS) if _is_fit(fit) else ()
    yield from (value for value in given if value is not None and is_by_rank(facts, value))


def _is_fit(call: ast.Call) -> bool:
    return isinstance(call.func, ast.Attribute) and call.func.attr in ("fit", "fit_generator")


def _left_loops(facts: Facts, place: ast.Call) -> Iterator[tuple[Decision, ast.expr]]:
    """What leaves the loop whose `else` a place stands in, with its test by rank."""
    around = [facts.statement(place), *facts.parents(facts.statement(place))]
    for inner, loop in zip(around, around[1:]):
        if isinstance(loop, (ast.For, ast.While)) and inner in loop.orelse:
            end = next(iter(conditions(facts, loop)), None)
            for jump in (n for s in loop.body for n in within(s) if isinstance(n, ast.Break)):
                left = next(p for p in facts.parents(jump) if isinstance(p, (ast.For, ast.While)))
                test = rank_test_of(facts, jump, end) if left is loop else None
                if test is not None:
                    yield jump, test


def _bodies_of(facts: Facts, arm: ast.expr) -> tuple[ast.AST, ...]:
    return (arm, *facts.program.functions(arm).nodes)


def _calls(facts: Facts, kind: str, function: ast.AST) -> bool:
    """Whether a collective of that kind stands in a function."""
    known = collectives(facts)
    calls = (known[n] for n in within(function) if isinstance(n, ast.Call) and n in known)
    return any(each.kind == kind for each in calls)


def _callers(facts: Facts, call: ast.Call) -> list[ast.Call]:
    """The calls that lead to this one, unless an argument decides whether they do."""
    function = next((p for p in facts.parents(call) if isinstance(p, _FUNCTIONS)), None)
    if function is None:
        return []
    names = {arg.arg for arg in within(function.args) if isinstance(arg, ast.arg)} - {"self"}
    tests = (test for condition in conditions(facts, call) for test in condition.tests)
    inside = (node for test in tests if isinstance(test, ast.expr) for node in within(test))
    is_told = any(isinstance(node, ast.Name) and node.id in names for node in inside)
    if is_told:
        return []
    behind = facts.program.call_sites(function).nodes  # of decorators
    calls = (node for node in behind if isinstance(node, ast.Call))
    known = () if isinstance(function, ast.Lambda) else facts.call_sites(function)
    return list(dict.fromkeys([*known, *calls]))


def decisions_before(facts: Facts, place: ast.AST) -> Iterator[tuple[Decision, ast.expr]]:
    """The tests by rank around a place, and the jumps before it, with the test of each."""
    for condition in conditions(facts, place):
        yield from _decisions(facts, condition)


def _decisions(facts: Facts, condition: Condition) -> Iterator[tuple[Decision, ast.expr]]:
    """What of a condition the worker's number decides: a test, or a jump and its test."""
    own = condition.tests[:1] if condition.kind == "loop" else condition.tests
    for test in own if condition.kind in ("branch", "loop") else ():
        if isinstance(test, ast.expr) and decides(facts, test):
            yield test, test
    end = condition if condition.kind == "loop" else condition.outer
    for jump in condition.jumps:
        found = rank_test_of(facts, jump, end) if ends_quietly(facts, jump) else None
        if found is not None and isinstance(jump, ast.stmt):
            yield jump, found


def _left_ways(facts: Facts) -> Iterator[Way]:
    """What comes behind a place where some workers end the program."""
    for end in program_ends(facts):
        test = rank_test_of(facts, end, None)
        found = None if test is None else next(behind(facts, end), None)
        if test is not None and found is not None:
            yield Way(found, found.call, end, test)
