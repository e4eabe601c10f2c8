"""Modules that are kept, and how they are run without a look for them."""

from __future__ import annotations

import contextlib
import gc
import os
import sys
from collections.abc import Iterator, Sequence
from importlib.machinery import ModuleSpec, SourceFileLoader
from types import CodeType, ModuleType

from distify.codemods.program.records import NamedTuple


class Kept(NamedTuple):
    """A module: its name, its file as it was, whether it is a package, and what it runs."""

    name: str
    path: str
    time: int
    size: int
    is_package: bool
    code: CodeType

    @property
    def is_same(self) -> bool:
        """Whether its file is what it was."""
        status = os.stat(self.path)
        return (status.st_mtime_ns, status.st_size) == (self.time, self.size)


class Loader(SourceFileLoader):
    """Python's own, which need not look for the bytecode."""

    def __init__(self, kept: Kept) -> None:
        super().__init__(kept.name, kept.path)
        self._code = kept.code

    def get_code(self, fullname: str) -> CodeType:
        """What the module runs."""
        return self._code


@contextlib.contextmanager
def unsearched() -> Iterator[None]:
    """Whatever is imported stays: to search it for cycles would cost a hook 15 ms, each time."""
    was_enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        gc.freeze()
        if was_enabled:
            gc.enable()


def run_all(kept: Sequence[Kept]) -> None:
    """Run modules in their order, each of which needs only those before it and packages."""
    made = {each.name: _module(each) for each in kept}
    packages = {each.name: made[each.name] for each in kept if each.is_package}
    sys.modules.update(packages)
    waiting = dict.fromkeys([*packages, *made])
    try:
        for each in kept:
            module = sys.modules[each.name] = made[each.name]
            module.__loader__.exec_module(module)  # type: ignore[union-attr]
            parent, _, name = each.name.rpartition(".")
            setattr(sys.modules[parent], name, module)
            del waiting[each.name]
    finally:
        for name in waiting:
            sys.modules.pop(name, None)


def _module(kept: Kept) -> ModuleType:
    """A module as Python makes it, which has run nothing yet."""
    loader = Loader(kept)
    spec = ModuleSpec(kept.name, loader, origin=kept.path, is_package=kept.is_package)
    spec.has_location = True
    module = ModuleType(kept.name)
    if kept.is_package:
        module.__path__ = spec.submodule_search_locations = [os.path.dirname(kept.path)]
    module.__spec__, module.__loader__ = spec, loader
    module.__file__, module.__package__ = kept.path, spec.parent
    return module
