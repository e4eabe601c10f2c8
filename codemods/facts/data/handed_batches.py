"""Examples that code of the program hands out in batches: which calls do, of what, who counts."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from ...library.array_names import JOINED, NUMBERS
from ...program.bindings import Binding
from ...program.call_sites import is_generator, passed, returns
from ...program.node_fields import children, within
from ...program.parts import Function, FunctionNode
from ...program.records import NamedTuple
from ...program.things import Instance
from ..by_rank import RANK, depends_on_rank
from ..causes import spelled
from ..declared import has_own_rows
from ..facts import Facts, recorded
from ..horovod import member
from ..training.pattern import runs_sessions
from ..training.session_runs import Run, fed, training_runs
from ..training.training_loops import is_delayed, trains
from .arrays import is_array, is_size, length_of
from .batch_needs import order_matters
from .data_lengths import TRAINING, Arrays, Container, Length, is_list
from .pipeline_shares import shares_data

# -- handed arrays -------------------------------------------------------------------------------
# Which arguments of what hands out batches are its examples, and whether it counts by them.
#
# `DataSet(images, labels)` takes slices of both, up to `images.shape[0]`: given a share of them,
# it goes round in that share. One that counts to a number of its own would run past its end.


class Inside(NamedTuple):
    """The code that an argument may get to: of a class all methods, else the generator."""

    start: Function
    functions: tuple[Function, ...]
    cls: ast.ClassDef | None


def inside_of(facts: Facts, made: ast.Call, gives: Function) -> Inside | None:
    """None where something out of sight may get the arguments, too."""
    if facts.callee(made) is gives:
        return Inside(gives, (gives,), None)
    cls = facts.classes.local(made.func)
    start = None if cls is None else facts.classes.method(cls, "__init__")
    if cls is None or start is None or facts.classes.has_unknown_base(cls):
        return None
    bodies = [n for each in facts.classes.ancestors(cls) for n in each.body]
    functions = tuple(n for n in bodies if isinstance(n, (ast.FunctionDef, ast.AsyncFunctionDef)))
    return Inside(start, functions, cls)


def examples_of(facts: Facts, made: ast.Call, inside: Inside) -> tuple[ast.expr, ...] | None:
    """The arrays that it takes slices of; None where it has none, or picks from others, too."""
    if facts.has_hidden_arguments(made):
        return None
    sliced, picked = _taken_from(facts, inside)
    found: list[ast.expr] = []
    for arg in inside.start.args.args:
        value = passed(made, inside.start, arg, facts.classes)
        if value not in (*made.args, *(k.value for k in made.keywords)):
            continue
        parts = list(_parts(facts, value))
        if sliced.isdisjoint(parts):
            if not picked.isdisjoint(parts):
                return None
            continue
        if not all(_is_many(facts, part) or _is_used_as(facts, arg, inside) for part in parts):
            return None
        found += parts
    return tuple(found) if found and not all(map(_is_empty, found)) else None


def zipped(facts: Facts, made: ast.Call) -> tuple[ast.expr, ...] | None:
    """What `zip` goes through, if all of it is arrays."""
    return tuple(made.args) if made.args and all(_is_many(facts, a) for a in made.args) else None


def is_given_nothing(made: ast.Call) -> bool:
    """`DataSet([], [], fake_data=True)`: it is no source of examples."""
    return bool(made.args) and all(map(_is_empty, made.args))


def _is_empty(part: ast.expr) -> bool:
    return isinstance(part, (ast.List, ast.Tuple)) and not part.elts


def _parts(facts: Facts, value: ast.AST | None) -> Iterator[ast.expr]:
    """`x` and `y` of `list(zip(x, y))`."""
    if isinstance(value, ast.Call) and facts.name(value.func) in JOINED:
        for each in value.args:
            yield from _parts(facts, each)
    elif isinstance(value, ast.expr):
        yield value


def _is_many(facts: Facts, part: ast.expr) -> bool:
    return is_array(facts, part) or is_list(facts, part)


def _is_used_as(facts: Facts, arg: ast.arg, inside: Inside) -> bool:
    """Whether what gets it asks for its shape, say."""
    names = (n for n in within(inside.start) if isinstance(n, ast.Name) and n.id == arg.arg)
    return any(isinstance(n.ctx, ast.Load) and is_array(facts, n) for n in names)


def _taken_from(facts: Facts, inside: Inside) -> tuple[set[ast.AST], set[ast.AST]]:
    """What is behind all that slices are taken of, and behind what else is picked from."""
    sliced, picked = set[ast.AST](), set[ast.AST]()
    for node in (n for each in inside.functions for n in within(each)):
        if isinstance(node, ast.Subscript):
            behind = set(_behind(facts, node.value))
            (sliced if is_slice(facts, node) else picked).update(behind)
    return sliced, picked


def is_slice(facts: Facts, node: ast.Subscript) -> bool:
    """Whether it takes examples by their numbers: `x[i:j]`, `x[order]`, `x[order[i:j]]`."""
    first = node.slice.elts[0] if isinstance(node.slice, ast.Tuple) else node.slice
    if isinstance(first, ast.Slice):
        return True
    sources = facts.program.sources(node.slice, ())
    return any(isinstance(n, ast.Call) and facts.name(n.func) in NUMBERS for n in sources)


def _behind(facts: Facts, expr: ast.expr) -> Iterator[ast.AST]:
    return facts.program.sources(expr, (), lambda node: is_size(facts, node))


def plain_length(facts: Facts, arrays: tuple[ast.expr, ...]) -> ast.expr | None:
    """One of them, or what is as long, that can be written once more."""
    return next(filter(None, (length_of(facts, each) for each in arrays)), None)


# -- handed counts -------------------------------------------------------------------------------
# Whether what hands out batches counts by how many examples it was given.
#
# What it compares its place with, and what its loops run over, has to be reckoned from that: then
# a share ends where its examples do, at the same number of batches on every worker.

_ORDERING = (ast.Lt, ast.LtE, ast.Gt, ast.GtE)
_FIRST = (0, 1)
_LOOPS = (ast.For, ast.While)


def foreign_count(
    facts: Facts, gives: Function, inside: Inside, arrays: tuple[ast.expr, ...]
) -> ast.AST | None:
    """What it counts by that isn't reckoned from its arrays; the function where nothing is."""
    counted = _Counted(facts, frozenset(arrays))
    is_any = False
    for function in _run_by(facts, gives, inside):
        for node in within(function):
            found = list(counted.asked(node))
            is_any = is_any or any(map(counted.is_own, found))
            if found and not any(map(counted.is_own, found)):
                return node
    yields = [n for n in within(gives) if isinstance(n, (ast.Yield, ast.YieldFrom))]
    is_counted = all(map(counted.is_bound, yields)) if yields else is_any
    return None if is_counted else gives


