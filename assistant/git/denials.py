"""What git and servers say of a refusal, and what to do about it."""

from __future__ import annotations

import re

from .command import Refused

# Seen before the push, or by the server at the very moment of it.
MOVED = re.compile("stale info|cannot lock ref|failed to update ref")
# git's and GitHub's words for a branch whose name is the folder of another one's, or the reverse.
BESIDE = re.compile("exists; cannot create|directory file conflict")
# What git and the servers say of a refusal, and what to do about it; the first one that fits.
REDIRECTED = (
    re.compile(r"returned error: 30\d|redirection"),
    "the repository has another address now, and the token is shown to no other one: "
    "`git remote set-url origin ADDRESS`",
)
FORBIDDEN = (
    re.compile(r"GH006|GH013|protected branch|rule violations", re.IGNORECASE),
    "a rule of the repository forbids it: exempt this branch (Settings, Rules or Branches), or "
    "name another one (--branch)",
)
ARCHIVED = (re.compile("archived"), "an archived repository takes no branch and no pull request")
UNKNOWN = r"\b401\b|could not read (Username|Password)|Authentication failed|prompts disabled"
NO_ACCESS = re.compile(
    rf"{UNKNOWN}|\b403\b|denied|not granted|not allowed to|read-only|Write access", re.IGNORECASE
)
INVALID = (
    re.compile(UNKNOWN),
    "the token is not valid here (or has expired): it needs the permission `contents: write` for "
    "this repository",
)
OLD = (
    re.compile(UNKNOWN),
    "this git is too old to be given a token: install git 2.31 or newer",
)
DENIED = (
    NO_ACCESS,
    "the token may not do this: it needs the permission `contents: write`, which forks and runs "
    "for pull requests of forks don't get (at GitLab the scope `write_repository` and a role that "
    "may push)",
)
# Over SSH, or at another server than the pull request's.
OWN_ACCESS = (
    NO_ACCESS,
    "the token is not for this address: git's own key or password for it counts, and needs the "
    "permission to write",
)
NO_TOKEN = (
    NO_ACCESS,
    "no token was given, and git has no key or password of its own that is good here: only what is "
    "public can be seen without",
)


def collision(name: str, words: str) -> Refused | None:
    """What to say where another branch, or another push to this one, was in the way."""
    if BESIDE.search(words):
        return Refused(
            f"{name!r} can't be made beside the branches that are there: "
            "name another one (--branch)"
        )
    if MOVED.search(words):
        return Refused(
            f"somebody pushed to {name!r} in the meantime; nothing of theirs was overwritten: run "
            "`distify pr` again"
        )
    return None
