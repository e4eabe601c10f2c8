"""Whose own is a value? As small as it can be: by rank, by own data, by clock and by chance.

Code outside of the project that gets only what all workers have gives all the same: an assumption.
"""

from __future__ import annotations

import ast
from collections.abc import Container, Iterable, Mapping
from enum import IntEnum
from types import MappingProxyType
from typing import Any, Callable

from ..library import agreement as table
from ..library import launchers
from ..library.agreement import COUNTERS, OF_SHAPES, OF_SHOWING, SHARED_MEMBERS
from ..library.call_results import gives
from ..library.draws import SAMPLE, UNORDERED, Draw, draw, draw_of_method
from ..library.element_counts import LENGTHS
from ..library.examples import SEED_ARGUMENTS
from ..library.names import normal
from ..library.seeds import stream
from ..library.waiting_calls import COUNTED, SAID_TO_ALL, asks_all
from ..program.core import AWAIT
from ..program.domain import Domain, Operands
from ..program.edges import ANY
from ..program.influences import GIVEN, KEY
from ..program.origins import Kind, Origin
from ..program.program import Program
from ..program.records import NamedTuple
from ..program.sizes import LENGTH, ROUNDS, TURNS
from ..program.things import Box, Function, Library
from ..syntax.agreed import is_agreed
from .grounds import Grounds
from .keras_calls import asks_own_model, is_own_layer


class Level(IntEnum):
    """How a value differs between workers; the larger one wins where values meet."""

    NOTHING = 0
    SAME = 1
    READ = 2  # what a file says: the same, if it is one file
    UNKNOWN = 3
    OWN = 4


class Own(NamedTuple):
    """Whether a value is each worker's own, which source makes it so, and whether it is a model."""

    level: Level
    kind: str = ""  # rank, data, clock, chance, hash, order (of names), person, model
    source: ast.AST | None = None
    is_model: bool = False


NOTHING, SAME, UNKNOWN = Own(Level.NOTHING), Own(Level.SAME), Own(Level.UNKNOWN)
_NONE = (ast.Is, ast.IsNot)
_ASKS = frozenset({"evaluate", "predict", "predict_on_batch", "test_on_batch", "train_on_batch"})
_ASKS |= {"result", "__call__"}  # of a metric; of either
# What they are told, by rank, too, is where they write: what they say is of the training.
_SERVICES = ("session", "supervisor", "writer", "event writer", "checkpoint", "manager", "callback")
_SEEDS = tuple((name, None) for name in SEED_ARGUMENTS)
_NESTED = 2  # layers inside of layers, as far as they are followed
EVERY = frozenset({"chance", "clock", "person", "hash", "order", "file"})
ALL_KINDS = frozenset({"rank", "data", "clock", "chance", "model", "person"})
_KIND_OF = {
    table.HOST: "person",
    table.PERSON: "person",
    table.CLOCK: "clock",
    table.SERVED: "file",
    table.WORLD: "data",
}
READ = "read"  # what a file says
# What all have if an error meets all of them or none; what other code is, of which no row says.
RAISED, ELSEWHERE = "raised", "elsewhere"
# For the question what a number of a worker itself decides, and not what is made of it: by
# the name of a variable of the environment that holds one; the number as it stands there, of which
# every worker has one, "0" as well as "1"; what other code makes of a number, its data most of all.
VARIABLE, TEXT, MADE = "variable", "text", "made of a number"
_WEIGHTS = {"": 0, "order": 0, "found": 0, RAISED: 1, ELSEWHERE: 2}  # what sorting, say, takes away
_WEIGHTS |= {VARIABLE: 3, TEXT: 4, MADE: 5}
_HEAVIEST = 6
_NUMBERS = ("builtins.int", "builtins.float")
_LOOKED_AT = ("startswith", "endswith")
_CONTAINED = (ast.In, ast.NotIn)


def _join(a: Own, b: Own) -> Own:
    if a is b or b is NOTHING:
        return a
    worse = b if (b.level, _weight(b)) > (a.level, _weight(a)) else a  # the first of equals
    return worse._replace(is_model=True) if a.is_model or b.is_model else worse


def _weight(own: Own) -> int:
    return _WEIGHTS.get(own.kind, _HEAVIEST)


