"""**settled**: each rule by itself, asked of the result, proposes nothing, and nothing is in its
way.

Not by the shortcut for programs that have every part of Horovod already: a second `migrate`, or one
behind a change of the program, would write over what the first one has decided. What a comment of
the program keeps from a rule stays kept.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from ..applying.choice import choose
from ..applying.places_to_edit import Found, find
from ..suppressions.unsuppressed import Asides
from .case import Case, proved
from .known import OBLIGATION_OF, findings, placed, proof
from .obligations import OBLIGATIONS
from .proof import VIOLATED, Proof

NAME = "settled"
HOW = "each of the {} rules that were asked for proposes nothing more, and nothing is in their way"
AGAIN = "a second run would apply {} ({}) here once more: it doesn't know its own work again"
FIX = "write this in a plainer form, or leave the rule out (`--ignore {} --unsound`)"


def prove(case: Case) -> Iterator[Proof]:
    """Violated at each place that a rule would change once more, or that a check convicts."""
    from .. import rewrites

    chosen = choose(rewrites.all(but=case.options.opt_in_rules), case.options)
    if not _trains(case):  # it only starts Horovod, for what it shares with one that trains
        yield proved(NAME, HOW.format(len(chosen)))
        return
    found, _ = Asides(case.facts).without_suppressed_places(find(case.facts, chosen))
    failures = [each for rule in found for each in _again(case, rule)]
    failures += _second_look(case)
    yield from failures
    if not failures:
        yield proved(NAME, HOW.format(len(chosen)))


def _trains(case: Case) -> bool:
    from ..facts import Pattern, training_of

    training = training_of(case.facts)
    return training.pattern is not Pattern.UNKNOWN or bool(training.uncertain)


def _again(case: Case, found: Found) -> Iterator[Proof]:
    rule, places = found
    why, fix = AGAIN.format(rule.code, rule.name), FIX.format(rule.code)
    for line, column in dict.fromkeys(_position(case, node) for node in places.nodes):
        path, line = placed(case.facts, case.entry, line)
        yield Proof(NAME, VIOLATED, why, path, line, column, fix)


def _position(case: Case, node: ast.AST) -> tuple[int, int]:
    return case.facts.place(node) if hasattr(node, "lineno") else (1, 0)


def _second_look(case: Case) -> Iterator[Proof]:
    """What is found in the result and what no enforced obligation says by itself."""
    enforced = {each.name for each in OBLIGATIONS if each.is_enforced} - {NAME}
    for finding in findings(case):
        if OBLIGATION_OF.get(finding.code) not in enforced:
            yield proof(case, NAME, finding)
