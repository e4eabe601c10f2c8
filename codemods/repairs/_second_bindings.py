"""What the second binding of a name of TensorFlow becomes: an import, or a name of its own."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from ..edits import At, DropNames, Insert, Remove, Replace
from ..facts import Facts
from ..facts.names import IMPORTERS
from ..facts.setup.import_places import imports_by_call
from ..program.bindings import Binding
from ..program.node_fields import within
from ..rewrites._new_code import fresh


def imported_anew(facts: Facts, name: str, first: ast.Import, second: ast.Assign) -> Iterator[At]:
    """`tf = tf.compat.v1` is an import, in the place of the one that nothing has used before."""
    module = module_of(facts, name, second.value)
    between = [n for n in facts.index.loads.get(name, ()) if n.lineno < second.lineno]  # type: ignore[attr-defined]
    is_alone = len(first.names) == len(second.targets) == 1
    if module is None or between or not is_alone or not module.startswith("tensorflow"):
        return
    yield At(first, Remove())
    yield At(second, Insert(before=f"import {module} as {name}\n"))
    yield At(second, Remove())


def module_of(facts: Facts, name: str, value: ast.expr) -> str | None:
    """The module that an expression names: one in the imported one, or by a text."""
    if isinstance(value, ast.Call) and facts.name(value.func) in IMPORTERS and len(value.args) == 1:
        given = value.args[0]
        return str(given.value) if isinstance(given, ast.Constant) else None
    words = ast.unparse(value).split(".")
    is_version = words[0] == name and words[1:2] == ["compat"] and words[2:] in (["v1"], ["v2"])
    return ".".join(["tensorflow", *words[1:]]) if is_version else None


def named_apart(
    facts: Facts, name: str, first: ast.ImportFrom, second: ast.ClassDef
) -> Iterator[At]:
    """`class Model(Model)`: the imported class gets another name, wherever it is meant."""
    alias = next(each for each in first.names if (each.asname or each.name) == name)
    heads = {node for base in (*second.bases, *second.decorator_list) for node in within(base)}
    loads = [
        n for n in facts.index.loads.get(name, ()) if is_before(facts, n, second) or n in heads
    ]
    if first.level or not loads or not heads.intersection(loads):
        return
    other = fresh(facts, f"Base{name}")
    yield At(first, Insert(after=f"from {first.module} import {alias.name} as {other}\n"))
    yield At(first, DropNames((name,)))
    yield from (At(load, Replace(other)) for load in loads)


def is_before(facts: Facts, load: ast.AST, cls: ast.ClassDef) -> bool:
    """Whether it is read before there is that class."""
    return facts.function(load) is None and load.lineno < cls.lineno  # type: ignore[attr-defined]


def rebound(facts: Facts) -> Iterator[At]:
    """What the module's second binding of a name becomes, where the first is an import's alone."""
    yield from called(facts)
    for name, bindings in facts.bound(facts.module).items():
        if len(bindings) != 2 or not all(is_at_top(facts, binding) for binding in bindings):
            continue
        first, second = (binding.node for binding in bindings)
        if isinstance(first, ast.Import) and isinstance(second, ast.Assign):
            yield from imported_anew(facts, name, first, second)
        elif isinstance(first, ast.ImportFrom) and isinstance(second, ast.ClassDef):
            yield from named_apart(facts, name, first, second)


def called(facts: Facts) -> Iterator[At]:
    """`tf = importlib.import_module("tensorflow")` is an import like any other."""
    for statement in imports_by_call(facts):
        (target,) = statement.targets
        module = ast.literal_eval(statement.value.args[0])  # type: ignore[attr-defined]
        yield At(statement, Insert(before=f"import {module} as {ast.unparse(target)}\n"))
        yield At(statement, Remove())


def is_at_top(facts: Facts, binding: Binding) -> bool:
    """Whether it always is so bound, for the whole module."""
    return binding.node in facts.module.body
