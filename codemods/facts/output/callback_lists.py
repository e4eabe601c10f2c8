"""How the callbacks of a `fit` are given, and which of them only rank 0 may keep."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence
from enum import Enum
from itertools import takewhile

from ...library.callbacks import callback
from ...program.records import NamedTuple
from ..by_rank import asks_for_rank, is_decided
from ..facts import Facts
from ..training import fits
from ..training.options import is_gathered
from .built_lists import built_list
from .callbacks import Verdict, Where, verdict
from .effects import Effects

_DISPLAYS = (ast.List, ast.Tuple)
_HOLDERS = (ast.Name, ast.Attribute, ast.Call)
_PLAIN = (ast.Expr, ast.Assign, ast.AnnAssign, ast.Return)
_AROUND = (ast.List, ast.Tuple, ast.Dict, ast.Call, ast.keyword)


class ListForm(Enum):
    """How `fit` gets its callbacks."""

    MISSING = "not at all, or None"
    DISPLAY = "a list written in the call"
    SINGLE = "one callback that is not in a list"
    WRITER = "one callback that belongs on rank 0"
    NAMED = "a name whose list is built in sight"
    FILTERED = "something else: filtered at run time by type"


class CallbackList(NamedTuple):
    """The callbacks of one `fit`; what rank 0 keeps for itself is named where it stands."""

    form: ListForm
    rank_zero: tuple[ast.expr, ...] = ()  # elements of list displays
    guarded: tuple[ast.stmt, ...] = ()  # statements that add to the list
    judged: tuple[tuple[ast.expr, Verdict], ...] = ()


def callback_list(facts: Facts, call: ast.Call) -> CallbackList:
    """What is known about the callbacks of a `fit`."""
    value = fits.argument(facts, call, "callbacks")
    held = fits.arguments(facts, call, "callbacks")
    if value is None and held:
        return _in_dictionary(facts, held)
    return list_of(facts, value)


def list_of(facts: Facts, value: ast.expr | None) -> CallbackList:
    """What is known about what is given as a list of callbacks, or of hooks."""
    if value is None or (isinstance(value, ast.Constant) and value.value is None):
        return CallbackList(ListForm.MISSING)
    return _of_value(facts, value)


def _in_dictionary(facts: Facts, held: Sequence[ast.expr]) -> CallbackList:
    """What `**options` hold: a list that is written there is used as one that has a name."""
    are_written = all(isinstance(value, _DISPLAYS) for value in held)
    if _is_grown(facts) if are_written else len(held) > 1:
        return CallbackList(ListForm.FILTERED)
    lists = [_of_value(facts, value) for value in held]
    if not are_written:
        return lists[0]
    return CallbackList(
        ListForm.NAMED,
        tuple(each for found in lists for each in found.rank_zero),
        tuple(each for found in lists for each in found.guarded),
        tuple(each for found in lists for each in found.judged),
    )


def is_followed(facts: Facts, call: ast.Call) -> bool:
    """Whether the list that `**options` hold for a `fit` is certain, or each call's is written."""
    held = fits.arguments(facts, call, "callbacks")
    if len(held) == 1 and fits.is_given(facts, call, "callbacks"):
        return True
    are_written = all(isinstance(value, _DISPLAYS) for value in held) and not _is_grown(facts)
    return are_written and is_gathered(facts, call) and not facts.has_horovod


def _is_grown(facts: Facts) -> bool:
    """Whether something is called on what a dictionary holds: `options["callbacks"].append(…)`."""
    keys = (
        getattr(n.slice, "value", None)
        for n in facts.index.nodes(ast.Subscript)
        if isinstance(facts.parent(n), ast.Attribute)
    )
    return "callbacks" in keys


def _of_value(facts: Facts, value: ast.expr) -> CallbackList:
    if isinstance(value, _DISPLAYS):
        return _display(facts, value)
    built = _built(facts, value)
    if built is not None:
        return built
    judged = verdict(facts, value)
    if judged.where is not Where.UNKNOWN and _makes_one(facts, value):
        form = ListForm.WRITER if judged.where is Where.RANK_ZERO else ListForm.SINGLE
        return CallbackList(form, judged=((value, judged),))
    return CallbackList(ListForm.FILTERED)


def _makes_one(facts: Facts, value: ast.expr) -> bool:
    """Whether every origin is the creation of an object of a class, which no list is."""
    nodes = facts.origins(value).nodes
    return all(isinstance(n, ast.Call) and _is_class(facts, n.func) for n in nodes)


