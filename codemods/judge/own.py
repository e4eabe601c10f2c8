"""Whose own is a value? As small as it can be: by rank, by own data, by clock and by chance.

Code outside of the project that gets only what all workers have gives all the same: an assumption.
"""

from __future__ import annotations

import ast
from collections.abc import Container, Iterable, Iterator, Mapping
from enum import IntEnum
from types import MappingProxyType
from typing import Any, Callable

from ..library import agreement as table
from ..library import launchers
from ..library.agreement import COUNTERS, OF_SHAPES, OF_SHOWING, SHARED_MEMBERS
from ..library.call_results import gives
from ..library.draws import UNORDERED, draw, draw_of_method
from ..library.element_counts import LENGTHS
from ..library.examples import SEED_ARGUMENTS
from ..library.layers import has_state
from ..library.names import normal
from ..library.seeds import SEEDS, TORCH, stream
from ..library.waiting_calls import COUNTED, SAID_TO_ALL, asks_all, makes_input
from ..program.domain import Domain, Operands
from ..program.edges import ANY, VALUE
from ..program.influences import GIVEN, KEY
from ..program.node_fields import within
from ..program.origins import Kind, Origin
from ..program.program import Program
from ..program.records import NamedTuple
from ..program.sizes import LENGTH, ROUNDS, TURNS
from ..program.things import Library
from ..syntax.agreed import is_agreed
from .classes import methods
from .workers import SIZES, WORKERS


class Level(IntEnum):
    """How a value differs between workers; the larger one wins where values meet."""

    NOTHING = 0
    SAME = 1
    UNKNOWN = 2
    OWN = 3


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
_NESTED = 2  # layers inside of layers, as far as they are followed
_ALL_STREAMS = (*SEEDS["tensorflow.keras.utils.set_random_seed"], TORCH)
ALL_KINDS = frozenset({"rank", "data", "clock", "chance", "model", "person"})
_KIND_OF = {
    table.HOST: "person",
    table.PERSON: "person",
    table.CLOCK: "clock",
    table.SERVED: "file",
    table.WORLD: "data",
}
_MENDED = ("order", "found")
_CONTAINED = (ast.In, ast.NotIn)
_FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda)


def _join(a: Own, b: Own) -> Own:
    is_hidden = a.kind in _MENDED and b.level is a.level  # what sorting, say, takes away
    worse = b if b.level > a.level or is_hidden else a  # the first of equals
    return worse._replace(is_model=True) if a.is_model or b.is_model else worse


def _worst(values: list[Own]) -> Own:
    found = NOTHING
    for value in values:
        found = _join(found, value)
    return SAME if found.level is Level.NOTHING else found._replace(is_model=False)


