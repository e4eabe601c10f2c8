"""The graph with what every part of the engine does with values: read, store and call them.

Each operation waits for the things that arrive and hands them to the row of their class: the parts
of the engine (containers, classes, functions, modules) bring the rows, and none imports another.
"""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from typing import Any, Callable

from .edges import Edge
from .graph import Graph
from .once import Once
from .origins import Call, Kind, Label, Origin, Step
from .records import NamedTuple
from .things import LEFT, UNKNOWN, Box, Function, Library, Thing

# Steps beside those of `order`: what `next()` and `await` give, a part in order.
NEXT, AWAIT, SLICE = "next", "await", "slice"


class Load(NamedTuple):
    """Reading one part of a value: `base` and `target` are nodes."""

    base: int
    step: Step
    target: int


class Store(NamedTuple):
    """Writing one part of a value: the node of what is put there, and what decides about it."""

    step: Step
    value: int
    conditions: tuple[int, ...] = ()
    key: int | None = None  # of a dictionary, where nobody can tell which


def knows_nothing(name: str) -> bool:
    """The answer of a library that knows nothing."""
    return False


class Questions(NamedTuple):
    """What a library answers of the names of its things (a method's name starts with a dot)."""

    gives_back: Callable[[str], bool]  # calling it gives back what it is called with
    swallows: Callable[[str], bool]  # `with name():` may end an exception
    leaves_alone: Callable[[str], bool]  # what it is called with stays as it is
    never_returns: Callable[[str], bool]
    iterates: Callable[[str], bool] = knows_nothing  # it gives the elements of its first argument
    is_cell: Callable[[str], bool] = knows_nothing  # it makes an object that holds one value
    puts_in: Callable[[str], bool] = knows_nothing  # a method that gives a cell its value
    keeps_keywords: Callable[[str], bool] = knows_nothing  # they are attributes of what it makes
    keeps: Callable[[str], bool] = knows_nothing  # a method that keeps what it is called with
    starts: Callable[[str], bool] = knows_nothing  # it calls what it gets with the user's options
    maps: Callable[[str], bool] = knows_nothing  # it calls its first argument with parts of others
    starts_main: Callable[[str], bool] = knows_nothing  # without a function it calls `main`
    exports: Callable[[str, str], bool] = lambda module, name: False  # its `*` binds the name
    # What a call changes, by its keywords and what makes the object of a method; if that counts.
    changes: Callable[[str, list[str], list[str]], Sequence[int | str]] = (
        lambda name, keywords, makers: ()
    )
    depends_on_maker: Callable[[str], bool] = knows_nothing
    takes_attributes: Callable[[str], bool] = knows_nothing  # programs keep values in that module
    any_member: Callable[[str], str | None] = lambda name: None  # stands for any of a module's


NO_LIBRARY = Questions(knows_nothing, lambda name: True, knows_nothing, knows_nothing)


