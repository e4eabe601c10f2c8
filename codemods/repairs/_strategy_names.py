"""Which names hold a strategy of `tf.distribute`, and how it comes to them."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from ..facts import Facts
from ..facts.classes import is_static
from ..facts.scopes import Function
from ..program.node_fields import within

# On one device what they give is known; others (TPU, parameter servers) are for other devices.
MIRRORED = re.compile(
    r"tensorflow\.distribute\.(?:experimental\.)?"
    r"(?:Mirrored|MultiWorkerMirrored|CentralStorage|OneDevice)Strategy$"
    r"|tensorflow\.distribute\.get_strategy$"
)

OPTIONS = re.compile(r"tensorflow\.distribute\.(?!.*TPU)")


class Strategies:
    """The calls that make strategies, the names that hold them, the uses that hand them on."""

    def __init__(self, facts: Facts) -> None:
        self._facts = facts
        self.made = [c for c in facts.index.calls if MIRRORED.match(facts.name(c.func) or "")]
        self.names: set[str] = set()
        self.handed_on: set[ast.AST] = set()
        followed = list(map(self._follow, self.made))
        self.is_known = all(followed)
        known = 0
        while self.is_known and known < len(self.names):
            known = len(self.names)
            for use in list(self._uses()):
                if self._follow(use):
                    self.handed_on.add(use)

    @property
    def is_plain(self) -> bool:
        """Whether each is assigned to a name where it is made, and handed on nowhere."""
        parents = map(self._facts.parent, self.made)
        return not self.handed_on and all(
            isinstance(p, (ast.Assign, ast.Attribute)) for p in parents
        )

    def _uses(self) -> Iterator[ast.AST]:
        for node in within(self._facts.module):
            is_load = isinstance(getattr(node, "ctx", None), ast.Load)
            if is_load and ast.unparse(node) in self.names:
                yield node

    def _follow(self, node: ast.AST) -> bool:
        """Add the names to which a value goes from there; whether they are known."""
        names = list(self._destinations(node))
        self.names.update(names)
        return bool(names)

    def _destinations(self, node: ast.AST) -> Iterator[str]:
        parent = self._facts.parent(node)
        if isinstance(parent, ast.Assign) and len(parent.targets) == 1 and parent.value is node:
            if isinstance(parent.targets[0], (ast.Name, ast.Attribute)):
                yield ast.unparse(parent.targets[0])
        elif isinstance(parent, ast.Attribute) and isinstance(node, ast.Call):
            yield ast.unparse(node)
        elif isinstance(parent, ast.Return):
            function = self._facts.function(parent)
            for call in self._facts.call_sites(function) if function is not None else ():
                yield from self._destinations(call)
        elif isinstance(parent, ast.Call) and node in parent.args:
            yield from self._parameter(parent, parent.args.index(node))
        elif isinstance(parent, ast.keyword) and parent.arg is not None:
            yield from self._parameter(self._facts.parent(parent), parent.arg)

    def ingredients(self) -> Iterator[ast.Assign]:
        """What is made of `tf.distribute` for nothing but to make a strategy of it."""
        inside = {inner for call in self.made for inner in within(call)}
        for statement in self._facts.index.nodes(ast.Assign):
            target, call = statement.targets[0], statement.value
            if isinstance(target, ast.Name) and isinstance(call, ast.Call):
                name = self._facts.name(call.func) or ""
                loads = self._facts.index.loads.get(target.id, ())
                if OPTIONS.match(name) and loads and inside.issuperset(loads):
                    yield statement

    def _parameter(self, call: ast.AST | None, at: int | str) -> Iterator[str]:
        """The name of a parameter of a function of this module, by position or name."""
        function = self._function(call) if isinstance(call, ast.Call) else None
        if function is None:
            return
        is_bound = self._facts.cls(function) is not None and not is_static(function)
        names = [each.arg for each in (*function.args.posonlyargs, *function.args.args)]
        if isinstance(at, str):
            yield from [at] if at in (*names, *(a.arg for a in function.args.kwonlyargs)) else []
        else:
            yield from names[at + is_bound :][:1]

    def _function(self, call: ast.Call) -> Function | None:
        cls = self._facts.classes.local(call.func)
        if cls is not None:
            return self._facts.classes.method(cls, "__init__")
        return self._facts.callee(call)