class Owners:
    """The values of one program that each worker has for itself.

    `kinds`: the sources that count; what others make a worker's own is taken for the same.
    `told`: the calls that give all the same, as an average does. `is_in_order`: what stands before
    something in the text, and in no function, runs before it.
    """

    def __init__(
        self,
        program: Program,
        nodes: list[ast.AST],
        kinds: frozenset[str] = ALL_KINDS,
        is_in_order: bool = False,
        told: Container[ast.AST | None] = frozenset(),
        own: Mapping[ast.AST, str | Own] = MappingProxyType({}),
        is_averaged: bool = False,
    ) -> None:
        self._told, self._given_own = told, own
        self._program, self._kinds, self._is_in_order = program, kinds, is_in_order
        self._seeds_of: dict[ast.Call, tuple[str, ...]] = {}
        self._home: dict[ast.AST, Any] = {}
        self._seeded: frozenset[str] = frozenset()
        calls = [node for node in nodes if isinstance(node, ast.Call)]
        self._given: dict[ast.AST, Own] = {}
        self._hooks = dict(_hooks(nodes))
        if "model" not in kinds:
            self._hooks.update(_given_by_outside(program, nodes))
        self._is_averaged = is_averaged or any(
            name.endswith("MetricAverageCallback") for c in calls for name in program.names(c.func)
        )
        self._is_asking = False
        sorts = (c for c in calls if _method(c) == "sort" and "order" in kinds)
        lists = (c.func.value for c in sorts)  # type: ignore[attr-defined]
        self._sorted = {node for each in lists for node in program.origins(each).nodes}
        self._is_input = program.sought(self._makes_input)
        self._has_state = program.sought(self._makes_state)
        self._picks = Domain(NOTHING, SAME, _join, self._decider, through=ANY)
        self._domain = self._of_program()
        self._home = _homes(nodes) if any(map(self._is_seeding, calls)) else {}
        self._seeds_of = {call: (*self._seeds(call),) for call in calls if self._is_seeding(call)}
        self._seeded = frozenset(name for found in self._seeds_of.values() for name in found)
        self._domain = self._of_program()
        for _ in range(_NESTED if any(_keras_calls(program, calls)) else 0):
            given = [(arg, self.of(expr)) for arg, expr in _keras_calls(program, calls)]
            self._given = {}
            for arg, value in given:
                self._given[arg] = _join(self._given.get(arg, NOTHING), value)
            self._domain = self._of_program()

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

    def _is_seeding(self, call: ast.Call) -> bool:
        """Whether it seeds; what is called so outside of the project may know its number itself."""
        names = [normal(name) for name in self._program.names(call.func)]
        if not call.args and not call.keywords:
            names = [name for name in names if name not in SEEDS and _says_to_seed(name)]
        return any(map(_seeded_by, names))

    def _seeds(self, call: ast.Call) -> Iterator[str]:
        """The streams whose draws a call makes alike on all workers, if it is ever run."""
        given = [*call.args, *(k.value for k in call.keywords)]
        home = self._home.get(call)
        is_run = home is None or self._program.is_handed_out(home) or bool(self._callers(home))
        if is_run and all(self.of(each).level is Level.SAME for each in given):
            for name in self._program.names(call.func):
                yield from _seeded_by(normal(name))

    def _callers(self, function: Any) -> tuple[ast.AST, ...]:
        return self._program.call_sites(function).nodes

    def _early(self, draw: ast.AST | None) -> frozenset[str]:
        """The streams that are seeded for certain behind a draw, and not before it."""
        if not self._is_in_order or draw is None or draw in self._home or not self._seeds_of:
            return frozenset()
        line = getattr(draw, "lineno", 0)
        before = {
            name
            for call, found in self._seeds_of.items()
            for name in found
            if call in self._home or call.lineno <= line
        }
        return self._seeded - before

    # -- what a node computes -------------------------------------------------------------------

    def _at(self, key: object, value: Own) -> Own:
        if _is_sorted(key):
            return _in_order(value)
        if is_agreed(key):  # a check at run time, which all workers come to, shows it
            return SAME
        if key in self._told:
            return SAME
        kind = self._given_own.get(key)  # type: ignore[call-overload]
        own = kind if isinstance(kind, Own) else Own(Level.OWN, kind or "", key)  # type: ignore[arg-type]
        if own.kind in self._kinds:
            return own
        if key in self._given:
            return _join(self._given[key], value if value.level is Level.OWN else NOTHING)
        if isinstance(key, ast.arg) and key in self._hooks:
            is_averaged = self._is_averaged and "epoch" in self._hooks[key]
            if "model" not in self._kinds:
                return SAME if value.level is Level.UNKNOWN else value
            is_logs = key.arg == "logs" and not is_averaged
            return Own(Level.OWN, "model", key) if is_logs else SAME
        if isinstance(key, ast.arg) and key.arg in SAID_TO_ALL and value.level is Level.UNKNOWN:
            return SAME  # by Keras or an Estimator, which call the function
        return value

    def _create(self, origin: Origin, operands: Operands[Own]) -> Own:
        if origin.node in self._told and isinstance(origin.node, ast.Call):
            return SAME
        if origin.kind is Kind.CALL:
            return self._call(origin, operands)
        if origin.kind is Kind.MEMBER:
            return self._member(origin, operands)
        if origin.kind is Kind.COMPUTED:
            return self._computed(origin, operands)
        if origin.kind is Kind.THING and isinstance(origin.thing, Library):
            is_rank = origin.thing.name.startswith("mpi4py.") and table.is_rank(origin.thing.name)
            return self._own("rank", origin.node) if is_rank else SAME
        return _worst(operands.of(origin))

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
        if isinstance(node, ast.Compare) and isinstance(node.ops[0], _CONTAINED):
            return _in_order(_worst(operands.of(origin)))
        is_none = isinstance(node, ast.Compare) and isinstance(node.ops[0], _NONE)
        found = _worst(operands.of(origin))  # a file that isn't there is none
        return self._picked(origin) if is_none and found.kind != "file" else found

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
        if isinstance(step, tuple) and step[0] == "." and step[1] in SHARED_MEMBERS | COUNTED:
            return SAME
        is_variable = isinstance(step, tuple) and len(step) > 1 and step[1] in launchers.VARIABLES
        if is_variable:
            return self._own("rank", origin.node)
        if step == (".", "losses") and any(own.is_model for own in operands.of(origin)):
            return self._own("model", origin.node)
        if isinstance(step, tuple) and len(step) > 1 and step[1] in launchers.OWN_VARIABLES:
            return self._own("person", origin.node)
        return _as_data(_worst([*operands.of(origin), *operands.of(origin, KEY)]))

    def _call(self, origin: Origin, operands: Operands[Own]) -> Own:
        labels = [label for label, _ in origin.operands if label != "func"]
        given = _worst(operands.of(origin, *labels, GIVEN)) if labels else SAME
        called = _names(operands.things(origin, "func"))
        name = normal(origin.name or next(iter(called), ""))
        found = self._named(name, origin.node, given) if name else None
        if found is not None:
            return found
        method = _method(origin.node)
        if asks_all(method) or method in LENGTHS:
            asked = _worst(operands.of(origin, "func", "receiver"))
            return asked if asked.kind == "data" and asks_all(method) else SAME
        if not name and _lists(origin.node) and origin.node not in self._sorted:
            return self._own("order", origin.node, given)
        if not name and self._is_asked(origin, operands) and "model" in self._kinds:
            is_kept = _method(origin.node) == "result"  # of what a metric has seen
            is_near = given.level <= Level.SAME and not is_kept and self._is_plain(origin.node)
            return Own(Level.OWN, "near" if is_near else "model", origin.node)
        made = given if name else _worst([given, *operands.of(origin, "func")])
        return made if table.is_reckoned(name) else _as_data(made)

    def _is_asked(self, origin: Origin, operands: Operands[Own]) -> bool:
        """Whether it is a model that is called, or asked: `net(x)`, `self.nets[0].predict(x)`."""
        call, is_model = origin.node, any(own.is_model for own in operands.of(origin, "func"))
        is_called = is_model or _is_own_layer(getattr(call, "func", None))
        holders = any(own.is_model for own in operands.of(origin, "receiver"))
        is_method = _method(call) in _ASKS and (holders or is_model or _is_of_callback(call))
        return (is_called or is_method) and not self._is_built(origin)

    def _is_built(self, origin: Origin) -> bool:
        """Whether a model is called while another one is built from it."""
        return any(self._is_input(n) for label, n in origin.operands if isinstance(label, int))

    def _is_plain(self, call: ast.AST | None) -> bool:
        """Whether a model that is asked by this call has layers that draw nothing, nor keep any."""
        func = call.func if isinstance(call, ast.Call) and _is_inference(call) else None
        is_method = _method(call) in _ASKS
        model = func.value if is_method and isinstance(func, ast.Attribute) else func
        is_known = model is not None and self._is_made(model)
        return is_known and not self._has_state(model)  # type: ignore[arg-type]

    def _makes_state(self, node: ast.AST) -> bool:
        """Whether a layer is made that answers otherwise by what it has seen, or by chance."""
        names = self._program.names(node.func) if isinstance(node, ast.Call) else ()
        is_own = isinstance(node, ast.Call) and bool(self._program.classes(node.func).nodes)
        is_given = _is_own_model(node) and not self._is_made(node)  # whatever is in it
        return is_own or is_given or any(map(has_state, names))

    def _is_made(self, model: ast.AST) -> bool:
        """Whether the program makes a model, wherever it may come from."""
        made = self._program.origins(model)
        return made.complete and all(map(_is_call, made.nodes))

    def _makes_input(self, node: ast.AST) -> bool:
        names = self._program.names(node.func) if isinstance(node, ast.Call) else ()
        return any(map(makes_input, names))

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
        if name in launchers.ENVIRONMENT and _names_rank(node):
            return self._own("rank", node)
        if name in launchers.ENVIRONMENT and _names_rank(node, launchers.OWN_VARIABLES):
            return self._own("person", node)
        if word == table.LISTING:
            return given if node in self._sorted else self._own("order", node, given)
        if word == table.HASH:
            return given if _is_given_number(node) else self._own("hash", node, given)
        return self._own(_KIND_OF[word], node) if word in _KIND_OF else None

    def _of_chance(
        self, name: str, word: str | None, node: ast.AST | None, given: Own
    ) -> Own | None:
        """What a function draws, or makes that draws; None where it does neither."""
        if word == table.GENERATOR:
            return given if _is_given_seed(node) else self._own("chance", node, given)
        if word in (table.CHANCE, table.SOURCE):
            is_seeded = _has_seed(node) or stream(name) in self._seeded - self._early(node)
            return given if is_seeded else self._own("chance", node, given)
        drawn = draw(name)
        if drawn is None or drawn.is_listing:
            return None
        is_seeded = _has_seed(node) or drawn.numbers in self._seeded - self._early(node)
        is_alike = is_seeded or not _is_on(node, drawn.switch[0], drawn.by_default)
        return given if is_alike else self._own("chance", node, given)

    def _own(self, kind: str, node: ast.AST | None, otherwise: Own = SAME) -> Own:
        """A worker's own value, if its source counts."""
        return Own(Level.OWN, kind, node) if kind in self._kinds else otherwise


