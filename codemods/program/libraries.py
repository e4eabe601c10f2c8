"""Calling what stands outside of the project."""

from __future__ import annotations

import ast

from .calls import outside
from .classes import Classes
from .core import Core, Store
from .edges import Edge
from .modules import Modules
from .openings import starts
from .origins import Call, Kind, Origin
from .outside_objects import OutsideObjects
from .python_functions import FUNCTIONS
from .python_iterators import each
from .python_rules import PythonRule
from .structure_maps import map_structure
from .things import WRAPPER, Library, Super

_GIVES_BACK = frozenset(
    {
        "abc.abstractmethod",
        "contextlib.asynccontextmanager",
        "contextlib.contextmanager",
        "copy.copy",
        "copy.deepcopy",
        "functools.cache",
        "functools.lru_cache",
        "functools.total_ordering",
        "typing.final",
        "typing.no_type_check",
        "typing.overload",
        "typing.override",
        "typing.runtime_checkable",
    }
)


class Libraries:
    """The row of library things."""

    def __init__(self, core: Core, modules: Modules, classes: Classes) -> None:
        self._core, self._modules, self._classes = core, modules, classes
        self._rules: dict[str, PythonRule] = {
            **FUNCTIONS,
            "builtins.super": self._super,
            "builtins.globals": self._globals,
            "builtins.exec": self._exec,
        }
        self._objects = OutsideObjects(core)
        core.calls[Library] = self.call

    def call(self, thing: Library, call: Call) -> None:
        """Call a library thing."""
        rule = self._rules.get(thing.name)
        if rule is not None:
            rule(self._core, call)
        elif self._core.questions.iterates(thing.name):
            each(self._core, call)
        elif self._core.questions.maps(thing.name):
            map_structure(self._core, call)
        elif self._objects.make(call, thing.name):
            return
        elif self._core.questions.starts(thing.name):
            outside(self._core, call, thing.name, gives_away=False)
            starts(self._core, call, thing.name)
            self._start_main(thing, call)
        elif thing.name in _GIVES_BACK or self._core.questions.gives_back(thing.name):
            self._give_back(call)
        else:
            outside(self._core, call, thing.name)

    def _start_main(self, thing: Library, call: Call) -> None:
        """`app.run()` calls the program's `main`, where nobody says what else to call."""
        is_told = call.argument(0, "main") is not None or any(star for _, star in call.args)
        if call.source is None or is_told or not self._core.questions.starts_main(thing.name):
            return
        module = self._modules.of[call.source.name]
        self._core.watch(self._modules.variable(module, "main"), self._core.start, thing.name)

    def _give_back(self, call: Call) -> None:
        """`@f`, `f(x)`: the argument. `@f(option)`: a wrapper that gives back its argument."""
        core, first = self._core, call.argument(0)
        is_option = first is None or isinstance(core.keys[first], ast.Constant)
        if first is None or is_option:
            core.hold(call.result, WRAPPER)
        else:
            core.edge(first, call.result, Edge.ALIAS)

    def _super(self, core: Core, call: Call) -> None:
        if call.cls is None:
            core.unknown(call.result)
            return
        thing = Super(call.cls)
        operands = [("base", self._classes.libraries(call.cls))]
        core.hold(call.result, thing, Origin(Kind.THING, None, call.node, operands, thing))

    def _globals(self, core: Core, call: Call) -> None:
        if call.source is None:
            core.unknown(call.result)
        else:
            core.hold(call.result, self._modules.of[call.source.name])

    def _exec(self, core: Core, call: Call) -> None:
        """A text that runs may bind anything."""
        core.unknown(call.result)
        if call.source is not None:
            n = core.place(("text", call.result))
            core.unknown(n)
            module = core.place(("module", call.result))
            core.hold(module, self._modules.of[call.source.name])
            core.store(module, Store(("[", None), n, call.conditions))
