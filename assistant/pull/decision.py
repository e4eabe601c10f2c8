"""`distify pr`: what the pull request should be, what it is, and the least that leads there.

Nothing is remembered between runs: the branch and the pull request themselves tell. So a run that
broke off anywhere is completed by the next one.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from enum import Enum

from ..files.result import Result
from ..git import history, identity
from ..git.history import Proposal
from ..git.remote import Branch, Remote
from ..git.repository import Repository
from ..report.next_steps import of_programs
from .access import Where
from .description import MOST_COMMANDS, is_current
from .forge import Forge, Pull
from .forge_kinds import Kind
from .review_remarks import left, notes, proofs, why
from .story import Story
from .wishes import Wishes


class NoToken(history.Refused):
    """Nothing can be written without one."""

    def __init__(self, names: str, needs: str) -> None:
        super().__init__(f"no token: set {names} to one {needs}")


class Decision(Enum):
    """What to do about the pull request."""

    CREATE = "create"
    UPDATE = "update"
    CLOSE = "close"
    NOTHING = "nothing"
    RESPECT = "respect"  # somebody else's commit is on the branch


@dataclass(frozen=True)
class Situation:
    """Everything that a decision rests on.

    `failed`: some file could not be judged. `delete`: the branch goes when nothing is left. `sign`:
    its commits are to be signed by the forge.
    """

    proposal: Proposal
    branch: Branch | None
    pull: Pull | None
    story: Story
    failed: bool = False
    delete: bool = True
    sign: bool = False

    @property
    def same(self) -> bool:
        """Whether the branch holds the very series already, on the same base."""
        wanted, there = self.proposal, self.branch
        if there is None or (self.sign and not there.signed):
            return False
        return (there.base, there.tree, there.subjects) == (
            wanted.base,
            wanted.tree,
            tuple(commit.subject for commit in wanted.commits),
        )


@dataclass(frozen=True)
class PullResult:
    """What was done; `operation` is created, updated, closed or none."""

    decision: Decision
    operation: str = "none"
    pull: Pull | None = None
    head: str = ""
    trouble: list[str] = field(default_factory=list)


def decide(found: Situation) -> Decision:
    """The one place where it is decided; nothing is asked or done here."""
    if found.branch is not None and found.branch.foreign:
        return Decision.RESPECT
    if found.branch is not None and found.branch.newer:
        return Decision.NOTHING  # runs may come in another order than their commits
    if not found.proposal.changes:
        # What could not be read may still need the pull request.
        there = found.pull or (found.delete and found.branch and found.branch.ids)
        return Decision.CLOSE if there and not found.failed else Decision.NOTHING
    if found.pull is None:
        return Decision.CREATE
    current = found.same and is_current(found.story, found.pull.body)
    return Decision.NOTHING if current else Decision.UPDATE


def find(
    repository: Repository, remote: Remote, forge: Forge | None, place: Where, result: Result,
    wishes: Wishes,
) -> Situation:  # fmt: skip
    """Builds the series and looks at the remote. Raises Refused and ForgeProblem.

    Without a forge nobody can say whether there is a pull request: then there is none.
    """
    head = repository.line("rev-parse", "HEAD")
    seen = remote.see(wishes.branch, wishes.onto, head, identity.of(repository))
    if not seen.holds_head:
        raise history.Refused(
            f"what is checked out is not on the remote's branch {wishes.onto!r}: push it first, or "
            "check that branch out (runs for a pull request check out a merge of their own)"
        )
    pull = _pull(forge, wishes, place.kind) if forge else None
    proposal = history.propose(repository, result.outcomes, wishes.prefix, wishes.verify)
    ids = [commit.id for commit in proposal.commits]
    story = Story(
        place.web(), wishes.onto, proposal.base, proposal.changes, ids,
        list(left(repository, result)), list(notes(repository, result)), wishes.words, wishes.asked,
        commits=place.web(wishes.fork), noun=place.kind.noun,
        proofs=list(proofs(repository, result)), why=list(why(repository, result)),
        next=list(of_programs([each for each in result.outcomes if each.changed], MOST_COMMANDS,
                              repository.top)),
    )  # fmt: skip
    found = Situation(proposal, seen.branch, pull, story, result.failed, wishes.delete, wishes.sign)
    if found.same and seen.branch:
        found = replace(found, story=replace(story, ids=seen.branch.ids))
    return found


def _pull(forge: Forge, wishes: Wishes, kind: Kind) -> Pull | None:
    """The pull request. Raises Refused where the branch is that of another one."""
    there = forge.open_pulls(wishes.branch)
    for pull in there:
        if pull.base != wishes.onto:
            name = f"{kind.noun} {kind.mark}{pull.number}"
            raise history.Refused(
                f"{name} goes from {wishes.branch!r} to {pull.base!r}: for "
                f"{wishes.onto!r} name another branch (--branch), or close that one"
            )
    return there[0] if there else None
