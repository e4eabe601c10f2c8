"""Which tests, loops and errors let some workers go another way, by their number."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import Callable

from ...judge.own import TEXT
from ...library import launchers
from ...library.agreement import COUNTERS
from ...program.node_fields import within
from ...program.parts import FunctionNode
from ...program.records import NamedTuple
from ...program.things import Box
from ...program.versions import Condition
from ..agreement.control import conditions, tests_around
from ..by_rank import EXITS, depends_on_size
from ..facts import Facts, recorded
from ..own_values import RANK, own_number
from ..roles import Role
from ..walks import reached

# -- early loop exits ----------------------------------------------------------------------------
# How far loops go on: counts that are written down, and generators that some workers leave.

Test = Callable[[Facts, ast.expr], bool]

# They give as many elements as they get.
_THROUGH = (
    "builtins.enumerate",
    "builtins.iter",
    "builtins.list",
    "builtins.reversed",
    "builtins.sorted",
    "builtins.tuple",
    "tqdm.tqdm",
    "tqdm.auto.tqdm",
    "tqdm.notebook.tqdm",
)
_SLICE = "itertools.islice"


def counts_of(facts: Facts, iterable: ast.expr) -> Iterator[ast.expr]:
    """The number of rounds of `range(n)`, `data.take(n)`; that of a share may be what it will."""
    while isinstance(iterable, ast.Call) and iterable.args:
        name = facts.name(iterable.func)
        if name not in _THROUGH:
            yield from _counts(facts, iterable, name)
            return
        iterable = iterable.args[0]


def _counts(facts: Facts, call: ast.Call, name: str | None) -> Iterator[ast.expr]:
    if name in COUNTERS:
        yield from call.args if len(call.args) == 1 else ()
    elif name == _SLICE:
        yield from call.args[1:] if len(call.args) == 2 else ()
    elif isinstance(call.func, ast.Attribute) and call.func.attr == "take":
        if Role.DATASET in facts.roles(call.func.value):
            yield call.args[0]


def is_of_some_length(facts: Facts, iterable: ast.expr, by_rank: Test) -> bool:
    """Whether a generator of the project gives some workers fewer elements, and no share of them.

    What the number of workers has its part in, is a share: `if i % hvd.size() == hvd.rank()`.
    """
    boxes = (t for t in facts.program.things(iterable) if isinstance(t, Box))
    made = [box.origin for box in boxes if isinstance(box.origin, tuple)]
    return any(_is_cut(facts, node, by_rank) for node, *kind in made if kind == ["yields"])


def is_rest_by_rank(facts: Facts, iterable: ast.expr, by_rank: Test) -> bool:
    """Whether each worker goes through what is left from its number on: `items[hvd.rank() :]`.

    A slice with a step, or with both ends, is a share: as long on all workers, or nearly so.
    """
    while isinstance(iterable, ast.Call) and iterable.args:
        if facts.name(iterable.func) not in _THROUGH:
            return False
        iterable = iterable.args[0]
    found = facts.origins(iterable)
    is_seen = found.complete and len(found.nodes) == len(found.items) == 1
    node = found.nodes[0] if is_seen else iterable
    part = node.slice if isinstance(node, ast.Subscript) else None
    if not isinstance(part, ast.Slice) or part.step is not None:
        return False
    ends = [end for end in (part.lower, part.upper) if end is not None]
    return len(ends) == 1 and by_rank(facts, ends[0]) and not depends_on_size(facts, ends[0])


def _is_cut(facts: Facts, function: ast.AST, by_rank: Test) -> bool:
    yields = (n for n in within(function) if isinstance(n, (ast.Yield, ast.YieldFrom)))
    tests = (test for each in yields for test in tests_around(facts, each))
    return any(by_rank(facts, test) and not depends_on_size(facts, test) for test in tests)


# -- handled exceptions --------------------------------------------------------------------------
# Errors behind which a program goes on: a handler takes them, or `contextlib.suppress`.

_ALL = ("Exception", "BaseException")
_SUPPRESS = "contextlib.suppress"


def is_caught(facts: Facts, jump: ast.Raise, raised: ast.expr | None) -> bool:
    """Whether something in this function, or all that call it, may go on behind an error."""
    own = _goes_on(facts, jump, None)
    if own is not None:
        return own
    name = None if raised is None else ast.unparse(raised)
    function = facts.function(jump)
    if name is None or function is None:
        return False
    found = [_goes_on(facts, site, name) for site in _sites(facts, function)]
    return True in found


def _sites(facts: Facts, function: ast.AST) -> list[ast.Call]:
    """The calls that lead to a function, by way of others that take no errors either."""

    def callers(call: ast.Call) -> list[ast.Call]:
        around = facts.function(call)
        is_taken = _goes_on(facts, call, None) is not None
        return [] if around is None or is_taken else facts.call_sites(around)

    return list(reached(facts.call_sites(function), callers))


def _goes_on(facts: Facts, place: ast.AST, name: str | None) -> bool | None:
    """Whether what takes an error around a place goes on behind it; None: nothing takes it.

    With a name, only what takes errors of that name.
    """
    child = place
    for parent in facts.parents(place):
        if isinstance(parent, FunctionNode):
            return None
        if isinstance(parent, ast.Try) and child in parent.body and parent.handlers:
            taking = [h for h in parent.handlers if name is None or _takes(h, name)]
            if taking:
                return not any(_ends_all(facts, handler.body[-1]) for handler in taking)
        if isinstance(parent, ast.With) and child in parent.body and _suppresses(facts, parent):
            return True
        child = parent
    return None


def _takes(handler: ast.ExceptHandler, name: str) -> bool:
    types = handler.type.elts if isinstance(handler.type, ast.Tuple) else [handler.type]
    return any(each is None or ast.unparse(each) in (name, *_ALL) for each in types)


def _ends_all(facts: Facts, last: ast.stmt) -> bool:
    """Whether a handler ends in an error of its own, or in the end of the program."""
    call = last.value if isinstance(last, ast.Expr) else None
    is_exit = isinstance(call, ast.Call) and facts.name(call.func) in EXITS
    return isinstance(last, ast.Raise) or is_exit


def _suppresses(facts: Facts, block: ast.With) -> bool:
    calls = (i.context_expr for i in block.items if isinstance(i.context_expr, ast.Call))
    return any(facts.name(call.func) == _SUPPRESS for call in calls)


# -- none by rank --------------------------------------------------------------------------------
# Values that only some workers have: `log = open("log") if hvd.rank() == 0 else None`.

TestOf = Callable[[ast.AST], "ast.expr | None"]  # the test by rank that leads to a place


class _End(NamedTuple):
    """What a value may be: None or not, and which arm of which test by rank leads there."""

    is_none: bool
    arm: tuple[str, bool] | None


def is_none_by_rank(facts: Facts, test: ast.AST, test_of: TestOf) -> bool:
    """Whether `x is None` comes out by the worker's number, as that has decided what `x` is."""
    if not isinstance(test, ast.Compare) or not isinstance(test.ops[0], (ast.Is, ast.IsNot)):
        return False
    right = test.comparators[0]
    if not isinstance(right, ast.Constant) or right.value is not None:
        return False
    ends = list(_ends(facts, test.left, test_of))
    arms = {end.arm for end in ends if end.arm is not None}
    if len(arms) > 1:
        by_arm = {end.arm: end.is_none for end in ends}
        return len({by_arm[arm] for arm in arms}) > 1
    return bool(arms) and len({end.is_none for end in ends}) > 1


