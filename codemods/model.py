"""What goes into a migration and what comes out: plain frozen data, shared by both halves."""

from __future__ import annotations

from typing import TYPE_CHECKING

from .program.records import NamedTuple
from .telling import titles

if TYPE_CHECKING:
    from .judge.proof import Proof

BLOCKED = "blocked"
WARNING = "warning"  # blocks nothing, and is more than a remark
NOTE = "note"
NO_PATTERN = "Unknown"
NO_TRAINING = "no training loop"  # why a text is left alone
RECOMPUTE = "D501"  # the rule that has nothing to do with workers: applied if it is asked for
KEEP_BATCH = "D109"  # and the one that is applied where all workers share each batch
ALREADY_HOROVOD = "already Horovod"  # the same, for a program that lacks nothing
ONE_WORKER = "it ends unless it is alone"  # the same, for one that nobody starts on several workers


class SyntaxProblem(ValueError):
    """The text is not Python that this interpreter or distify can read.

    `line` counts from 1, `column` from 0 in characters.
    """

    def __init__(self, message: str, line: int = 1, column: int = 0) -> None:
        super().__init__(message)
        self.message, self.line, self.column = message, line, column


class RuleNeeded(ValueError):
    """A rule that is to be ignored is needed by one that is to be applied, or is not known."""


class UnsoundResult(RuntimeError):
    """A rewrite produced a text that fails a check; nothing of the file may be written."""

    def __init__(self, rule: str, line: int, message: str) -> None:
        super().__init__(f"{rule} at line {line}: {message}")
        self.rule, self.line, self.message = rule, line, message


class Stumble(UnsoundResult):
    """The same for what is no answer of a rule, but a fault of its code."""


LINEAR, ROOT, KEPT = "linear", "sqrt", "none"  # how learning rates grow with the workers
OWN_BATCH, ONE_BATCH = "worker", "global"  # whose is a batch: each worker's, or one of all


class Options(NamedTuple):
    """What a person can choose; `tensorflow` is the target version (major, minor)."""

    select: frozenset[str] = frozenset()  # empty: every rule
    ignore: frozenset[str] = frozenset()
    tensorflow: tuple[int, int] = (2, 15)
    shard: bool = True
    only_look: bool = False  # tell which rules are due, and where; make no texts
    recompute: str = ""  # the schedule of D501; empty: "halves", and only if it is selected
    unsound: bool = False  # apply the chosen rules even where the file needs others beside them
    suppressed: frozenset[str] = frozenset()  # codes whose findings a person takes on them
    width: int = 0  # of a line, as the formatter is set; 0: that of the file's own lines
    repair: frozenset[str] = frozenset()  # repairs to make where something blocks the file
    keras: str = ""  # "3" or "legacy": Keras 2, as tf_keras; empty: as the target version brings it
    learning_rate: str = LINEAR  # how it grows with the workers: "linear", "sqrt" or "none"
    compression: str = ""  # "fp16": gradients travel as halves
    warmup: int = 0  # epochs in which rates grow to what they are for all workers
    passes: int = 1  # batches whose gradients are added up before a step averages them
    factories: tuple[tuple[str, str], ...] = ()  # full dotted names, and the role of what they give
    is_asked: bool = True  # somebody says the target; else the names of a program may say Keras 3
    taken_on: frozenset[str] = frozenset()  # obligations that a person takes on them, by name
    snapshots: int = 5  # what the schedule "binomial" of D501 keeps at a time
    base: int = 1  # layers or steps that D501 runs without cutting them any further
    loop: int = 0  # the line of the only loop that D501 rewrites; 0: all of them
    unread: frozenset[str] = frozenset()  # modules of the project that nobody has looked into
    backend: str = ""  # on what Keras 3 runs where the program says nothing, if not on TensorFlow
    backend_why: str = ""  # who says so
    batch: str = OWN_BATCH  # "global": each worker takes an Nth of every batch, at the same rate

    def applies(self, rule: str) -> bool:
        """Whether a rule that no other one needs is applied."""
        return rule not in self.ignore and (not self.select or rule in self.select)

    @property
    def keeps_batch(self) -> bool:
        """Whether all workers together take the batch that one process takes."""
        return self.batch == ONE_BATCH

    @property
    def recomputes(self) -> bool:
        """Whether D501 is asked for."""
        is_set = bool(self.recompute) and not self.select
        return (is_set or RECOMPUTE in self.select) and RECOMPUTE not in self.ignore

    @property
    def opt_in_rules(self) -> frozenset[str]:
        """The rule that is not even loaded, unless somebody speaks of it."""
        is_named = self.recomputes or RECOMPUTE in self.select | self.ignore
        return frozenset() if is_named else frozenset({RECOMPUTE})

    @property
    def distributes(self) -> bool:
        """Whether any rule about many workers is asked for."""
        return not self.select or bool(self.select - {RECOMPUTE})


