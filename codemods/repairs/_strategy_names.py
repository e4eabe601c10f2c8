"""What holds a strategy of `tf.distribute`, and how it comes there."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence

from ..facts import Facts
from ..library.device_strategies import MIRRORED as MIRRORED
from ..library.device_strategies import OPTIONS as OPTIONS
from ..library.names import normal
from ..program.node_fields import within
from ._strategy_tpus import TpuFallbacks

MENTIONED = "distribute"  # else nothing need be looked up
HOLDERS = (ast.Name, ast.Attribute, ast.Subscript, ast.Tuple, ast.List)


# What only strategies have: where one is asked for it that nobody has followed, all is left.
OWN_MEMBERS = frozenset({"num_replicas_in_sync", "experimental_local_results"})


class Strategies:
    """The calls that make strategies, what may be one of these, and the uses that hand them on."""

    def __init__(self, facts: Facts) -> None:
        self._facts = facts
        self.tpus = TpuFallbacks(facts)
        calls = [call for call in facts.index.calls if call not in self.tpus.gone]
        chosen = [each for call in calls for each in self._chosen(call)]
        self.classes = frozenset(each for node in chosen for each in self._beside(node))
        self.made = [call for call in calls if self._makes_one(call)]
        self._made: frozenset[ast.AST] = frozenset(self.made)
        self.uses = frozenset(self._uses())
        self.handed_on = frozenset(use for use in self.uses - self._made if self._goes_on(use))
        self.names = {ast.unparse(use) for use in self.uses}

    def _makes_one(self, call: ast.Call) -> bool:
        name = self._facts.name(call.func)
        return bool(self._chosen(call)) if name is None else MIRRORED.match(name) is not None

    def _chosen(self, call: ast.Call) -> Sequence[ast.AST]:
        """The classes of strategies of which a call takes one: `STRATEGIES[name]()`."""
        facts = self._facts
        if MENTIONED not in facts.source.text or facts.name(call.func) is not None:
            return ()
        if not any(map(MIRRORED.match, map(normal, facts.program.names(call.func)))):
            return ()
        found = facts.origins(call.func)
        names = (None if item.path else facts.name(item.node) for item in found.items)
        is_known = found.complete and all(name and MIRRORED.match(name) for name in names)
        return found.nodes if is_known else ()

    def _beside(self, chosen: ast.AST) -> Iterator[ast.AST]:
        """A class of a strategy, and those in the same table."""
        table = self._facts.parent(chosen)
        yield chosen
        for value in table.values if isinstance(table, ast.Dict) else ():
            if MIRRORED.match(self._facts.name(value) or ""):
                yield value

    def unknown(self) -> Iterator[ast.AST]:
        """Those that go where nobody follows them; where they go, what else comes there."""
        for call in self.made:
            if not self._is_asked(call) and not self._goes_on(call):
                yield call
        yield from (
            use
            for use in sorted(self.uses, key=self._facts.source.offsets)
            if not self._is_alone(use)
        )

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
            if node.attr in OWN_MEMBERS and node.value not in self.uses | self.tpus.gone:
                yield node

    def _uses(self) -> Iterator[ast.expr]:
        if not self.made:
            return
        arrives = self._facts.program.arrivals(self._made.__contains__)
        for node in within(self._facts.module):
            if node in self.tpus.gone:
                continue
            is_value = isinstance(node, (ast.Name, ast.Attribute, ast.Call))
            if is_value and isinstance(getattr(node, "ctx", None) or ast.Load(), ast.Load):
                if arrives(node) and not self._made.isdisjoint(self._facts.origins(node).nodes):
                    yield node  # type: ignore[misc]

    def _is_alone(self, use: ast.expr) -> bool:
        """Whether it is a strategy or None, and nothing else."""
        found = self._facts.origins(use)
        known = self._made | self.tpus.gone
        others = [node for node in found.nodes if node not in known]
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
            return all(isinstance(each, HOLDERS) for each in targets)
        if isinstance(parent, (ast.BoolOp, ast.IfExp, ast.Tuple, ast.List, ast.Dict)):
            return node is not getattr(parent, "test", None) and self._goes_on(parent)
        if isinstance(parent, ast.keyword):
            return parent.arg is not None and self._is_seen(self._facts.parent(parent))
        if isinstance(parent, ast.Call):
            return node in parent.args and self._is_seen(parent)
        return isinstance(parent, (ast.Return, ast.Expr, ast.Lambda))

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
            target, value = statement.targets[0], statement.value
            if isinstance(target, ast.Name) and self._is_for_strategies(value):
                loads = self._facts.index.loads.get(target.id, ())
                if loads and inside.issuperset(loads):
                    yield statement

    def _is_for_strategies(self, value: ast.expr) -> bool:
        """An option of theirs, or a table of their classes."""
        if isinstance(value, ast.Dict):
            return bool(value.values) and self.classes.issuperset(value.values)
        name = self._facts.name(value.func) if isinstance(value, ast.Call) else None
        return OPTIONS.match(name or "") is not None