# The worker's number itself, for each worker of a model job: None where nobody can tell.
Numbers = tuple[object, ...]
_MANY: Numbers = ()  # one of several
_OPERATORS: dict[type[ast.cmpop], Callable[[Any, Any], bool]] = {
    ast.Eq: lambda a, b: a == b,
    ast.NotEq: lambda a, b: a != b,
    ast.Lt: lambda a, b: a < b,
    ast.LtE: lambda a, b: a <= b,
    ast.Gt: lambda a, b: a > b,
    ast.GtE: lambda a, b: a >= b,
}


def _number(origin: Origin, operands: Operands[Numbers | None]) -> Numbers | None:
    """What a node computes, for each worker of the model job."""
    if origin.kind is Kind.CONSTANT and isinstance(origin.name, (int, bool)):
        return (origin.name,) * len(WORKERS)
    if origin.kind is Kind.CALL:
        called = _names(operands.things(origin, "func"))
        last = (origin.name or next(iter(called), "")).rpartition(".")
        is_horovod = last[0].startswith("horovod")
        return SIZES.get(last[2], _MANY) if is_horovod else _MANY
    node, values = origin.node, operands.of(origin)
    if origin.kind is Kind.COMPUTED and isinstance(node, ast.Compare) and len(values) == 2:
        compare, (left, right) = _OPERATORS.get(type(node.ops[0])), values
        if compare is not None and left and right:
            return tuple(compare(a, b) for a, b in zip(left, right))
    return _MANY


