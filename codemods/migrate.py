"""Text in, Migration out: facts, gate, the rewrites in code order on one tree, checks."""

from __future__ import annotations

from . import restrictions
from .facts import Facts
from .model import BLOCKED, Migration, Options
from .restrictions.gate import why_skipped


def migrate(text: str, options: Options | None = None, name: str = "<text>") -> Migration:
    """What becomes of one text. Raises SyntaxProblem, RuleNeeded and UnsoundResult."""
    options = options or Options()
    facts = Facts.of(text, options)
    skipped = why_skipped(facts)
    if skipped:
        return Migration(text, facts.pattern.value, facts.evidence, skipped=skipped)
    # Most files never come here: fissix is not loaded for them.
    from . import rewrites
    from .chains import choose, steps

    chosen = choose(rewrites.all(), options)
    findings = restrictions.findings(facts)
    blocked = tuple(finding for finding in findings if finding.severity == BLOCKED)
    notes = tuple(finding for finding in findings if finding.severity != BLOCKED)
    changes = () if blocked else steps(facts, chosen, name)
    return Migration(text, facts.pattern.value, facts.evidence, changes, blocked, notes)
