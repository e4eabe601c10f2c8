"""Whose commits are on a branch: distify's own as it wrote them, or somebody's."""

from __future__ import annotations

import re
from dataclasses import dataclass

from .command import GitFailed, git
from .identity import People
from .message import is_intact

# Whose commits a forge signs, and who it is itself.
BOT = re.compile(r"[^@\s]+\[bot\]@users\.noreply\.[\w.-]+")
FORGE = re.compile(r"noreply@[\w.-]+")
RULE = re.compile("^Distify-Rule: ", re.MULTILINE)
OURS, ONTO = "refs/distify/ours", "refs/distify/onto"
# One record per commit; everything that a person's hand on a commit would change.
FIELDS = ("%H", "%P", "%T", "%an", "%ae", "%at", "%cn", "%ce", "%ct", "%B")


@dataclass(frozen=True)
class Written:
    """A commit as far as it tells whether distify wrote it and nobody touched it since."""

    id: str
    parents: tuple[str, ...]
    tree: str
    author: tuple[str, ...]  # name, mail, time
    committer: tuple[str, ...]
    text: str
    signed: bool = False

    def is_ours(self, who: People) -> bool:
        """An amended, rebased or picked commit keeps its author and gets another committer.

        So does one whose author is the same person: the times differ then, or else the seal.
        """
        untouched = self.author[2] == self.committer[2]
        own = (self.author[:2], self.committer[:2]) == (who.author, who.committer)
        own = own or (self.signed and self._is_bots())
        ruled = bool(RULE.search(self.text)) and is_intact(self.text, self.tree)
        return ruled and untouched and own and len(self.parents) == 1

    def _is_bots(self) -> bool:
        """Whether it looks as a forge makes commits for a bot; a person has another address."""
        own = self.committer == self.author or FORGE.fullmatch(self.committer[1])
        return bool(own and BOT.fullmatch(self.author[1]))


@dataclass(frozen=True)
class Branch:
    """A branch of the remote: our series on `base`, or somebody's commits (`foreign`).

    `newer`: the series is built on a later commit than the one that is checked out.
    """

    tip: str
    tree: str
    base: str
    ids: tuple[str, ...]  # of our series, oldest first
    foreign: bool
    newer: bool = False
    subjects: tuple[str, ...] = ()  # of these commits
    signed: bool = False  # all of them


def is_below(scratch: str, commit: str, top: str) -> bool:
    """Whether a commit is part of what `top` holds."""
    try:
        git(scratch, "merge-base", "--is-ancestor", commit, top)
    except GitFailed:  # or not known there at all
        return False
    return True


def judged(scratch: str, head: str, who: People) -> Branch:
    """From the tip down as far as the commits are ours; below that all must be in `onto`."""
    chain: list[Written] = []
    at = commit = written(scratch, OURS)
    while at.is_ours(who):
        chain.append(at)
        at = written(scratch, at.parents[0])
    ids = tuple(each.id for each in reversed(chain))
    foreign = not is_below(scratch, at.id, ONTO)
    newer = at.id != head and is_below(scratch, head, at.id)
    subjects = tuple(each.text.partition("\n")[0] for each in reversed(chain))
    signed = all(each.signed for each in chain)
    return Branch(
        commit.id, commit.tree, at.id, ids, foreign, bool(ids) and newer, subjects, signed
    )


def written(scratch: str, commit: str) -> Written:
    """A commit of the repository in a folder. Raises GitFailed where it is not there."""
    form = "--format=tformat:" + "%x00".join(FIELDS)
    exactly = ("--no-mailmap", "--no-show-signature", "--encoding=UTF-8")
    raw = git(scratch, "log", "-1", *exactly, form, commit)
    *words, text = raw.decode("utf-8", "replace").split("\0", len(FIELDS) - 1)
    id, parents, tree, *people = words
    author, committer = tuple(people[:3]), tuple(people[3:])
    headers = git(scratch, "cat-file", "commit", id).partition(b"\n\n")[0]
    signed = b"\ngpgsig " in headers
    return Written(id, tuple(parents.split()), tree, author, committer, text, signed)
