"""The parts of the engine, put together."""

from __future__ import annotations

from collections.abc import Collection, Iterator

from .attribute_stores import AttributeStores
from .boxes import Boxes
from .calls import Calls
from .choices import Choices
from .classes import Classes
from .conditions import Conditions
from .container_methods import METHODS
from .core import Core, Questions
from .instances import Instances
from .libraries import Libraries
from .modules import Modules
from .openings import Openings
from .sources import Source
from .variables import Variables


class Engine:
    """The graph with the rows of all parts. `steps` of the graph count what was done."""

    def __init__(
        self, sources: Collection[Source], questions: Questions, budget: int | None
    ) -> None:
        self.core = core = Core(questions, budget)
        self.variables = Variables(core)
        self.classes = Classes(core, self.variables)
        self.conditions = Conditions(core, self.variables)
        self.modules = Modules(core, self.variables, sources)
        self.variables.bind_import = self.modules.bind
        self.instances = Instances(core, self.classes)
        AttributeStores(core, self.classes)
        self.boxes = Boxes(core, METHODS)
        Calls(core, self.classes)
        Openings(core)
        Choices(core, self.classes, self.variables)
        Libraries(core, self.modules, self.classes)

    def solve(self) -> None:
        """Let everything flow; what nobody gives is unknown."""
        core = self.core
        core.solve()
        while self.classes.settle():
            core.solve()
        while self.instances.settle() | self.boxes.settle():
            core.solve()
        for nodes in (sorted(self.variables.parameters), self._sources(), None):
            for n in range(len(core.keys)) if nodes is None else nodes:
                if not core.sources[n] and core.origins[n] is None and not core.things[n]:
                    core.give_up(n)
            core.solve()
            while self.classes.settle() | self.instances.settle() | self.boxes.settle():
                core.solve()
        self.conditions.settle()

    def _sources(self) -> Iterator[int]:
        """The nodes but for parts and results, which are unknown by what they come from."""
        core = self.core
        return (n for n in range(len(core.keys)) if n not in core.derived)
