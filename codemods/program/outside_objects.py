"""Objects of libraries that keep what the project gives them: one value, or attributes by name.

The library says by `Questions` which calls make such an object. To all domains it stays what the
library's call makes; beside that, what is put into it can be found there again.
"""

from __future__ import annotations

from .box_changes import merge
from .boxes import box, part
from .calls import outside
from .core import Core, Load
from .edges import Edge
from .origins import Call, Kind, Origin
from .things import Cell, Keeping


class OutsideObjects:
    """The rows of cells, and the calls that make them."""

    def __init__(self, core: Core) -> None:
        self._core = core
        core.loads[Cell] = self.load
        core.calls[Keeping] = self.keep

    def make(self, call: Call, name: str) -> bool:
        """Whether a call makes such an object, which is then at its result."""
        core, questions = self._core, self._core.questions
        if questions.is_cell(name):
            place = core.place(("cell", call.result))
            core.note(place, call.result, Edge.COMPUTED)
            outside(core, call, name, Cell(place))
        elif questions.keeps_keywords(name):
            made = box(core, ("keeper", call.result), "record")
            for keyword, value in call.keywords.items():
                if keyword is None:
                    core.watch(value, merge, core, made)
                else:
                    core.edge(value, part(core, made, keyword), Edge.ELEMENT)
            outside(core, call, name, made)
        else:
            return False
        return True

    def load(self, thing: Cell, load: Load) -> None:
        """Read an attribute of a cell: the library says which methods put something in."""
        step, core = load.step, self._core
        is_attribute = isinstance(step, tuple) and step[0] == "."
        if is_attribute and core.questions.puts_in("." + step[1]):
            origin = Origin(Kind.MEMBER, step, operands=[("of", load.base)])
            core.create(load.target, origin, thing.keeping)
        else:
            core.member(load)

    def keep(self, thing: Keeping, call: Call) -> None:
        """Call a method that puts its arguments in."""
        for value in call.values():
            self._core.put(value, thing.place, Edge.STORED, call.conditions)
        outside(self._core, call, None)
