"""Optimizers of graphs that sessions run: TF 1's own, and Keras' in graph mode."""

from __future__ import annotations

import re
import threading
import weakref
from collections.abc import Iterable, Sequence
from types import ModuleType
from typing import Any, Callable

from . import fetched, imports, inside, places, record, setting, states, steps
from .trained import Trained

RATES = ("_learning_rate", "_lr", "_alpha")  # the attributes of TF 1's optimizers
STATISTICS = re.compile(r"moving_(mean|variance|avg)|renorm_")
EXTRAS = ("_momentum", "nesterov", "_initial_decay", "_clipnorm", "_clipvalue", "_global_clipnorm")
_through_horovod = threading.local()


class GraphTrained(Trained):
    """An optimizer of one graph; its values are read through the session that ran it last."""

    def __init__(self, optimizer: Any, graph: Any) -> None:
        self.name = type(optimizer).__name__
        self.api = "keras-legacy" if "keras" in type(optimizer).__module__ else "v1"
        self.distributed = getattr(_through_horovod, "inside", False) or _is_horovods(optimizer)
        self.where = places.where()
        self.graph = weakref.ref(graph)
        self.applies: set[str] = set()  # the operations that make a step
        self.functions: set[str] = set()  # or the functions that they are in
        self.variables: list[Any] = []
        self.slots: list[Any] = []
        self.loss: Any = None
        self.made = 0
        self._session: Any = None
        self._last_rate: float | None = None
        self._moved: list[tuple[str, Any]] = []
        self._kept: list[tuple[str, Any]] = []
        self._learn(optimizer)

    def _learn(self, optimizer: Any) -> None:
        self.rate_tensor, self.constant = _rate(optimizer)
        if self.rate_tensor is not None:
            self.schedule = _schedule(optimizer, self.rate_tensor)
        self.plain_sgd = self.name == "GradientDescentOptimizer" or (
            self.name in ("SGD", "DistributedSGD") and not any(map(vars(optimizer).get, EXTRAS))
        )

    def add(self, operation: Any, variables: Sequence[Any], slots: Iterable[Any]) -> None:
        """One more `apply_gradients` of this optimizer, built right now."""
        self.applies.add(operation.name)
        for known, new in ((self.variables, variables), (self.slots, slots)):
            names = {variable.name for variable in known}
            known.extend(v for v in new if v.name not in names and _readable(v))

    def entering(self, session: Any) -> None:
        """The session is about to run a step of this optimizer."""
        self._session = weakref.ref(session)
        self.frozen = None
        if self.id < 0:
            steps.register(self)

    def stepped(self, rate: float | None) -> None:
        """The step was made, with that rate if it could be fetched along."""
        self.made += 1
        self._last_rate = rate

    def steps(self) -> int:
        return self.made

    def rate(self) -> float | None:
        """Known beforehand if it is constant; else read once, for a run that ends here."""
        if self.constant is None and self.made == 0 and self._fetchable():
            with record.blind_on_failure("rate"):
                if self._session is not None and fetched.changes_nothing(self.rate_tensor):
                    return float(read(self._session(), [self.rate_tensor])[0])
        return self.constant

    def _fetchable(self) -> bool:
        return self.rate_tensor is not None and self.rate_tensor.graph is self.graph()

    def rate_was(self) -> float | None:
        return self._last_rate if self._last_rate is not None else self.constant

    def names(self) -> list[str]:
        return [variable.name for variable in self.variables]

    def arrays(self) -> Iterable[tuple[str, Any]]:
        session = self._session and self._session()
        if session is None and self._kept:
            return self._kept
        if session is None:
            raise RuntimeError("the session was gone before its values were read")
        values = read(session, [v._as_graph_element() for v in self.variables + self.slots])
        keys = [f"{v.name}#{n}" for n, v in enumerate(self.variables)]
        keys += [f"slot/{v.name}#{n}" for n, v in enumerate(self.slots)]
        return list(zip(keys, values))

    def moving(self) -> list[tuple[str, Any]]:
        """BatchNorm's statistics in its graph; after the end of the session, as they were then."""
        session = self._session and self._session()
        if session is not None:
            given = session.graph.get_collection("variables")
            found = [v for v in given if STATISTICS.search(v.name) and _readable(v)]
            values = read(session, [v._as_graph_element() for v in found]) if found else []
            self._moved = [(variable.name, value) for variable, value in zip(found, values)]
        return self._moved

    def holds(self, variable: Any) -> bool:
        return any(variable is each for each in self.variables)

    def freeze(self, session: Any) -> None:
        """The session is about to be closed."""
        self._session = lambda: session
        with record.blind_on_failure("variables"):
            self.moving()
            # The values themselves, where the end of the program is to be compared by value.
            self._kept = list(self.arrays()) if setting.OPTIONS.get("values") else []
        if not self._kept:
            states.freeze(self)
        self._session = None