def _worst(values: list[Own]) -> Own:
    found = NOTHING
    for value in values:
        found = _join(found, value)
    if found.level is Level.NOTHING:
        return SAME
    return found._replace(is_model=False) if found.is_model else found


class Owners:
    """The values of one program that each worker has for itself.

    `kinds`: the sources that count; what others make a worker's own is taken for the same.
    `told`: the calls that give all the same, as an average does. `is_in_order`: what stands before
    something in the text, and in no function, runs before it. `assumed`: what outside code without
    a row gives all the same if it gets what all have; None: each does.
    """

    def __init__(
        self,
        program: Program,
        kinds: frozenset[str] = ALL_KINDS,
        is_in_order: bool = False,
        told: Container[ast.AST | None] = frozenset(),
        own: Mapping[ast.AST, str | Own] = MappingProxyType({}),
        is_averaged: bool = False,
        assumed: Callable[[str], bool] | None = None,
    ) -> None:
        self._told, self._given_own, self._assumed = told, own, assumed
        self._program, self._kinds, self._is_in_order = program, kinds, is_in_order
        self._is_of_numbers = TEXT in kinds
        self._grounds = grounds = program.once(Grounds)
        self._shared = SHARED_MEMBERS | COUNTED if assumed is None else SHARED_MEMBERS
        is_alike = "model" not in kinds and assumed is None
        self._hooks = grounds.methods if is_alike else grounds.hooks
        self._is_averaged = is_averaged or grounds.is_averaged
        self._is_asking = False
        self._sorted = grounds.sorted if "order" in kinds else frozenset()
        self._picks = Domain(NOTHING, SAME, _join, self._decider, through=ANY)
        self._given: dict[ast.AST, Own] = {}
        self._seeds_of: dict[ast.Call, list[str]] = {}
        self._seeded: frozenset[str] = frozenset()
        self._domain = self._of_program()
        seedings = grounds.seedings.items()
        self._seeds_of = {call: names if self._seeds(call) else [] for call, names in seedings}
        self._seeded = frozenset(name for found in self._seeds_of.values() for name in found)
        if self._seeded:
            self._domain = self._of_program()
        for _ in range(_NESTED if grounds.layer_calls else 0):
            given = [(arg, self.of(expr)) for arg, expr in grounds.layer_calls]
            self._given = {}
            for arg, value in given:
                self._given[arg] = _join(self._given.get(arg, NOTHING), value)
            self._domain = self._of_program()

    @property
    def seeded(self) -> frozenset[str]:
        """The streams of chance that are seeded anywhere."""
        return self._seeded

    def of(self, expr: ast.AST | int) -> Own:
        """Whose own a value is."""
        return self._program.value(self._domain, expr)

    def rounds(self, iterable: ast.expr) -> Own:
        """Whose own the number of rounds is that a loop over something makes."""
        return self.of(self._program.rounds(iterable))

    def _of_program(self) -> Domain[Own]:
        """A domain that is solved anew, with what is known of the program by now."""
        return Domain(
            *(NOTHING, UNKNOWN, _join, self._create),
            through=ANY,
            suppose=self._suppose,
            at=self._at,
            has_influences=True,
            has_writes=True,
        )

    def _seeds(self, call: ast.Call) -> bool:
        """Whether a call that seeds makes draws alike on all workers, if it is ever run."""
        given = [*call.args, *(k.value for k in call.keywords)]
        home = self._grounds.homes.get(call)
        is_run = home is None or self._program.is_handed_out(home) or bool(self._callers(home))
        most = Level.SAME if self._assumed is None else Level.UNKNOWN
        return is_run and all(self.of(each).level <= most for each in given)

    def _callers(self, function: Any) -> tuple[ast.AST, ...]:
        return self._program.call_sites(function).nodes

    def _early(self, draw: ast.AST | None) -> frozenset[str]:
        """The streams that are seeded for certain behind a draw, and not before it."""
        if not self._is_in_order or draw is None or not self._seeds_of:
            return frozenset()
        homes, line = self._grounds.homes, getattr(draw, "lineno", 0)
        if draw in homes:
            return frozenset()
        before = {
            name
            for call, found in self._seeds_of.items()
            for name in found
            if call in homes or call.lineno <= line
        }
        return self._seeded - before

    # -- what a node computes -------------------------------------------------------------------

    def _at(self, key: object, value: Own) -> Own:
        if not isinstance(key, ast.AST):
            return _in_order(value) if _is_sorted(key) else value
        if key in self._told or is_agreed(key):  # by a check at run time, which all come to
            return SAME
        if value.kind == VARIABLE and isinstance(key, ast.Subscript):
            return self._own(TEXT, key)
        if key in self._given_own:
            kind = self._given_own[key]
            own = kind if isinstance(kind, Own) else Own(Level.OWN, kind, key)
            if own.kind in self._kinds:
                return own
        return self._of_parameter(key, value) if isinstance(key, ast.arg) else value

    def _of_parameter(self, key: ast.arg, value: Own) -> Own:
        """What a parameter gets of Keras, or of an Estimator, beside what calls give it."""
        if key in self._given:
            return _join(self._given[key], value if value.level is Level.OWN else NOTHING)
        if key in self._hooks:
            is_averaged = self._is_averaged and "epoch" in self._hooks[key]
            if "model" not in self._kinds:
                return SAME if value.level is Level.UNKNOWN else value
            is_logs = key.arg == "logs" and not is_averaged
            if is_logs:
                return Own(Level.OWN, "model", key)
            return SAME if value.level is Level.UNKNOWN else value
        if key.arg in SAID_TO_ALL and value.level is Level.UNKNOWN:
            return SAME
        return value

    def _create(self, origin: Origin, operands: Operands[Own]) -> Own:
        if origin.node in self._told and isinstance(origin.node, ast.Call):
            return SAME
        if self._is_of_numbers and origin.kind is Kind.CONSTANT:
            is_name = isinstance(origin.name, str) and origin.name in launchers.VARIABLES
            return Own(Level.SAME, VARIABLE, origin.node) if is_name else SAME
        if origin.kind is Kind.CALL:
            return self._call(origin, operands)
        if origin.kind is Kind.MEMBER:
            return self._member(origin, operands)
        if origin.kind is Kind.COMPUTED:
            return self._computed(origin, operands)
        if origin.kind is Kind.THING and isinstance(origin.thing, Library):
            return self._library(origin.thing.name, origin.node)
        found = _worst(operands.of(origin))
        is_raised = origin.kind is Kind.EXCEPTION and self._assumed is not None
        return _join(found, Own(Level.SAME, RAISED, origin.node)) if is_raised else found

    def _library(self, name: str, node: ast.AST | None) -> Own:
        """What an outside thing is by itself: a module, a function, a number."""
        if name.startswith("mpi4py.") and table.is_rank(name):
            return self._own("rank", node)
        return SAME if self._is_known(normal(name)) else Own(Level.SAME, ELSEWHERE, node)

    def _is_known(self, name: str) -> bool:
        """Whether it gives all the same, if they bring the same."""
        return self._assumed is None or table.gives(name) == table.EQUAL or self._assumed(name)

    def _suppose(self, origin: Origin, operands: Operands[Own]) -> Own:
        """Of an unknown value: a part of it, or what it gives for a worker's own."""
        if origin.node in self._told and isinstance(origin.node, ast.Call):
            return SAME
        if not origin.operands:
            return UNKNOWN
        return (self._member if origin.name is not None else self._call)(origin, operands)

    def _computed(self, origin: Origin, operands: Operands[Own]) -> Own:
        """An operator; as long as it is, data is on all workers (`steps` proves that)."""
        node = origin.node
        if origin.name == ROUNDS:
            names = set(map(normal, _names(operands.things(origin, "func"))))
            return _worst(operands.of(origin, "argument")) if names & COUNTERS else SAME
        if origin.name in (LENGTH, TURNS):
            return _worst(operands.of(origin)) if origin.name == LENGTH else SAME
        if self._is_of_numbers and isinstance(node, ast.Compare):
            return self._compared(node, _worst(operands.of(origin)))
        if isinstance(node, ast.Compare) and isinstance(node.ops[0], _CONTAINED):
            return _in_order(_worst(operands.of(origin)))
        is_none = isinstance(node, ast.Compare) and isinstance(node.ops[0], _NONE)
        found = _worst(operands.of(origin))  # a file that isn't there is none
        is_picked = is_none and found.kind != "file" and self._assumed is None
        return self._picked(origin) if is_picked else found

    def _compared(self, node: ast.Compare, found: Own) -> Own:
        """`rank is None`: all workers have one, or none; a text is compared with one of them."""
        if isinstance(node.ops[0], _NONE) or found.kind == VARIABLE:
            return SAME
        return found._replace(kind="rank") if found.kind == TEXT else found

    def _picked(self, origin: Origin) -> Own:
        """Who decides which of several things it is that is None or not; a test may ask itself."""
        if self._is_asking:
            return SAME
        self._is_asking = True
        try:
            values = [self._program.value(self._picks, n) for _, n in origin.operands]
        finally:
            self._is_asking = False
        return _worst(values)

    def _decider(self, origin: Origin, operands: Operands[Own]) -> Own:
        """What a comparison says counts where it decides, whatever else is in a value does not."""
        node = origin.node
        return self.of(node) if isinstance(node, (ast.Compare, ast.UnaryOp)) else SAME

    def _member(self, origin: Origin, operands: Operands[Own]) -> Own:
        """A part of what outside code has made is as the whole; shapes are alike."""
        step = origin.name
        if isinstance(step, tuple) and step[0] == "." and step[1] in self._shared:
            return SAME
        is_variable = isinstance(step, tuple) and len(step) > 1 and step[1] in launchers.VARIABLES
        if is_variable:
            return self._own(self._number, origin.node)
        if step == (".", "losses") and any(own.is_model for own in operands.of(origin)):
            return self._own("model", origin.node)
        if isinstance(step, tuple) and len(step) > 1 and step[1] in launchers.OWN_VARIABLES:
            return self._own("person", origin.node)
        found = _worst([*operands.of(origin), *operands.of(origin, KEY)])
        is_hidden = self._is_hidden(origin, operands, found)
        return self._as_data(_join(found, UNKNOWN) if is_hidden else found)

    def _is_hidden(self, origin: Origin, operands: Operands[Own], whole: Own) -> bool:
        """Whether code out of sight may have set a part: of a function, of a class of others."""
        if self._assumed is None:
            return False
        is_inherited = any(label == "base" for label, _ in origin.operands)
        is_open = is_inherited and whole != SAME
        bags = (t for t in operands.things(origin, "of") if isinstance(t, (Function, Box)))
        is_bag = any(isinstance(t, Function) or t.kind == "record" for t in bags)
        return is_open or is_bag or origin.name == AWAIT or not origin.operands

    def _call(self, origin: Origin, operands: Operands[Own]) -> Own:
        called = _names(operands.things(origin, "func"))
        name = normal(origin.name or next(iter(called), ""))
        labels = [label for label, _ in origin.operands if label not in ("func", "receiver")]
        receiver = (own for own in operands.of(origin, "receiver") if own.kind != ELSEWHERE)
        given = _worst([*(operands.of(origin, *labels, GIVEN) if labels else ()), *receiver])
        found = self._named(name, origin.node, given) if name else None
        if found is not None:
            return found
        method = _method(origin.node)
        if asks_all(method) or method in LENGTHS | SHARED_MEMBERS:
            asked = _worst(operands.of(origin, "func", "receiver"))
            return asked if asked.kind == "data" and asks_all(method) else SAME
        if not name and _lists(origin.node) and origin.node not in self._sorted:
            return self._listed(origin.node, given)
        if not name and _samples(origin.node):
            return self._drawn(SAMPLE, origin.node, _worst([given, *operands.of(origin, "func")]))
        if not name and self._is_asked(origin, operands) and "model" in self._kinds:
            is_kept = _method(origin.node) == "result"  # of what a metric has seen
            is_near = given.level <= Level.SAME and not is_kept and self._is_plain(origin.node)
            return Own(Level.OWN, "near" if is_near else "model", origin.node)
        made = given if name else self._called(origin, operands, given)
        if made.kind == TEXT and (name in _NUMBERS or method in _LOOKED_AT):
            return self._own("rank", origin.node)
        return made if table.is_reckoned(name) else self._as_data(made)

    def _called(self, origin: Origin, operands: Operands[Own], given: Own) -> Own:
        """What a method gives, or a function that came from somewhere: other code may do anything.

        So may what Python calls of a class that is derived from one of other code.
        """
        made = _worst([given, *operands.of(origin, "func")])
        is_hidden = made.kind == ELSEWHERE or not isinstance(origin.node, ast.Call)
        return _join(made, UNKNOWN) if is_hidden and self._assumed is not None else made

    def _is_asked(self, origin: Origin, operands: Operands[Own]) -> bool:
        """Whether it is a model that is called, or asked: `net(x)`, `self.nets[0].predict(x)`."""
        call, is_model = origin.node, any(own.is_model for own in operands.of(origin, "func"))
        is_called = is_model or is_own_layer(getattr(call, "func", None))
        holders = any(own.is_model for own in operands.of(origin, "receiver"))
        is_method = _method(call) in _ASKS and (holders or is_model or asks_own_model(call))
        return (is_called or is_method) and not self._is_built(origin)

    def _is_built(self, origin: Origin) -> bool:
        """Whether a model is called while another one is built from it."""
        given = (n for label, n in origin.operands if isinstance(label, int))
        return any(map(self._grounds.is_input, given))

    def _is_plain(self, call: ast.AST | None) -> bool:
        """Whether a model that is asked by this call has layers that draw nothing, nor keep any."""
        func = call.func if isinstance(call, ast.Call) and _is_inference(call) else None
        is_method = _method(call) in _ASKS
        model = func.value if is_method and isinstance(func, ast.Attribute) else func
        is_known = model is not None and self._grounds.is_made(model)
        return is_known and not self._grounds.has_state(model)  # type: ignore[arg-type]

    def _named(self, name: str, node: ast.AST | None, given: Own) -> Own | None:
        """What a function of that name gives, None where no row says."""
        word = table.gives(name)
        if table.is_told(name) or word == table.TEXT:
            return UNKNOWN if word == table.TEXT else SAME
        if name in OF_SHAPES:  # a text of a person's, or of a machine's, is as long as it is
            return given if given.kind == "person" else SAME
        if name in UNORDERED:
            return _in_order(given)
        found = self._of_worker(name, word, node, given) or self._of_chance(name, word, node, given)
        if found is not None:
            return found
        if not self._is_known(name):
            return _join(given, UNKNOWN)
        role = gives(name)
        if role in _SERVICES:
            return SAME
        is_asked = role == "model" or table.is_metric(name)
        return given._replace(is_model=True) if is_asked else None

    def _of_worker(
        self, name: str, word: str | None, node: ast.AST | None, given: Own
    ) -> Own | None:
        """What a worker has by its number, its machine, its clock, or in an order of its own."""
        if word == table.RANK:
            return self._own("rank", node)
        if name in launchers.ENVIRONMENT and (_names_rank(node) or given.kind == VARIABLE):
            return self._own(self._number, node)
        if name in launchers.ENVIRONMENT and _names_rank(node, launchers.OWN_VARIABLES):
            return self._own("person", node)
        if word == table.LISTING:
            return given if node in self._sorted else self._listed(node, given)
        if word == table.OPENED and READ in self._kinds:
            return _join(given, Own(Level.READ, READ, node))
        if word == table.HASH:
            return given if _is_given_number(node) else self._own("hash", node, given)
        return self._own(_KIND_OF[word], node) if word in _KIND_OF else None

    def _listed(self, node: ast.AST | None, given: Own) -> Own:
        """Names in no order; what is there is the same, but nobody sees that."""
        return self._own("order", node, given) if self._assumed is None else _join(given, UNKNOWN)

    def _of_chance(
        self, name: str, word: str | None, node: ast.AST | None, given: Own
    ) -> Own | None:
        """What a function draws, or makes that draws; None where it does neither."""
        if word == table.GENERATOR:
            is_seeded = _is_given_seed(node)
            return self._alike(given) if is_seeded else self._own("chance", node, given)
        drawn = draw(name)
        if word in (table.CHANCE, table.SOURCE):
            row = Draw(stream(name), "", drawn.seeds if drawn else _SEEDS)
            return self._drawn(row, node, given)
        is_order = drawn is not None and not drawn.is_listing
        return self._drawn(drawn, node, given) if is_order else None  # type: ignore[arg-type]

    def _drawn(self, row: Draw, node: ast.AST | None, given: Own) -> Own:
        """What a call draws: alike if its stream is seeded, or it is told a seed, or to draw none.

        What it is told may be a worker's own, too.
        """
        seeds = (_given_for(node, *each) for each in row.seeds)
        is_told = any(seed is not None and not _is_none(seed) for seed in seeds)
        if not _is_on(node, row):
            return given
        is_seeded = is_told or row.numbers in self._seeded - self._early(node)
        return self._alike(given) if is_seeded else self._own("chance", node, given)

    def _alike(self, given: Own) -> Own:
        """What all draw that begin alike, and draw equally often: an assumption."""
        return given if self._assumed is None else _join(given, UNKNOWN)

    @property
    def _number(self) -> str:
        """What a variable of the environment holds that says a worker's number."""
        return TEXT if self._is_of_numbers else "rank"

    def _as_data(self, own: Own) -> Own:
        """What is made with the worker's number: a share of the data, a path of its own."""
        made = MADE if self._is_of_numbers else "data"
        return own._replace(kind=made) if own.kind == "rank" else own

    def _own(self, kind: str, node: ast.AST | None, otherwise: Own = SAME) -> Own:
        """A worker's own value, if its source counts."""
        return Own(Level.OWN, kind, node) if kind in self._kinds else otherwise


