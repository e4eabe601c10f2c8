"""What is asked of a pull request, by options and by the workflow."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from ..git.repository import Repository
    from ..pull.wishes import Wishes

LISTS = (",", "\n")
TITLE = "Train on many workers with Horovod"
LONGEST = 100_000  # letters of a file that are read; far more than a pull request takes


def base_branch(given: Any, repository: Repository, slug: str) -> str:
    """What was asked for, what the workflow runs for, what is checked out; empty if none of it."""
    if given["base"]:
        return str(given["base"])
    named = _named_by_workflow(slug)
    return named or repository.ask("symbolic-ref", "-q", "--short", "HEAD")


def _named_by_workflow(slug: str) -> str:
    """The branch that it runs for, which says nothing about a checkout of another repository."""
    told = os.environ.get
    if told("GITLAB_CI") == "true" and told("CI_PROJECT_PATH", slug).lower() == slug.lower():
        return told("CI_MERGE_REQUEST_TARGET_BRANCH_NAME") or told("CI_COMMIT_BRANCH", "")
    if told("GITHUB_REPOSITORY", slug).lower() != slug.lower():
        return ""
    name = told("GITHUB_REF_NAME", "") if told("GITHUB_REF_TYPE") == "branch" else ""
    return told("GITHUB_BASE_REF") or name


def wishes_of(given: Any, onto: str) -> Wishes:
    """The options, as the pull request takes them; `onto` is the branch it goes to."""
    from ..pull.wishes import Wishes

    prefix = " ".join(given["commit_message"].split())
    return Wishes(
        branch=given["branch"],
        onto=onto,
        title=(" ".join(given["title"].split()) or TITLE)[:256],
        words=_words(given),
        prefix=f"{prefix} " if prefix else "",
        labels=several(given["labels"]),
        assignees=several(given["assignees"]),
        reviewers=several(given["reviewers"]),
        teams=tuple(team.rpartition("/")[2] for team in several(given["team_reviewers"])),
        milestone=given["milestone"].strip(),
        fork=given["push_to_fork"],
        sign=given["sign_commits"],
        draft=given["draft"],
        delete=given["delete_branch"],
        verify=not given["no_verify"],
    )


def _words(given: Any) -> str:
    """The text given, or that of the file, which comes first as with create-pull-request.

    Raises Refused for what is no text.
    """
    if not given["body_file"]:
        return str(given["body"])
    from ..git.command import Refused

    try:
        with open(given["body_file"], encoding="utf-8-sig") as file:
            return file.read(LONGEST)
    except OSError as error:
        raise Refused(f"{given['body_file']}: {error.strerror or error}") from None
    except ValueError:
        raise Refused(f"{given['body_file']} is no text in UTF-8") from None


def several(text: str, separators: tuple[str, ...] = LISTS) -> tuple[str, ...]:
    """The values of an option that holds several."""
    for separator in separators:
        text = text.replace(separator, "\n")
    return tuple(each.strip() for each in text.split("\n") if each.strip())