def _run_by(facts: Facts, gives: Function, inside: Inside) -> list[Function]:
    """The function itself, and the methods that it calls on `self`."""
    found = [gives]
    for function in found:
        called = [facts.callee(n) for n in within(function) if isinstance(n, ast.Call)]
        found += [f for f in inside.functions if f in called and f not in found]
    return found


class _Counted:
    """Answers for one set of arrays."""

    def __init__(self, facts: Facts, arrays: frozenset[ast.AST]) -> None:
        self._facts, self._arrays = facts, arrays

    def is_own(self, number: ast.AST) -> bool:
        """Whether it is reckoned from the arrays."""
        sources = self._facts.program.sources(number, ())
        return number in self._arrays or not self._arrays.isdisjoint(sources)

    def asked(self, node: ast.AST) -> Iterator[ast.expr]:
        """The sides of a comparison that may say where the examples end, one of which has to."""
        if isinstance(node, ast.Compare) and len(node.ops) == 1:
            sides = [node.left, *node.comparators]
            is_order = isinstance(node.ops[0], _ORDERING)
            is_equality = isinstance(node.ops[0], (ast.Eq, ast.NotEq))
            if not any(map(_is_beginning, sides)) and (
                is_order or (is_equality and any(map(self._goes_on, sides)))
            ):
                yield from sides
        elif isinstance(node, ast.BinOp) and isinstance(node.op, ast.Mod):
            is_text = isinstance(node.left, (ast.Constant, ast.JoinedStr))
            yield from () if is_text else (node.right,)

    def _goes_on(self, side: ast.expr) -> bool:
        """Whether it is a counter: something is added to it."""
        sources = self._facts.program.sources(side, ())
        return any(isinstance(n, (ast.AugAssign, ast.BinOp)) for n in sources)

    def is_bound(self, given: ast.AST) -> bool:
        """Whether a loop around what is yielded ends by the arrays."""
        around = (p for p in self._facts.parents(given) if isinstance(p, _LOOPS))
        bounds = (p.iter if isinstance(p, ast.For) else p.test for p in around)
        return any(self._is_reckoned(bound) for bound in bounds)

    def _is_reckoned(self, bound: ast.expr) -> bool:
        return any(self.is_own(n) for n in within(bound) if isinstance(n, ast.expr))


