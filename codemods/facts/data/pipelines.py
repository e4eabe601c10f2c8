"""How tf.data pipelines are built: by which ways and stages elements come to a place."""

from __future__ import annotations

import ast
from collections.abc import Hashable, Iterable, Iterator, Sequence

from ...library.datasets import BATCHING, COUNTING, JOINING, METHODS, PLAIN
from ...library.names import in_v1, normal
from ...library.tensorflow_names import READY_DATASETS, ZIP
from ...program.domain import Domain, Operands
from ...program.node_fields import within
from ...program.origins import Kind, Origin
from ...program.records import NamedTuple
from ...program.versions import Version
from ..facts import Facts, recorded
from ..roles import Role, role_of_name
from ..should_stop_tests import is_until_stop
from ..training.estimator_training import trains_on
from ..training.session_runs import Run, fed, ingredients_of_steps, session_runs, training_runs
from ..training.training_loops import loop_around

# -- links ---------------------------------------------------------------------------------------
# The ways of a dataset while they are followed; each shares what lies behind it with others.

MOST_WAYS = 32
MOST_SOURCES = 64
ANY = ast.Pass()  # stands for every source, where there are too many to tell them apart


class PipelineStep:
    """A dataset on its way, and the way before it; `expr` is None where a memory is passed.

    What stands in an attribute, a global variable or a list may have been put there by another
    call of the function that reads it.
    """

    __slots__ = ("before", "expr", "is_whole", "method", "source")

    def __init__(
        self, before: PipelineStep | None, expr: ast.expr | None, method: str, is_whole: bool
    ) -> None:
        self.before, self.expr, self.method, self.is_whole = before, expr, method, is_whole
        self.source: ast.AST = before.source if before is not None else expr or ANY

    def back(self) -> Iterator[PipelineStep]:
        """This link, and those before it back to the source."""
        link: PipelineStep | None = self
        while link is not None:
            yield link
            link = link.before


class Found(NamedTuple):
    """What is known of a value: the ways to it, as far as they are known."""

    links: frozenset[PipelineStep] = frozenset()
    is_complete: bool = True  # nothing else can get there
    may_be_none: bool = False
    lost: frozenset[ast.AST] = frozenset()  # sources of ways that nobody can count


NOTHING = Found()
UNKNOWN = Found(is_complete=False)
NONE = Found(may_be_none=True)


def join(a: Found, b: Found) -> Found:
    """One of both; more ways than anybody can count are known by their sources alone."""
    if a == b or b == NOTHING:
        return a
    if a == NOTHING:
        return b
    links, lost = a.links | b.links, a.lost | b.lost
    is_complete = a.is_complete and b.is_complete
    if lost or len(links) > MOST_WAYS:
        lost |= {link.source for link in links}
        links, is_complete = frozenset(), False
        lost = lost if len(lost) <= MOST_SOURCES else frozenset({ANY})
    return Found(links, is_complete, a.may_be_none or b.may_be_none, lost)


class Links:
    """Makes links, equal ones once."""

    def __init__(self) -> None:
        self._known: dict[tuple[PipelineStep | None, ast.expr | None, str, bool], PipelineStep] = {}

    def link(
        self, before: PipelineStep | None, expr: ast.expr | None, method: str, is_whole: bool = True
    ) -> PipelineStep:
        """The one link with these parts."""
        key = (before, expr, method, is_whole)
        found = self._known.get(key)
        if found is None:
            found = self._known[key] = PipelineStep(*key)
        return found

    def parts(self, link: PipelineStep) -> PipelineStep | None:
        """The way of something inside of what a source gave; None behind a method."""
        way = list(link.back())
        if any(each.method for each in way[:-1]):
            return None
        found = None
        for each in reversed(way):
            found = self.link(found, each.expr, each.method, is_whole=False)
        return found


# -- dataset domain ------------------------------------------------------------------------------
# The domain of datasets: by which ways, source first, the elements of a value come.

_PLACES = (ast.Name, ast.Attribute, ast.Subscript, ast.Call)
_BOXES = ("field", "rest", "all")


