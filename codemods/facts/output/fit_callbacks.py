"""Which of Horovod's callbacks a `fit` lacks, and which of its own are one worker's."""

from __future__ import annotations

import ast
from collections.abc import Collection, Iterator, Sequence
from itertools import chain, takewhile

from ...library.callbacks import PREFIX, PRINTING, callback
from ...library.horovod_names import member_of
from ...program.records import NamedTuple
from ..averaging import callbacks_of_class
from ..facts import Facts
from ..gradients.state_broadcasts import is_broadcast_by_hand, is_same_model
from ..horovod import BROADCAST, METRICS, WARM_UP, member
from ..keras_version import is_keras_3
from ..training import fits
from .callback_lists import callback_list, may_have_a_name
from .side_effects import Effects
from .warm_ups import warmed_up

# -- missing callbacks ---------------------------------------------------------------------------
# Which of Horovod's callbacks a `fit` still lacks.


def missing_callbacks(facts: Facts, call: ast.Call) -> tuple[str, ...]:
    """The broadcast and the average of metrics, as far as this `fit` is not given them.

    A warm-up of the rate, where somebody asks for it, is for a program that nobody has scaled yet.
    """
    wanted = [BROADCAST, METRICS]
    if not facts.has_horovod:
        return (*wanted, *([WARM_UP] if call in warmed_up(facts) else []))
    there = set(_given(facts, call))
    if is_broadcast_by_hand(facts, call) or _is_fitted_before(facts, call):
        there.add(BROADCAST)
    if BROADCAST in there and not _is_steered(facts, call):
        return ()
    return tuple(name for name in wanted if name not in there)


def _is_steered(facts: Facts, call: ast.Call) -> bool:
    """Whether a callback may decide by what is measured: early stopping, one of the user's own."""
    made = [n for e, _ in callback_list(facts, call).judged for n in facts.origins(e).nodes]
    return any(not _only_writes(facts, node) for node in made)


def _only_writes(facts: Facts, node: ast.AST) -> bool:
    kind = facts.kind(node) if isinstance(node, ast.Call) else None
    if kind is None or not isinstance(node, ast.Call) or facts.classes.local(node.func) is not None:
        return False
    is_best = facts.argument(node, "save_best_only") is not None
    return (callback(kind).ignores_metrics and not is_best) or member_of(kind) is not None


def _is_fitted_before(facts: Facts, call: ast.Call) -> bool:
    """Whether another `fit` of the same model in the same block has broadcast it before."""
    block, number = facts.block(facts.statement(call))
    for other in fits.fits(facts):
        is_above = facts.statement(other) in block[:number]
        if is_above and is_same_model(facts, other, call) and BROADCAST in _given(facts, other):
            return True
    return False


def _given(facts: Facts, call: ast.Call) -> list[str]:
    made = [n for e, _ in callback_list(facts, call).judged for n in facts.origins(e).nodes]
    calls = [node for node in made if isinstance(node, ast.Call)]
    own = [callbacks_of_class(facts, facts.classes.local(call.func)) for call in calls]
    names = (member(facts, call.func) for call in calls)
    return [*(name for name in names if name is not None), *chain.from_iterable(own)]


def needs_callbacks(facts: Facts) -> bool:
    """Whether some `fit` lacks one."""
    return any(missing_callbacks(facts, call) for call in fits.fits(facts))


# -- json histories ------------------------------------------------------------------------------
# `json.dump` of what `fit` measured: an average over the workers is NumPy's float32, not a float.
#
# https://github.com/horovod/horovod/blob/v0.28.1/horovod/_keras/callbacks.py

_DUMPS = ("json.dump", "json.dumps")
_OWN_WAYS = {"default", "cls", None}


def json_of_metrics(facts: Facts) -> Iterator[ast.Call]:
    """Calls that JSON would refuse, in a file that reads a history, unless they say what to do."""
    if is_keras_3(facts):
        return  # the average is a float64 there, which JSON takes
    is_read = any(node.attr == "history" for node in facts.index.nodes(ast.Attribute))
    measuring = [fit for fit in fits.fits(facts) if METRICS in missing_callbacks(facts, fit)]
    if not is_read or not measuring:
        return
    for call in facts.calls_of(*_DUMPS):
        is_plain = not any(isinstance(argument, ast.Starred) for argument in call.args)
        if not any(facts.may_precede(fit, call) for fit in measuring):
            continue  # settings, which nothing has been measured for by then
        if is_plain and _OWN_WAYS.isdisjoint(keyword.arg for keyword in call.keywords):
            yield call


# -- printing callbacks --------------------------------------------------------------------------
# Callbacks that steer every worker and print what they do: one of them need tell it.
#
# https://www.tensorflow.org/versions/r2.15/api_docs/python/tf/keras/callbacks (`verbose`)


class Printing(NamedTuple):
    """A call that makes such a callback; its level, and the position at which that may stand."""

    call: ast.Call
    level: str
    position: int


def printing_callbacks(facts: Facts) -> Iterator[Printing]:
    """Those that are told a level above 0; a program with Horovod of its own decided on that."""
    is_told = not facts.has_horovod and any(True for _ in fits.fits(facts))
    for name, position in PRINTING.items() if is_told else ():
        for call in facts.calls_of(PREFIX + name):
            given = facts.argument(call, "verbose", position)
            if isinstance(given, ast.Constant) and given.value:
                yield Printing(call, "1" if given.value is True else repr(given.value), position)


