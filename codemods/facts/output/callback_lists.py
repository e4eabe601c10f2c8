"""How a `fit` is given its callbacks, and on which workers each of them has to run."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable, Iterator, Sequence
from enum import Enum
from itertools import takewhile

from ...library import callbacks as table
from ...library.callbacks import callback
from ...library.displays import LOGGERS
from ...library.sessions import HOOKS, WRITING_HOOKS, is_hook, position
from ...library.words import words
from ...program.bindings import Binding
from ...program.call_sites import returns
from ...program.node_fields import within
from ...program.parts import FunctionNode
from ...program.records import NamedTuple
from ..averaging import callbacks_of_class
from ..by_rank import asks_for_rank, is_decided
from ..facts import Facts
from ..horovod import BROADCAST
from ..keras_version import is_keras_3
from ..names import KERAS
from ..roles import Role
from ..training import fits
from ..training.call_graph import CallGraph
from ..training.fits import is_gathered
from .output_folders import is_private
from .outputs import is_output, role
from .side_effects import Effects

# -- built lists ---------------------------------------------------------------------------------
# Lists of callbacks that are only ever built from displays and grown in sight.

_DISPLAYS = (ast.List, ast.Tuple)
_LOOKING = ("builtins.len", "builtins.print")
_GROWING = ("append", "extend", "insert")


class BuiltList:
    """What is put in a list: in displays, and one by one by statements."""

    def __init__(self) -> None:
        self.elements: list[ast.expr] = []
        self.added: list[tuple[ast.stmt, ast.expr]] = []

    def grow(self, growth: _Growth) -> None:
        """Add what one use of the list adds."""
        if growth.inside:
            self.elements += growth.elements
        else:
            self.added += [(growth.statement, element) for element in growth.elements]


def built_list(facts: Facts, name: ast.expr) -> BuiltList | None:
    """What a list holds that a name or a call stands for; None where something else may happen."""
    found = BuiltList()
    is_seen = _value if isinstance(name, (ast.Call, ast.IfExp)) else _follow
    return found if is_seen(facts, name, found) else None


def _follow(facts: Facts, name: ast.AST, found: BuiltList) -> bool:
    """Collect what a name's list holds; False when something else may happen to it."""
    bindings = _bindings(facts, name)
    is_built = all(_is_assigned(b) and _value(facts, _given(b), found) for b in bindings)
    if not bindings or not is_built:
        return False
    uses = facts.index.loads.get(_spelling(name), ())
    growths = [_growth(facts, use) for use in uses if _bindings(facts, use) == bindings]
    for growth in growths:
        if growth is not None:
            found.grow(growth)
    return None not in growths


def _is_assigned(binding: Binding) -> bool:
    return binding.kind in ("assign", "aug") and not binding.path


def _given(binding: Binding) -> ast.AST | None:
    return binding.value.value if isinstance(binding.value, ast.AugAssign) else binding.value


def _spelling(name: ast.AST) -> str:
    return name.id if isinstance(name, ast.Name) else getattr(name, "attr", "")


def _bindings(facts: Facts, name: ast.AST) -> Sequence[Binding]:
    """What a name or `self.callbacks` is bound to; every object's attribute counts as the same."""
    if isinstance(name, ast.Name):
        return facts.bindings(name)
    if isinstance(name, ast.Attribute) and facts.classes.self_class(name.value) is not None:
        return [binding for _, binding in facts.attribute_stores.get(name.attr, ())]
    return []


def _value(facts: Facts, value: ast.AST | None, found: BuiltList) -> bool:
    """A display, or a function of this module that returns a list it builds."""
    if isinstance(value, _DISPLAYS):
        found.elements += value.elts
        return True
    if isinstance(value, ast.IfExp) and asks_for_rank(facts, value.test):
        return _value(facts, value.body, found) and _value(facts, value.orelse, found)
    function = facts.callee(value) if isinstance(value, ast.Call) else None
    results = [r.value for r in returns(function)] if function is not None else []
    return bool(results) and all(_result(facts, result, found) for result in results)


def _result(facts: Facts, result: ast.expr | None, found: BuiltList) -> bool:
    """A name whose list is built in the function, or a display."""
    if isinstance(result, _DISPLAYS):
        return _value(facts, result, found)
    return result is not None and _follow(facts, result, found)


class _Growth(NamedTuple):
    statement: ast.stmt
    elements: tuple[ast.expr, ...]
    inside: bool  # the elements stand in a display of their own


_READ = _Growth(ast.Pass(), (), inside=False)