def _is_class(facts: Facts, func: ast.expr) -> bool:
    name = facts.name(func) or ""
    return facts.classes.local(func) is not None or name.rpartition(".")[2][:1].isupper()


def _display(facts: Facts, value: ast.expr) -> CallbackList:
    spread = _spread(facts, value) if facts.has_horovod else {}
    rest = [e for e in value.elts if e not in spread]  # type: ignore[attr-defined]
    judged = _judge(facts, rest) + tuple(pair for given in spread.values() for pair in given.judged)
    if any(v.where is Where.UNKNOWN for _, v in judged):
        return CallbackList(ListForm.FILTERED, judged=judged)
    kept = tuple(element for given in spread.values() for element in given.rank_zero)
    guarded = tuple(statement for given in spread.values() for statement in given.guarded)
    return CallbackList(ListForm.DISPLAY, _kept(facts, judged) + kept, guarded, judged)


def _spread(facts: Facts, display: ast.expr) -> dict[ast.expr, CallbackList]:
    """The lists that are spread out in this one, as `*callbacks` in a migrated program."""
    found: dict[ast.expr, CallbackList] = {}
    for element in display.elts:  # type: ignore[attr-defined]
        inner = element.value if isinstance(element, ast.Starred) else None
        built = _built(facts, inner) if isinstance(inner, _HOLDERS) else None
        if isinstance(inner, ast.Subscript):
            held = facts.origins(inner).only
            built = _in_dictionary(facts, [held]) if isinstance(held, _DISPLAYS) else None
        if built is not None:
            found[element] = built
    return found


def _judge(facts: Facts, elements: Sequence[ast.expr]) -> tuple[tuple[ast.expr, Verdict], ...]:
    return tuple((element, _verdict(facts, element)) for element in elements)


def _verdict(facts: Facts, element: ast.expr) -> Verdict:
    if _is_chosen_by_rank(facts, element):
        return Verdict(Where.EVERYWHERE)
    unknown = Verdict(Where.UNKNOWN)
    return unknown if isinstance(element, ast.Starred) else verdict(facts, element)


def _is_chosen_by_rank(facts: Facts, element: ast.expr) -> bool:
    """`*([x] if hvd.rank() == 0 else [])`: the program knows which worker has it."""
    inner = element.value if isinstance(element, ast.Starred) else element
    tests = [inner.test] if isinstance(inner, ast.IfExp) else []
    tests += [test for part in getattr(inner, "generators", ()) for test in part.ifs]
    return any(asks_for_rank(facts, test) for test in tests)


def _kept(facts: Facts, judged: Sequence[tuple[ast.expr, Verdict]]) -> tuple[ast.expr, ...]:
    """Those for rank 0, but for those that the program leaves to it already."""
    kept = (element for element, v in judged if v.where is Where.RANK_ZERO)
    return tuple(element for element in kept if not is_decided(facts, element))


def _built(facts: Facts, name: ast.expr) -> CallbackList | None:
    """A list that is only ever built from displays and grown in sight, used for nothing else."""
    found = built_list(facts, name)
    if found is None:
        return None
    judged = _judge(facts, found.elements)
    added = _judge(facts, [element for _, element in found.added])
    if any(v.where is Where.UNKNOWN for _, v in (*judged, *added)):
        return None
    kept = set(_kept(facts, added))
    guarded = tuple(statement for statement, element in found.added if element in kept)
    return CallbackList(ListForm.NAMED, _kept(facts, judged), guarded, (*judged, *added))


def may_have_a_name(facts: Facts, element: ast.expr) -> bool:
    """Whether a callback may as well be made in front of its statement, by every worker.

    One of Keras' own that only writes does nothing yet when it is made; what its arguments
    compute must not depend on what else the statement does, nor on whether it comes to it.
    """
    if not isinstance(element, ast.Call) or facts.classes.local(element.func) is not None:
        return False
    if not callback(facts.name(element.func) or "").only_writes:
        return False
    around = list(takewhile(lambda n: not isinstance(n, ast.stmt), facts.parents(element)))
    statement = facts.statement(element)
    is_plain = isinstance(statement, _PLAIN) and not isinstance(
        facts.parent(statement), ast.ClassDef
    )
    are_displays = all(isinstance(node, _AROUND) for node in around)
    return is_plain and are_displays and Effects(facts).skippable_arguments(element)


def lists_of_fits(facts: Facts) -> Iterator[tuple[ast.Call, CallbackList]]:
    """Each `fit` of a Keras model with its callbacks."""
    for call in fits.fits(facts):
        yield call, callback_list(facts, call)