# ---------------------------------------------------------------- reading through a session

_reading = threading.local()


def reading() -> bool:
    """Whether the probe itself is running the session."""
    return getattr(_reading, "inside", False)


def read(session: Any, tensors: Sequence[Any]) -> list[Any]:
    """Values of tensors that are there already; no hook of a MonitoredSession sees it."""
    _reading.inside = True
    try:
        base: Any = inside.python("client.session").BaseSession
        return list(base.run(session, list(tensors)))
    finally:
        _reading.inside = False


def _readable(variable: Any) -> bool:
    return hasattr(variable, "_as_graph_element")


# ---------------------------------------------------------------- what an optimizer tells


def _is_horovods(optimizer: Any) -> bool:
    # Horovod gives its Keras optimizers the name of the class that they wrap.
    return hasattr(optimizer, "_allreduce_grads")


def _rate(optimizer: Any) -> tuple[Any, float | None]:
    """The tensor of the learning rate, or the number."""
    hyper = getattr(optimizer, "_hyper", {})
    if "learning_rate" in hyper:
        given = hyper["learning_rate"]
        element = getattr(given, "_as_graph_element", None)
        given = element() if element else given
    else:
        # The tensor that was made of a Python function's result is what a step really uses.
        names = [name for base in RATES for name in (f"{base}_tensor", f"{base}_t", base)]
        given = next(
            (x for x in (getattr(optimizer, n, None) for n in names) if x is not None), None
        )
    if isinstance(given, (int, float)):
        return None, float(given)
    if given is None or not hasattr(given, "graph"):
        return None, None
    constant = inside.python("framework.tensor_util").constant_value(given)
    return given, None if constant is None else float(constant)


def _schedule(optimizer: Any, tensor: Any) -> str | None:
    """The name that the operation of a changing rate has, such as `exponential_decay`."""
    hyper = getattr(optimizer, "_hyper", {}).get("learning_rate")
    if hasattr(hyper, "_as_graph_element"):
        return None
    given = tensor
    while given.op.type in ("Identity", "Cast"):
        given = given.op.inputs[0]
    constant = inside.python("framework.tensor_util").constant_value(given)
    return None if constant is not None else str(given.op.name)


# ---------------------------------------------------------------- hooks


@imports.when_imported("horovod.tensorflow")
def hook_wrapper(module: ModuleType) -> None:
    """What is applied through Horovod's wrapper of a TF 1 optimizer is distributed."""
    for name in ("_DistributedOptimizer", "_DistributedAdasumOptimizer"):
        if hasattr(module, name):
            imports.replace(getattr(module, name), "apply_gradients", _through_the_wrapper)


def _through_the_wrapper(original: Callable[..., Any], *args: Any, **kwargs: Any) -> Any:
    before = getattr(_through_horovod, "inside", False)
    _through_horovod.inside = True
    try:
        return original(*args, **kwargs)
    finally:
        _through_horovod.inside = before


@imports.when_imported(
    "tensorflow.python.training.optimizer",
    "keras.optimizers.legacy.optimizer_v2",
    "keras.src.optimizers.legacy.optimizer_v2",
    "tf_keras.src.optimizers.legacy.optimizer_v2",
    "tensorflow.python.keras.optimizer_v2.optimizer_v2",
)
def hook_apply(module: ModuleType) -> None:
    """Every optimizer that can be built into a graph applies its gradients in one of these."""
    owner = getattr(module, "OptimizerV2", None) or module.Optimizer
    imports.replace(owner, "apply_gradients", _apply)


