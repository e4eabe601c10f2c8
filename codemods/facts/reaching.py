"""Which bindings of a name can reach one of its uses, by the order of statements.

Pipelines are built by `ds = ds.batch(2)` line after line; where to cut depends on the order.
"""

from __future__ import annotations

import ast
from collections.abc import Sequence

from ..library.effects import swallows
from ..program.bindings import Binding
from ..program.parts import FunctionNode
from ..program.versions import UNBOUND, Version
from .facts import Facts


def reaching(facts: Facts, use: ast.Name) -> Sequence[Binding]:
    """The bindings whose value `use` may load, the last in the text first."""
    version = facts.order.reads.get(use)
    if version is None:
        return facts.bindings(use)
    found = _bindings(facts, version) or _bindings(facts, version, is_imported=True)
    return facts.bindings_of(found)[::-1]


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