NUMBERS: Domain[Numbers | None] = Domain(
    None, _MANY, lambda a, b: a if b is None or a == b else (b if a is None else _MANY), _number,
    through=VALUE,
)  # fmt: skip


def _seeded_by(name: str) -> tuple[str, ...]:
    """The streams that a function seeds; what is called so outside of the project seeds all."""
    if name in SEEDS or table.gives(name) is not None:
        return SEEDS.get(name, ())
    return _ALL_STREAMS if "seed" in name.rpartition(".")[2].lower() else ()


def _says_to_seed(name: str) -> bool:
    """`seed_everything()` of another module, and not `torch.initial_seed()`."""
    return name.rpartition(".")[2].lower().startswith(("seed", "set", "fix"))


def _homes(nodes: list[ast.AST]) -> dict[ast.AST, Any]:
    """The function around each node of one."""
    functions = (node for node in nodes if isinstance(node, _FUNCTIONS))  # the outer ones first
    return {inside: node for node in functions for inside in within(node) if inside is not node}


def _as_data(own: Own) -> Own:
    """What is made with the worker's number: a share of the data, a path of its own."""
    return own._replace(kind="data") if own.kind == "rank" else own


def _keras_calls(program: Program, calls: list[ast.Call]) -> Iterator[tuple[ast.arg, ast.expr]]:
    """The parameters of the methods `call` of layers that Keras runs, with what they are given."""
    for call in calls:
        for cls in program.instances(call.func).nodes:
            for method in methods(cls, ("call",)):
                yield from zip(method.args.args[1:], call.args)


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