def _ends(facts: Facts, value: ast.expr, test_of: TestOf) -> Iterator[_End]:
    """What may be there; nothing where a part of it can't be seen."""
    found = facts.origins(value)
    is_seen = found.complete and len(found.nodes) == len(found.items)
    for node in found.nodes if is_seen else ():
        is_none = isinstance(node, ast.Constant) and node.value is None
        yield _End(is_none, _arm(facts, node, test_of(node)))


def _arm(facts: Facts, node: ast.AST, test: ast.expr | None) -> tuple[str, bool] | None:
    if test is None:
        return None
    chain, inside = facts.parent(test), {node, *facts.parents(node)}
    body = getattr(chain, "body", ())
    return ast.unparse(test), bool(inside & set(body if isinstance(body, list) else [body]))


# -- rank tests ----------------------------------------------------------------------------------
# Tests that the worker's number decides.

_FLAGS = ("DEFINE_integer", "DEFINE_bool", "DEFINE_boolean")
_BY_VALUE = (ast.Eq, ast.NotEq, ast.Lt, ast.Gt, ast.LtE, ast.GtE)


def is_by_rank(facts: Facts, test: ast.expr) -> bool:
    """Whether the worker's number decides how a test comes out."""
    if own_number(facts, test).kind == RANK:
        return True
    asked = _asked(facts)
    if test in asked:  # whether something is None there hangs on the test itself
        return False
    asked.add(test)
    try:
        return any(
            _is_set_by_rank(facts, n) or _is_compared(facts, n) or _is_none(facts, n)
            for n in within(test)
        )
    finally:
        asked.discard(test)