def _apply(original: Callable[..., Any], optimizer: Any, pairs: Any, *args: Any, **kw: Any) -> Any:
    graph = _session_graph()
    if graph is None:
        return original(optimizer, pairs, *args, **kw)
    pairs = list(pairs)
    result = original(optimizer, pairs, *args, **kw)
    _note_apply(graph, optimizer, pairs, result, kw.get("global_step", (args or [None])[0]))
    return result


def _session_graph() -> Any:
    """The graph of TF 1 that is being built, if one is (also from within a branch of it)."""
    if inside.eager() or inside.in_eager_program():
        return None
    graph = inside.python("framework.ops").get_default_graph()
    while hasattr(graph, "outer_graph"):
        graph = graph.outer_graph
    return graph


@record.careful("optimizers")
def _note_apply(graph: Any, optimizer: Any, pairs: list[Any], result: Any, step: Any) -> None:
    trained = of(graph, optimizer)
    variables = [variable for gradient, variable in pairs if gradient is not None]
    with graph.as_default():  # a TF 1 optimizer tells only the variables of the default graph
        method = getattr(optimizer, "variables", ())
        slots = list(method() if callable(method) else method)
    mine = {variable.name for variable in variables}
    slots = [slot for slot in slots if slot.name not in mine]
    if step is not None and hasattr(step, "_as_graph_element"):
        slots.append(step)
    operation = getattr(result, "op", result)
    trained.loss = getattr(graph, "_distify_loss", None)
    trained.add(operation, variables, slots)
    trained._learn(optimizer)
    _note_functions(trained, inside.python("framework.ops").get_default_graph())
    # The optimizer gets its number when it is run; until then it is known by its place.
    record.write("apply", optimizer=None, traced=True, where=trained.where)


def _note_functions(trained: GraphTrained, graph: Any) -> None:
    while hasattr(graph, "outer_graph"):
        trained.functions.add(graph.name)
        graph = graph.outer_graph


def all_of(graph: Any) -> list[GraphTrained]:
    """The optimizers that were built into a graph."""
    if not hasattr(graph, "_distify_trained"):
        graph._distify_trained = {}
    return [trained for _, trained in graph._distify_trained.values()]


def of(graph: Any, optimizer: Any) -> GraphTrained:
    """The one of an optimizer; its distribution is part of it: an alias may be both."""
    all_of(graph)
    key = (id(optimizer), getattr(_through_horovod, "inside", False))
    if key not in graph._distify_trained:
        graph._distify_trained[key] = (optimizer, GraphTrained(optimizer, graph))
    trained: GraphTrained = graph._distify_trained[key][1]
    return trained


@imports.when_imported("tensorflow.python.ops.gradients_util")
def hook_gradients(module: ModuleType) -> None:
    """The loss is what gradients are taken of, by an optimizer or by `tf.gradients`."""
    imports.replace(module, "_GradientsHelper", _gradients)


def _gradients(original: Callable[..., Any], ys: Any, *args: Any, **kwargs: Any) -> Any:
    _note_loss(ys)
    return original(ys, *args, **kwargs)


@record.careful("loss")
def _note_loss(ys: Any) -> None:
    first = ys[0] if isinstance(ys, (list, tuple)) and len(ys) == 1 else ys
    graph = getattr(first, "graph", None)
    if graph is None or hasattr(graph, "outer_graph") or inside.eager():
        return
    if first.shape.rank == 0 and first.dtype.is_floating:
        graph._distify_loss = first


# ---------------------------------------------------------------- moving statistics


def _moving() -> Iterable[tuple[str, Any]]:
    """BatchNorm's statistics of all graphs that train: they differ by design."""
    for trained in list(steps.known):
        if isinstance(trained, GraphTrained):
            yield from trained.moving()


states.moving.append(_moving)
