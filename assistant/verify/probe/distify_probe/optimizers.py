"""Keras optimizers: those of Keras 3, the new ones of 2.11+, the legacy ones, those of tf_keras."""

from __future__ import annotations

import weakref
from types import ModuleType
from typing import Any, Callable

from . import imports, inside, one_step, places, rates, record, set_rates, setting, steps
from .counted import Counted
from .functions import mark
from .variables import plain, start_elsewhere

CHAINS = 20  # ways to apply an optimizer that are told
_known: weakref.WeakKeyDictionary[Any, Any] = weakref.WeakKeyDictionary()


_made: weakref.WeakKeyDictionary[Any, str] = weakref.WeakKeyDictionary()  # by optimizer: where


def _make(original: Callable[..., Any], optimizer: Any, *args: Any, **kwargs: Any) -> None:
    original(optimizer, *args, **kwargs)
    _note_made(optimizer)


@record.careful("optimizers")
def _note_made(optimizer: Any) -> None:
    where = places.where()
    if where is not None:
        _made.setdefault(optimizer, where)


@imports.when_imported("horovod._keras")
def hook_wrapping(module: ModuleType) -> None:
    """Horovod makes another optimizer of the settings of the one that it is given."""
    imports.replace(module, "create_distributed_optimizer", _wrap)


def _wrap(original: Callable[..., Any], *args: Any, **kwargs: Any) -> Any:
    wrapped = original(*args, **kwargs)
    _note_wrapped(wrapped, kwargs.get("optimizer", args[1] if len(args) > 1 else None))
    return wrapped


@record.careful("optimizers")
def _note_wrapped(wrapped: Any, inner: Any) -> None:
    if inner in _made:
        _made[wrapped] = _made[inner]


def made_at(optimizer: Any) -> str | None:
    """The program's line in which an optimizer was made."""
    return _made.get(optimizer)


def is_distributed(optimizer: Any) -> bool:
    """Whether Horovod's wrapper made it: it keeps the class, and adds how to average."""
    return hasattr(optimizer, "_allreduce_grads")


class KerasOptimizer(Counted):
    """An optimizer of a program that runs eagerly, or in functions."""

    def __init__(self, optimizer: Any, variables: list[Any], api: str) -> None:
        super().__init__(variables)
        self.optimizer: Any = optimizer
        self.made_at = made_at(optimizer)
        self._chains: set[tuple[str, ...]] = set()
        self.name = type(optimizer).__name__
        self.api = api
        self.plain_sgd = rates.is_plain_sgd(optimizer)
        self.distributed = is_distributed(optimizer)
        self.schedule = rates.schedule(optimizer)

    def rate(self) -> float | None:
        # What a schedule gave is known behind a step; before, a callback may have written there.
        watched = setting.ROLE == "worker" or self.steps()
        if self.optimizer is None or (self._keeps_the_last() and watched):
            return None
        return rates.current(self.optimizer)

    def rate_was(self) -> float | None:
        keeps = self.optimizer is not None and self._keeps_the_last()
        return rates.current(self.optimizer) if keeps else None

    def rate_set(self) -> dict[str, Any]:
        return {} if self.optimizer is None else set_rates.of(self.optimizer)

    def _keeps_the_last(self) -> bool:
        return bool(self.schedule) and hasattr(self.optimizer, "_current_learning_rate")

    def slots(self) -> list[Any]:
        if self.api == "v1":
            return [variable for variable in self.optimizer.variables() if not self.holds(variable)]
        kept = getattr(self.optimizer, "_variables", None)
        return [plain(each) for each in (self.optimizer.weights if kept is None else kept)]

    def is_new(self, chain: list[str]) -> bool:
        """Whether it has not yet been applied by these lines of the program."""
        new = tuple(chain) not in self._chains and len(self._chains) < CHAINS
        self._chains.add(tuple(chain))
        return new

    def forget(self) -> None:
        super().forget()
        self.optimizer = None


@imports.when_imported(
    "keras.src.optimizers.optimizer",
    "keras.optimizers.optimizer",
    "tf_keras.src.optimizers.optimizer",
)
def hook_new(module: ModuleType) -> None:
    """The innermost `apply_gradients`: a LossScaleOptimizer calls it for a step that counts."""
    if hasattr(module, "_BaseOptimizer"):  # Keras 3 has none
        imports.replace(module._BaseOptimizer, "apply_gradients", _apply("keras"))
        imports.replace(module._BaseOptimizer, "__init__", _make)