@recorded
def _asked(facts: Facts) -> set[ast.expr]:
    """The tests that somebody is just asking about."""
    return set()


def _is_none(facts: Facts, node: ast.AST) -> bool:
    return is_none_by_rank(facts, node, lambda end: rank_test_of(facts, end, None))


def _is_compared(facts: Facts, node: ast.AST) -> bool:
    """`env["HOROVOD_RANK"] == "0"`, of a copy of the environment: the names are nobody else's."""
    key = node.slice if isinstance(node, ast.Subscript) else None
    if isinstance(node, ast.Call) and getattr(node.func, "attr", "") == "get" and node.args:
        key = node.args[0]
    if not isinstance(key, ast.Constant) or key.value not in launchers.VARIABLES:
        return False
    parent = facts.parent(node)
    if isinstance(parent, ast.Call):
        return facts.name(parent.func) == "builtins.int"
    return isinstance(parent, ast.Compare) and isinstance(parent.ops[0], _BY_VALUE)


def _is_set_by_rank(facts: Facts, node: ast.AST) -> bool:
    """`args.is_chief`, of an object of outside code, where the module sets it."""
    if not isinstance(node, ast.Attribute):
        return False
    if _is_default(facts, node.attr):
        return True
    stores = facts.attribute_stores.get(node.attr, [])
    same = [b for target, b in stores if ast.unparse(target) == ast.unparse(node)]
    whole = [b for b in same if b.kind == "assign" and not b.path]
    values = [b.value for b in whole if isinstance(b.value, ast.expr)]
    return bool(values) and all(own_number(facts, v).kind == RANK for v in values)


def _is_default(facts: Facts, option: str) -> bool:
    """Whether options have the worker's number where nobody gives one on the command line."""
    for call in facts.calls("add_argument", "set_defaults", *_FLAGS):
        texts = (arg.value for arg in call.args if isinstance(arg, ast.Constant))
        names = {launchers.option_name(str(text)) for text in texts}
        wanted = "default" if option in names else option
        given = next((k.value for k in call.keywords if k.arg == wanted), None)
        if call.func.attr in _FLAGS and len(call.args) > 1:  # type: ignore[attr-defined]
            given = call.args[1] if option in names else None
        found = "" if given is None else own_number(facts, given).kind
        is_number = any(k.arg == "type" for k in call.keywords)
        if found == RANK or (found == TEXT and is_number):
            return True
    return False


def decides(facts: Facts, test: ast.AST) -> bool:
    """Whether a condition is by rank; `range(rank, n, size)` may go as far on all workers."""
    if not isinstance(test, ast.expr):
        return False
    if test not in facts.order.iterables:
        return is_by_rank(facts, test)
    by_count = (is_by_rank(facts, count) for count in counts_of(facts, test))
    is_cut = is_of_some_length(facts, test, is_by_rank) or is_rest_by_rank(facts, test, is_by_rank)
    return any(by_count) or is_cut


def rank_test_of(facts: Facts, jump: ast.AST, end: Condition | None) -> ast.expr | None:
    """The test by rank that leads from `end` to a jump."""
    for condition in conditions(facts, jump):
        if condition is end:
            break
        for test in condition.tests if condition.kind in ("branch", "loop") else ():
            if isinstance(test, ast.expr) and decides(facts, test):
                return test
    return None


def ends_quietly(facts: Facts, jump: ast.AST) -> bool:
    """Whether only this worker ends there: an error ends the whole job."""
    if not isinstance(jump, ast.Raise):
        return True
    raised = jump.exc.func if isinstance(jump.exc, ast.Call) else jump.exc
    is_end = raised is not None and facts.name(raised) == "builtins.SystemExit"
    return is_end or is_caught(facts, jump, raised)