class Datasets:
    """The domain for one module."""

    def __init__(self, facts: Facts) -> None:
        self._facts = facts
        self._links = Links()
        self._arguments: dict[ast.AST, dict[ast.expr, ast.AST]] = {}
        self.domain: Domain[Found] = Domain(
            NOTHING, UNKNOWN, join, self._create, suppose=self._suppose, at=self._at
        )

    def is_source(self, call: ast.AST | None, name: str | None = None) -> bool:
        """Whether it is a call of what makes a dataset of something else."""
        if not isinstance(call, ast.Call):
            return False
        if self._facts.role_of_factory(call) is Role.DATASET:
            return True
        name = name or self._facts.name(call.func)
        name = None if name is None else normal(name)
        return role_of_name(name) is Role.DATASET or name in READY_DATASETS

    # -- what makes a dataset -----------------------------------------------------------------

    def _create(self, origin: Origin, operands: Operands[Found]) -> Found:
        if origin.kind is Kind.CONSTANT:
            return NONE if origin.name is None else UNKNOWN
        if origin.kind is Kind.MEMBER:
            return self._member(origin, operands)
        return self._call(origin, operands) if origin.kind is Kind.CALL else UNKNOWN

    def _suppose(self, origin: Origin, operands: Operands[Found]) -> Found:
        """A name may be known by what a star import binds, though nobody sees into it."""
        call = origin.node
        if not isinstance(call, ast.Call) or not self.is_source(call):
            return UNKNOWN
        return self._source(call, self._facts.name(call.func) or "")

    def _source(self, call: ast.Call, name: str) -> Found:
        is_factory = self._facts.role_of_factory(call) is not None  # its own name means nothing
        method = name if is_factory else name.rpartition(".")[2]
        return Found(frozenset({self._links.link(None, call, method)}))

    def _call(self, origin: Origin, operands: Operands[Found]) -> Found:
        call = origin.node
        if not isinstance(call, ast.Call):
            return UNKNOWN
        if self.is_source(call, origin.name):
            return self._source(call, origin.name or self._facts.name(call.func) or "")
        if not isinstance(call.func, ast.Attribute):
            return UNKNOWN
        method = call.func.attr
        if origin.name is not None or method not in METHODS:
            return UNKNOWN
        received = operands.of(origin, "receiver")
        if not received or not (received[0].links or received[0].lost):
            return UNKNOWN
        links = (self._links.link(link, call, method) for link in received[0].links)
        return received[0]._replace(links=frozenset(links), may_be_none=False)

    def _member(self, origin: Origin, operands: Operands[Found]) -> Found:
        """`splits["train"]`, or one of what is unpacked, of what `tfds.load` gave."""
        step = origin.name
        key = step[1] if isinstance(step, tuple) and step[0] == "[" else step
        is_text_key = isinstance(key, str) and step != key
        held = operands.of(origin, "of")
        if not (is_text_key or isinstance(key, int)) or not held:
            return UNKNOWN
        parts = [self._links.parts(link) for link in held[0].links]
        if not parts or None in parts:
            return UNKNOWN
        return held[0]._replace(links=frozenset(p for p in parts if p), may_be_none=False)

    # -- what a dataset passes ----------------------------------------------------------------

    def _at(self, key: Hashable, found: Found) -> Found:
        if not found.links:
            return found
        if isinstance(key, _PLACES):
            return self._at_place(key, found)
        if isinstance(key, Version):
            if key.path and isinstance(key.value, ast.Call):
                found = self._of_call(key.value, found)
            return self._remembered(found) if self._is_shared(key) else found
        if isinstance(key, tuple) and not isinstance(key[0], str):
            return found if key[1:] == ("result",) else self._remembered(found)
        is_box = isinstance(key, tuple) and key[0] in _BOXES
        return self._remembered(found) if is_box and self._outlives(key[1]) else found  # type: ignore[index]

    def _at_place(self, expr: ast.expr, found: Found) -> Found:
        if isinstance(getattr(expr, "ctx", None), (ast.Store, ast.Del)):
            return found
        call = expr.value if isinstance(expr, ast.Subscript) else expr
        if isinstance(call, ast.Call):
            found = self._of_call(call, found)
        whole, link = not found.may_be_none, self._links.link
        links = (each if each.expr is expr else link(each, expr, "", whole) for each in found.links)
        return found._replace(links=frozenset(links))

    def _is_shared(self, version: Version) -> bool:
        """Whether other functions, or other calls of this one, may see the variable too."""
        node = version.node
        if version.kind == "cell" or not isinstance(node, ast.Name):
            return version.kind == "cell"
        return self._facts.function(node) is not None and self._facts.scope(node).declares(node.id)

    def _outlives(self, origin: Hashable) -> bool:
        """Whether a container is there before and after a call of the function that uses it."""
        return not isinstance(origin, ast.AST) or self._facts.function(origin) is None

    def _remembered(self, found: Found) -> Found:
        links = (
            link if link.expr is None else self._links.link(link, None, "") for link in found.links
        )
        return found._replace(links=frozenset(links))

    # -- calls of one function ----------------------------------------------------------------

    def _of_call(self, call: ast.Call, found: Found) -> Found:
        """Without the datasets that only other calls pass to the same function."""
        arguments = self._calls_by_argument(call)
        if all(owner is call for owner in arguments.values()):
            return found
        links = frozenset(link for link in found.links if _site(link, arguments) in (call, None))
        return found._replace(links=links) if links else found._replace(is_complete=False)

    def _calls_by_argument(self, call: ast.Call) -> dict[ast.expr, ast.AST]:
        """The arguments of all calls of the functions that a call runs, each with its call."""
        found: dict[ast.expr, ast.AST] = {}
        for function in self._facts.program.functions(call.func).nodes:
            if function not in self._arguments:
                sites = self._facts.program.call_sites(function).nodes  # type: ignore[arg-type]
                self._arguments[function] = dict(_arguments(sites))
            found.update(self._arguments[function])
        return found


