"""What a program becomes that isn't migrated, and runs what asks Horovod: it starts Horovod.

It is one process, of which `hvd.size()` is 1: what it runs does there what it did before. One that
trains, and is refused for what only several workers do wrong, or runs guards alone of what changes,
ends unless it is alone: it would average gradients in a program that nobody has proved.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Collection

from ..applying.places_to_edit import Found, due
from ..edits import At, Insert, Places
from ..facts import Facts
from ..facts.setup.horovod_start import starts
from ..facts.setup.import_places import last_import, missing_modules
from ..model import NO_PATTERN, NOTE, Migration, Options
from ..program.graph import TooLarge
from ..program.node_fields import within
from ..rewrites import all as every_rule
from ..rewrites._import_edits import import_as
from ..rewrites._new_code import hvd
from ..syntax.source import parse_module
from .imports import imported
from .outline import is_main
from .refused import Refused

_LATER = (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda)
IMPORTING, STARTING = "D101", "D102"
INIT = "\n{0}.init()\n\n"
ALONE = """
{0}.init()
if {0}.size() > 1:
    raise SystemExit("this program is not migrated to Horovod: it runs on one worker")

"""
# What only guards what is shown or written: on one worker it is nothing, whatever it is given.
GUARDS = frozenset({IMPORTING, "D203"})
# What is said of several workers: nothing of it is wrong on one.
OF_WORKERS = re.compile(r"T07|K04|J\d\d|D1\d\d|L0\d|G03")
STAYS = "it is made for one worker, and ends on more: {}"
FREE = "mend this, take out the start of Horovod, and migrate it"


def start_only(
    text: str,
    options: Options,
    name: str,
    refused: Migration | None = None,
    codes: Collection[str] = (),
) -> Migration | None:
    """The text with Horovod started; None where no place is known for that.

    `refused` is what is said of a program that trains, `codes` are the rules that have changed what
    it runs. Raises SyntaxProblem and UnsoundResult.
    """
    if refused is not None and not may_stay_alone(refused, codes):
        return None
    facts = Facts.of(text, options, name)
    seen = Migration(text, NO_PATTERN)
    start = INIT
    if refused is not None:
        start, first = ALONE, refused.blocked[0]
        note = first._replace(message=STAYS.format(first.message), fix=FREE, severity=NOTE)
        note = note._replace(stands=True, becomes="")
        seen = Migration(text, refused.pattern, refused.evidence, notes=(note,))._replace(
            repairs=refused.repairs
        )
    try:
        if starts(facts):
            return seen
        found = _found(facts, name, start)
    except (Refused, TooLarge):
        return None
    if found is None:
        return None
    if options.only_look:
        return seen._replace(unmade=due(facts, found))
    from ..applying.apply_rules import steps

    return seen._replace(steps=steps(facts, found, name))


def may_stay_alone(refused: Migration, codes: Collection[str]) -> bool:
    """Whether nothing is wrong with a program that isn't migrated while it is one worker.

    What keeps it from being migrated is said of several workers; or it runs only guards, which open
    for whatever it does.
    """
    found = [finding.code for finding in refused.blocked]
    is_of_workers = bool(found) and all(map(OF_WORKERS.fullmatch, found))
    is_guarded = bool(codes) and GUARDS.issuperset(codes)
    return "horovod" not in refused.before and (is_of_workers or is_guarded)


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


def _found(facts: Facts, name: str, init: str) -> list[Found] | None:
    """The import of Horovod, and its start behind the imports. Raises Refused."""
    behind = last_import(facts)
    if behind is None:
        return None
    lines = [import_as(facts, module) for module in missing_modules(facts)[-1:]]  # `hvd`
    places = [imported(facts, name, lines)] if lines else []
    edits = [at.edit for each in places for at in each.edits if at.place is behind]
    above = sum(edit.after.count("\n") for edit in edits if isinstance(edit, Insert))
    start = At(behind, Insert(after=init.format(hvd(facts)), distance=above))
    rules = {rule.code: rule for rule in every_rule()}
    return [*((rules[IMPORTING], each) for each in places), (rules[STARTING], Places([start]))]
