"""What `distify pr` did, for a person and for the workflow around it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from ..report import actions
from ..report.in_markdown import prose
from ..report.lines import EMPTY, Line, Span, plural
from ..report.terminal import Terminal
from .decision import Decision, PullResult, Situation
from .description import LIMIT, body, sections

MOST = 50  # annotations; GitHub shows ten of a kind in a step


def tell(
    terminal: Terminal, found: Situation, done: PullResult, branch: str, dry_run: bool
) -> None:
    """On the terminal; in a workflow as outputs, summary and annotations, too."""
    terminal.show(_lines(found, done, branch, dry_run))
    errors = [(Span("error: ", "blocked"), Span(each)) for each in done.trouble]
    terminal.show(errors, error=True)
    if dry_run:
        terminal.show([EMPTY, (Span("Its text would be:", "heading"),), EMPTY])
        text = body(found.story, found.pull.body if found.pull else "")
        terminal.show((Span(line),) for line in text.split("\n"))
    actions.put(_outputs(done, branch))
    if actions.running():
        actions.summarize(_summary(found, done, dry_run))
        actions.later(annotated(found, done))


def _summary(found: Situation, done: PullResult, dry_run: bool) -> str:
    """The job's summary, from which one gets to the pull request."""
    said = prose(
        " ".join("".join(span.text for span in line) for line in _lines(found, done, "", dry_run))
    )
    if done.pull:
        link = f"[{done.pull.number}]({found.story.web}/pull/{done.pull.number})"
        said = said.replace(prose(done.pull.url), link)
    pushed = found.same or (done.operation != "none" and not dry_run)
    story = replace(found.story, pushed=pushed)
    return f"## distify\n\n{said}\n\n{sections(story, LIMIT)}"


def annotated(found: Situation, done: PullResult) -> list[actions.Annotation]:
    """What failed first, as GitHub shows no more than ten of a kind."""
    made = [actions.Annotation("error", "distify pr", trouble) for trouble in done.trouble]
    made += [
        actions.Annotation(
            "warning" if each.code else "error", f"distify {each.code}".strip(), each.text,
            each.path, each.line, each.column,
        )
        for each in found.story.left[:MOST]
    ]  # fmt: skip
    if done.decision is Decision.RESPECT:
        text = "commits that are not distify's are on the branch: it was left alone"
        text += "; to start anew, delete it"
        made.append(actions.Annotation("notice", "distify pr", text))
    return made


def _outputs(done: PullResult, branch: str) -> dict[str, str]:
    pull = done.pull
    return {
        "pull-request-number": str(pull.number) if pull else "",
        "pull-request-url": pull.url if pull else "",
        "pull-request-operation": done.operation,
        "pull-request-head-sha": done.head if pull else "",
        "pull-request-branch": branch if pull else "",
    }


def _lines(found: Situation, done: PullResult, branch: str, dry_run: bool) -> Iterator[Line]:
    """One sentence about the pull request, one about what is left."""
    commits = plural(len(found.proposal.changes), "commit")
    on = f" on {branch}" if branch else ""
    would = "would be " if dry_run else ""
    number = f" {done.pull.url}" if done.pull else ""
    noun = found.story.noun
    told = {
        Decision.CREATE: f"{noun.capitalize()}{number} {would}created: {commits}{on}",
        Decision.UPDATE: f"{noun.capitalize()}{number} {would}updated: {commits}{on}",
        Decision.CLOSE: f"Nothing left to migrate: {noun}{number} {would}closed",
        Decision.RESPECT: f"Left alone{number}: commits that are not distify's are on the branch",
        Decision.NOTHING: f"Nothing {'else ' if done.trouble else ''}to do{number}",
    }
    if done.decision is Decision.CLOSE and done.pull is None:
        told[Decision.CLOSE] = f"Nothing left to migrate: the branch of before {would}deleted"
    yield (Span(told[done.decision], "changed"), Span("."))
    if found.story.left:
        yield (Span(f"{plural(len(found.story.left), 'remark')} on what was left as it was."),)
