"""How often a place runs in one run of the program."""

from __future__ import annotations

import ast
from itertools import takewhile

from ...library.effects import is_hook
from ..facts import Facts
from ..scopes import Comprehension, FunctionNode
from ..walks import reached
from .training_loops import loop_around, trains


def runs_once(facts: Facts, node: ast.AST, depth: int = 9) -> bool:
    """Whether `node` is evaluated at most once in a run of the program."""
    if facts.in_loop(node) or depth == 0:
        return False
    function = next(
        (p for p in facts.parents(node) if isinstance(p, (*FunctionNode, ast.Lambda))), None
    )
    if function is None:
        return True
    if isinstance(function, ast.Lambda):
        return False
    sites = facts.call_sites(function)
    if _is_called_by_library(facts, function):
        return False
    if facts.values.escapes(function):
        return not sites and _is_main(facts, function)
    return len(sites) == 1 and runs_once(facts, sites[0], depth - 1)


def is_delayed(facts: Facts, call: ast.Call) -> bool:
    """Whether it runs at another time than its statement, or for each element of something."""
    delaying = (ast.Lambda, ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp)
    around = iter(facts.parents(call))
    return any(
        isinstance(p, delaying) for p in takewhile(lambda p: not isinstance(p, ast.stmt), around)
    )


def is_for_a_round(facts: Facts, node: ast.AST) -> bool:
    """Whether each round of a loop that trains comes to it anew, through whatever functions."""
    for each in reached([node], lambda n: _callers(facts, n)):
        loop, function = loop_around(facts, each), facts.function(each)
        if loop is not None and trains(facts, loop):
            return True
        if function is not None and _is_called_by_library(facts, function):
            return True
    return False


def _callers(facts: Facts, node: ast.AST) -> list[ast.AST]:
    """What runs the function around a node: calls, and attributes that are properties."""
    function = facts.function(node)
    sites = () if function is None else facts.program.call_sites(function).nodes
    return list(sites)


def is_drawn_once(facts: Facts, call: ast.Call) -> bool:
    """So for a call; what a loop or a comprehension runs over is made before its first round."""
    drawn: ast.AST = call
    for parent in facts.parents(call):
        first = parent.generators[0] if isinstance(parent, Comprehension) else parent
        if isinstance(first, (ast.For, ast.comprehension)) and call in ast.walk(first.iter):
            drawn = parent
        if isinstance(parent, ast.stmt):
            break
    return runs_once(facts, drawn)


def _is_called_by_library(facts: Facts, function: ast.AST) -> bool:
    """`on_epoch_end` of a class that derives from one of a library."""
    cls = facts.classes.method_of(function)
    bases = () if cls is None else facts.classes.library_bases(cls)
    is_derived = any(base != "builtins.object" for base in bases)
    return is_derived and is_hook(function.name)  # type: ignore[attr-defined]


def _is_main(facts: Facts, function: ast.AST) -> bool:
    """`app.run(main)`."""
    uses = facts.index.loads.get(function.name, [])  # type: ignore[attr-defined]
    parents = [facts.parent(use) for use in uses]
    return (
        len(parents) == 1
        and isinstance(parents[0], ast.Call)
        and ast.unparse(parents[0].func).endswith("run")
    )
