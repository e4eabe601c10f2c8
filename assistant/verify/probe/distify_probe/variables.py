"""Where variables are made: other starting values on each worker, and moving statistics.

With `seed_per_rank` the trained variables of the ranks above 0 start from other values, so that
a missing broadcast can't hide behind equal seeds. Types, shapes and names stay as they are.

What a layer or a graph makes is moved where it is made. A variable that the program itself makes
may be anything (a velocity, a rate, a counter): it is moved once it is seen to be trained, or
broadcast, and if nothing has changed it until then.
"""

from __future__ import annotations

import sys
import weakref
from collections.abc import Iterable
from types import ModuleType
from typing import Any, Callable

from . import imports, inside, places, record, setting, states
from .naming import PATH

AWAY = 0.05  # times the rank
_NAME = "distify_probe_start"
_moving: list[Any] = []  # weak references
_by_handle: dict[int, Any] = {}  # the same, of all variables, by what graphs capture of them


@imports.when_imported("tensorflow.python.ops.resource_variable_ops")
def hook_resource(module: ModuleType) -> None:
    """Variables of TensorFlow 2, and of graphs that use resources."""
    imports.replace(module.ResourceVariable, "_init_from_args", _make)
    imports.replace(module.BaseResourceVariable, "__deepcopy__", _copy)


@imports.when_imported("tensorflow.python.ops.ref_variable")
def hook_ref(module: ModuleType) -> None:
    """Variables of graphs of TF 1."""
    imports.replace(module.RefVariable, "_init_from_args", _make)


@imports.when_imported("tensorflow.python.eager.polymorphic_function.polymorphic_function")
def hook_lifted(module: ModuleType) -> None:
    """Variables that a `tf.function` makes in its first call."""
    imports.replace(module.UnliftedInitializerVariable, "__init__", _make)


@imports.when_imported("keras.src.backend.tensorflow.core")
def hook_keras_3(module: ModuleType) -> None:
    """A variable of Keras 3 knows where it belongs; the one of TensorFlow in it only "kernel"."""
    imports.replace(module.Variable, "_initialize", _named)


def _named(original: Callable[..., Any], variable: Any, *args: Any, **kwargs: Any) -> Any:
    result = original(variable, *args, **kwargs)
    with record.blind_on_failure("variables"):
        setattr(plain(variable), PATH, variable.path)
    return result


def plain(variable: Any) -> Any:
    """The variable of TensorFlow that one of Keras 3 holds; any other as it is."""
    held = getattr(variable, "_value", None)
    return held if hasattr(held, "assign_sub") else variable


_copying = [0]


def _copy(original: Callable[..., Any], *args: Any, **kwargs: Any) -> Any:
    """A copy starts from the values that are there."""
    _copying[0] += 1
    try:
        return original(*args, **kwargs)
    finally:
        _copying[0] -= 1


def _make(original: Callable[..., Any], *args: Any, **kwargs: Any) -> Any:
    about = setting.SEED_PER_RANK and setting.RANK > 0 and not _copying[0]
    waits = about and _waits(args, kwargs)
    if about and not waits:
        args, kwargs = _elsewhere(args, kwargs) or (args, kwargs)
    result = original(*args, **kwargs)
    if waits:
        _wait(args[0])
    _remember(args[0])
    return result


@record.careful("variables")
def _waits(args: tuple[Any, ...], kwargs: dict[str, Any]) -> bool:
    """Whether it is not known yet if this is a weight."""
    if not inside.eager():
        return False
    number = _trainable(args, kwargs) is None and _is_number(_initial(args, kwargs))
    return number or places.by_the_program(sys._getframe(1))


