"""How the callbacks of a `fit` are given, and which of them only rank 0 may keep."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence
from enum import Enum
from typing import NamedTuple

from ..by_rank import asks_for_rank, is_decided
from ..facts import Facts
from ..functions import returns
from ..scopes import Binding
from ..training import fits
from .callbacks import Verdict, Where, verdict

_DISPLAYS = (ast.List, ast.Tuple)
_GROWING = ("append", "extend", "insert")


class Form(Enum):
    """How `fit` gets its callbacks."""

    MISSING = "not at all, or None"
    DISPLAY = "a list written in the call"
    SINGLE = "one callback that is not in a list"
    WRITER = "one callback that belongs on rank 0"
    NAMED = "a name whose list is built in sight"
    FILTERED = "something else: filtered at run time by type"


class Given(NamedTuple):
    """The callbacks of one `fit`; what rank 0 keeps for itself is named where it stands."""

    form: Form
    rank_zero: tuple[ast.expr, ...] = ()  # elements of list displays
    guarded: tuple[ast.stmt, ...] = ()  # statements that add to the list
    judged: tuple[tuple[ast.expr, Verdict], ...] = ()


def given(facts: Facts, call: ast.Call) -> Given:
    """What is known about the callbacks of a `fit`."""
    value = fits.argument(facts, call, "callbacks")
    if value is None or (isinstance(value, ast.Constant) and value.value is None):
        return Given(Form.MISSING)
    if isinstance(value, _DISPLAYS):
        return _display(facts, value)
    built = _built(facts, value)
    if built is not None:
        return built
    judged = verdict(facts, value)
    if judged.where is not Where.UNKNOWN and _makes_one(facts, value):
        form = Form.WRITER if judged.where is Where.RANK_ZERO else Form.SINGLE
        return Given(form, judged=((value, judged),))
    return Given(Form.FILTERED)


def _makes_one(facts: Facts, value: ast.expr) -> bool:
    """Whether every origin is the creation of an object of a class, which no list is."""
    nodes = facts.origins(value).nodes
    return all(isinstance(n, ast.Call) and _is_class(facts, n.func) for n in nodes)


def _is_class(facts: Facts, func: ast.expr) -> bool:
    name = facts.name(func) or ""
    return facts.classes.local(func) is not None or name.rpartition(".")[2][:1].isupper()


def _display(facts: Facts, value: ast.expr) -> Given:
    spread = _spread(facts, value) if facts.has_horovod else {}
    rest = [e for e in value.elts if e not in spread]  # type: ignore[attr-defined]
    judged = _judge(facts, rest) + tuple(pair for given in spread.values() for pair in given.judged)
    if any(v.where is Where.UNKNOWN for _, v in judged):
        return Given(Form.FILTERED, judged=judged)
    kept = tuple(element for given in spread.values() for element in given.rank_zero)
    guarded = tuple(statement for given in spread.values() for statement in given.guarded)
    return Given(Form.DISPLAY, _kept(facts, judged) + kept, guarded, judged)


def _spread(facts: Facts, display: ast.expr) -> dict[ast.expr, Given]:
    """The lists that are spread out in this one, as `*callbacks` in a migrated program."""
    found: dict[ast.expr, Given] = {}
    for element in display.elts:  # type: ignore[attr-defined]
        inner = element.value if isinstance(element, ast.Starred) else None
        built = _built(facts, inner) if isinstance(inner, (ast.Name, ast.Attribute)) else None
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


def _built(facts: Facts, name: ast.expr) -> Given | None:
    """A list that is only ever built from displays and grown in sight, used for nothing else."""
    found = _List()
    is_seen = _value if isinstance(name, ast.Call) else _follow
    if not is_seen(facts, name, found):
        return None
    judged = _judge(facts, found.elements)
    added = _judge(facts, [element for _, element in found.added])
    if any(v.where is Where.UNKNOWN for _, v in (*judged, *added)):
        return None
    kept = set(_kept(facts, added))
    guarded = tuple(statement for statement, element in found.added if element in kept)
    return Given(Form.NAMED, _kept(facts, judged), guarded, (*judged, *added))


class _List:
    """What is put in a list: in displays, and one by one by statements."""

    def __init__(self) -> None:
        self.elements: list[ast.expr] = []
        self.added: list[tuple[ast.stmt, ast.expr]] = []


def _follow(facts: Facts, name: ast.AST, found: _List) -> bool:
    """Collect what a name's list holds; False when something else may happen to it."""
    bindings = _bindings(facts, name)
    values = [b.value.value if isinstance(b.value, ast.AugAssign) else b.value for b in bindings]
    is_assigned = all(b.kind in ("assign", "aug") and not b.path for b in bindings)
    if not bindings or not is_assigned or not all(_value(facts, value, found) for value in values):
        return False
    for use in facts.index.loads.get(_spelling(name), ()):
        if _bindings(facts, use) == bindings:
            growth = _growth(facts, use)
            if growth is None:
                return False
            if growth.inside:
                found.elements += growth.elements
            else:
                found.added += [(growth.statement, element) for element in growth.elements]
    return True


