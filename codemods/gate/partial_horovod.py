"""Programs that are Horovod by half: what is missing (P02), and where that can't be told (P03)."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator, Sequence

from ..applying.needs import NEEDS, first_place, need_of
from ..applying.places_to_edit import Found
from ..edits import At
from ..facts import Facts
from ..facts.horovod import KNOWN, member
from ..facts.keras_version import is_keras_3
from ..facts.setup.horovod_start import starts, way_to_start
from ..facts.setup.import_places import runs_before_init
from ..model import ALREADY_HOROVOD, BLOCKED, NOTE, WARNING, Finding, Migration

MISSING, UNKNOWN = "P02", "P03"
GUARDING = ("D100", "D101", "D102", "D103", "D203", "D204")  # they look at the start themselves
UNPINNED = "all workers of a machine use the same GPU"
APART = {
    "Broadcast": "nothing brings the workers to the same start",
    "MetricAverage": "each worker is steered by metrics of its own",
}
NOT_STARTED = "Horovod is never started"


def judged(seen: Migration, facts: Facts, found: Sequence[Found]) -> Migration:
    """The migration with a note for each need that is not met; left alone where all of them are.

    `found` are the places of all rules, chosen or not. What warns of the program's own Horovod, or
    isn't proved of it, stays; what a person should know of a migration doesn't, where none is.
    """
    missing = list(_missing(facts, found))
    if not missing:
        own = tuple(n for n in seen.notes if n.severity == WARNING or n.obligation)
        return seen._replace(notes=own, skipped=ALREADY_HOROVOD)
    unknown = tuple(_unknown(facts, found))
    if unknown:
        return seen._replace(blocked=unknown)
    return seen._replace(notes=tuple(sorted([*seen.notes, *missing])))


def _missing(facts: Facts, found: Sequence[Found]) -> Iterator[Finding]:
    for rule, places in found:
        place = first_place(facts, rule.code, places.edits)
        if place is not None and rule.code != "D101":  # it only names what others call
            what = _words(facts, rule.code, places.edits)
            message = f"Horovod by half: {what}"
            fix = f"`distify migrate` completes it ({rule.code} {rule.name})"
            yield Finding(*_at(facts, place), MISSING, message, fix, NOTE)


def _words(facts: Facts, code: str, edits: Iterable[At]) -> str:
    """What goes wrong, without what the program has already."""
    if code == "D102":
        return UNPINNED if starts(facts) else NOT_STARTED
    ours = " ".join(str(at.edit) for at in edits)
    if code != "D302":
        return need_of(code).without
    lacking = [words for name, words in APART.items() if name in ours]
    return ", and ".join(lacking) or NEEDS["D203"].without


def _unknown(facts: Facts, found: Sequence[Found]) -> Iterator[Finding]:
    """What of the program's own Horovod is in the way of completing it."""
    if is_keras_3(facts):
        place = next(node for _, places in found for node in places.nodes)
        what = "Horovod by half in a program of Keras 3, which isn't completed yet"
        yield _refused(facts, place, what, "leave Horovod out: distify writes all of it")
        return
    for call in starts(facts)[:1]:
        if not way_to_start(facts):
            yield _refused(
                facts, call, "nobody can tell whether every worker starts Horovod here, and when",
                "call hvd.init() once, directly below the imports",
            )  # fmt: skip
            return
    for call in facts.index.calls:
        name = member(facts, call.func)
        if name is not None and name not in KNOWN:
            what = f"what `{ast.unparse(call.func)}` does for this program isn't understood"
            yield _refused(facts, call, what, "complete the program by hand, or leave it out")
    yield from _too_early(facts, found)


def _too_early(facts: Facts, found: Sequence[Found]) -> Iterator[Finding]:
    for rule, places in found:
        for place in places.nodes if rule.code not in GUARDING else ():
            statement = facts.statement(place) if isinstance(place, (ast.expr, ast.stmt)) else None
            if statement is not None and runs_before_init(facts, statement):
                what = f"{rule.code} has to ask Horovod something here, which is started later"
                yield _refused(
                    facts, place, what, "call hvd.init() once, directly below the imports"
                )


def _refused(facts: Facts, node: ast.AST, message: str, fix: str) -> Finding:
    return Finding(*_at(facts, node), UNKNOWN, message, fix, BLOCKED)


def _at(facts: Facts, node: ast.AST) -> tuple[int, int]:
    return facts.source.span(node)[:2] if hasattr(node, "lineno") else (1, 0)
