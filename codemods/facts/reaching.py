"""Which bindings of a name can reach one of its uses, by the order of statements.

Pipelines are built by `ds = ds.batch(2)` line after line; where to cut depends on the order.
"""

from __future__ import annotations

import ast

from ..library.effects import swallows
from ..program.versions import ENTER, UNBOUND, Version
from .facts import Facts
from .scopes import EACH, Binding, FunctionNode, Path

_KINDS = ("assign", "aug", "for", "with", "param", "def", "class", "import")
_HOLDERS = (ast.stmt, ast.NamedExpr, ast.comprehension)  # what binds a name that stands in it


def reaching(facts: Facts, use: ast.Name) -> tuple[Binding, ...]:
    """The bindings whose value `use` may load, the last in the text first."""
    version = facts.order.reads.get(use)
    if version is None:
        return tuple(facts.names.bindings(use))
    found = _bindings(facts, version) or _bindings(facts, version, is_imported=True)
    return tuple(sorted({_binding(facts, v): None for v in found}, key=_place, reverse=True))


def comes_before(facts: Facts, first: ast.stmt, second: ast.stmt) -> bool:
    """Whether what stands above the first statement has run wherever the second one does."""
    for around in (second, *facts.parents(second)):
        if isinstance(around, (*FunctionNode, ast.ClassDef)):
            return False
        if isinstance(around, ast.stmt):
            block, number = facts.block(around)
            if first in block[: number + 1]:
                return True
    return False


def _bindings(facts: Facts, version: Version, is_imported: bool = False) -> list[Version]:
    """The bindings that a version stands for; those of other modules' calls where no other are."""
    found: list[Version] = []
    seen = {UNBOUND}
    stack = [version]
    while stack:
        version = stack.pop()
        if version in seen or (version.kind == "imported" and not is_imported):
            continue
        seen.add(version)
        if version.args is None:
            found.append(version)
        else:
            stack += version.args if _counts_all(facts, version) else version.args[:1]
    return found


def _counts_all(facts: Facts, version: Version) -> bool:
    """Whether what a `with` has begun counts, too: not if it lets all exceptions through."""
    if version.kind != "swallow":
        return True
    called = [each.func if isinstance(each, ast.Call) else each for each in version.tests]
    return any(swallows(facts.name(f) or str(getattr(f, "attr", ""))) for f in called)


def _binding(facts: Facts, version: Version) -> Binding:
    node = version.node
    assert node is not None
    if isinstance(node, ast.Name):
        node = next(p for p in facts.parents(node) if isinstance(p, _HOLDERS))
    kind = version.kind if version.kind in _KINDS else "other"
    value = version.value if kind != "other" else None
    return Binding(kind, node, value, _path(version) if kind != "other" else ())


def _path(version: Version) -> Path:
    """The path in the words of `scopes`: behind a starred target nobody counts."""
    steps = [step for step in version.path if step != ENTER]
    return tuple(s if s == EACH or (isinstance(s, int) and s >= 0) else EACH for s in steps)


def _place(binding: Binding) -> tuple[int, int]:
    node = binding.node
    if isinstance(node, ast.comprehension):
        node = node.target
    return getattr(node, "lineno", 0), getattr(node, "col_offset", 0)