# -- kept elements -------------------------------------------------------------------------------
# Elements of a list that rank 0 alone keeps: whether it may as well put them in by itself, later.
#
# `callbacks = [a, b]` of which b is for rank 0 becomes a list of a alone, to which rank 0 appends
# b.

_PLAIN = (ast.Expr, ast.Assign, ast.AnnAssign, ast.Return, ast.With)
_BOUND = (ast.Assign, ast.AnnAssign)
_AROUND = (ast.Call, ast.keyword, ast.withitem)


class KeptElements(NamedTuple):
    """Elements of one list for rank 0, the list, and what that is bound to, if anything."""

    display: ast.List
    elements: tuple[ast.expr, ...]
    name: ast.expr | None
    first: int = 0  # how many of the elements are the first ones of the list


def grown_by(facts: Facts, elements: Collection[ast.expr]) -> Iterator[tuple[ast.List, ast.stmt]]:
    """The lists of nothing else that a statement adds to another: `a += [b]`, `a.extend([b])`."""
    for display in dict.fromkeys(map(facts.parent, elements)):
        if isinstance(display, ast.List) and all(each in elements for each in display.elts):
            around = facts.parent(display)
            if isinstance(around, ast.AugAssign):
                yield display, around
            elif isinstance(around, ast.Call) and _extends(facts, around):
                yield display, facts.statement(around)


def _extends(facts: Facts, call: ast.Call) -> bool:
    is_method = isinstance(call.func, ast.Attribute) and call.func.attr == "extend"
    return is_method and isinstance(facts.parent(call), ast.Expr)


def guarded_wholes(
    facts: Facts, statements: Collection[ast.stmt], later: Collection[KeptElements]
) -> Iterator[ast.stmt]:
    """What goes under a guard: each of the statements, or the `if` that holds nothing else.

    That goes along with its neighbour; alone its test is better made longer.
    """
    known = {facts.statement(each.display) for each in later}
    for statement in sorted(dict.fromkeys(statements), key=lambda s: s.lineno):
        whole, place = facts.parent(statement), statement
        if isinstance(whole, ast.If) and whole.body == [statement] and not whole.orelse:
            block, number = facts.block(whole)
            place = whole if number and block[number - 1] in known else statement
        known.add(place)
        yield place


def put_in_later(facts: Facts, elements: Collection[ast.expr]) -> Iterator[KeptElements]:
    """The lists that end with elements for rank 0, which nothing keeps from being put in there."""
    for display in dict.fromkeys(map(facts.parent, elements)):
        if isinstance(display, ast.List):
            kept = [each for each in display.elts if each in elements]
            first, name = _first(facts, display, kept), _bound(facts, display)
            staying = display.elts[first : len(display.elts) - len(kept) + first]
            is_between = any(each in kept for each in staying)
            is_free = name is not None or (not first and _may_come_first(facts, display))
            if is_free and not is_between and not _has_comment(facts, display, staying, first):
                yield KeptElements(display, tuple(kept), name, first)


def _first(facts: Facts, display: ast.List, kept: Sequence[ast.expr]) -> int:
    """1 where the first element alone is for rank 0, and may be made behind the others."""
    is_first = display.elts[0] in kept and len(kept) < len(display.elts)
    return int(is_first and may_have_a_name(facts, display.elts[0]))


def _bound(facts: Facts, display: ast.List) -> ast.expr | None:
    """`callbacks`, or `self.callbacks`, of `callbacks = […]`."""
    statement = facts.parent(display)
    if not isinstance(statement, _BOUND) or isinstance(facts.parent(statement), ast.ClassDef):
        return None
    targets = statement.targets if isinstance(statement, ast.Assign) else [statement.target]
    is_name = isinstance(targets[0], ast.Name) or (
        isinstance(targets[0], ast.Attribute) and isinstance(targets[0].value, ast.Name)
    )
    return targets[0] if len(targets) == 1 and is_name else None


def _may_come_first(facts: Facts, display: ast.List) -> bool:
    """Whether the list of a call may be made before all else that its statement does."""
    statement = facts.statement(display)
    around = list(takewhile(lambda n: n is not statement, facts.parents(display)))
    is_plain = isinstance(statement, _PLAIN) and all(isinstance(n, _AROUND) for n in around)
    if not is_plain or not isinstance(facts.parent(display), (ast.keyword, ast.Return)):
        return False
    if isinstance(statement, ast.With) and statement.items[0] not in around:
        return False
    inside = {display, *around}
    others = [part for n in around if isinstance(n, ast.Call) for part in _parts(n, inside)]
    effects = Effects(facts)
    return all(map(effects.skippable, others))


def _parts(call: ast.Call, inside: Collection[ast.AST]) -> Iterator[ast.AST]:
    """What a call evaluates, but for what is looked at; a lambda is only made."""
    parts = (part for part in (call.func, *call.args, *call.keywords) if part not in inside)
    yield from (p for p in parts if not isinstance(getattr(p, "value", p), ast.Lambda))


def _has_comment(facts: Facts, display: ast.List, staying: Sequence[ast.expr], first: int) -> bool:
    """Whether a comment stands beside the elements, or above them, in lines of their own."""
    text, (begin, end) = facts.source.text, facts.source.offsets(display)
    if staying and not first:
        begin = text.find("\n", facts.source.offsets(staying[-1])[1])
    return 0 <= begin < end and "#" in text[begin:end]