def _is_beginning(side: ast.expr) -> bool:
    """`start == 0`, `shuffle == True`, `mode == "train"`."""
    if not isinstance(side, ast.Constant):
        return False
    return side.value is None or isinstance(side.value, (str, bool)) or side.value in _FIRST


# -- handed uses ---------------------------------------------------------------------------------
# Whether anything needs all of the examples that an object hands out batches of.

_WHOLE = ("__getitem__", "__iter__", "__call__")  # which hand out without a name


def needed_whole(
    facts: Facts, made: ast.Call, inside: Inside, arrays: tuple[ast.expr, ...]
) -> ast.AST | None:
    """Where all of the arrays may be used, or nobody sees what for; None where nothing does."""
    cls = inside.cls
    if cls is None:
        return None  # a generator hands out what it yields
    special = [facts.classes.method(cls, name) for name in _WHOLE]
    if any(special):
        return next(filter(None, special))
    if cls in given_away(facts):
        return made
    for use in _uses(facts, made, cls, set(inside.functions)):
        if not isinstance(use.ctx, ast.Load) or _is_all(facts, use, cls, frozenset(arrays)):
            return use
    return None


@recorded
def given_away(facts: Facts) -> frozenset[ast.ClassDef]:
    """The classes of which code out of sight gets an object."""
    things = (t for n in facts.program.taken for t in facts.program.things(n))
    return frozenset(t.cls.node for t in things if isinstance(t, Instance))


def _uses(
    facts: Facts, made: ast.Call, cls: ast.ClassDef, inside: set[Function]
) -> Iterator[ast.Attribute]:
    """The attributes that are read of such an object from outside of its class."""
    for node in facts.index.nodes(ast.Attribute):
        things = facts.program.things(node.value)
        if not any(isinstance(t, Instance) and t.cls.node is cls for t in things):
            continue
        around = {p for p in facts.parents(node) if isinstance(p, FunctionNode)}
        if inside.isdisjoint(around) and made in facts.origins(node.value).nodes:
            yield node


def _is_all(
    facts: Facts, use: ast.Attribute, cls: ast.ClassDef, arrays: frozenset[ast.AST]
) -> bool:
    """Whether all of an array comes out of it, and not only its length or a slice."""

    def is_end(node: ast.AST) -> bool:
        is_part = isinstance(node, ast.Subscript) and is_slice(facts, node)
        return is_part or is_size(facts, node)

    parent = facts.parent(use)
    if parent is not None and (is_size(facts, parent) or is_end(parent)):
        return False
    method = facts.classes.method(cls, use.attr)
    if method is None:
        return not arrays.isdisjoint(facts.program.sources(use, (), is_end))
    given = [n.value for n in within(method) if isinstance(n, (ast.Yield, ast.YieldFrom))]
    given += [each.value for each in returns(method)]
    found = (facts.program.ingredients(each, is_end) for each in given if each is not None)
    return any(not arrays.isdisjoint(nodes) for nodes in found)


# -- handing calls -------------------------------------------------------------------------------
# Which calls of the program hand out what a step is fed: `data.next_batch(32)`, `batch_iter(x)`.
#
# The engine joins all calls of a function; here each is gone back by itself, so that the examples
# of training and those of a test keep apart, though one class hands out both.

Calls = tuple[ast.Call, ...]  # by which a function was come to, the last call last
_MOST_CALLS = 4
_FLOWING = ("assign", "aug", "for", "with")


class Handing(NamedTuple):
    """The call that makes what hands out batches, or hands them out itself, and by what.

    None: a loop goes through `zip(x, y)`, example by example.
    """

    made: ast.Call
    gives: Function | None


class Fed(NamedTuple):
    """What hands out that which a run is fed, each once, and the parts that are taken of values."""

    handings: tuple[Handing, ...]
    parts: tuple[ast.Subscript, ...]


def handing(facts: Facts, fed: ast.expr) -> Fed:
    """What is behind the values that a run is fed."""
    ways = _Ways(facts)
    ways.behind(fed, ())
    return Fed(tuple(ways.found), tuple(ways.parts))


