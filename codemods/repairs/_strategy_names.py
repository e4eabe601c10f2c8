"""What holds a strategy of `tf.distribute`, and how it comes there."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from ..facts import Facts
from ..program.node_fields import within

# On one device what they give is known; others (TPU, parameter servers) are for other devices.
MIRRORED = re.compile(
    r"tensorflow\.distribute\.(?:experimental\.)?"
    r"(?:Mirrored|MultiWorkerMirrored|CentralStorage|OneDevice)Strategy$"
    r"|tensorflow\.distribute\.get_strategy$"
)

OPTIONS = re.compile(r"tensorflow\.distribute\.(?!.*TPU)")


# What only strategies have: where one is asked for it that nobody has followed, all is left.
OWN_MEMBERS = frozenset({"num_replicas_in_sync", "experimental_local_results"})


class Strategies:
    """The calls that make strategies, what may be one of these, and the uses that hand them on."""

    def __init__(self, facts: Facts) -> None:
        self._facts = facts
        self.made = [c for c in facts.index.calls if MIRRORED.match(facts.name(c.func) or "")]
        self._made: frozenset[ast.AST] = frozenset(self.made)
        self.uses = frozenset(self._uses())
        self.handed_on = frozenset(use for use in self.uses - self._made if self._goes_on(use))
        self.names = {ast.unparse(use) for use in self.uses}

    @property
    def is_known(self) -> bool:
        """Whether each is handed on where it is made, and nothing else comes to where they go."""
        are_handed_on = all(self._is_asked(call) or self._goes_on(call) for call in self.made)
        return are_handed_on and all(map(self._is_alone, self.uses))

    @property
    def is_plain(self) -> bool:
        """Whether each is assigned to a name where it is made, and handed on nowhere."""
        parents = map(self._facts.parent, self.made)
        return not self.handed_on and all(
            isinstance(p, (ast.Assign, ast.Attribute)) for p in parents
        )

    def unfollowed(self) -> Iterator[ast.expr]:
        """Where something is asked for what only strategies have, and may be no known one."""
        for node in self._facts.index.nodes(ast.Attribute):
            if node.attr in OWN_MEMBERS and node.value not in self.uses:
                yield node

    def _uses(self) -> Iterator[ast.expr]:
        if not self.made:
            return
        arrives = self._facts.program.arriving(self._made.__contains__)
        for node in within(self._facts.module):
            is_value = isinstance(node, (ast.Name, ast.Attribute, ast.Call))
            if is_value and isinstance(getattr(node, "ctx", None) or ast.Load(), ast.Load):
                if arrives(node) and not self._made.isdisjoint(self._facts.origins(node).nodes):
                    yield node  # type: ignore[misc]

    def _is_alone(self, use: ast.expr) -> bool:
        """Whether it is a strategy or None, and nothing else."""
        found = self._facts.origins(use)
        others = [node for node in found.nodes if node not in self._made]
        return found.complete and all(getattr(node, "value", 0) is None for node in others)

    def may_be_none(self, use: ast.AST) -> bool:
        """Whether the program goes without a strategy, too, and tells what it does then."""
        nodes = self._facts.origins(use).nodes
        return any(getattr(node, "value", 0) is None for node in nodes)

    def _is_asked(self, call: ast.Call) -> bool:
        return isinstance(self._facts.parent(call), ast.Attribute)

    def _goes_on(self, node: ast.AST) -> bool:
        """Whether it only goes to a name, to a caller or to a function that is seen."""
        parent = self._facts.parent(node)
        if isinstance(parent, (ast.Assign, ast.AnnAssign)):
            targets = parent.targets if isinstance(parent, ast.Assign) else [parent.target]
            return all(isinstance(each, (ast.Name, ast.Attribute)) for each in targets)
        if isinstance(parent, (ast.BoolOp, ast.IfExp)):
            return node is not getattr(parent, "test", None) and self._goes_on(parent)
        if isinstance(parent, ast.keyword):
            return parent.arg is not None and self._is_seen(self._facts.parent(parent))
        if isinstance(parent, ast.Call):
            return node in parent.args and self._is_seen(parent)
        return isinstance(parent, (ast.Return, ast.Expr))

    def _is_seen(self, call: ast.AST | None) -> bool:
        """Whether it calls a function, or makes an instance of a class, of the program."""
        if not isinstance(call, ast.Call):
            return False
        cls = self._facts.classes.local(call.func)
        return cls is not None or self._facts.callee(call) is not None

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
