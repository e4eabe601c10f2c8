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
from ..library.names import normal
from ..library.roles import gives
from ..program.node_fields import within
from ..program.program import Program
from ..program.records import NamedTuple
from .beside import Beside
from .training_steps import given_by

EVERY = frozenset({"chance", "clock", "person", "hash", "order"})


class Sink(NamedTuple):
    """A kind of place: what stands there, what happens if it differs, which kinds count."""

    subject: str
    harm: str
    kinds: frozenset[str] = EVERY


_UNLIKE = "the workers would not train one model in one way"
_DRIFT = "the models of the workers drift apart"
_APART = "one worker ends before the others, which wait for ever"
PART = Sink("this says how the model looks or learns", _UNLIKE)
OPTIMIZER = Sink("this is a number of the optimizer", _DRIFT)
WHICH = Sink("this decides which optimizer, or which loss, trains", _DRIFT)
LAYERS = Sink("this decides which layers there are, or which of them are trained", _UNLIKE)
AMOUNT = Sink("this says how many steps there are, or how much each takes", _APART)
RATE = Sink("this gives a learning rate", _DRIFT)
TARGETS = Sink(
    "these targets are made with it",
    "a class means another thing on each worker",
    frozenset({"clock", "person"}),  # noise is one's own; of hashes the population tells
)
LOSS = Sink("this weighs parts of the loss", _UNLIKE)
STOP = Sink("this ends the training", _APART)
GRADIENTS = Sink(
    "these gradients are applied as they are, behind the average", _DRIFT, EVERY - {"order"}
)
TRAINING = Sink("this decides whether the model is trained", _APART)

_LOADS = "load_model"  # all get from worker 0 what it has found
SINKS = (PART, OPTIMIZER, WHICH, LAYERS, AMOUNT, RATE, LOSS, TARGETS, STOP, GRADIENTS, TRAINING)


class Reached(NamedTuple):
    """A sink of a program: where it is, what gets there, the tests that decide on it."""

    sink: Sink
    place: ast.AST
    values: tuple[ast.expr | int, ...] = ()
    tests: tuple[ast.expr, ...] = ()


class Sinks:
    """The sinks of one program."""

    def __init__(self, program: Program, tree: ast.Module, beside: Beside) -> None:
        self._program, self._beside = program, beside
        self._nodes = list(within(tree))

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
            yield Reached(GRADIENTS, call, tuple(call.args[:1]))
        for call in fits:
            yield Reached(AMOUNT, call, tuple(_named(call, table.AMOUNTS)))
            yield Reached(LOSS, call, tuple(_named(call, table.WEIGHTS)))
            yield Reached(TARGETS, call, tuple(_named(call, table.TARGETS) or call.args[1:2]))
            yield Reached(TRAINING, call, (), self._tests(call))
            yield from self._picked_model(call)
        yield from self._stored()

    def _of_name(self, call: ast.Call, name: str) -> Iterator[Reached]:
        """What makes a part of a model, a callback that steers, an optimizer."""
        if table.is_part(name):
            yield Reached(PART, call, tuple(_settings(call)))
            yield Reached(LAYERS, call, (), self._tests(call))
        elif table.steers(name):
            is_asked = table.gives_rates(name)
            values = self._results(call) if is_asked else _settings(call)
            yield Reached(RATE if is_asked else STOP, call, (*values, call))
        elif gives(name) in ("optimizer", "schedule") and name.split(".")[0] != "horovod":
            yield Reached(OPTIMIZER, call, tuple(_settings(call)))

    def _picked(self, call: ast.Call) -> Iterator[Reached]:
        """`NETS[name]()`, `(small if tiny else large)()`: what is called is one of several."""
        found = self._program
        makers = (*found.functions(call.func).nodes, *found.classes(call.func).nodes)
        names = [normal(name) for name in self._program.names(call.func)]
        if isinstance(call.func, (ast.Name, ast.Attribute)) and len(makers) + len(names) < 2:
            return
        if any(map(table.is_part, names)) or any(map(self._makes_part, makers)):
            yield Reached(LAYERS, call, (call.func,))
        elif any(gives(name) == "optimizer" for name in names):
            yield Reached(WHICH, call, (call.func,))

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
        """What the functions of the program give that a call is given."""
        for each in (*call.args[:1], *(k.value for k in call.keywords)):
            for function in self._program.functions(each).nodes:
                yield from given_by(function)

    def _of_method(self, call: ast.Call) -> Iterator[Reached]:
        func = call.func
        if not isinstance(func, ast.Attribute) or self._program.functions(func).nodes:
            return
        if func.attr == "compile" and self._is_model(call):
            yield Reached(WHICH, call, (*call.args[:2], *_named(call, table.COMPILED)))
            yield Reached(LOSS, call, tuple(_named(call, table.LOSS_WEIGHTS)))
        elif func.attr == "add" and any(self._is_layer(each) for each in call.args):
            yield Reached(LAYERS, call, (), self._tests(call))

    def _stored(self) -> Iterator[Reached]:
        """`layer.trainable = …`, `self.model.stop_training = …`, `optimizer.learning_rate = …`."""
        for node in self._nodes:
            targets = node.targets if isinstance(node, ast.Assign) else ()
            for target in targets:
                sink = self._sink_of(target) if isinstance(target, ast.Attribute) else None
                if sink is not None:
                    tests = self._tests(node)
                    yield Reached(sink, node, (node.value,), tests)  # type: ignore[attr-defined]

    def _sink_of(self, target: ast.Attribute) -> Sink | None:
        found = {"trainable": LAYERS, "stop_training": STOP}.get(target.attr)
        is_rate = target.attr in table.RATES and self._beside.is_of_optimizer(target.value)
        return OPTIMIZER if is_rate else found

    def _tests(self, place: ast.AST) -> tuple[ast.expr, ...]:
        return tuple(self._beside.tests(place))

    def _is_model(self, call: ast.Call) -> bool:
        return any(k.arg in ("optimizer", "loss") for k in call.keywords) or bool(call.args)

    def _is_layer(self, expr: ast.expr) -> bool:
        made = self._program.origins(expr).nodes
        calls = [node for node in made if isinstance(node, ast.Call)]
        return any(table.is_part(normal(n)) for c in calls for n in self._program.names(c.func))

    @cached_property
    def _calls(self) -> list[ast.Call]:
        return [node for node in self._nodes if isinstance(node, ast.Call)]


def _settings(call: ast.Call) -> Iterator[ast.expr]:
    """What a part is made with, but for names, seeds and first weights."""
    yield from call.args
    yield from (k.value for k in call.keywords if not table.is_of_no_harm(k.arg or ""))


def _named(call: ast.Call, names: frozenset[str]) -> list[ast.expr]:
    return [k.value for k in call.keywords if k.arg in names]
