"""A result beside its baseline: what is new stays, what is known becomes a number."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, Callable

from .. import codemods
from .known_findings import Findings, exists, fingerprint, relative
from .outcome import Outcome
from .result import Compared

if TYPE_CHECKING:
    from distify.codemods.model import Due, Finding

    from .result import Result

KNOWN = "in the baseline"


def current(result: Result, path: str) -> Findings:
    """Everything that was found, as a baseline at `path` names it."""
    found: Findings = Counter()

    def is_new(*what: str) -> bool:
        found[fingerprint(*what)] += 1
        return True

    for outcome in result.outcomes:
        _only_new(outcome, path, is_new)
    return found


def updated(result: Result, path: str, known: Findings) -> Findings:
    """The baseline as it is to be: what was found, and what was not looked at this time."""
    looked = _looked_at(result, path)
    kept = {key: n for key, n in known.items() if key.path not in looked and exists(path, key.path)}
    return current(result, path) + Counter(kept)


def compared(result: Result, path: str, known: Findings) -> Result:
    """The result with what is not in the baseline."""
    left = Counter(known)

    def is_new(*what: str) -> bool:
        key = fingerprint(*what)
        left[key] -= 1
        return left[key] < 0

    outcomes = [_only_new(outcome, path, is_new) for outcome in result.outcomes]
    looked = _looked_at(result, path)
    over = +left
    gone = {k: n for k, n in over.items() if k.path in looked or not exists(path, k.path)}
    told = Compared(sum(known.values()) - sum(over.values()), Counter(gone))
    return result._replace(outcomes=outcomes, compared=told)


def without_gone(result: Result) -> Result:
    """The same for a choice of rules, which says nothing of what others would find."""
    told = result.compared and result.compared._replace(gone=Counter())
    return result._replace(compared=told)


def _looked_at(result: Result, path: str) -> set[str]:
    """The files whose findings are all there."""
    targets = [outcome.target for outcome in result.outcomes if not outcome.problem]
    return {relative(path, target.path) for target in (*targets, *result.plain)}


def _only_new(outcome: Outcome, path: str, is_new: Callable[..., bool]) -> Outcome:
    """The outcome with what is new; asks once for each finding, in the order of the text."""
    migration, source = outcome.migration, outcome.source
    found = migration and (migration.blocked or migration.notes or outcome.changed)
    if migration is None or source is None or outcome.problem or not found:
        return outcome
    name, statements = relative(path, outcome.target.path), codemods.statements(source.text)

    def fresh(line: int, code: str) -> bool:
        return is_new(name, code, statements.get(line, ""))

    left = migration._replace(
        blocked=_findings(migration.blocked, fresh),
        notes=_findings(migration.notes, fresh),
        steps=(),
        unmade=tuple(_dues(migration.changing_rules if outcome.changed else (), fresh)),
    )
    is_known = not (left.blocked or left.unmade)
    return outcome._replace(migration=left, proposed=None, skipped=KNOWN if is_known else "")


def _findings(found: Iterable[Finding], fresh: Callable[[int, str], bool]) -> tuple[Finding, ...]:
    return tuple(finding for finding in found if fresh(finding.line, finding.code))


def _dues(found: Iterable[Due], fresh: Callable[[int, str], bool]) -> Iterator[Due]:
    for due in found:
        places = tuple(place for place in due.places if fresh(place[0], due.code))
        if places:
            yield due._replace(places=places)
