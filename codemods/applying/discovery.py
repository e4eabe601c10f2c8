"""The modules of a folder that registers what they hold, by name."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from importlib import import_module


def load(package: str, names: Iterable[str]) -> None:
    """Import these modules of a package; each registers itself."""
    for name in names:
        import_module(f"{package}.{name}")


def names(folder: str) -> dict[str, str]:
    """The names of the rules of a folder of `codemods` by their codes, with nothing imported.

    A module is called by both: `d101_import_horovod.py` holds D101, import-horovod.
    """
    listed = modules([os.path.join(os.path.dirname(os.path.dirname(__file__)), folder)])
    parts = (name.partition("_") for name in listed)
    return {code.upper(): name.replace("_", "-") for code, _, name in parts if code[1:].isdigit()}


def modules(path: Iterable[str]) -> Iterator[str]:
    """The names of the public modules of a package with this `__path__`, in order.

    pkgutil lists them, too, and imports `inspect` and `dis` for it, which takes a hook 7 ms.
    """
    names = {os.path.splitext(file) for folder in path for file in os.listdir(folder)}
    found = {name for name, end in names if end in (".py", ".pyc") and name.isidentifier()}
    return (name for name in sorted(found) if not name.startswith("_"))