def _has_seed(node: ast.AST | None) -> bool:
    """Whether a draw is told where to begin; what it is told may be a worker's own, too."""
    given = node.keywords if isinstance(node, ast.Call) else []
    return any(k.arg in SEED_ARGUMENTS and not _is_none(k.value) for k in given)


def _is_on(node: ast.AST | None, switch: str, by_default: bool) -> bool:
    """Whether a call draws at all: `KFold(shuffle=True)` does."""
    given = node.keywords if isinstance(node, ast.Call) else []
    values = [k.value for k in given if switch and k.arg == switch]
    is_off = any(isinstance(v, ast.Constant) and not v.value for v in values)
    return not is_off if values else by_default


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


def _given_by_outside(program: Program, nodes: list[ast.AST]) -> Iterator[tuple[ast.AST, str]]:
    """The parameters of methods that outside code calls: of layers, constraints, models."""
    for cls in nodes:
        bases = cls.bases if isinstance(cls, ast.ClassDef) else ()
        if any(program.names(base) for base in bases):
            for method in methods(cls):
                yield from ((arg, method.name) for arg in method.args.args[1:])


def _hooks(nodes: list[ast.AST]) -> Iterator[tuple[ast.AST, str]]:
    """The parameters of what Keras calls while it trains, with the name by which it does."""
    for node in nodes:
        if isinstance(node, ast.FunctionDef) and is_hook(node.name):
            yield from ((arg, node.name) for arg in node.args.args[1:])
        elif isinstance(node, ast.keyword) and isinstance(node.value, ast.Lambda):
            hook = node.arg if node.arg and is_hook(node.arg) else ""
            yield from ((arg, hook) for arg in node.value.args.args if hook)


def _is_call(node: ast.AST) -> bool:
    return isinstance(node, ast.Call)


def _is_inference(call: ast.Call) -> bool:
    """Whether it asks a model by nothing that lets it draw: `net(x, training=False)`."""
    said = (k for k in call.keywords if k.arg not in OF_SHOWING)
    return all(k.arg == "training" and getattr(k.value, "value", 1) is False for k in said)


def _is_of_callback(node: ast.AST | None) -> bool:
    """`self.model.predict(x)`: the model that Keras hands to a callback."""
    func = node.func if isinstance(node, ast.Call) else None
    return _is_own_model(getattr(func, "value", None))


def _is_own_layer(func: ast.AST | None) -> bool:
    """`self.model` of `self.model(x)`, and `self.model.layers[0]`, `self.model.get_layer("a")`."""
    if _is_own_model(func):
        return True
    if not isinstance(func, (ast.Subscript, ast.Call)):
        return False
    while isinstance(func, (ast.Subscript, ast.Call, ast.Attribute)) and not _is_own_model(func):
        func = func.func if isinstance(func, ast.Call) else func.value
    return _is_own_model(func)


def _is_own_model(expr: ast.AST | None) -> bool:
    is_model = isinstance(expr, ast.Attribute) and expr.attr == "model"
    return is_model and isinstance(expr.value, ast.Name) and expr.value.id == "self"  # type: ignore[union-attr]


def is_hook(name: str) -> bool:
    """Whether callbacks have a method of that name."""
    return name.startswith("on_") and name.endswith(("_begin", "_end"))