def _growth(facts: Facts, use: ast.AST) -> _Growth | None:
    """What a use of the list adds to it: `_READ` for nothing, None for who knows what."""
    parent = facts.parent(use)
    if _reads(facts, parent, use):
        return _READ
    is_growing = isinstance(parent, ast.Attribute) and parent.attr in _GROWING
    call = facts.parent(parent) if isinstance(parent, ast.Attribute) and is_growing else None
    if not isinstance(call, ast.Call) or not call.args:
        return None
    statement = facts.parent(call)
    return _of_method(call, statement) if isinstance(statement, ast.Expr) else None


def _reads(facts: Facts, parent: ast.AST | None, use: ast.AST) -> bool:
    """Whether the list is only handed on there, to a `fit` or a `return`, or looked at."""
    if isinstance(parent, ast.keyword):
        return parent.arg == "callbacks" or parent.arg in HOOKS
    if isinstance(parent, ast.Call):
        is_given = use in parent.args and _takes_callbacks(facts, parent, use)
        return is_given or facts.name(parent.func) in _LOOKING
    return isinstance(parent, (ast.Return, ast.Starred))


def _of_method(call: ast.Call, statement: ast.stmt) -> _Growth | None:
    """`append(x)`, `insert(0, x)`, `extend([x, y])`."""
    last = call.args[-1]
    if getattr(call.func, "attr", "") != "extend":
        return _Growth(statement, (last,), inside=False)
    return _Growth(statement, tuple(last.elts), True) if isinstance(last, _DISPLAYS) else None


def _takes_callbacks(facts: Facts, call: ast.Call, use: ast.AST) -> bool:
    where = position(facts.name(call.func) or "", "hooks")
    if where is not None:
        return facts.argument(call, "hooks", where) is use
    if not isinstance(call.func, ast.Attribute) or call.func.attr not in ("fit", "fit_generator"):
        return False
    return fits.argument(facts, call, "callbacks") is use


# -- unseen writes -------------------------------------------------------------------------------
# Whether code of the program, which every worker runs, may write where nobody sees it.
#
# What is seen is written by rank 0 alone (D203, D204); a note is for the rest.

# Libraries that write by functions only that D203 and D204 know.
_KNOWN = tuple(
    f"{name}."
    for name in words("tensorflow builtins numpy horovod matplotlib time os sklearn math datetime")
)
_METHODS = words(
    "add append apply_gradients as_default assign assign_add assign_sub clear "
    "evaluate extend insert pop predict predict_on_batch read remove reset_state reset_states "
    "set_weights setdefault sort update update_state"
)


def class_writes_unseen(facts: Facts, cls: ast.ClassDef) -> bool:
    """Whether a callback may; what a base out of sight does is not known."""
    for ancestor in facts.classes.ancestors(cls):
        local = [facts.classes.local(base) for base in ancestor.bases]
        names = [facts.name(base) or "" for base in ancestor.bases]
        if any(own is None and not name.startswith(KERAS) for own, name in zip(local, names)):
            return True
    functions = [n for a in facts.classes.ancestors(cls) for n in a.body]
    return any(writes_unseen(facts, n) for n in functions if isinstance(n, FunctionNode))


def writes_unseen(facts: Facts, code: ast.AST) -> bool:
    """Whether a function, or a lambda, may; with the functions that it calls."""
    return not all(_is_seen(facts, call) for call in _calls(facts, code))


def _calls(facts: Facts, code: ast.AST) -> Iterator[ast.Call]:
    graph = facts.record(CallGraph)
    calls = (n for n in within(code) if isinstance(n, ast.Call) and not _is_inherited(n))
    inner = (function for call in calls for function in graph.called(call))
    reached = {code, *(f for start in inner for f in graph.running(start))}
    for each in reached:
        yield from (node for node in within(each) if isinstance(node, ast.Call))


def _is_seen(facts: Facts, call: ast.Call) -> bool:
    name = facts.name(call.func)
    if facts.callee(call) is not None or is_output(facts, call):
        return True
    if name is not None and name.startswith(_KNOWN):
        return True
    if facts.record(Effects).skippable(call) or _is_inherited(call):
        return True
    if isinstance(call.func, ast.Attribute):
        return call.func.attr in _METHODS or role(facts, call.func.value) is Role.MODEL
    return role(facts, call.func) is Role.MODEL


def _is_inherited(call: ast.Call) -> bool:
    """`super().on_epoch_end(…)`."""
    made = call.func.value if isinstance(call.func, ast.Attribute) else None
    name = made.func if isinstance(made, ast.Call) else None
    return isinstance(name, ast.Name) and name.id == "super"


# -- where a callback runs -----------------------------------------------------------------------
# On which workers a Keras callback, or a hook of TensorFlow 1, has to run.
#
# https://horovod.readthedocs.io/en/stable/keras.html; horovod/horovod#1095, #3140, #3156, #742.