def _arguments(calls: Iterable[ast.AST]) -> Iterator[tuple[ast.expr, ast.AST]]:
    for call in calls:
        if isinstance(call, ast.Call):
            for argument in (*call.args, *(keyword.value for keyword in call.keywords)):
                yield argument, call


def _site(link: PipelineStep, arguments: dict[ast.expr, ast.AST]) -> ast.AST | None:
    """The call by which a dataset came into the function last; None if none can be told."""
    for each in link.back():
        if each.expr is None:
            return None
        if each.expr in arguments:
            return arguments[each.expr]
    return None


# -- stages --------------------------------------------------------------------------------------
# The stages of a tf.data pipeline: which method makes a dataset of another one, and how.
#
# https://www.tensorflow.org/api_docs/python/tf/data/Dataset


class Stage(NamedTuple):
    """A dataset on its way: `expr` is it, made by `method` (empty: the same under another name)."""

    expr: ast.expr
    method: str = ""
    is_whole: bool = True  # False: the expression holds several datasets
    is_endless: bool = False  # a source that is made of endless datasets

    @property
    def call(self) -> ast.Call:
        """The call that makes it."""
        assert isinstance(self.expr, ast.Call)
        return self.expr


Way = tuple[Stage, ...]


def is_endless(way: Way) -> bool:
    """Whether the pipeline repeats for ever."""
    if not way:  # `Dataset.take(ds, 3)`: what it is called with is no stage before it
        return False
    return (
        way[0].is_endless
        or any(stage.method == "repeat" and has_no_count(stage.call) for stage in way)
        or _repeats_itself(way[0])
    )


def has_no_count(call: ast.Call) -> bool:
    """Whether a call of `repeat` says no number of times, for several workers at least."""
    values = [*call.args, *(k.value for k in call.keywords if k.arg == "count")]
    if not values:
        return True
    count = values[0].body if isinstance(values[0], ast.IfExp) else values[0]
    try:
        return ast.literal_eval(count) in (None, -1)
    except (ValueError, TypeError, SyntaxError):
        return False


def _repeats_itself(source: Stage) -> bool:
    return source.method == "make_csv_dataset" and not any(
        k.arg == "num_epochs" for k in source.call.keywords
    )


# -- pipelines -----------------------------------------------------------------------------------
# How tf.data pipelines are built: for every dataset the ways its elements come, source first.
#
# https://www.tensorflow.org/api_docs/python/tf/data/Dataset


