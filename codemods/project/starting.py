"""What a program becomes that trains nothing, and runs what asks Horovod: it starts Horovod.

It is one process, of which `hvd.size()` is 1: what it runs does there what it did before.
"""

from __future__ import annotations

import ast
from collections.abc import Collection

from ..edits import At, Insert, Places
from ..facts import Facts
from ..facts.setup.import_places import last_import, missing_modules
from ..facts.setup.start import starts
from ..finding import Found, due
from ..model import NO_PATTERN, Migration, Options
from ..program.graph import TooLarge
from ..program.node_fields import within
from ..rewrites import all as every_rule
from ..rewrites._imports import import_as
from ..rewrites._new_code import hvd
from ..syntax.source import parse_module
from .imports import imported
from .outline import is_main
from .refused import Refused

_LATER = (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda)
IMPORTING, STARTING = "D101", "D102"
INIT = "\n{}.init()\n\n"


def start_only(text: str, options: Options, name: str) -> Migration | None:
    """The text with Horovod started; None where no place is known for that.

    Raises SyntaxProblem and UnsoundResult.
    """
    facts = Facts.of(text, options, name)
    seen = Migration(text, NO_PATTERN)
    try:
        if starts(facts):
            return seen
        found = _found(facts, name)
    except (Refused, TooLarge):
        return None
    if found is None:
        return None
    if options.only_look:
        return seen._replace(unmade=due(facts, found))
    from ..chains import steps

    return seen._replace(steps=steps(facts, found, name))


def runs_at_import(text: str, lines: Collection[int]) -> bool:
    """Whether a module does what stands at one of these lines as soon as it is imported."""
    tree = parse_module(text)
    later: list[ast.AST] = [s for s in tree.body if is_main(s)]
    for node in within(tree):
        body = getattr(node, "body", []) if isinstance(node, _LATER) else []
        later += body if isinstance(body, list) else [body]
    later += (s for s in tree.body if isinstance(s, (ast.Import, ast.ImportFrom)))
    spans = [(s.lineno, s.end_lineno or s.lineno) for s in later]  # type: ignore[attr-defined]
    return any(not any(first <= line <= last for first, last in spans) for line in lines)


def _found(facts: Facts, name: str) -> list[Found] | None:
    """The import of Horovod, and its start behind the imports. Raises Refused."""
    behind = last_import(facts)
    if behind is None:
        return None
    lines = [import_as(facts, module) for module in missing_modules(facts)[:1]]
    places = [imported(facts, name, lines)] if lines else []
    edits = [at.edit for each in places for at in each.edits if at.place is behind]
    above = sum(edit.after.count("\n") for edit in edits if isinstance(edit, Insert))
    start = At(behind, Insert(after=INIT.format(hvd(facts)), distance=above))
    rules = {rule.code: rule for rule in every_rule()}
    return [*((rules[IMPORTING], each) for each in places), (rules[STARTING], Places([start]))]
