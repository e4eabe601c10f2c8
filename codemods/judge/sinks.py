"""Where a worker's own would make another training of it: a row a place, with the kinds that count.

What reaches a model while it trains is found by `beside`; here is what stands before: how it looks,
how it is trained, how long, on how much. What is random on purpose isn't among it: noise on data or
in layers, first weights, which all get from worker 0.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator
from functools import cached_property

from ..library import settings as table
from ..library.call_results import gives
from ..library.names import normal
from ..program.node_fields import within
from ..program.parts import given_by
from ..program.program import Program
from ..program.records import NamedTuple
from .beside import LOGS, NUMBER, WEIGHTS, Beside
from .own import EVERY

OF_BATCHES = frozenset({"model", "batch", "data"})
FOUND = "found"  # whether a file is there, asked at a time of its own
ALL = EVERY | OF_BATCHES | {FOUND}
NEAR = frozenset({"near"})  # equal but for rounding: near enough for a rate, and for no step


class Sink(NamedTuple):
    """A kind of place: what stands there, what happens if it differs, which kinds count.

    `code`: under which it is told of a program that is yet to be rewritten.
    """

    subject: str
    harm: str
    kinds: frozenset[str] = EVERY
    code: str = "T07"


_UNLIKE = "the workers would not train one model in one way"
_DRIFT = "the models of the workers drift apart"
_UNEVEN = "the workers would take different numbers of steps, and wait for ever"
_LEFT = "the others wait for the step that one leaves out"
_APART = "one worker ends before the others, which wait for ever"
PART = Sink("this says how the model looks or learns", _UNLIKE)
OPTIMIZER = Sink("this is a number of the optimizer", _DRIFT)
WHICH = Sink("this decides which optimizer, or which loss, trains", _DRIFT, EVERY | {"rank"})
LAYERS = Sink("this decides which layers there are, or which of them are trained", _UNLIKE)
AMOUNT = Sink("this says how many steps there are, or how much each takes", _APART)
RATE = Sink("this gives a learning rate", _DRIFT, ALL)
TARGETS = Sink(
    "these targets are made with it",
    "a class means another thing on each worker",
    frozenset({"clock", "person"}),  # noise is one's own; of hashes the population tells
)
LOSS = Sink("this weighs parts of the loss", _UNLIKE)
STOP = Sink("this ends the training", _APART, ALL | NEAR)
GRADIENTS = Sink(
    "these gradients are applied as they are, behind the average", _DRIFT, ALL - {"order"}
)
TRAINING = Sink("this decides whether the model is trained", _APART)
STEP = Sink("this decides whether a step is taken", _LEFT, ALL | NEAR)
COLLECTIVE = Sink(
    "this decides whether a collective is called", "the others wait for it", ALL | NEAR, "H12"
)
APPLIED = Sink("this decides whether averaged gradients are applied", _DRIFT, ALL)
THAWED = Sink("this decides which layers are trained from here on", _UNLIKE, ALL)
EXAMPLES = Sink("this says how many examples there are", _UNEVEN, EVERY, "K04")
ROUNDS = Sink("this is gone through, a step a round", _UNEVEN, ALL | NEAR, "K04")
UNTRAINED = Sink(
    "what is trained learns by what this model says", "each follows another", frozenset({"weights"})
)
WEIGHTS_SET = Sink("this sets weights while the model trains", _DRIFT, ALL | {"weights"})
NUMBER_SET = Sink("this is a number of the optimizer while the model trains", _DRIFT, ALL)
LOGGED = Sink("this steers the training, behind the callback that averages", _APART, ALL)

OF_CHANGES = {WEIGHTS: WEIGHTS_SET, NUMBER: NUMBER_SET, LOGS: LOGGED}
_LOADS = "load_model"  # all get from worker 0 what it has found
SINKS = (
    *(PART, OPTIMIZER, WHICH, LAYERS, THAWED, AMOUNT, EXAMPLES, ROUNDS, RATE, LOSS, TARGETS),
    *(STEP, COLLECTIVE, STOP),
    *(APPLIED, GRADIENTS, WEIGHTS_SET, NUMBER_SET, LOGGED, TRAINING, UNTRAINED),
)


class Reached(NamedTuple):
    """A sink of a program: where it is, what gets there, the tests that decide on it."""

    sink: Sink
    place: ast.AST
    values: tuple[ast.expr | int, ...] = ()
    tests: tuple[ast.expr, ...] = ()


class Sinks:
    """The sinks of one program."""

    def __init__(self, program: Program, beside: Beside) -> None:
        self._program, self._beside = program, beside
        self._nodes = beside.nodes

    def reached(self, fits: Iterable[ast.Call]) -> Iterator[Reached]:
        """All of them; `fits` are the calls that train."""
        for call in self._calls:
            for name in map(normal, self._program.names(call.func)):
                yield from self._of_name(call, name)
            yield from self._of_method(call)
            yield from self._picked(call)
        for loop in self._beside.loops:
            rounds = self._program.rounds(loop.iter)
            yield Reached(AMOUNT, loop, (rounds,), self._tests(loop))
        for call in self._beside.applied:
            yield Reached(GRADIENTS, call, tuple(self._beside.gradients(call)))
            yield from self._picked_optimizer(call)
            yield Reached(APPLIED, call, (), self._tests(call))
        for call in fits:
            yield Reached(AMOUNT, call, tuple(_named(call, table.AMOUNTS)))
            yield Reached(LOSS, call, tuple(_named(call, table.WEIGHTS)))
            yield Reached(TARGETS, call, tuple(_named(call, table.TARGETS) or call.args[1:2]))
            yield Reached(TRAINING, call, (), self._tests(call))
            yield from self._picked_model(call)
        yield from self._stored()
        for change in self._beside.changes():
            sink = OF_CHANGES[change.what]
            yield Reached(sink, change.place, change.values, self._tests(change.place))
        for fed, value in self._fed():
            yield Reached(NUMBER_SET, fed, (value,))

    def _fed(self) -> Iterator[tuple[ast.expr, ast.expr]]:
        """The placeholders of which numbers of an optimizer are made, and what stands for them."""
        fed = [d for c in self._calls if _method(c) in table.RUNNING for d in _feeds(c)]
        made = (call for call in self._calls if fed and self._makes_optimizer(call))
        given = [value for call in made for value in _settings(call)]
        numbers = frozenset(self._program.ingredients_of(given)) if given else frozenset()
        for key, value in (pair for each in fed for pair in zip(each.keys, each.values)):
            if key is not None and numbers.intersection(self._program.origins(key).nodes):
                yield key, value

    def _makes_optimizer(self, call: ast.Call) -> bool:
        return any(map(_is_optimizer, self._program.names(call.func)))

    def _of_name(self, call: ast.Call, name: str) -> Iterator[Reached]:
        """What makes a part of a model, a callback that steers, an optimizer."""
        if table.is_part(name):
            yield Reached(PART, call, tuple(_settings(call)))
            yield Reached(LAYERS, call, tuple(self._beside.rounds(call)), self._tests(call))
        elif table.steers(name):
            is_asked = table.gives_rates(name)
            values = self._results(call) if is_asked else _settings(call)
            yield Reached(RATE if is_asked else STOP, call, (*values, call))
        elif _is_optimizer(name) or gives(name) == "schedule":
            yield Reached(OPTIMIZER, call, tuple(_settings(call)))

    def _picked(self, call: ast.Call) -> Iterator[Reached]:
        """`NETS[name]()`, `(small if tiny else large)()`: what is called is one of several."""
        found = self._program
        if isinstance(call.func, (ast.Name, ast.Attribute)) and len(found.things(call.func)) < 2:
            return
        makers = (*found.functions(call.func).nodes, *found.classes(call.func).nodes)
        names = [normal(name) for name in self._program.names(call.func)]
        if isinstance(call.func, (ast.Name, ast.Attribute)) and len(makers) + len(names) < 2:
            return
        if any(map(table.is_part, names)) or any(map(self._makes_part, makers)):
            yield Reached(LAYERS, call, (call.func,))
        elif any(gives(name) == "optimizer" for name in names):
            yield Reached(WHICH, call, (call.func,))

    def _picked_optimizer(self, applied: ast.Call) -> Iterator[Reached]:
        """Which of several optimizers takes a step."""
        holder = applied.func.value  # type: ignore[attr-defined]
        if len(self._program.origins(holder).nodes) > 1:
            yield Reached(WHICH, applied, (holder,))

    def _picked_model(self, fit: ast.Call) -> Iterator[Reached]:
        """Which of several models is trained: of one, its first weights may be anybody's."""
        model = fit.func.value if isinstance(fit.func, ast.Attribute) else None
        made = () if model is None else self._program.origins(model).nodes
        calls = [node for node in made if isinstance(node, ast.Call)]
        names = (name for call in calls for name in self._program.names(call.func))
        if model is not None and len(calls) > 1 and not any(n.endswith(_LOADS) for n in names):
            yield Reached(LAYERS, fit, (model,))

    def _makes_part(self, maker: ast.AST) -> bool:
        """Whether a function, or a class, makes layers or a model."""
        calls = (node for node in within(maker) if isinstance(node, ast.Call))
        return any(table.is_part(normal(n)) for c in calls for n in self._program.names(c.func))

    def _results(self, call: ast.Call) -> Iterator[ast.expr]:
        """What the functions of the program give that a call is given, and by which tests."""
        for each in (*call.args[:1], *(k.value for k in call.keywords)):
            for function in self._program.functions(each).nodes:
                for value in given_by(function):
                    yield value
                    yield from self._beside.tests(value)

    def _of_method(self, call: ast.Call) -> Iterator[Reached]:
        func = call.func
        if not isinstance(func, ast.Attribute) or self._program.functions(func).nodes:
            return
        if func.attr == "compile" and self._is_model(call):
            yield Reached(WHICH, call, (*call.args[:2], *_named(call, table.COMPILED)))
            yield Reached(LOSS, call, tuple(_named(call, table.LOSS_WEIGHTS)))
        elif func.attr == "add" and self._is_of_model(func.value):
            yield Reached(LAYERS, call, tuple(self._beside.rounds(call)), self._tests(call))

    def _stored(self) -> Iterator[Reached]:
        """`layer.trainable = …`, `self.model.stop_training = …`, `optimizer.learning_rate = …`."""
        for node in (each for each in self._nodes if isinstance(each, (ast.Assign, ast.Call))):
            for owner, name, value in _settings_of(node):
                sink = self._sink_of(node, owner, name)
                if sink is not None:
                    yield Reached(sink, node, (value,), self._tests(node))

    def _sink_of(self, node: ast.AST, owner: ast.expr, name: str) -> Sink | None:
        if name == "trainable":
            return THAWED if self._beside.is_while_training(node) else LAYERS
        is_rate = name in table.RATES and self._beside.is_of_optimizer(owner)
        is_late = self._beside.is_while_training(node)
        rate = NUMBER_SET if is_late else OPTIMIZER
        return rate if is_rate else (STOP if name == "stop_training" else None)

    def _tests(self, place: ast.AST) -> tuple[ast.expr, ...]:
        return tuple(self._beside.tests(place))

    def _is_model(self, call: ast.Call) -> bool:
        return any(k.arg in ("optimizer", "loss") for k in call.keywords) or bool(call.args)

    def _is_of_model(self, expr: ast.expr) -> bool:
        made = self._program.origins(expr).nodes
        calls = [node for node in made if isinstance(node, ast.Call)]
        return any(gives(normal(n)) == "model" for c in calls for n in self._program.names(c.func))

    @cached_property
    def _calls(self) -> list[ast.Call]:
        return [node for node in self._nodes if isinstance(node, ast.Call)]