class Pipelines:
    """Follows datasets backwards; an empty answer means that something can't be followed."""

    def __init__(self, facts: Facts) -> None:
        self._facts = facts
        self._datasets = Datasets(facts)
        self._stages: dict[PipelineStep, Stage] = {}
        self._joining: set[ast.expr] = set()

    def is_source(self, call: ast.Call) -> bool:
        """Whether it makes a dataset of something else."""
        return self._datasets.is_source(call)

    def found(self, expr: ast.expr | int) -> Found:
        """What is known of the datasets that a value may be."""
        return self._facts.program.value(self._datasets.domain, expr)

    def ways(self, expr: ast.expr) -> tuple[Way, ...]:
        """Every way to the dataset `expr`, source first; none if it may be anything else."""
        found = self.found(expr)
        return self.known_ways(found) if found.is_complete else ()

    def known_ways(self, found: Found) -> tuple[Way, ...]:
        """The ways that are known to lead to a value, which may be something else as well."""
        return tuple(sorted(map(self._way, found.links), key=_places, reverse=True))

    def _way(self, link: PipelineStep) -> Way:
        return tuple(map(self._stage, reversed([each for each in link.back() if each.expr])))

    def _stage(self, link: PipelineStep) -> Stage:
        if link not in self._stages:
            assert link.expr is not None
            endless = link.before is None and self._has_endless_arms(link.expr)
            self._stages[link] = Stage(link.expr, link.method, link.is_whole, endless)
        return self._stages[link]

    def _has_endless_arms(self, call: ast.expr) -> bool:
        """Whether it joins datasets of which none ends."""
        if call in self._joining:  # one of them is made of what it makes itself
            return False
        self._joining.add(call)
        arms = self.arms(call) if isinstance(call, ast.Call) else []
        return bool(arms) and all(ways and all(map(is_endless, ways)) for ways in arms)

    def arms(self, call: ast.Call) -> list[tuple[Way, ...]]:
        """The ways to each dataset that `zip` or `sample_from_datasets` joins."""
        name = (self._facts.name(call.func) or "").rpartition(".")[2]
        if name not in JOINING:
            return []
        stack, found = list(call.args[: 1 if name != "zip" else None]), []
        while stack:
            expr = stack.pop()
            if isinstance(expr, (ast.Tuple, ast.List)):
                stack += expr.elts
            else:
                found.append(self.ways(expr))
        return found


def _places(way: Way) -> list[tuple[int, int]]:
    """The places from the end back to the source: what was bound last comes first."""
    return [(stage.expr.lineno, stage.expr.col_offset) for stage in reversed(way)]


# -- zips ----------------------------------------------------------------------------------------
# Calls of `tf.data.Dataset.zip`.


def zips(facts: Facts, call: ast.Call) -> bool:
    """Whether it joins datasets element by element."""
    return facts.name(call.func) in ZIP


def zip_of(facts: Facts, key: object) -> ast.Call | None:
    """The call that gets the content of a container, which is all that sees it."""
    box = key[1] if isinstance(key, tuple) else None
    call = facts.parent(box) if isinstance(box, (ast.Tuple, ast.List)) else None
    return call if isinstance(call, ast.Call) and zips(facts, call) else None


# -- joined --------------------------------------------------------------------------------------
# Datasets that `zip` joins behind their `shuffle` and `batch`: each of them is shared out itself.
#
# All of them get shorter alike, and elements that went together do so in the shares, too.

_KEEPING = PLAIN | COUNTING | BATCHING | {"shuffle", "repeat", ""}  # as many on every worker


def joined_in(facts: Facts, ways: Sequence[Way]) -> ast.Call | None:
    """The one call of `zip` that these ways begin with, and behind which nothing is sifted."""
    calls = {way[0].expr for way in ways if way[0].method == "zip"}
    is_kept = all(stage.method in _KEEPING for way in ways for stage in way[1:])
    if len(calls) != 1 or not is_kept or any(way[0].method != "zip" for way in ways):
        return None
    call = next(iter(calls))
    return call if isinstance(call, ast.Call) and zips(facts, call) else None


def arms_of(pipelines: Pipelines, call: ast.Call) -> list[tuple[Way, ...]]:
    """The ways to each dataset that it joins; none where one of them can't be followed."""
    arms = pipelines.arms(call)
    is_plain = all(ways and all(way[0].method not in JOINING for way in ways) for ways in arms)
    return arms if is_plain else []


# -- uncut datasets ------------------------------------------------------------------------------
# The datasets of which something that nobody can follow may need all elements.


class UncutDatasets:
    """What must stay as it is; nothing behind a source may be cut where its ways are lost."""

    def __init__(self) -> None:
        self._exprs: set[ast.expr | None] = set()
        self._sources: set[ast.AST] = set()

    def add(self, found: Found) -> None:
        """Keep the datasets on all ways to a value."""
        self._sources |= found.lost
        for link in found.links:
            self._exprs.update(each.expr for each in link.back())

    def has(self, expr: ast.expr, way: Way) -> bool:
        """Whether a dataset on this way has to stay as it is."""
        return expr in self._exprs or way[0].expr in self._sources or ANY in self._sources


# -- cache files ---------------------------------------------------------------------------------
# Datasets that are cached in files.


def cached_in_files(facts: Facts) -> Iterator[tuple[ast.Call, ast.expr]]:
    """Each `ds.cache(filename)` with its name; without one the cache is in memory."""
    for call in facts.calls("cache"):
        name = facts.argument(call, "filename", 0)
        if name is None or (isinstance(name, ast.Constant) and not name.value):
            continue
        if facts.role(call.func.value) is Role.DATASET:  # type: ignore[attr-defined]
            yield call, name


