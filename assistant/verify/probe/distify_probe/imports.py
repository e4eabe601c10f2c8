"""Hooks into a module when the program has imported it; never imports one itself."""

from __future__ import annotations

import importlib.abc
import importlib.machinery
import sys
from collections.abc import Sequence
from types import ModuleType
from typing import Any, Callable

from . import record

Hook = Callable[[ModuleType], None]
_hooks: dict[str, list[Hook]] = {}


def when_imported(*names: str) -> Callable[[Hook], Hook]:
    """Decorates a function that is given the module once its own code has run.

    The same thing lives under several names in the versions of TensorFlow and Keras: the function
    is called for each of `names` that the program imports.
    """

    def register(hook: Hook) -> Hook:
        for name in names:
            _hooks.setdefault(name, []).append(hook)
        return hook

    return register


class _Finder(importlib.abc.MetaPathFinder):
    """Lets the other finders find a hooked module, and steps in after its execution."""

    def find_spec(
        self, name: str, path: Sequence[str] | None, target: ModuleType | None = None
    ) -> importlib.machinery.ModuleSpec | None:
        if name not in _hooks:
            return None
        spec = importlib.machinery.PathFinder.find_spec(name, path, target)
        if spec is None or spec.loader is None:
            return spec
        _step_in(spec.loader, name)
        return spec


def _step_in(loader: Any, name: str) -> None:
    execute = loader.exec_module

    def exec_module(module: ModuleType) -> None:
        execute(module)
        _run(name, module)

    loader.exec_module = exec_module


def _run(name: str, module: ModuleType) -> None:
    for hook in _hooks.get(name, ()):
        with record.timed(), record.blind_on_failure(hook.__module__.rpartition(".")[2]):
            hook(module)


def start() -> None:
    """Called once all hooks are registered."""
    for name in list(_hooks):
        if name in sys.modules:  # another sitecustomize or .pth file was earlier
            _run(name, sys.modules[name])
    sys.meta_path.insert(0, _Finder())


def not_converted(function: Callable[..., Any]) -> Callable[..., Any]:
    """Keeps AutoGraph from rewriting a function of the probe, as it rewrites what it can read."""
    function.autograph_info__ = None  # type: ignore[attr-defined]
    return function


def replace(owner: Any, name: str, around: Callable[..., Any]) -> None:
    """Puts `around(original, *args, **kwargs)` in the place of `owner.name`."""
    import functools

    original = getattr(owner, name)

    @not_converted
    @functools.wraps(original)
    def replaced(*args: Any, **kwargs: Any) -> Any:
        return around(original, *args, **kwargs)

    setattr(owner, name, replaced)