class _Ways:
    """The ways back from one expression, by names, loops, parameters and results."""

    def __init__(self, facts: Facts) -> None:
        self._facts = facts
        self.found: dict[Handing, None] = {}
        self.parts: list[ast.Subscript] = []
        self._seen: set[tuple[ast.AST, Calls]] = set()

    def behind(self, expr: ast.AST, calls: Calls) -> None:
        """Go back from all that stands in an expression."""
        if (expr, calls) in self._seen or is_size(self._facts, expr):
            return
        self._seen.add((expr, calls))
        if isinstance(expr, ast.Call) and self._is_followed(expr, calls):
            return
        if isinstance(expr, ast.Subscript):
            self.parts.append(expr)
        if isinstance(expr, ast.Name) and isinstance(expr.ctx, ast.Load):
            for value, around in self._values(expr, calls):
                self.behind(value, around)
        for part in expr.values if isinstance(expr, ast.Dict) else children(expr):
            self.behind(part, calls)

    def _values(self, name: ast.Name, calls: Calls) -> Iterator[tuple[ast.AST, Calls]]:
        for binding in self._facts.reaching(name):
            if isinstance(binding.node, ast.arg):
                yield from self._passed(binding.node, calls)
            elif self._is_gone_through(binding):
                continue
            elif binding.kind in _FLOWING and binding.value is not None:
                yield binding.value, calls

    def _is_gone_through(self, binding: Binding) -> bool:
        """Whether a loop that trains binds it to what `zip(x, y)` gives, also by `enumerate`."""
        over = binding.value if isinstance(binding.node, ast.For) else None
        if isinstance(over, ast.Call) and self._facts.name(over.func) == "builtins.enumerate":
            over = over.args[0] if over.args else None
        is_zip = isinstance(over, ast.Call) and self._facts.name(over.func) == "builtins.zip"
        if is_zip and trains(self._facts, binding.node):
            self.found[Handing(over, None)] = None  # type: ignore[arg-type]
            return True
        return False

    def _passed(self, arg: ast.arg, calls: Calls) -> Iterator[tuple[ast.AST, Calls]]:
        facts = self._facts
        function = facts.parent(facts.parent(arg) or arg)
        if function is None or isinstance(function, ast.Lambda):
            return
        is_known = bool(calls) and facts.callee(calls[-1]) is function
        sites = calls[-1:] if is_known else tuple(facts.call_sites(function))
        for site in sites:
            value = passed(site, function, arg, facts.classes)
            if value is not None:
                yield value, calls[:-1] if is_known else ()

    def _is_followed(self, call: ast.Call, calls: Calls) -> bool:
        """Whether what a call gives is gone back from: a function of the program gives it."""
        function = self._facts.callee(call)
        if function is None or len(calls) == _MOST_CALLS:
            return False
        receiver = self._receiver(call, function)
        if receiver is not None:
            made = self._made(receiver, calls)
            self.found.update((Handing(each, function), None) for each in made)
        elif is_generator(function):
            self.found[Handing(call, function)] = None
        else:
            for given in returns(function):
                self.behind(given, (*calls, call))
        return True

    def _receiver(self, call: ast.Call, function: Function) -> ast.expr | None:
        """The object that hands out; a method of the one that trains is a function like others."""
        is_method = self._facts.classes.method_of(function) is not None
        if not is_method or not isinstance(call.func, ast.Attribute):
            return None
        receiver = call.func.value
        return None if self._facts.classes.self_class(receiver) is not None else receiver

    def _made(self, receiver: ast.expr, calls: Calls) -> list[ast.Call]:
        """The calls that make an object, by the calls that hand it on where it is a parameter."""
        if isinstance(receiver, ast.Name):
            ways = list(self._values(receiver, calls))
            if any(around != calls for _, around in ways):
                return [each for value, around in ways for each in self._of(value, around)]
        found = self._facts.origins(receiver).nodes
        return [node for node in found if isinstance(node, ast.Call)]

    def _of(self, value: ast.AST, calls: Calls) -> list[ast.Call]:
        return self._made(value, calls) if isinstance(value, ast.expr) else []


# -- handed batches ------------------------------------------------------------------------------
# Examples that code of the program hands out in batches to a session, and that can be cut.
#
# `DataSet(images, labels)` with a `next_batch`, or the generator `batch_iter(data, 32, epochs)`:
# each worker gives it a share of the examples, and what it draws then is an order of that share.


class Left(NamedTuple):
    """What hands out batches and gets all of the examples, and what is in the way of a share."""

    made: ast.Call
    place: ast.AST
    why: str


