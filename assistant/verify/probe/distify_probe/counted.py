"""An optimizer whose steps the probe counts by itself, and whose values it can read at any time."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from . import inside, places
from .cells import Cell
from .naming import name_of
from .trained import Trained


class Counted(Trained):
    """Counts in eager code, and with a cell in functions."""

    def __init__(self, variables: list[Any]) -> None:
        self.variables = variables
        self.where = places.where()
        self.made = 0  # in eager code
        self.cell: Cell | None = None  # in functions

    def steps(self) -> int:
        """Counted by ourselves: `iterations` are restored, and sent by a broadcast."""
        return self.made + (sum(map(int, self.cell.get())) if self.cell else 0)

    def count(self) -> None:
        """One step, now or whenever the graph that is being built is run."""
        if inside.eager():
            self.made += 1
            return
        self.cell = self.cell or Cell("int64", 0)
        self.cell.add(1)

    def names(self) -> list[str]:
        return [name_of(variable) for variable in self.variables]

    def slots(self) -> list[Any]:
        """What the optimizer remembers beside the variables."""
        return []

    def arrays(self) -> Iterable[tuple[str, Any]]:
        for index, variable in enumerate(self.variables):
            yield f"{name_of(variable)}#{index}", variable.numpy()
        for index, variable in enumerate(self.slots()):
            yield f"slot/{name_of(variable)}#{index}", variable.numpy()

    def holds(self, variable: Any) -> bool:
        return any(own is variable for own in self.variables)

    def add(self, variables: list[Any]) -> None:
        """More of them: layers that were frozen at first."""
        self.variables += [variable for variable in variables if not self.holds(variable)]

    def forget(self) -> None:
        self.made, self.cell = self.steps(), None
        self.variables = []
