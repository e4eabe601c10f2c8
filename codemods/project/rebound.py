"""A name that is a module first and something else later: `import model; model = model.build()`.

Such a name is two variables. What stands where only the module can be meant gets a name of its own
in the program that is looked at, and the module is followed as any other.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator

from ..program.order import Order
from ..program.versions import UNBOUND, Version, bindings
from .files import File, Variable
from .import_paths import Import


def told_apart(file: File, leads: Callable[[Import], bool]) -> File:
    """The file, with a name for each of the two; `leads`: whether an import is of the project."""
    both = [each for each in file.aliases if _is_two(file, each, leads)]
    if not both:
        return file
    order = Order(file.tree, file.scopes)
    taken = {node.id for node in file.nodes if isinstance(node, ast.Name)} | file.names
    is_changed = False
    for variable in both:
        loads = _of_module(file, order, variable)
        if loads:
            name = next(n for n in _choices(variable[1]) if n not in taken)
            for _, alias in file.aliases[variable]:
                alias.asname = name
            for load in loads:
                load.id = name
            taken.add(name)
            is_changed = True
    return File(file.path, file.text, file.tree) if is_changed else file


def _choices(name: str) -> Iterator[str]:
    number = 0
    while True:
        yield f"{name}_module{'_' * number}"
        number += 1


def _is_two(file: File, variable: Variable, leads: Callable[[Import], bool]) -> bool:
    """Whether something else is bound to a name that the project's modules have."""
    owner, name = variable
    found = file.aliases[variable]
    is_plain = not any("." in alias.name and not alias.asname for _, alias in found)
    is_free = name not in owner.shared and not isinstance(owner.node, ast.ClassDef)
    is_more = len(found) < file.bindings[variable] and name not in _deleted(file)
    return is_more and is_plain and is_free and all(leads(node) for node, _ in found)


def _deleted(file: File) -> set[str]:
    names = (node for node in file.nodes if isinstance(node, ast.Name))
    return {node.id for node in names if isinstance(node.ctx, ast.Del)}


def _of_module(file: File, order: Order, variable: Variable) -> list[ast.Name]:
    """What reads a name where it is the module; none if some may read either."""
    owner, name = variable
    found: list[ast.Name] = []
    for load, scope in file.scopes.loads:
        if load.id != name or scope.find(name) is not owner:
            continue
        seen = _bindings(order.reads.get(load))
        if seen == {"import"}:
            found.append(load)
        elif not seen or "import" in seen or "aug" in seen:
            return []
    return found


def _bindings(version: Version | None) -> set[str]:
    """How what a name reads may have been bound; nothing where nobody can tell."""
    found = [] if version is None else bindings(version)
    return set() if UNBOUND in found else {each.kind for each in found}
