"""The walk over the code of one frame: what its names read and bind, and where it jumps to."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterable

from .parts import COMPREHENSIONS
from .record import Place, Record
from .scope import Scope
from .state import Key, Passage, State
from .versions import UNBOUND, Condition, Exit, Version

Rule = Callable[["Walk", ast.AST], None]

Exits = list[Exit]


class Walk:
    """The walk over one frame."""

    def __init__(self, record: Record, scope: Scope, rules: dict[str, Rule]) -> None:
        self.record, self.scope, self.frame = record, scope, scope
        self.state = State()
        self.passages: list[Passage] = []
        self.exits: Exits = []
        self.loops = 0  # how many loops are around the place
        self.consumed: set[ast.AST] = set()  # generator expressions that run where they stand
        self._rests: dict[Key, Version] = {}
        self.is_lazy = False  # inside of a generator expression, which runs who knows when
        self._rules = rules

    # -- names ----------------------------------------------------------------------------------

    def read(self, name: ast.Name) -> None:
        """Note what a name sees."""
        self.record.loads.setdefault(name.id, []).append(name)
        owner = self.scope.find(name.id)
        if owner is not None:
            self.record.reads[name] = self._version(owner, name.id)

    def _version(self, owner: Scope, name: str) -> Version:
        key = (owner, name)
        if self.is_lazy and not isinstance(owner.node, COMPREHENSIONS):
            version = self.later(key)
        else:
            version = self.now(key)
        if name in owner.shared:  # a function that was called may have bound it anew
            version = Version("join", args=[version, self.record.of_others(key)])
        if isinstance(owner.node, ast.ClassDef) and name in owner.module.bound:
            version = self._or_global(version, owner.module, name)
        return version

    def now(self, key: Key) -> Version:
        """What a variable holds here."""
        if key[0].frame is self.frame:
            return self.state.get(key)
        return self.record.outer.entry(self.frame, key) or self.record.cell(key)

    def later(self, key: Key) -> Version:
        """What a variable may hold here or at any time after this."""
        record = self.record
        if key[0].frame is not self.frame:
            return record.outer.later(self.frame, key) or record.cell(key)
        is_repeated = self.loops or isinstance(self.scope.node, COMPREHENSIONS)
        if is_repeated or record.outer.is_single(key):
            return record.cell(key)
        return Version("cell", args=[self.state.get(key), self._rest(key)])

    def _rest(self, key: Key) -> Version:
        """The bindings of a variable of this frame that are still to come."""
        rest = self._rests.get(key)
        if rest is None or rest.args:
            following = Version("cell", args=[])
            if rest is not None:
                _add(rest, following)
            rest = self._rests[key] = following
        return rest

    def _or_global(self, version: Version, module: Scope, name: str) -> Version:
        """A name that the body of a class has not bound yet is looked up in the module."""
        if version.args is None and version is not UNBOUND:
            return version
        around = self._version(module, name)
        return around if version is UNBOUND else Version("join", args=[version, around])

    def bind(self, name: str, version: Version, scope: Scope | None = None) -> None:
        """Bind a name in `scope`, or where the walk stands."""
        owner = (scope or self.scope).find(name) or self.frame.module
        key = (owner, name)
        self.record.cell(key).args.append(version)  # type: ignore[union-attr]
        self.note(version.node)
        self._add_to_rest(key, version)
        if owner.frame is not self.frame or self.is_lazy:
            self.record.of_others(key).args.append(version)  # type: ignore[union-attr]
        if owner.frame is not self.frame:
            return
        if isinstance(owner.node, COMPREHENSIONS):  # nothing outside sees it
            self.state.current[key] = version
        else:
            self.state.set(key, version)

    def _add_to_rest(self, key: Key, version: Version) -> None:
        rest = self._rests.get(key)
        if rest is not None:
            rest.args.append(version)  # type: ignore[union-attr]

    def unbind(self, name: str) -> None:
        """Forget what a name of this frame holds."""
        owner = self.scope.find(name)
        if owner is not None and owner.frame is self.frame:
            self.state.set((owner, name), UNBOUND)

    def key(self, name: str) -> Key:
        """The variable that a name is here."""
        return self.scope.find(name) or self.frame.module, name

    # -- functions ------------------------------------------------------------------------------

    def define(self, function: ast.AST) -> None:
        """Queue the body of a function, which may run from here on."""
        self.record.frames.append(function)
        outer, frame = self.record.outer, self.record.scopes.of[function]
        for key in outer.variables(function):
            _add(outer.later(frame, key), self.later(key))

    def call(self, name: ast.AST) -> None:
        """A function is called here, perhaps by its name."""
        outer = self.record.outer
        function = outer.called(name, self.scope) if isinstance(name, ast.Name) else None
        if function is None:
            return
        for key in outer.variables(function):
            version = self.later(key) if self.is_lazy else self.now(key)
            _add(outer.entry(self.record.scopes.of[function], key), version)

    def export(self) -> None:
        """What functions of the module see that other modules call, when all of it has run."""
        outer = self.record.outer
        for function in outer.of_module:
            for key in outer.variables(function):
                version = Version("imported", function, args=[self.now(key)])
                _add(outer.entry(self.record.scopes.of[function], key), version)

    # -- statements -----------------------------------------------------------------------------

    def block(self, body: Iterable[ast.stmt]) -> None:
        """Walk over the statements of a block."""
        condition = self.state.condition
        for statement in body:
            self.note(statement)
            log = self.state.log
            self.record.places[statement] = Place(self.scope, log, len(log))
            known = len(self.exits)
            self._rules[type(statement).__name__](self, statement)
            if len(self.exits) > known:
                self.leave(self.exits[known:])
        self.state.condition = condition

    def note(self, node: ast.AST | None) -> None:
        """Record under which condition something stands."""
        if node is not None and self.state.condition is not None:
            self.record.conditions[node] = self.state.condition

    def leave(self, exits: Exits) -> None:
        """What stands behind jumps runs only if none of them did."""
        outer = self.state.condition
        tests = self.tests_between(exits, outer)
        if tests:
            jumps = [found.node for found in exits if found.kind != "raise"]
            self.state.condition = Condition("exit" if jumps else "raise", tests, outer, jumps)

    def tests_between(self, exits: Exits, outer: Condition | None) -> list[ast.AST]:
        """The tests that lead from a place under the condition `outer` to any of these jumps."""
        tests: dict[ast.AST, None] = {}
        seen: set[Condition] = set()
        for _, condition, _ in exits:
            while condition is not None and condition is not outer and condition not in seen:
                self.state.steps += 1
                seen.add(condition)
                tests.update(dict.fromkeys(condition.tests))
                condition = condition.outer
        return list(tests)

    def under(self, kind: str, *tests: ast.AST) -> Condition:
        """From here on everything runs under these tests too."""
        self.state.condition = Condition(kind, list(tests), self.state.condition)
        return self.state.condition


def _add(cell: Version | None, version: Version) -> None:
    """One more version that a cell may stand for."""
    assert cell is not None
    assert cell.args is not None
    if version is not cell and version not in cell.args[-1:]:
        cell.args.append(version)