# -- previews ------------------------------------------------------------------------------------
# Loops that only look at some examples, of which any will do.

_SOME = 10  # as many examples as a person looks at


def is_glance(loop: ast.For | ast.AsyncFor) -> bool:
    """`for images, labels in ds.take(1)` shows some examples; any will do.

    `for _ in ds: pass` looks at none: it fills a cache, or tells how long reading takes.
    """
    if all(isinstance(statement, ast.Pass) for statement in loop.body):
        return True
    call = loop.iter
    is_take = isinstance(call, ast.Call) and getattr(call.func, "attr", "") == "take"
    count = call.args[0] if isinstance(call, ast.Call) and is_take and call.args else None
    number = count.value if isinstance(count, ast.Constant) else None
    return isinstance(number, int) and number <= _SOME


# -- graph iterators -----------------------------------------------------------------------------
# Datasets whose elements a graph takes itself, by an iterator of TensorFlow 1.
#
# A session's run takes the next batch; the loop around it ends by its count, or where the data
# ends.

MAKERS = ("make_one_shot_iterator", "make_initializable_iterator")
_STRUCTURE, _INITIALIZER = in_v1("data.Iterator.from_structure"), "make_initializer"
_FUNCTIONS = frozenset(f"tensorflow.data.{maker}" for maker in MAKERS)


def makes_iterator(facts: Facts, call: ast.Call) -> bool:
    """Whether a function of TensorFlow makes an iterator of the dataset that it is given."""
    return facts.name(call.func) in _FUNCTIONS


def feeds_loops(facts: Facts, iterator: ast.Call, ways: tuple[Way, ...]) -> bool:
    """Whether steps are computed from what an iterator gives, in loops that go on as long."""
    if trains_on(facts, iterator) is not None:
        return True
    if iterator not in iterators_of_steps(facts):
        return False
    loops = [loop_around(facts, call) for call in training_runs(facts)]
    return all(map(is_endless, ways)) or (
        bool(loops) and all(_goes_on(facts, loop) for loop in loops)
    )


@recorded
def iterators_of_steps(facts: Facts) -> frozenset[ast.AST]:
    """All that steps are computed from, and the iterators whose handles they are fed."""
    fed_ones = (each for run in training_runs(facts).values() for each in handles(facts, run))
    return ingredients_of_steps(facts) | frozenset(fed_ones)


def handles(facts: Facts, run: Run) -> list[ast.AST]:
    """The iterators by whose handles a run takes from one of several data sets."""
    given = fed(facts, run)
    parts = () if given is None else facts.program.ingredients(given)
    return [node for node in parts if getattr(getattr(node, "func", None), "attr", "") in MAKERS]


def is_initializer(facts: Facts, call: ast.Call) -> bool:
    """Whether it lets an iterator, which may have several data sets one after another, begin."""
    if getattr(call.func, "attr", "") != _INITIALIZER:
        return False
    made = facts.origins(call.func.value).nodes  # type: ignore[attr-defined]
    return any(isinstance(n, ast.Call) and facts.name(n.func) in _STRUCTURE for n in made)


def begins_training(facts: Facts, initializer: ast.Call) -> bool:
    """Whether whatever runs an initializer goes on to train until its data ends."""
    made = facts.origins(initializer.func.value).nodes  # type: ignore[attr-defined]
    is_step = not ingredients_of_steps(facts).isdisjoint(made)
    runs = [r.call for r in session_runs(facts) if initializer in _fetched(facts, r.fetches)]
    return is_step and bool(runs) and all(_trains_behind(facts, call) for call in runs)


def _fetched(facts: Facts, fetches: ast.expr) -> frozenset[ast.AST]:
    return frozenset(facts.program.ingredients(fetches))


def _trains_behind(facts: Facts, run: ast.Call) -> bool:
    """Whether the next loop behind a run trains, before an iterator begins anew."""
    statements, number = facts.block(facts.statement(run))
    for statement in statements[number + 1 :]:
        calls = {node for node in within(statement) if isinstance(node, ast.Call)}
        trained = calls & training_runs(facts).keys()
        if trained:
            return all(_goes_on(facts, loop_around(facts, call)) for call in trained)
        if calls & {each.call for each in session_runs(facts)}:
            return False
    return False


def _goes_on(facts: Facts, loop: ast.AST | None) -> bool:
    """`while True:`, which the end of the data ends by an exception; so it does a session."""
    if not isinstance(loop, ast.While):
        return False
    is_endless = isinstance(loop.test, ast.Constant) and bool(loop.test.value)
    return is_endless or is_until_stop(facts, loop.test)
