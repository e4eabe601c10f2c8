"""The steps of a walk as lines: nothing moves on the screen, so it can be read aloud, too."""

from __future__ import annotations

import difflib
from collections.abc import Iterable, Iterator, Mapping, Sequence

from ..codemods import Rule
from ..files.outcome import Outcome
from ..walk.dialogue import CHOICES, Asked, Loss, Obstacle, Question, Refused
from ..walk.lost_rules import due
from ..walk.split import with_some
from ..walk.state import Tally
from .frame import split
from .lines import EMPTY, Line, Span, plural, wrapped
from .spots import jump
from .text import code_frame, said

INDENT = "  "
_STYLES = {"+": "added", "-": "removed", "@": "code"}


def overview(outcomes: Sequence[Outcome], width: int | None) -> Iterator[Line]:
    """What trains where, what is in the way, and how many questions there may be."""
    questions = 0
    for outcome in outcomes:
        migration = outcome.migration
        if migration is None or not (outcome.changed or outcome.blocked):
            continue
        rules, blocked = len(due(outcome)), len(migration.blocked)
        questions += rules
        what = f"blocked by {plural(blocked, 'reason')}" if blocked else plural(rules, "rule")
        if outcome.beside:
            what += f", with {', '.join(each.name for each in outcome.beside)}"
        first = (Span(outcome.name, "name"), Span("  "))
        yield from wrapped(first, f"trains with {migration.pattern}; {what}", width)
    if questions:
        text = f"At most {plural(questions, 'question')}; ? explains, q leaves and keeps all"
        yield from (EMPTY, *wrapped((), f"{text} that was answered.", width))


def step(step: Asked | Refused, rules: Mapping[str, Rule], width: int | None) -> Iterator[Line]:
    """What a person reads before the answer."""
    if isinstance(step, Question):
        return question(step, rules, width)
    if isinstance(step, Obstacle):
        return obstacle(step, width)
    return refused(step, width) if isinstance(step, Refused) else loss(step, width)


def question(step: Question, rules: Mapping[str, Rule], width: int | None) -> Iterator[Line]:
    """`3/17  D105 wrap-optimizer  train.py`, what it is for, and its hunks."""
    rule = rules[step.code]
    last = step.number + step.left - 1
    yield EMPTY
    yield (
        Span(f"{step.number}/{last}  ", "dim"),
        Span(step.code, "code"),
        Span(f" {rule.name}  "),
        Span(step.outcome.name, "name"),
    )
    yield from wrapped((Span(INDENT),), rule.summary, width)
    for each in step.changes:
        if step.beside:
            yield (Span(INDENT), Span(each.name, "name"))
        yield from hunks(each.before, each.after)


def hunks(before: str, after: str) -> Iterator[Line]:
    """What changes between two texts, with one line of what stands around."""
    old, new = split(before), split(after)
    for line in list(difflib.unified_diff(old, new, n=1, lineterm=""))[2:]:
        yield (Span(INDENT), Span(line.expandtabs(4), _STYLES.get(line[:1], "")))


def hunk(step: Question, number: int, most: int) -> Iterator[Line]:
    """One hunk of a rule, counted from 0, as if it were the only one."""
    yield EMPTY
    counted = (Span(step.outcome.name, "name"), Span(f"  hunk {number + 1} of {most}", "dim"))
    yield (Span(INDENT), Span(step.code, "code"), Span("  "), *counted)
    yield from hunks(step.before, with_some(step.before, step.after, {number}))


def answered(tallies: Iterable[Tally], width: int | None) -> Iterator[Line]:
    """What was answered about each file, in a line: at the end of the walk."""
    told = [each for each in tallies if each.counts]
    if told:
        yield EMPTY
    for each in told:
        counts = (
            f"{plural(len(codes), 'rule')} {what} ({', '.join(codes)})"
            for what, codes in each.counts
        )
        yield from wrapped((Span(each.name, "name"), Span("  ")), "; ".join(counts), width)


def obstacle(step: Obstacle, width: int | None) -> Iterator[Line]:
    """What is in the way, where, and what can be done about it."""
    migration = step.outcome.migration
    if migration is None or step.outcome.source is None:
        return
    finding = migration.blocked[step.at]
    yield EMPTY
    yield (
        Span(step.outcome.name, "name"),
        Span(f"{jump(step.outcome, finding.line)}  "),
        Span("blocked ", "blocked"),
        Span(finding.code, "code"),
        Span(f"  ({step.at + 1} of {len(migration.blocked)})", "dim"),
    )
    yield from said((Span(INDENT),), finding, INDENT * 2, width)
    yield from code_frame(step.outcome, finding, INDENT * 2)
    if finding.fix:
        yield from wrapped((Span(f"{INDENT}fix: ", "changed"),), finding.fix, width)
    for key, offer in zip(CHOICES, step.repairs):
        first = (Span(INDENT), Span(key, "code"), Span(f"  {offer.code} "))
        yield from wrapped(first, offer.title, width)
        yield from hunks(migration.after, offer.text)


def refused(step: Refused, width: int | None) -> Iterator[Line]:
    """Why an edited text is not taken."""
    first = (Span(INDENT), Span("blocked ", "blocked"))
    yield from wrapped(first, f"as you edited it: {'; '.join(step.reasons)}", width)


def loss(step: Loss, width: int | None) -> Iterator[Line]:
    """What leaving a rule out takes along."""
    first = (Span(INDENT), Span("note ", "note"))
    if step.reasons:
        text = f"without {step.code} {step.outcome.name} is left as it was: "
        yield from wrapped(first, text + "; ".join(step.reasons), width)
    else:
        yield from wrapped(first, f"{', '.join(step.others)} fall away, too", width)


def prompt(step: Asked, keys: Iterable[str]) -> str:
    """What is asked, and by which keys it is answered."""
    asked = {Question: "Apply it?", Obstacle: "Go on?", Loss: "Leave it out all the same?"}
    return with_keys(asked[type(step)], keys)


def with_keys(question: str, keys: Iterable[str]) -> str:
    """A question, and by which keys it is answered."""
    return f"{question} [{','.join(keys)}] "


def keys(meanings: Mapping[str, str]) -> Iterator[Line]:
    """Each key with what it does."""
    for key, meaning in meanings.items():
        yield (Span(f"  {key}  ", "code"), Span(meaning))


def code(step: Asked) -> str:
    """The rule or the reason that a step is about."""
    if isinstance(step, (Question, Loss)):
        return step.code
    migration = step.outcome.migration
    return migration.blocked[step.at].code if migration is not None else ""
