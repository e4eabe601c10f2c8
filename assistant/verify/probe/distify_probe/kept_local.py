"""Variables that the program keeps of each worker's own on purpose, as it told Horovod.

All of Horovod's ways end in one of four methods: `local_layers=` and the `Partial…` forms of the
tape and the optimizer call them for each variable of those layers. A version of Horovod without
them (before 0.27) can keep none.
"""

from __future__ import annotations

import weakref
from collections.abc import Iterator
from types import ModuleType
from typing import Any, Callable

from . import imports, record
from .naming import name_of
from .variables import plain

_known: weakref.WeakValueDictionary[int, Any] = weakref.WeakValueDictionary()


def variables() -> Iterator[Any]:
    """Those that were registered so far and are still there."""
    yield from list(_known.values())


def _hook_tape(module: ModuleType) -> None:
    """Tapes are made of a copy of this class's methods; the optimizer is that of TensorFlow 1."""
    _watch(getattr(module, "_DistributedGradientTape", None), "register_local_source")
    _watch(getattr(module, "_DistributedOptimizer", None), "register_local_var")


def _hook_keras(module: ModuleType) -> None:
    """Each optimizer gets a class of its own."""
    imports.replace(module, "create_distributed_optimizer", _make_optimizer)


def _hook_callbacks(module: ModuleType) -> None:
    """What is never broadcast begins with other values on each worker."""
    found = getattr(module, "BroadcastGlobalVariablesCallbackImpl", None)
    _watch(found, "register_local_var")


def _make_optimizer(original: Callable[..., Any], *args: Any, **kwargs: Any) -> Any:
    optimizer = original(*args, **kwargs)
    _watch(type(optimizer), "register_local_var")
    return optimizer


def _watch(owner: Any, name: str) -> None:
    if hasattr(owner, name):
        imports.replace(owner, name, _registering)


def _registering(original: Callable[..., Any], *args: Any, **kwargs: Any) -> Any:
    for given in (*args[1:], *kwargs.values()):  # behind the tape or the optimizer itself
        _note(given)
    return original(*args, **kwargs)


@record.careful("variables")
def _note(source: Any) -> None:
    if hasattr(source, "assign"):  # a tape may be told tensors, too: nothing of them is kept
        if id(source) not in _known:
            record.write("local", name=name_of(plain(source)))
        _known[id(source)] = source


imports.when_imported("horovod.tensorflow")(_hook_tape)
imports.when_imported("horovod._keras")(_hook_keras)
imports.when_imported("horovod._keras.callbacks")(_hook_callbacks)
