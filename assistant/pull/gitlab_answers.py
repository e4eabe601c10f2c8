"""What GitLab's answers hold. All of it raises LookupError or the like for anything else."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from .forge import Pull, number_of

DRAFT = "Draft: "  # a merge request is one by its title


class Milestone(NamedTuple):
    """`number` is the one in its address; a group's has another address."""

    id: int
    number: str
    title: str


def default_branch(found: Mapping[str, Any]) -> str:
    """The name of it."""
    return str(found["default_branch"])


def id_of(found: Mapping[str, Any]) -> int:
    """The number by which GitLab knows it everywhere."""
    return number_of(found["id"])


def texts(found: Sequence[Mapping[str, Any]]) -> list[str]:
    """What comments say."""
    return [str(each.get("body") or "") for each in found]


def named_so(name: str, found: Sequence[Mapping[str, Any]]) -> list[int]:
    """The numbers of those with exactly this name."""
    return [id_of(each) for each in found if str(each["username"]).lower() == name.lower()]


def people_as(role: str, found: Mapping[str, Any]) -> list[int]:
    """The numbers of those in a role."""
    return [id_of(each) for each in found.get(role) or []]


def milestones(found: Sequence[Mapping[str, Any]]) -> list[Milestone]:
    """Those of a project and of its groups."""
    return [
        Milestone(id_of(each), str(each["iid"]) if each.get("project_id") else "", each["title"])
        for each in found
    ]


def pulls(branch: str, source: int, found: Sequence[Mapping[str, Any]]) -> list[Pull]:
    """Those from the fork, or from the project itself."""
    return [
        pull_of(each)
        for each in found
        if each["source_branch"] == branch
        and each["source_project_id"] == (source or each["target_project_id"])
    ]


def pull_of(found: Mapping[str, Any]) -> Pull:
    """A merge request; its title without what makes it a draft."""
    title, draft = str(found["title"]), bool(found.get("draft"))
    return Pull(
        number_of(found["iid"]),
        str(found["web_url"]),
        title.removeprefix(DRAFT) if draft else title,
        str(found.get("description") or ""),
        str(found.get("sha") or ""),
        draft,
        str(found["target_branch"]),
    )
