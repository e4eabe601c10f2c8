"""What binds each variable of a module, and what each attribute is set to, in the text's order."""

from __future__ import annotations

import ast
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import cached_property

from .index import Index
from .node_fields import within
from .order import Order
from .records import NamedTuple
from .scope import Scope
from .versions import EACH, ENTER, UNBOUND, Path, Version

_KINDS = ("assign", "aug", "for", "with", "param", "def", "class", "import")
_HOLDERS = (ast.stmt, ast.NamedExpr, ast.comprehension)  # what binds a name that stands in it
_BY_STATEMENT: dict[type[ast.AST], str] = {
    ast.AugAssign: "aug",
    ast.For: "for",
    ast.AsyncFor: "for",
    ast.comprehension: "for",
    ast.With: "with",
    ast.AsyncWith: "with",
}
_NOTHING: Sequence[Binding] = ()


class Binding(NamedTuple):
    """One place that binds a name; `value` is what flows in, at `path` inside of it."""

    kind: str  # assign, import, param, for, with, def, class, aug, other
    node: ast.AST
    value: ast.AST | None = None
    path: Path = ()

    @property
    def part(self) -> ast.AST | None:
        """What flows in where that is written down: 1 in `a, b = 1, f()`, None in `a, b = f()`."""
        value = self.value
        for number in self.path:
            parts = value.elts if isinstance(value, (ast.Tuple, ast.List)) else []
            is_plain = not any(isinstance(part, ast.Starred) for part in parts)
            is_there = is_plain and isinstance(number, int) and 0 <= number < len(parts)
            value = parts[number] if is_there else None  # type: ignore[index]
        return value


class Bindings:
    """The bindings of the variables of one module, each with its statement."""

    def __init__(self, index: Index, order: Order) -> None:
        self._index, self._order = index, order

    def of(self, node: ast.AST) -> Sequence[Binding]:
        """What may have bound the name that a node reads; nothing for builtins and other nodes."""
        if not isinstance(node, ast.Name):
            return _NOTHING
        owner = self._index.scope_of(node).find(node.id)
        return _NOTHING if owner is None else self.inside(owner).get(node.id, _NOTHING)

    def inside(self, scope: Scope) -> Mapping[str, Sequence[Binding]]:
        """The variables of a scope, each with all that binds it."""
        return self._by_scope.get(scope, {})

    @cached_property
    def _by_scope(self) -> dict[Scope, dict[str, Sequence[Binding]]]:
        found: defaultdict[Scope, dict[str, Sequence[Binding]]] = defaultdict(dict)
        for (scope, name), cell in self._order.cells.items():
            if cell.args:
                found[scope][name] = self.in_text(cell.args)
        for (scope, name), deletions in self._deletions.items():
            found[scope][name] = sorted([*found[scope].get(name, ()), *deletions], key=place_of)
        return found

    @cached_property
    def _deletions(self) -> dict[tuple[Scope, str], list[Binding]]:
        """`del`: behind it the name is that of nothing, or of what stands around."""
        found: dict[tuple[Scope, str], list[Binding]] = {}
        for node in (n for each in self._index.nodes(ast.Delete) for n in within(each)):
            if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Del):
                owner = self._index.scope_of(node).find(node.id)
                if owner is not None:
                    found.setdefault((owner, node.id), []).append(Binding("other", node))
        return found

    def reaching(self, use: ast.Name, swallows: Callable[[ast.expr], bool]) -> Sequence[Binding]:
        """The bindings whose value `use` may load, the last in the text first.

        `swallows`: whether a `with` over what is called so goes on behind an exception.
        """
        version = self._order.reads.get(use)
        if version is None:
            return self.of(use)
        found = _made(version, swallows) or _made(version, swallows, is_imported=True)
        return self.in_text(found)[::-1]

    def in_text(self, versions: Iterable[Version]) -> list[Binding]:
        """The bindings of these versions in the order of the text, each once."""
        found = dict.fromkeys(map(self._binding, versions))
        return sorted(found, key=place_of) if len(found) > 1 else [*found]

    def _binding(self, version: Version) -> Binding:
        node = version.node
        assert node is not None
        if isinstance(node, ast.Name):
            node = self._holder(node)
        if version.kind not in _KINDS:
            return Binding("other", node)
        return Binding(version.kind, node, version.value, _countable(version.path))

    def _holder(self, target: ast.AST) -> ast.AST:
        """The statement, or the part of an expression, that binds a target."""
        while not isinstance(target, _HOLDERS):
            target = self._index.parents[target]
        return target

    @cached_property
    def of_attributes(self) -> dict[str, list[tuple[ast.Attribute, Binding]]]:
        """By the attribute's name: each target that sets it, with what it is set to."""
        found: dict[str, list[tuple[ast.Attribute, Binding]]] = {}
        for target, value, path in sorted(self._order.stores, key=lambda store: place(store[0])):
            if isinstance(target, ast.Attribute):
                node = self._holder(target)
                kind = _BY_STATEMENT.get(type(node), "assign")
                binding = Binding(kind, node, value, _countable(path))
                found.setdefault(target.attr, []).append((target, binding))
        return found


def _made(
    version: Version, swallows: Callable[[ast.expr], bool], is_imported: bool = False
) -> list[Version]:
    """The bindings that a version stands for; those of other modules' calls where no other are."""
    found: list[Version] = []
    seen, stack = {UNBOUND}, [version]
    while stack:
        version = stack.pop()
        if version in seen or (version.kind == "imported" and not is_imported):
            continue
        seen.add(version)
        if version.args is None:
            found.append(version)
        elif version.kind != "swallow" or any(map(swallows, _called(version))):
            stack += version.args
        else:  # what the `with` has begun lets all exceptions through
            stack += version.args[:1]
    return found


def _called(version: Version) -> Iterator[ast.expr]:
    """What the `with` calls that decide a version."""
    for test in version.tests:
        assert isinstance(test, ast.expr)
        yield test.func if isinstance(test, ast.Call) else test


def _countable(path: Path) -> Path:
    """Behind a starred target nobody counts; what a `with` gives has the value's own path."""
    steps = [step for step in path if step != ENTER]
    return tuple(s if isinstance(s, int) and s >= 0 else EACH for s in steps)


def place_of(binding: Binding) -> tuple[int, int]:
    """Where a binding stands."""
    return place(binding.node)


def place(node: ast.AST) -> tuple[int, int]:
    """Where a node stands; a comprehension's loop, which has no place, stands at its target."""
    placed = node.target if isinstance(node, ast.comprehension) else node
    return getattr(placed, "lineno", 0), getattr(placed, "col_offset", 0)
