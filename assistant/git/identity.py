"""Whose commits distify's are: git's configuration says it, or the usual environment."""

from __future__ import annotations

import contextlib
import os
import re
from collections.abc import Iterator
from dataclasses import dataclass

from .refusals import known_person
from .repository import Repository

# Who commits in GitHub Actions: https://api.github.com/users/github-actions[bot]
BOT = ("github-actions[bot]", "41898282+github-actions[bot]@users.noreply.github.com")
IDENT = re.compile(r"(.*) <(.*)> \d+ [+-]\d+")


@dataclass(frozen=True)
class People:
    """Author and committer, each a name and an address."""

    author: tuple[str, str]
    committer: tuple[str, str]


def of(repository: Repository) -> People:
    """Raises Refused where git does not know it."""
    known_person(repository)
    return People(*(_split(repository.line("var", f"GIT_{r}_IDENT")) for r in _ROLES))


_ROLES = ("AUTHOR", "COMMITTER")


def _split(ident: str) -> tuple[str, str]:
    found = IDENT.fullmatch(ident)
    return (found[1], found[2]) if found else (ident, "")


@contextlib.contextmanager
def in_workflow(repository: Repository, robot: tuple[str, str] | None) -> Iterator[None]:
    """In a workflow that configured nobody it is this robot; times are those of the clock.

    An author's time that differs from the committer's says that a commit was changed later.
    """
    before = dict(os.environ)
    for role in _ROLES:
        os.environ.pop(f"GIT_{role}_DATE", None)
    if robot and not repository.ask("config", "user.email"):
        for role in _ROLES:
            os.environ.setdefault(f"GIT_{role}_NAME", robot[0])
            os.environ.setdefault(f"GIT_{role}_EMAIL", robot[1])
    try:
        yield
    finally:
        os.environ.clear()
        os.environ.update(before)