def _names(things: Iterable[object]) -> list[str]:
    """The full names of the outside things among some."""
    return [thing.name for thing in things if isinstance(thing, Library)]


def _method(node: ast.AST | None) -> str:
    func = getattr(node, "func", None)
    return func.attr if isinstance(func, ast.Attribute) else ""


def _names_rank(node: ast.AST | None, variables: frozenset[str] = launchers.VARIABLES) -> bool:
    """`os.environ.get("OMPI_COMM_WORLD_RANK")`."""
    args = node.args[:1] if isinstance(node, ast.Call) else []
    return any(isinstance(a, ast.Constant) and a.value in variables for a in args)


def _given_for(node: ast.AST | None, name: str, position: int | None) -> ast.expr | None:
    """What a call is given for an argument, by keyword or at its place."""
    if not isinstance(node, ast.Call) or not name:
        return None
    before = node.args[: position + 1] if position is not None else []
    is_there = len(before) == (position or 0) + 1
    is_hidden = any(isinstance(each, ast.Starred) for each in before)
    placed = before[-1:] if is_there and not is_hidden else []
    return next((k.value for k in node.keywords if k.arg == name), placed[0] if placed else None)


def _is_on(node: ast.AST | None, row: Draw) -> bool:
    """Whether a call draws at all: `KFold(shuffle=True)` does."""
    switch = _given_for(node, *row.switch)
    if switch is None:
        return row.by_default
    return not (isinstance(switch, ast.Constant) and not switch.value)


