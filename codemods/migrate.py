"""Text in, Migration out: facts, gate, the rewrites in code order on one tree, checks."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Callable

from .model import (
    BLOCKED,
    NO_PATTERN,
    NO_TRAINING,
    ONE_WORKER,
    Finding,
    Migration,
    Options,
    RuleNeeded,
    SyntaxProblem,
    TakenOn,
)
from .starting.collector import without_collector
from .starting.prefilter import may_concern
from .syntax.source import Source

if TYPE_CHECKING:
    from .applying.places_to_edit import Found
    from .facts import Facts
    from .rewrites import Rewrite
    from .suppressions.unsuppressed import Asides

    Make = Callable[[Migration, Sequence[Found]], Migration]


@without_collector()
def migrate(text: str, options: Options | None = None, name: str = "<text>") -> Migration:
    """What becomes of one text. Raises SyntaxProblem and RuleNeeded."""
    options = options or Options()
    if not may_concern(text.encode("utf-8", "surrogatepass")):
        Source(text)  # or it can't be parsed, which is said of every file
        return Migration(text, NO_PATTERN, (), skipped=NO_TRAINING)
    # Each stage is imported when a file comes to it: most of a look at one file is importing.
    from .facts import Facts
    from .facts.closing import closing
    from .program.graph import TooLarge

    try:
        with closing(Facts.of(text, options, name)) as facts:
            seen = _decided_alone(facts, name)
            if not seen.blocked and (seen.skipped or not options.repair):
                return seen
            from .gate.repairing import Program, mended

            def approve(made: Migration) -> Migration:
                return judged_alone(made, text, made.after, options, name, is_handwritten=True)

            return mended(seen, Program(text, options, name, _migrate, facts), approve)
    except TooLarge:  # whichever question came to the end of the budget
        from .gate.too_large import too_large

        return too_large(text)


def _migrate(text: str, options: Options, name: str) -> Migration:
    """The same for a text that may train. Raises TooLarge."""
    from .facts import Facts
    from .facts.closing import closing

    with closing(Facts.of(text, options, name)) as facts:
        return _decided_alone(facts, name)


def _decided_alone(facts: Facts, name: str) -> Migration:
    """What becomes of a program of one file. Raises TooLarge."""

    def make(seen: Migration, found: Sequence[Found]) -> Migration:
        return _made(seen, facts, found, name)

    return decide(facts, make)


def _made(seen: Migration, facts: Facts, found: Sequence[Found], name: str) -> Migration:
    """The migration with its steps, or, if nobody asks for texts, with what is due; judged."""
    from .applying.apply_rules import steps

    facts.source.refuse_what_cannot_run()
    made = seen._replace(steps=steps(facts, found, name))
    judged = _judged(made, facts.source.text, made.after, facts.options, name)
    return judged.without_texts if facts.options.only_look else judged


def judged_alone(
    seen: Migration,
    before: str,
    after: str,
    options: Options,
    name: str,
    is_handwritten: bool = False,
) -> Migration:
    """The migration with what is proved of one file by itself, or refused."""
    from .program.graph import TooLarge

    try:
        return _judged(seen, before, after, options, name, is_handwritten)
    except TooLarge:
        from .gate.too_large import too_large

        return seen.refused(*too_large(before).blocked)


def _judged(
    seen: Migration,
    before: str,
    after: str,
    options: Options,
    name: str,
    is_handwritten: bool = False,
) -> Migration:
    """The same. Raises TooLarge."""
    from .gate.judging import Texts, approved

    def of_result() -> Facts:
        from .facts import Facts

        return Facts.of(after, options, name)

    texts = Texts(name, {name: before}, {name: after}, is_handwritten)
    return approved(seen, texts, options, of_result)


def decide(facts: Facts, make: Make) -> Migration:
    """What becomes of a program; `make` makes what the rules have found.

    Raises TooLarge, SyntaxProblem and RuleNeeded; a program over which distify stumbles is refused.
    """
    from .program.graph import TooLarge

    try:
        return _decide(facts, make)
    except (TooLarge, SyntaxProblem, RuleNeeded, MemoryError):
        raise
    except Exception as error:
        from .applying.unmade import stumble

        return stumble(facts, error)


def _decide(facts: Facts, make: Make) -> Migration:
    from . import restrictions
    from .facts import training_of
    from .gate import complete_horovod as whole
    from .restrictions.gate import why_skipped

    text, options = facts.source.text, facts.options
    training = training_of(facts)
    skipped = why_skipped(facts)
    if skipped == ONE_WORKER or (skipped and not facts.has_horovod):
        return Migration(text, training.pattern.value, training.evidence, skipped=skipped)
    from . import rewrites
    from .applying.choice import choose
    from .suppressions.unsuppressed import Asides

    chosen = choose(rewrites.all(but=options.opt_in_rules), options)
    asides = Asides(facts)
    found: Iterable[Finding]
    taken_on: tuple[TakenOn, ...] = ()
    found = restrictions.hazards(facts) if skipped else restrictions.findings(facts)
    if restrictions.may_have_hazards(facts):
        from .gate.judged_by_hand import judged_by_hand

        found, taken_on = judged_by_hand(facts, found)
    findings = asides.unsuppressed(found)
    blocked = tuple(finding for finding in findings if finding.severity == BLOCKED)
    if blocked and not skipped:
        findings, skipped = whole.spared(facts, findings)
        blocked = tuple(finding for finding in findings if finding.severity == BLOCKED)
    notes = tuple(finding for finding in findings if finding.severity != BLOCKED)
    seen = Migration(text, training.pattern.value, training.evidence, (), blocked, notes)
    seen = seen._replace(taken_on=taken_on)
    if skipped:
        seen = seen._replace(skipped=None if blocked else skipped)
    elif not blocked:
        try:
            seen = _told_once(_decided(seen, facts, asides, chosen, make))
        except Exception as error:  # what a restriction rules out, the rules need not be ready for
            seen = asides.taken_back(seen, error)
    return asides.with_suppression_notes(seen, chosen)


def _told_once(seen: Migration) -> Migration:
    """The migration without notes on what its result is refused for, by their code or fix."""

    def is_told(note: Finding) -> bool:
        here = (finding for finding in seen.blocked if finding.line == note.line)
        return any(f.code == note.code or (note.fix and f.fix.startswith(note.fix)) for f in here)

    return seen._replace(notes=tuple(note for note in seen.notes if not is_told(note)))


def _decided(
    seen: Migration, facts: Facts, asides: Asides, chosen: Sequence[Rewrite], make: Make
) -> Migration:
    """The migration with its steps, or refused for what would be missing in the result."""
    from . import rewrites
    from .applying.places_to_edit import find
    from .applying.unselected_rules import judged, left_out
    from .gate import partial_horovod as half

    options = facts.options
    known = rewrites.all(but=options.opt_in_rules)
    if facts.has_horovod and options.distributes:
        seen = half.judged(seen, facts, find(facts, known))
    if seen.blocked or seen.skipped:
        return seen
    found, refused = asides.without_suppressed_places(find(facts, chosen))
    is_judged = bool(found) and options.distributes
    missing = left_out(facts, known, chosen) if is_judged else ()
    if missing:
        seen = judged(seen, missing, options.unsound)
    seen = seen._replace(blocked=(*seen.blocked, *refused))
    if seen.blocked or not found:
        return seen
    return make(seen, found)
