"""What functions see of the variables around them: their state where the function is called.

A function that is only called by its name sees what the variables hold at these calls. Any other
(a method, one that is decorated or handed on, a generator) may run at any time once it is made.
"""

from __future__ import annotations

import ast
from collections import Counter

from .parts import FUNCTIONS
from .scope import Scope
from .scopes import Scopes
from .state import Key
from .versions import Version

MOST = 30  # variables followed into one function; the others may hold any binding


class Outer:
    """The variables that each frame sees of the frames around it, and what they hold there.

    Only variables with several bindings are followed: those of one hold that.
    """

    def __init__(self, scopes: Scopes) -> None:
        self._scopes = scopes
        self.steps = len(scopes.bindings) + len(scopes.loads)
        self._bindings = Counter(_owners(scopes))
        self._only_called = self._find_only_called()
        self._callable = set(self._only_called.values())
        self._variables: dict[Scope, set[Key]] = {}
        self._entries: dict[tuple[str, Scope, Key], Version] = {}
        self._collect()

    def variables(self, function: ast.AST) -> list[Key]:
        """The variables of other frames that a run of this function may look at."""
        frame = self._scopes.of[function]
        return sorted(self._variables.get(frame, ()), key=lambda key: key[1])

    def entry(self, frame: Scope, key: Key) -> Version | None:
        """What a variable of another frame holds when code of this frame runs; None: anything."""
        is_called = self.is_only_called(frame.node)
        return self._version("call" if is_called else "later", frame, key)

    def later(self, frame: Scope, key: Key) -> Version | None:
        """What such a variable holds at any time once the function of this frame is made."""
        return self._version("later", frame, key)

    def _version(self, when: str, frame: Scope, key: Key) -> Version | None:
        if key not in self._variables.get(frame, ()):
            return None
        return self._entries.setdefault((when, frame, key), Version("cell", args=[]))

    def is_single(self, key: Key) -> bool:
        """Whether a variable has one binding at most."""
        return self._bindings[key] < 2

    @property
    def of_module(self) -> list[ast.AST]:
        """The functions of the module that are called by their names only."""
        module = self._scopes.module
        return [node for (owner, _), node in self._only_called.items() if owner is module]

    def called(self, name: ast.Name, scope: Scope) -> ast.AST | None:
        """The function that a call of this name runs, if it runs in no other way."""
        owner = scope.find(name.id)
        return None if owner is None else self._only_called.get((owner, name.id))

    def is_only_called(self, function: ast.AST) -> bool:
        """Whether a function runs only where its name is called."""
        return function in self._callable

    def _find_only_called(self) -> dict[Key, ast.AST]:
        found: dict[Key, ast.AST] = {}
        for node, scope in self._scopes.of.items():
            self.steps += 1
            if not isinstance(node, ast.FunctionDef) or node.decorator_list or scope.is_generator:
                continue
            owner = scope.parent and scope.parent.find(node.name)
            is_method = owner is None or isinstance(owner.node, ast.ClassDef)
            if owner is not None and not is_method and self._bindings[owner, node.name] == 1:
                found[owner, node.name] = node
        for name, scope in self._scopes.loads:
            if name not in self._scopes.called:
                owner = scope.find(name.id)
                if owner is not None:
                    found.pop((owner, name.id), None)
        return found

    def _collect(self) -> None:
        """Which variables each frame sees: by its names and by those of functions it runs."""
        users: dict[Scope, set[Scope]] = {}  # by frame, the frames whose runs may run it
        for node, scope in self._scopes.of.items():
            if isinstance(node, FUNCTIONS) and scope.parent is not None:
                users.setdefault(scope, set()).add(scope.parent.frame)
        fresh: list[tuple[Scope, Key]] = []
        for name, scope in self._scopes.loads:
            owner = scope.find(name.id)
            if owner is None:
                continue
            function = self._only_called.get((owner, name.id))
            if function is not None:
                users[self._scopes.of[function]].add(scope.frame)
            if self._bindings[owner, name.id] > 1:
                fresh.append((scope.frame, (owner, name.id)))
        while fresh:
            self.steps += 1
            frame, key = fresh.pop()
            known = self._variables.setdefault(frame, set())
            if key[0].frame is frame or key in known or len(known) == MOST:
                continue
            known.add(key)
            fresh += [(user, key) for user in users.get(frame, ())]


def _owners(scopes: Scopes) -> list[Key]:
    """The variable of each binding."""
    return [(scope.find(name) or scope.module, name) for name, scope in scopes.bindings]
