"""What a hook imports, kept in one file: Python finds, reads and checks each module by itself.

For the 460 modules of a look at a file that takes longer than to run them. What is kept lies with
the bytecode of an installed distify, is written as that is by who first needs it, and is believed
as that is: while each source has the time and the size that it had.
"""

from __future__ import annotations

import contextlib
import marshal
import os
import sys
from collections.abc import Iterator, Sequence
from importlib.machinery import ModuleSpec, PathFinder, SourceFileLoader
from types import ModuleType
from typing import Any

from . import kept_patterns
from .kept_modules import Kept, run_all, unsearched

PACKAGE = __name__.partition(".")[0] + "."
HERE = os.path.dirname(os.path.abspath(__file__))
SHARE = 8  # once one module in so many is new, all is written again


class Stage:
    """The modules that one part of a command imports; asked for by `begin`, kept by `end`."""

    def __init__(self, name: str) -> None:
        self.name, self._path = name, _path(f"{name}-imports")
        self._kept: list[Kept] = []
        self._found: list[ModuleSpec] = []
        self._has_others = False  # what an earlier stage keeps by now

    def begin(self) -> None:
        """Import what is kept, and note what is imported beyond that."""
        with contextlib.suppress(Exception):  # Python imports the rest as ever, and tells faults
            kept = _read(self._path)
            self._kept = [each for each in kept if each.name not in sys.modules]
            self._has_others = len(kept) > SHARE * len(self._kept)
            with unsearched():
                run_all(self._kept)
        sys.meta_path.insert(0, self)

    def end(self) -> None:
        """Keep what was imported, if enough of it is new, and if it can be kept."""
        sys.meta_path.remove(self)
        is_other = self._has_others or len(self._found) * SHARE > len(self._kept)
        if is_other and (self._kept or self._found):
            with contextlib.suppress(OSError, ImportError):
                kept = [tuple(each) for each in (*self._kept, *map(_kept, self._found))]
                _write(self._path, marshal.dumps((sys.version, HERE, kept)))

    def find_spec(
        self, name: str, path: Sequence[str] | None = None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        """What Python finds for a module of distify; it is noted when all of it has run."""
        spec = PathFinder.find_spec(name, path) if name.startswith(PACKAGE) else None
        if spec is not None and isinstance(spec.loader, SourceFileLoader):
            run = spec.loader.exec_module

            def noted(module: ModuleType) -> None:
                run(module)
                self._found.append(spec)

            spec.loader.exec_module = noted  # type: ignore[method-assign]
        return spec


_open: list[Stage] = []


@contextlib.contextmanager
def kept(name: str) -> Iterator[None]:
    """Keep what is imported meanwhile, in stages of which this one is the first.

    A checkout is not kept, nor is anything where bytecode is not to lie beside its source.
    """
    is_installed = os.path.isfile(os.path.join(HERE, "..", "__init__.py"))  # the package's own
    patterns, known = _path("patterns"), 0
    if sys.pycache_prefix is None and is_installed:
        known = kept_patterns.read(patterns)
        further(name, is_first=True)
    try:
        yield
    finally:
        if _open:
            with contextlib.suppress(OSError):
                _write(patterns, kept_patterns.packed(known))
        while _open:
            _open.pop().end()


def further(name: str, is_first: bool = False) -> None:
    """Come to the next stage, if anything is kept; who is in it already stays there."""
    if is_first or (_open and name not in {stage.name for stage in _open}):
        _open.append(Stage(name))
        _open[-1].begin()


def _read(path: str) -> list[Kept]:
    """The modules that are kept. Raises OSError, ValueError, EOFError or TypeError."""
    with open(path, "rb") as file:
        version, place, found = marshal.loads(file.read())
    kept = [Kept(*each) for each in found]
    if (version, place) != (sys.version, HERE) or not all(each.is_same for each in kept):
        raise ValueError("other sources")
    return kept


def _path(name: str) -> str:
    """Where something is kept for this Python."""
    file = f"{name}.{sys.implementation.cache_tag}-{sys.flags.optimize}"
    return os.path.join(HERE, "__pycache__", file)


def _write(path: str, data: bytes | None) -> None:
    """Give the file these bytes at once, if there are any. Raises OSError."""
    if data is None or sys.dont_write_bytecode:
        return
    new = f"{path}.{os.getpid()}.new"
    try:
        with open(new, "xb") as file:
            file.write(data)
        os.replace(new, path)
    finally:
        with contextlib.suppress(OSError):
            os.unlink(new)


def _kept(spec: ModuleSpec) -> Kept:
    """What is kept of a module. Raises OSError and ImportError."""
    loader: Any = spec.loader
    status = os.stat(loader.path)
    is_package = spec.submodule_search_locations is not None
    code = loader.get_code(spec.name)
    return Kept(spec.name, loader.path, status.st_mtime_ns, status.st_size, is_package, code)