def _trainable(args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    return kwargs.get("trainable", args[2] if len(args) > 2 else None)


def _initial(args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    return kwargs.get("initial_value", args[1] if len(args) > 1 else None)


@record.careful("variables")
def _elsewhere(args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    """The arguments with another initial value, if it is that of a weight."""
    initial = _initial(args, kwargs)
    if _trainable(args, kwargs) is False or initial is None:
        return None
    if _is_known_elsewhere(initial, kwargs):
        return None
    moved = _moved(initial, kwargs.get("dtype"))
    if len(args) > 1:
        return (args[0], moved, *args[2:]), kwargs
    return args, {**kwargs, "initial_value": moved}


def _is_known_elsewhere(initial: Any, kwargs: dict[str, Any]) -> bool:
    """Whether the value comes from a checkpoint or from another variable; or is no weight's."""
    if kwargs.get("synchronization") is not None and "ON_READ" in str(kwargs["synchronization"]):
        return True
    return hasattr(initial, "_checkpoint_position") or hasattr(initial, "assign_sub")


def _moved(initial: Any, dtype: Any) -> Any:
    if not callable(initial):
        return _shifted(initial, dtype)

    def shifted(*args: Any, **kwargs: Any) -> Any:
        value = initial(*args, **kwargs)
        moved = None if hasattr(value, "_checkpoint_position") else _shifted(value, dtype)
        return value if moved is None else moved

    return shifted


@record.careful("variables")
def _shifted(value: Any, dtype: Any) -> Any:
    """The value as TensorFlow would make a tensor of it, moved if it is of a floating type."""
    ops = inside.python("framework.ops")
    tensor = ops.convert_to_tensor(value, dtype=dtype, name="initial_value")
    if not tensor.dtype.is_floating:
        return value
    away = inside.python("framework.constant_op").constant(
        AWAY * setting.RANK, tensor.dtype.base_dtype, name=_NAME
    )
    return inside.python("ops.math_ops").add(tensor, away, name=_NAME)


# ---------------------------------------------------------------- moved later

_waiting: dict[int, tuple[Any, str]] = {}  # by id: a weak reference, the hash of its first value


def _is_number(initial: Any) -> bool:
    return (
        not callable(initial)
        and getattr(initial, "shape", ()) in ((), [])
        and (not isinstance(initial, (list, tuple)))
    )


@record.careful("variables")
def _wait(variable: Any) -> None:
    if variable.dtype.is_floating:
        key = id(variable)
        reference = weakref.ref(variable, lambda gone: _drop(key, gone))
        _waiting[key] = (reference, states.digest(variable.numpy()))


def _drop(key: int, gone: Any) -> None:
    if key in _waiting and _waiting[key][0] is gone:
        del _waiting[key]


def assigned(variable: Any) -> None:
    """The program gives a variable a value, maybe that of worker 0: it starts from there."""
    _waiting.pop(id(variable), None)


@record.careful("variables")
def start_elsewhere(variables: Iterable[Any]) -> None:
    """Moves those that wait for it among variables that are about to be trained or broadcast."""
    if not _waiting:
        return
    with inside.python("framework.ops").init_scope():
        for variable in map(plain, variables):
            _, started = _waiting.pop(id(variable), (None, ""))
            if started and states.digest(variable.numpy()) == started:
                away = variable.dtype.base_dtype.as_numpy_dtype(AWAY * setting.RANK)
                variable.assign_add(inside.numpy().full(variable.shape, away), read_value=False)


@imports.when_imported("horovod.tensorflow.functions")
def hook_broadcast(module: ModuleType) -> None:
    """What is broadcast is to differ before."""
    imports.replace(module, "broadcast_variables", _broadcast)


def _broadcast(original: Callable[..., Any], *args: Any, **kwargs: Any) -> Any:
    start_elsewhere(list(kwargs.get("variables", args[0] if args else ())))
    return original(*args, **kwargs)


# ---------------------------------------------------------------- moving statistics


@record.careful("variables")
def _remember(variable: Any) -> None:
    """Each by its handle; and BatchNorm's means and variances: floating, not trained, averaged."""
    handle = getattr(variable, "handle", None)
    if handle is not None and inside.in_eager_program():
        _by_handle[id(handle)] = weakref.ref(variable)
    last = str(getattr(variable, "_handle_name", getattr(variable, "name", ""))).rpartition("/")[2]
    if last.startswith("moving_") and not variable.trainable and inside.in_eager_program():
        _moving.append(weakref.ref(variable))


def behind(handle: Any) -> Any:
    """The variable that a graph captures by this handle; None where none is known.

    A graph lists those that it reads: one that it only assigns is in no list of its own.
    """
    reference = _by_handle.get(id(handle))
    variable = reference() if reference is not None else None
    return variable if getattr(variable, "handle", None) is handle else None


def _statistics() -> Iterable[tuple[str, Any]]:
    for index, variable in enumerate(reference() for reference in _moving):
        if variable is not None:
            yield f"{variable.name}#{index}", variable.numpy()


states.moving.append(_statistics)