def _settings_of(node: ast.AST) -> Iterator[tuple[ast.expr, str, ast.expr]]:
    """What an assignment, or `setattr`, gives an attribute: of what, its name, and the value."""
    if isinstance(node, ast.Assign):
        stored = (target for target in node.targets if isinstance(target, ast.Attribute))
        yield from ((target.value, target.attr, node.value) for target in stored)
    called = node.func if isinstance(node, ast.Call) and len(node.args) == 3 else None
    if isinstance(called, ast.Name) and called.id == "setattr":
        owner, name, value = node.args  # type: ignore[attr-defined]
        yield owner, str(getattr(name, "value", "")), value


def _is_optimizer(name: str) -> bool:
    """Whether it makes an optimizer of TensorFlow's, and wraps none."""
    return gives(name) == "optimizer" and name.split(".")[0] != "horovod"


def _method(call: ast.Call) -> str:
    return getattr(call.func, "attr", "")


def _feeds(call: ast.Call) -> Iterator[ast.Dict]:
    """`{rate: 0.1}` of `sess.run(step, {rate: 0.1})`."""
    given = (*call.args, *(k.value for k in call.keywords))
    yield from (each for each in given if isinstance(each, ast.Dict))


def _settings(call: ast.Call) -> Iterator[ast.expr]:
    """What a part is made with, but for names, seeds and first weights."""
    yield from call.args
    yield from (k.value for k in call.keywords if not table.is_of_no_harm(k.arg or ""))


def _named(call: ast.Call, names: frozenset[str]) -> list[ast.expr]:
    return [k.value for k in call.keywords if k.arg in names]
