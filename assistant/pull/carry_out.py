"""Does what was decided about the pull request, with the least that leads there."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace
from functools import partial
from typing import Callable

from ..git.command import Refused
from ..git.remote import Remote
from .decision import Decision, PullResult, Situation
from .description import body
from .forge import Forge, ForgeProblem, Pull
from .signed import signed
from .story import Story
from .wishes import Wishes

FOREIGN = (
    "On `{branch}` are commits that distify did not write and `{onto}` does not hold, so distify "
    "leaves the branch alone from here on: it neither updates nor closes this {noun}. To let "
    "it start anew, delete the branch."
)
NO_SIGNING = (
    "--sign-commits is for GitHub alone, which signs what a bot makes: elsewhere let git sign "
    "(`git config commit.gpgSign true` with a key)"
)
DONE = "Nothing is left to migrate on `{onto}`, so distify closes this {noun}."


def carry_out(
    decision: Decision, found: Situation, remote: Remote, forge: Forge, wishes: Wishes
) -> PullResult:
    """Does what was decided. Raises Refused and ForgeProblem."""
    if decision is Decision.CLOSE:
        return _close(found, remote, forge, wishes)
    if decision is Decision.RESPECT and found.pull:
        names = {"branch": wishes.branch, "onto": wishes.onto}
        names = {kind: name.replace("`", "'") for kind, name in names.items()}
        text = FOREIGN.format(**names, noun=found.story.noun)
        forge.comment(found.pull.number, text)
    if decision in (Decision.NOTHING, Decision.RESPECT):
        return PullResult(decision, pull=found.pull, head=found.branch.tip if found.branch else "")
    return _propose(decision, found, remote, forge, wishes)


def _propose(
    decision: Decision, found: Situation, remote: Remote, forge: Forge, wishes: Wishes
) -> PullResult:
    if wishes.sign and not found.same:
        found = _sign_series(found, remote, forge)
    head = found.story.ids[-1]
    if not found.same:
        remote.push(wishes.branch, head, found.branch.tip if found.branch else "")
    if found.pull is not None:
        return _update(found, found.pull, head, forge, wishes)
    pull, trouble = _create(found.story, forge, wishes)
    return PullResult(decision, "created", pull, head, trouble)


def _sign_series(found: Situation, remote: Remote, forge: Forge) -> Situation:
    """The same series as the forge makes it."""
    if forge.objects is None:
        raise Refused(NO_SIGNING)
    ids = signed(remote.repository, forge.objects, found.proposal.base, found.story.ids)
    return replace(found, story=replace(found.story, ids=ids))


def _update(found: Situation, pull: Pull, head: str, forge: Forge, wishes: Wishes) -> PullResult:
    """Where nothing but a wish is open that is refused again, the pull request is not touched."""
    trouble = _troubles(_decorations(forge, pull.number, wishes))
    text = body(found.story, pull.body, settled=not trouble)
    if trouble and found.same and (pull.title, pull.body) == (wishes.title, text):
        return PullResult(Decision.NOTHING, "none", pull, head, trouble)
    pull = forge.update(pull, wishes.title, text)
    return PullResult(Decision.UPDATE, "updated", pull, head, trouble)


def _create(story: Story, forge: Forge, wishes: Wishes) -> tuple[Pull, list[str]]:
    """The text says only at the end that all was done: until then the next run goes on with it."""
    text = body(story, settled=wishes.plain)
    pull = forge.create(wishes.branch, wishes.onto, wishes.title, text, wishes.draft)
    trouble = _troubles(_decorations(forge, pull.number, wishes))
    if not wishes.plain and not trouble:
        settle = partial(forge.update, pull, wishes.title, body(story))
        trouble = _troubles([settle])
    return pull, trouble


def _decorations(forge: Forge, number: int, wishes: Wishes) -> Iterator[Callable[[], object]]:
    """Labels, people and the milestone that are to be asked for."""
    if wishes.labels:
        yield partial(forge.label, number, wishes.labels)
    if wishes.assignees:
        yield partial(forge.assign, number, wishes.assignees)
    if wishes.reviewers or wishes.teams:
        yield partial(forge.request_reviews, number, wishes.reviewers, wishes.teams)
    if wishes.milestone:
        yield partial(forge.set_milestone, number, wishes.milestone)


def _troubles(asked: Iterable[Callable[[], object]]) -> list[str]:
    """Does it all; the pull request stands, so what fails is told with it."""
    trouble = []
    for ask in asked:
        try:
            ask()
        except ForgeProblem as problem:
            trouble.append(str(problem))
    return trouble


def _close(found: Situation, remote: Remote, forge: Forge, wishes: Wishes) -> PullResult:
    """The branch first, as only its deletion can be refused because somebody has just pushed."""
    pull, branch = found.pull, found.branch
    if wishes.delete and branch and branch.ids:
        remote.push(wishes.branch, "", branch.tip)
    if pull is None:
        return PullResult(Decision.CLOSE)
    forge.comment(
        pull.number, DONE.format(onto=wishes.onto.replace("`", "'"), noun=found.story.noun)
    )
    forge.close(pull.number)
    return PullResult(Decision.CLOSE, "closed", pull, branch.tip if branch else "")