def _is_none(value: ast.expr) -> bool:
    return isinstance(value, ast.Constant) and value.value is None


def _is_sorted(key: object) -> bool:
    """Whether it stands for the elements of what `sorted` gives."""
    made = key[1] if isinstance(key, tuple) and key[:1] == ("rest",) else None
    return isinstance(made, tuple) and made[:1] == ("sorted",)


def _lists(node: ast.AST | None) -> bool:
    """`Path("data").iterdir()`: names in no order."""
    listed = draw_of_method(_method(node), frozenset())
    return listed is not None and listed.is_listing


def _samples(node: ast.AST | None) -> bool:
    """`table.sample(frac=1)`: all of it, or a part, in an order of chance."""
    words = (k.arg or "" for k in node.keywords) if isinstance(node, ast.Call) else ()
    return draw_of_method(_method(node), frozenset(words)) is SAMPLE


def _is_given_number(node: ast.AST | None) -> bool:
    """`hash(3)`: it is the number itself."""
    args = node.args if isinstance(node, ast.Call) else []
    return any(isinstance(a, ast.Constant) and isinstance(a.value, (int, float)) for a in args)


def _in_order(own: Own) -> Own:
    """What is made alike of whatever order it is in."""
    return SAME if own.kind == "order" else own


def _is_given_seed(node: ast.AST | None) -> bool:
    """`default_rng(0)`; by None a generator begins anew in every process."""
    given = [*node.args, *(k.value for k in node.keywords)] if isinstance(node, ast.Call) else []
    return not all(map(_is_none, given))


def _is_inference(call: ast.Call) -> bool:
    """Whether it asks a model by nothing that lets it draw: `net(x, training=False)`."""
    said = (k for k in call.keywords if k.arg not in OF_SHOWING)
    return all(k.arg == "training" and getattr(k.value, "value", 1) is False for k in said)
