"""The forge that a pull request is opened at, and how it is waited for."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

from ..report.terminal import Terminal

if TYPE_CHECKING:
    from ..pull.access import Where
    from ..pull.forge import Forge

TOLD = 10  # seconds


def forge_at(place: Where, token: str, fork: str) -> Forge:
    """The one of the right kind; `fork` is the repository that the branch is pushed to."""
    from ..pull.forge import Access
    from ..pull.forge_kinds import GITLAB
    from ..pull.github_api import GitHub
    from ..pull.gitlab_api import GitLab

    made = GitLab if place.kind is GITLAB else GitHub
    return made(Access(place.api, place.slug, token), wait, fork)


def wait(seconds: float) -> None:
    """A server asks for patience, of minutes at times; nobody should take that for a hang."""
    if seconds >= TOLD:
        Terminal().say(f"waiting for {seconds:.0f} s, as the server asks")
    time.sleep(seconds)