class Where(Enum):
    """The workers that a callback belongs on."""

    EVERYWHERE = "every worker"
    RANK_ZERO = "rank 0 only"
    UNKNOWN = "decided at run time by type"
    REFUSED = "nowhere"


class Verdict(NamedTuple):
    """Where a callback runs, and what a person should know about that."""

    where: Where
    note: str = ""


_CUSTOM = "a custom callback runs on every worker: what it writes is written by each of them"
_LAMBDA = "its functions run on every worker"
_UPDATES = "what it writes after a batch is the share of worker 0"


def verdict(facts: Facts, expr: ast.AST) -> Verdict:
    """Where the callback that `expr` stands for has to run."""
    origins = facts.origins(expr)
    if not origins.complete or any(item.path for item in origins.items):
        return Verdict(Where.UNKNOWN)
    return _join(_of(facts, node) for node in origins.nodes)


def _join(verdicts: Iterable[Verdict]) -> Verdict:
    found = set(verdicts)
    if len(found) == 1:
        return found.pop()
    refused = [v for v in found if v.where is Where.REFUSED]
    return refused[0] if refused else Verdict(Where.UNKNOWN)


def _of(facts: Facts, node: ast.AST) -> Verdict:
    if not isinstance(node, ast.Call):
        return Verdict(Where.UNKNOWN)
    kind = facts.kind(node)
    if kind is None:
        known_class = facts.classes.local(node.func) is not None
        return (
            Verdict(Where.EVERYWHERE, _own(facts, node)) if known_class else Verdict(Where.UNKNOWN)
        )
    if re.match(LOGGERS, kind):
        return Verdict(Where.RANK_ZERO)
    if is_hook(kind):
        writes = kind.rpartition(".")[2] in WRITING_HOOKS
        return Verdict(Where.RANK_ZERO if writes else Where.EVERYWHERE)
    if kind.startswith("horovod."):
        return Verdict(Where.EVERYWHERE)
    if table.member(kind) is None:
        return Verdict(Where.EVERYWHERE, _CUSTOM)
    return _of_keras(facts, node, kind.replace("experimental.", ""))


def _of_keras(facts: Facts, node: ast.Call, kind: str) -> Verdict:
    custom = "" if facts.classes.local(node.func) is None else _own(facts, node)
    row = table.callback(kind)
    if kind == table.BOARD and isinstance(_constant_argument(facts, node, "update_freq"), int):
        return Verdict(Where.RANK_ZERO, _UPDATES)
    if row.only_writes:
        return Verdict(Where.EVERYWHERE if is_private(facts, node) else Where.RANK_ZERO)
    if kind == table.TERMINATE_ON_NAN:
        return Verdict(Where.EVERYWHERE)
    if row.is_silent:
        return Verdict(Where.EVERYWHERE, custom)
    if kind == table.LAMBDA:
        given = [*node.args, *(k.value for k in node.keywords)]
        if all(_is_print(facts, value) for value in given):
            return Verdict(Where.RANK_ZERO)
        return Verdict(Where.EVERYWHERE, _LAMBDA if _may_write(facts, given) else "")
    if row.does == table.GOES_ON:
        return Verdict(Where.EVERYWHERE if is_shared_backup(facts, node) else Where.REFUSED)
    return Verdict(Where.EVERYWHERE, _own(facts, node))


def _own(facts: Facts, node: ast.Call) -> str:
    """The word on a callback of nobody's: none where all is seen that its class does."""
    cls = facts.classes.local(node.func)
    return "" if cls is not None and not class_writes_unseen(facts, cls) else _CUSTOM


def _may_write(facts: Facts, functions: Iterable[ast.expr]) -> bool:
    made = [f if isinstance(f, ast.Lambda) else facts.classes.function(f) for f in functions]
    return any(each is None or writes_unseen(facts, each) for each in made)


def is_shared_backup(facts: Facts, node: ast.Call) -> bool:
    """Whether rank 0 tells the others what it has restored: D302 writes it for Keras 3 alone."""
    cls = facts.classes.local(node.func)
    if cls is not None:
        return BROADCAST in callbacks_of_class(facts, cls)
    return is_keras_3(facts) and not facts.has_horovod


def _constant_argument(facts: Facts, node: ast.Call, name: str) -> object | None:
    found = facts.argument(node, name)
    return found.value if isinstance(found, ast.Constant) else None


def _is_print(facts: Facts, expr: ast.AST) -> bool:
    if not isinstance(expr, ast.Lambda) or not isinstance(expr.body, ast.Call):
        return False
    return facts.name(expr.body.func) == "builtins.print"


# -- callbacks of a fit --------------------------------------------------------------------------
# How the callbacks of a `fit` are given, and which of them only rank 0 may keep.

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
