"""Bowler's query, without waiting for what only Bowler's own command line asks for."""

from __future__ import annotations

import importlib
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from types import ModuleType
from typing import Any

NOT_FOR_QUERIES = ("click", "multiprocessing")  # 25 ms of the 60 that the import takes


class StandIn(ModuleType):
    """A module that is imported when something in it is asked for."""

    def __getattr__(self, name: str) -> Any:
        self.leave()
        return getattr(importlib.import_module(self.__name__), name)

    def leave(self) -> None:
        """Whoever imports the module from now on gets the real one."""
        if sys.modules.get(self.__name__) is self:
            del sys.modules[self.__name__]


@contextmanager
def stood_in_for(names: tuple[str, ...]) -> Iterator[None]:
    """Who imports these modules meanwhile keeps the stand-ins."""
    absent = {name: StandIn(name) for name in names if name not in sys.modules}
    sys.modules.update(absent)
    try:
        yield
    finally:
        for each in absent.values():
            each.leave()


with stood_in_for(NOT_FOR_QUERIES):
    from bowler import Query as Query