@imports.when_imported("keras.src.optimizers.base_optimizer")
def hook_keras_3(module: ModuleType) -> None:
    """The innermost `apply` of Keras 3, which its `apply_gradients` and its trainer call."""
    imports.replace(module.BaseOptimizer, "apply", _apply_3)
    imports.replace(module.BaseOptimizer, "__init__", _make)


@imports.when_imported(
    "keras.src.optimizers.legacy.optimizer_v2",
    "keras.optimizers.legacy.optimizer_v2",
    "tf_keras.src.optimizers.legacy.optimizer_v2",
    "tensorflow.python.keras.optimizer_v2.optimizer_v2",
)
def hook_legacy(module: ModuleType) -> None:
    """The optimizers up to Keras 2.10, still there as `optimizers.legacy`."""
    imports.replace(module.OptimizerV2, "apply_gradients", _apply("keras-legacy"))
    imports.replace(module.OptimizerV2, "__init__", _make)


@imports.when_imported("tensorflow.python.training.optimizer")
def hook_v1(module: ModuleType) -> None:
    """Optimizers of TF 1 in eager code and functions."""
    imports.replace(module.Optimizer, "apply_gradients", _apply("v1"))
    imports.replace(module.Optimizer, "__init__", _make)


def _apply(api: str) -> Callable[..., Any]:
    def around(original: Callable[..., Any], *args: Any, **kwargs: Any) -> Any:
        args, kwargs = with_a_list(args, kwargs)
        pairs = kwargs.get("grads_and_vars", args[1] if len(args) > 1 else ())
        given = [pair for pair in pairs if pair[0] is not None]
        return _watched(given, api, original, args, kwargs)

    return around


def _apply_3(
    original: Callable[..., Any], optimizer: Any, grads: Any, trainable_variables: Any = None
) -> Any:
    """Without variables it applies to those that it was built with."""
    gradients = list(grads)
    given = None if trainable_variables is None else list(trainable_variables)
    known = getattr(optimizer, "_trainable_variables", ()) if given is None else given
    about = [(grad, plain(each)) for grad, each in zip(gradients, known) if grad is not None]
    return _watched(about, "keras", original, (optimizer, gradients, given), {})


def _watched(
    pairs: list[Any], api: str, original: Callable[..., Any], args: Any, kwargs: Any
) -> Any:
    """`pairs`: gradients and their variables."""
    if not pairs or not inside.in_eager_program():
        return original(*args, **kwargs)  # graphs of TF 1 are watched in `graph_trained`
    trained = _find(args[0], [variable for _, variable in pairs], api)
    entered = steps.before([trained]) if trained and inside.eager() else False
    one_step.applied(trained, [gradient for gradient, _ in pairs])
    try:
        result = original(*args, **kwargs)
        _count(trained)
        return result
    finally:
        steps.after(entered)


def with_a_list(args: tuple[Any, ...], kwargs: dict[str, Any]) -> tuple[Any, dict[str, Any]]:
    """What may be a `zip` is read twice: here, and by the optimizer."""
    if "grads_and_vars" in kwargs:
        return args, {**kwargs, "grads_and_vars": list(kwargs["grads_and_vars"])}
    if len(args) > 1:
        return (args[0], list(args[1]), *args[2:]), kwargs
    return args, kwargs


@record.careful("steps")
def _find(optimizer: Any, variables: list[Any], api: str) -> Any:
    """The optimizer as it is known; at its first use it gets to be."""
    start_elsewhere(variables)
    trained = _known.get(optimizer)
    if trained is None:
        with inside.python("framework.ops").init_scope():  # reads values, also while tracing
            trained = KerasOptimizer(optimizer, variables, api)
            _known[optimizer] = steps.register(trained)
    else:
        trained.add(variables)
    traced = not inside.eager()
    if traced:
        mark(trained)
    chain = places.chain()
    if traced or trained.is_new(chain):
        by, where = places.applied_by(), places.where()
        record.write(
            "apply", optimizer=trained.id, traced=traced, by=by, where=where, chain=chain,
            steps=trained.steps() if inside.eager() else 0,
        )  # fmt: skip
    return trained


@record.careful("steps")
def _count(trained: KerasOptimizer | None) -> None:
    if trained is not None:
        trained.count()
