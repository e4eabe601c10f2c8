"""Text in, Migration out: facts, gate, the rewrites in code order on one tree, checks."""

from __future__ import annotations

from .model import BLOCKED, NO_PATTERN, NO_TRAINING, Migration, Options
from .prefilter import may_train
from .syntax.source import Source


def migrate(text: str, options: Options | None = None, name: str = "<text>") -> Migration:
    """What becomes of one text. Raises SyntaxProblem, RuleNeeded and UnsoundResult."""
    options = options or Options()
    if not _is_worth_a_look(text):
        Source(text)  # or it can't be parsed, which is said of every file
        return Migration(text, NO_PATTERN, (), skipped=NO_TRAINING)
    # Each stage is imported when a file comes to it: most of a look at one file is importing.
    from . import restrictions
    from .facts import Facts
    from .restrictions.gate import why_skipped

    facts = Facts.of(text, options)
    skipped = why_skipped(facts)
    if skipped:
        return Migration(text, facts.pattern.value, facts.evidence, skipped=skipped)
    from . import rewrites
    from .chains import steps
    from .choice import choose

    chosen = choose(rewrites.all(), options)
    findings = restrictions.findings(facts)
    blocked = tuple(finding for finding in findings if finding.severity == BLOCKED)
    notes = tuple(finding for finding in findings if finding.severity != BLOCKED)
    changes = () if blocked else steps(facts, chosen, name)
    return Migration(text, facts.pattern.value, facts.evidence, changes, blocked, notes)


def _is_worth_a_look(text: str) -> bool:
    return "horovod" in text or may_train(text.encode("utf-8", "surrogatepass"))
