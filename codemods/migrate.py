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
    from .choice import choose
    from .finding import due, find

    chosen = choose(rewrites.all(), options)
    findings = restrictions.findings(facts)
    blocked = tuple(finding for finding in findings if finding.severity == BLOCKED)
    notes = tuple(finding for finding in findings if finding.severity != BLOCKED)
    seen = Migration(text, facts.pattern.value, facts.evidence, (), blocked, notes)
    found = [] if blocked else find(facts, chosen)
    if not found:
        return seen
    if options.only_look:
        return seen._replace(unmade=due(facts, found))
    from .chains import steps

    return seen._replace(steps=steps(facts, found, name))


def _is_worth_a_look(text: str) -> bool:
    return "horovod" in text or may_train(text.encode("utf-8", "surrogatepass"))