COUNTS = "`{}` counts by a number of its own, and not by the examples that it is given"
WHOLE = "all of what `{}` holds is used here, too"
UNNAMED = "the examples have no name where `{}` gets them"
STATE = "the model keeps its state from batch to batch"
BESIDE = "it is fed beside what `{}` hands out, and isn't cut alike"


class HandedBatches:
    """All that hands out batches to the training runs of a module."""

    def __init__(self, facts: Facts) -> None:
        self._facts = facts
        self.arrays: dict[ast.Call, Arrays] = {}
        self.inside: set[ast.AST] = set()  # the functions that see a share only
        self.left: list[Left] = []
        self.runs: set[ast.Call] = set()  # which are fed by nothing else
        if shares_data(facts) and runs_sessions(facts):
            self._find(list(training_runs(facts).values()))

    def has(self, node: ast.AST) -> bool:
        """Whether it stands in code that sees the share of one worker only."""
        return self._facts.function(node) in self.inside

    def is_share(self, number: ast.AST) -> bool:
        """Whether a number is reckoned from how many examples a worker has."""
        cut = {each for arrays in self.arrays.values() for each in arrays.held}
        return bool(cut) and not cut.isdisjoint(self._facts.program.sources(number, ()))

    def _find(self, runs: list[Run]) -> None:
        given = {run.call: fed(self._facts, run) for run in runs}
        found = {call: handing(self._facts, value) for call, value in given.items() if value}
        for call, behind in found.items():
            for each in behind.handings:
                self._judge(each, behind)
            sources = [h.made for h in behind.handings if not is_given_nothing(h.made)]
            if sources and all(made in self.arrays for made in sources):
                self.runs.add(call)
        is_fed = {call for call, behind in found.items() if behind.handings}
        if self.left or is_fed != self.runs:
            self.arrays, self.runs, self.inside = {}, set(), set()

    def _judge(self, each: Handing, behind: Fed) -> None:
        """Cut what it is given, or tell why not; nothing is said of what is given no arrays."""
        facts, made = self._facts, each.made
        inside = None if each.gives is None else inside_of(facts, made, each.gives)
        arrays = zipped(facts, made) if each.gives is None else None
        arrays = arrays if inside is None else examples_of(facts, made, inside)
        if arrays is None or self._is_by_hand(each, inside):
            return
        left: tuple[str, ast.AST] | None = (STATE, each.made)
        if not order_matters(facts):
            left = self._in_the_way(each, inside, arrays) or self._beside(behind)
        if left is not None:
            self.left.append(Left(made, left[1], left[0].format(spelled(made.func))))
            return
        found = self.arrays[made] = Arrays(made, TRAINING)
        found.held.update(dict.fromkeys(arrays, Container.ITSELF))
        found.length = Length(plain_length(facts, arrays) or arrays[0])
        self.inside.update(() if inside is None else inside.functions)

    def _is_by_hand(self, each: Handing, inside: Inside | None) -> bool:
        """Whether the program gives each worker other examples itself, before or in there."""
        if has_own_rows(self._facts, each.made):
            return True
        given = [*each.made.args, *(keyword.value for keyword in each.made.keywords)]
        functions = () if inside is None else inside.functions
        calls = (n for f in functions for n in within(f) if isinstance(n, ast.Call))
        return any(depends_on_rank(self._facts, value) for value in given) or any(
            member(self._facts, call.func) in RANK for call in calls
        )

    def _in_the_way(
        self, each: Handing, inside: Inside | None, arrays: tuple[ast.expr, ...]
    ) -> tuple[str, ast.AST] | None:
        facts = self._facts
        if plain_length(facts, arrays) is None or is_delayed(facts, each.made):
            return UNNAMED, each.made
        if inside is None or each.gives is None:
            return None
        number = foreign_count(facts, each.gives, inside, arrays)
        if number is not None:
            return COUNTS, number
        whole = needed_whole(facts, each.made, inside, arrays)
        return None if whole is None else (WHOLE, whole)

    def _beside(self, behind: Fed) -> tuple[str, ast.AST] | None:
        """`{x: data.next_batch(32), y: labels[i : i + 32]}`: those would be of other examples."""
        own = {n for h in behind.handings for n in within(h.gives or h.made)}
        for part in behind.parts:
            value = part.value
            if is_array(self._facts, value) and is_slice(self._facts, part):
                if own.isdisjoint(self._facts.program.sources(value, ())):
                    return BESIDE, part
        return None


@recorded
def handed_batches(facts: Facts) -> HandedBatches:
    """What a module hands out, decided once."""
    return HandedBatches(facts)