class Core(Graph):
    """The graph, and the rows that the parts of the engine add."""

    def __init__(self, questions: Questions, budget: int | None = None) -> None:
        super().__init__(budget)
        self.questions = questions
        self.loads: dict[type[Thing], Callable[[Any, Load], None]] = {}
        self.stores: dict[type[Thing], Callable[[Any, Store], str | None]] = {}
        self.calls: dict[type[Thing], Callable[[Any, Call], None]] = {}
        self.starts: dict[type[Thing], Callable[[Any, str], None]] = {}
        self.escapes: dict[type[Thing], Callable[[Any, bool], None]] = {}
        self.sites: dict[int, Call] = {}
        self.boxes: dict[Hashable, Box] = {}  # by the place that makes each
        self._libraries: dict[str, Library] = {}
        self.puts: list[tuple[int, int, tuple[int, ...]]] = []  # into which object, what, and if
        self.taken: dict[int, None] = {}  # what code outside of the project gets to see
        self.derived: set[int] = set()  # the nodes that wait for things at others
        self._loads, self._given_away = set[Load](), set[tuple[Thing, bool]]()
        self.once = Once(self, self)

    @property
    def growth(self) -> int:
        """As long as it is the same, what was found before is."""
        return len(self._edges) + len(self.sites) + len(self.puts)

    def library(self, name: str) -> Library:
        """The library thing of a full dotted name."""
        found = self._libraries.get(name)
        if found is None:
            found = self._libraries[name] = Library(name)
        return found

    def result(self, function: Function) -> int:
        """The node of what a function gives back."""
        return self.node((function, "result"))

    def load(self, base: int, step: Step, target: int | None = None) -> int:
        """The node of a part of a value."""
        target = self.node(("part", base, step)) if target is None else target
        self.derived.add(target)
        load = Load(base, step, target)
        if load not in self._loads:
            self._loads.add(load)
            self.watch(base, self._load, load)
        return target

    def _load(self, thing: Thing, load: Load) -> None:
        row = self.loads.get(type(thing))
        if row is not None:
            row(thing, load)
        elif thing is UNKNOWN:
            self.create(load.target, _part(Kind.UNKNOWN, load), UNKNOWN)
        else:
            self.member(load)

    def give_up(self, n: int) -> None:
        """Let a node that nothing gets to be anything; a part stays a part of something."""
        key = self.keys[n]
        if isinstance(key, tuple) and key[0] == "part":
            self.create(n, _part(Kind.UNKNOWN, Load(key[1], key[2], n)), UNKNOWN)
        else:
            self.unknown(n)

    def member(self, load: Load) -> None:
        """Let a node be some part of an outside thing."""
        self.create(load.target, _part(Kind.MEMBER, load))

    def store(self, base: int, store: Store) -> None:
        """Put a value into a part of another one."""
        self.watch(base, self._store, store, base)

    def _store(self, thing: Thing, store: Store, base: int) -> None:
        row = self.stores.get(type(thing))
        if row is None or row(thing, store) is LEFT:
            self.puts.append((base, store.value, store.conditions))
            is_item = isinstance(store.step, tuple) and store.step[0] == "["  # as by a method
            self.hand_out(store.value, thing is UNKNOWN or not is_item)

    def call(self, call: Call) -> None:
        """Call what the function's node may be."""
        self.sites.setdefault(call.result, call)
        self.derived.add(call.result)
        self.watch(call.func, self.call_thing, call)

    def call_thing(self, thing: Thing, call: Call) -> None:
        """Call a thing that has arrived as a function."""
        row = self.calls.get(type(thing))
        if row is not None:
            row(thing, call)

    def hand_out(self, n: int, may_change: bool) -> None:
        """Let code outside of the project see a value, and change what it is made of or not."""
        self.taken[n] = None
        self.watch(n, self.give_away, may_change)

    def give_away(self, thing: Thing, may_change: bool) -> None:
        """Hand a value to code outside of the project, which may change it or not."""
        row = self.escapes.get(type(thing))
        if row is not None and (thing, may_change) not in self._given_away:
            self._given_away.add((thing, may_change))  # a list may hold itself
            row(thing, may_change)

    def hold(self, n: int, thing: Thing, origin: Origin | None = None) -> None:
        """Let a node be the thing."""
        if origin is None:
            origin = Origin(Kind.THING, operands=contents(thing), thing=thing)
        self.create(n, origin, thing)

    def start(self, thing: Thing, name: str) -> None:
        """Let outside code call a function once, with the options that it is given."""
        row = self.starts.get(type(thing))
        if row is not None:
            row(thing, name)

    def put(self, value: int, place: int, label: Edge, conditions: tuple[int, ...]) -> None:
        """Let a value flow to a place, if the conditions hold."""
        self.edge(value, place, label)
        self.decide(conditions, place)


def _part(kind: Kind, load: Load) -> Origin:
    """The origin of a part of a value that nobody sees into."""
    return Origin(kind, load.step, operands=[("of", load.base)])


def contents(thing: Thing) -> list[tuple[Label, int]]:
    """What a container is made of: its elements, and what decides how many there are."""
    return [("of", thing.all), ("of", thing.size)] if isinstance(thing, Box) else []
