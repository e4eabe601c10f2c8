"""What the report for programs says of a whole result: its commits, its baseline, its warnings."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from ..files.reader import Problem

if TYPE_CHECKING:
    from ..files.result import Compared
    from ..git.series import Commit
    from .next_steps import Next


def next_steps(found: Sequence[Next]) -> dict[str, Any]:
    """What to do next, in order; no key where there is nothing."""
    told = [{**each._asdict(), "remark": each.remark or None} for each in found]
    return {"next": told} if told else {}


def series(commits: Sequence[Commit], branch: str) -> dict[str, Any]:
    """The commits of `--commit`, oldest first, and their branch; no keys where there are none."""
    if not commits:
        return {}
    return {
        "branch": branch,
        "commits": [{"id": commit.id, "subject": commit.subject} for commit in commits],
    }


def baseline(compared: Compared | None) -> dict[str, Any]:
    """What a baseline knew, and what of it is gone; no key without one."""
    if compared is None:
        return {}
    from ..files.known_findings import entries

    return {"baseline": {"known": compared.known, "gone": list(entries(compared.gone))}}


def warnings(unread: Sequence[Problem]) -> dict[str, Any]:
    """What was gone on without; no key where there is nothing."""
    told = [{"path": each.name, "message": each.message} for each in unread]
    return {"warnings": told} if told else {}