class Finding(NamedTuple):
    """One place with what is wrong there and the fix; `blocked` ones stop the file."""

    line: int
    column: int
    code: str
    message: str
    fix: str = ""
    severity: str = BLOCKED
    reaches: int = 0  # the line where it matters, if the finding stands at its cause
    stands: bool = False  # whether a note is worth knowing though something blocks the file
    cause: str = ""  # what is so at that place: the same words for all that comes from there
    proves: bool = False  # wrong in itself, and not only in the way of a migration
    obligation: str = ""  # of the judge, that isn't proved; empty: a restriction said it
    becomes: str = ""  # the line that the rules would have made of it; empty: the same one
    kind: str = ""  # of a note: "cost", "look", or the obligation that decides this doubt

    @property
    def title(self) -> str:
        """What is wrong, in a line of about 100 characters at most."""
        return titles.parted(self.message)[0]

    @property
    def more(self) -> str:
        """Why, and what comes of it: the rest of what is to be said; empty: nothing."""
        return titles.parted(self.message)[1]


class Suppressed(NamedTuple):
    """A finding that a person takes on them; `line` is that of their comment, 0: the settings."""

    finding: Finding
    reason: str
    line: int

    @property
    def blocks(self) -> bool:
        """Whether the file would not be migrated without it."""
        return self.finding.severity == BLOCKED


class TakenOn(NamedTuple):
    """An obligation that a person takes on them, and what isn't proved there.

    `line` is that of their comment, 0: the command line or the settings name it.
    """

    finding: Finding
    reason: str
    line: int

    @property
    def obligation(self) -> str:
        """Its name."""
        return self.finding.obligation


class Evidence(NamedTuple):
    """Why the analysis decided on a training API pattern: place and what stands there."""

    line: int
    column: int
    pattern: str
    what: str


def is_repair(code: str) -> bool:
    """Whether it is one of the codes of repairs."""
    return code.startswith("A")


class Step(NamedTuple):
    """The text after one rule; `places` are (line, column) in the original text."""

    code: str
    text: str
    places: tuple[tuple[int, int], ...]


class Due(NamedTuple):
    """A rule that would change something, and where: `places` as in a step."""

    code: str
    places: tuple[tuple[int, int], ...]


class Offer(NamedTuple):
    """A repair for what blocks a file: the text behind it, and the findings that are gone then.

    `is_alone`: whether the file alone changes by it, or others of its project, too.
    """

    code: str
    name: str
    title: str
    is_automatic: bool
    text: str
    answers: tuple[Finding, ...]
    is_alone: bool = True


class Other(NamedTuple):
    """What becomes of another file of a project; `line` is that of the import that leads to it.

    `is_needed`: whether the result would be wrong without it.
    """

    path: str
    line: int
    is_needed: bool
    migration: Migration


class Migration(NamedTuple):
    """The outcome for one text: steps in code order, or the findings that blocked it."""

    before: str
    pattern: str
    evidence: tuple[Evidence, ...] = ()
    steps: tuple[Step, ...] = ()
    blocked: tuple[Finding, ...] = ()
    notes: tuple[Finding, ...] = ()
    skipped: str | None = None  # why nothing was tried: "no training loop", "already Horovod"
    unmade: tuple[Due, ...] = ()  # in place of the steps, for who only looks
    left_out: tuple[str, ...] = ()  # rules that the result needs and that were not chosen
    suppressed: tuple[Suppressed, ...] = ()  # findings that somebody took on them
    repairs: tuple[Offer, ...] = ()  # for what blocks the file, behind those that were chosen
    others: tuple[Other, ...] = ()  # files that have to change with this one
    modules: tuple[str, ...] = ()  # the files of the project that were read as parts of it
    trains_in: tuple[str, ...] = ()  # those of them that hold what trains, or what is in the way
    is_started: bool = True  # whether the file starts what it trains, or leaves that to another
    proofs: tuple[Proof, ...] = ()  # what the judge says of the result, and how it knows
    taken_on: tuple[TakenOn, ...] = ()  # what isn't proved, and is written all the same
    judged: str = ""  # the text that the judge has let pass, as a part of its program
    cost: int = 0  # the steps that it took to know that, if anybody counts them

    @property
    def changing_rules(self) -> tuple[Due, ...]:
        """The rules that change something, whether that was made or not."""
        return self.unmade or tuple(Due(step.code, step.places) for step in self.steps)

    @property
    def after(self) -> str:
        """The text once every step was taken."""
        return self.steps[-1].text if self.steps else self.before

    @property
    def repaired(self) -> str:
        """The text behind the repairs that somebody has chosen: what the rules begin with."""
        return next((s.text for s in reversed(self.steps) if is_repair(s.code)), self.before)

    @property
    def is_judged(self) -> bool:
        """Whether the judge has let this very text pass; nothing else is ever written."""
        return bool(self.judged) and self.after == self.judged

    @property
    def stamped(self) -> Migration:
        """The same, once the judge has let its text pass."""
        return self._replace(judged=self.after)

    def refused(self, *findings: Finding) -> Migration:
        """The same with nothing to be written, for these findings, too."""
        blocked = (*self.blocked, *findings)
        return self._replace(steps=(), unmade=(), others=(), judged="", blocked=blocked)

    @property
    def without_texts(self) -> Migration:
        """The same for who only looks: the rules that are due, in place of the steps."""
        others = tuple(o._replace(migration=o.migration.without_texts) for o in self.others)
        return self._replace(steps=(), unmade=self.changing_rules, others=others, judged="")