def _spelling(name: ast.AST) -> str:
    return name.id if isinstance(name, ast.Name) else getattr(name, "attr", "")


def _bindings(facts: Facts, name: ast.AST) -> list[Binding]:
    """What a name or `self.callbacks` is bound to; every object's attribute counts as the same."""
    if isinstance(name, ast.Name):
        return facts.names.bindings(name)
    if isinstance(name, ast.Attribute) and facts.classes.self_class(name.value) is not None:
        return [binding for _, binding in facts.index.attribute_stores.get(name.attr, ())]
    return []


def _value(facts: Facts, value: ast.AST | None, found: _List) -> bool:
    """A display, or a function of this module that returns a list it builds."""
    if isinstance(value, _DISPLAYS):
        found.elements += value.elts
        return True
    if isinstance(value, ast.IfExp) and asks_for_rank(facts, value.test):
        return _value(facts, value.body, found) and _value(facts, value.orelse, found)
    function = facts.callee(value) if isinstance(value, ast.Call) else None
    results = [r.value for r in returns(function)] if function is not None else []
    for result in results:
        is_built = result is not None and _follow(facts, result, found)
        if not is_built and not (isinstance(result, _DISPLAYS) and _value(facts, result, found)):
            return False
    return bool(results)


class _Growth(NamedTuple):
    statement: ast.stmt
    elements: tuple[ast.expr, ...]
    inside: bool  # the elements stand in a display of their own


_READ = _Growth(ast.Pass(), (), inside=False)


def _growth(facts: Facts, use: ast.AST) -> _Growth | None:
    """What a use of the list adds to it: `_READ` for nothing, None for who knows what."""
    parent = facts.parent(use)
    if isinstance(parent, (ast.Return, ast.Starred)) or (
        isinstance(parent, ast.keyword) and parent.arg == "callbacks"
    ):
        return _READ
    if isinstance(parent, ast.Call) and use in parent.args and _takes_callbacks(facts, parent, use):
        return _READ
    if isinstance(parent, ast.Call) and facts.name(parent.func) in (
        "builtins.len",
        "builtins.print",
    ):
        return _READ
    if not isinstance(parent, ast.Attribute) or parent.attr not in _GROWING:
        return None
    call = facts.parent(parent)
    statement = facts.parent(call) if call is not None else None
    if not isinstance(call, ast.Call) or not isinstance(statement, ast.Expr) or not call.args:
        return None
    last = call.args[-1]
    if parent.attr == "extend":
        return _Growth(statement, tuple(last.elts), True) if isinstance(last, _DISPLAYS) else None
    return _Growth(statement, (last,), inside=False)


def _takes_callbacks(facts: Facts, call: ast.Call, use: ast.AST) -> bool:
    if not isinstance(call.func, ast.Attribute) or call.func.attr not in ("fit", "fit_generator"):
        return False
    return fits.argument(facts, call, "callbacks") is use


def every(facts: Facts) -> Iterator[tuple[ast.Call, Given]]:
    """Each `fit` of a Keras model with its callbacks."""
    for call in fits.fits(facts):
        yield call, given(facts, call)
