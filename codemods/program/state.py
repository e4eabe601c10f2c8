"""The current version of every variable, and the places where several states meet.

No state is ever copied. A branch works on the one `current` and notes what it changed; its end
takes the changes back. A place where states meet looks, as each one arrives, at what was changed
since the one before it. So the cost is the number of bindings times the depth of blocks (Python
allows 100), however many branches or jumps there are.
"""

from __future__ import annotations

import ast

from .scope import Scope
from .versions import UNBOUND, Condition, Version, any_of

Key = tuple[Scope, str]  # a variable: the scope that owns it, its name
Gates = tuple[tuple[str, ast.AST], ...]  # (`true`, test), (`false`, test), (`returns`, call)


class State:
    """What each variable holds at the place that is reached; `is_dead` if nothing gets there."""

    def __init__(self) -> None:
        self.current: dict[Key, Version] = {}
        self.log: list[tuple[Key, Version]] = []
        self.is_dead = False
        self.condition: Condition | None = None
        self.steps = 0
        self._levels: list[tuple[dict[Key, Version], bool]] = [({}, False)]

    @property
    def depth(self) -> int:
        """The number of the innermost open branch."""
        return len(self._levels) - 1

    def get(self, key: Key) -> Version:
        """The version of a variable."""
        return self.current.get(key, UNBOUND)

    def set(self, key: Key, version: Version) -> None:
        """Give a variable another version."""
        self.steps += 1
        self._levels[-1][0].setdefault(key, self.get(key))
        self.current[key] = version
        if not self.is_dead:
            self.log.append((key, version))

    def open(self) -> None:
        """Begin a branch."""
        self._levels.append(({}, self.is_dead))

    def undo(self) -> None:
        """End a branch: everything is as it was where it began."""
        changed, self.is_dead = self._levels.pop()
        for key, version in changed.items():
            self.steps += 1
            self.current[key] = version
            self.log.append((key, version))

    def keep(self) -> dict[Key, Version]:
        """End a branch and go on with what it did. Returns what it changed, as it was."""
        changed, _ = self._levels.pop()
        for key, version in changed.items():
            self.steps += 1
            self._levels[-1][0].setdefault(key, version)
        return changed

    def before(self, key: Key, depth: int) -> Version:
        """The version of a variable when the branch of this number began."""
        for changed, _ in self._levels[depth:]:
            self.steps += 1
            if key in changed:
                return changed[key]
        return self.get(key)

    def bound_since(self, position: int) -> dict[Key, list[Version]]:
        """Every version that was current at some time since the log had this length."""
        found: dict[Key, dict[Version, None]] = {}
        for number in range(position, len(self.log)):
            self.steps += 1
            key, version = self.log[number]
            found.setdefault(key, {})[version] = None
        return {key: list(versions) for key, versions in found.items()}

    def add(self, bound: dict[Key, list[Version]]) -> None:
        """Any of these versions may be there, or what is there already."""
        for key, versions in bound.items():
            self.steps += len(versions)
            self.set(key, any_of(list(dict.fromkeys([self.get(key), *versions]))))


class Meeting:
    """A place where several states meet; it belongs to the branch that was opened just before."""

    def __init__(self, state: State) -> None:
        self._state, self._depth, self._position = state, state.depth, len(state.log)
        self._condition = state.condition
        self._conditions: set[Condition] = set()
        self._gates: Gates = ()
        self.versions: dict[Key, dict[Version, Gates]] = {}
        self.tests: dict[ast.AST, None] = {}
        self.count = 0

    def arrive(self, gates: Gates = ()) -> None:
        """The state as it is now gets here, if anything does and the gates let it through.

        Gates may be given only where no more than two states arrive.
        """
        state = self._state
        if state.is_dead:
            return
        state.steps += len(state.log) - self._position
        for key in {state.log[i][0]: None for i in range(self._position, len(state.log))}:
            if key not in self.versions:  # those that arrived before had not changed it
                before = state.before(key, self._depth)
                self.versions[key] = {before: self._gates} if self.count else {}
            versions, version = self.versions[key], state.get(key)
            versions[version] = () if version in versions else gates
        self._position, self._gates = len(state.log), gates
        self.count += 1
        self.add_tests(state.condition)

    def add_tests(self, condition: Condition | None) -> None:
        """Note the tests that lead from the beginning to a place under this condition."""
        while condition is not None and condition is not self._condition:
            if condition in self._conditions:
                return
            self._state.steps += 1
            self._conditions.add(condition)
            self.tests.update(dict.fromkeys(condition.tests))
            condition = condition.outer

    def lay(self) -> None:
        """Make the state what any of those that arrived was."""
        tests = tuple(self.tests)
        for key, versions in self.versions.items():
            self._state.steps += len(versions)
            found = list(versions)
            if len(found) > 1:
                found = [_behind(version, gates) for version, gates in versions.items()]
            self._state.set(key, any_of(found, tests))

    def finish(self) -> None:
        """Go on from here with what arrived."""
        state = self._state
        if not self.count:
            state.undo()
            state.is_dead = True
            return
        for key, version in state.keep().items():
            if key not in self.versions:  # what it was changed to came to nothing
                state.set(key, version)
        state.is_dead = False
        self.lay()


class Passage:
    """Where `break` and `continue` lead: behind a loop and to its next round, or out of a `try`."""

    def __init__(self, breaks: Meeting, continues: Meeting) -> None:
        self.breaks, self.continues = breaks, continues


def _behind(version: Version, gates: Gates) -> Version:
    """A version that counts only if all the gates let it through."""
    for kind, test in gates:
        version = Version(kind, args=[version], tests=(test,))
    return version
