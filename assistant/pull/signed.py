"""The series made once more by the forge, which signs what a bot makes.

https://docs.github.com/rest/git: blobs, trees and commits. Each one is held against what lies here:
the same contents have the same name. What the forge made is written down here as well, so that the
branch moves by the one push that can't overwrite anybody's commit; the API has no such lease.
"""

from __future__ import annotations

import base64
import os
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple, Protocol

from ..git.command import Refused
from ..git.identity import People
from ..git.ownership import written
from ..git.repository import Repository

NO_PERSON = People(("", ""), ("", ""))
NOTHING = "0" * 40
UNSIGNED = (
    "GitHub did not sign the commits ({reason}): it signs those of a bot alone, so `token` must be "
    "the one of a workflow or of an app; or leave --sign-commits out"
)
OTHERS = "GitHub made something else of {what} than was asked for: leave --sign-commits out"


class Made(NamedTuple):
    """A commit that the forge made: its name, what was signed, and by which signature."""

    id: str
    payload: str
    signature: str
    verified: bool
    reason: str


class Objects(Protocol):
    """A forge that makes git's objects. All of it raises ForgeProblem."""

    def make_blob(self, content: str) -> str:
        """The name of contents, which are given in base64."""

    def make_tree(self, base: str, entries: Sequence[Mapping[str, Any]]) -> str:
        """The name of a tree: another one with these entries in it."""

    def make_commit(self, message: str, tree: str, parent: str) -> Made:
        """A commit by whoever the token belongs to."""


def signed(repository: Repository, forge: Objects, base: str, ids: Sequence[str]) -> list[str]:
    """The names of the same commits as the forge made them; they lie here, too.

    `base` is what the first one is built on. Raises Refused where they are not the same, not
    signed, or would not be known again as ours, and ForgeProblem; no branch has moved.
    """
    made = [base]
    for before, commit in zip((base, *ids), ids):
        tree = _tree(repository, forge, before, commit)
        answer = forge.make_commit(_message(repository, commit), tree, made[-1])
        if not answer.verified:
            raise Refused(UNSIGNED.format(reason=answer.reason))
        made.append(_store_commit(repository, answer))
        if not written(repository.top, made[-1]).is_ours(NO_PERSON):
            raise Refused(OTHERS.format(what="a commit's author, time or text"))
    return made[1:]


def _tree(repository: Repository, forge: Objects, before: str, commit: str) -> str:
    old, new = (repository.line("rev-parse", f"{each}^{{tree}}") for each in (before, commit))
    entries = list(_entries(repository, forge, old, new))
    if entries and forge.make_tree(old, entries) != new:
        raise Refused(OTHERS.format(what="the files"))
    return new


def _entries(
    repository: Repository, forge: Objects, old: str, new: str
) -> Iterator[Mapping[str, Any]]:
    """What differs between two trees, with contents that the forge knows from here on."""
    raw = repository.run("diff-tree", "-r", "-z", "--no-renames", "--raw", old, new)
    fields = raw.split(b"\0")[:-1]
    for facts, name in zip(fields[::2], fields[1::2]):
        _, mode, _, oid, _ = facts.decode().split(" ")
        kind = "commit" if mode == "160000" else "blob"
        if oid == NOTHING:
            yield {"path": _text(name), "mode": facts[1:7].decode(), "type": "blob", "sha": None}
            continue
        if kind == "blob":
            content = base64.b64encode(repository.run("cat-file", "blob", oid)).decode("ascii")
            if forge.make_blob(content) != oid:
                raise Refused(OTHERS.format(what=f"the contents of {os.fsdecode(name)}"))
        yield {"path": _text(name), "mode": mode, "type": kind, "sha": oid}


def _text(name: bytes) -> str:
    """The API takes names as JSON, so as text alone. Raises Refused."""
    try:
        return name.decode()
    except UnicodeDecodeError:
        raise Refused(
            f"{os.fsdecode(name)!r}: GitHub's API takes no name that is no text: name the file in "
            "`exclude`, or leave --sign-commits out"
        ) from None


def _message(repository: Repository, commit: str) -> str:
    """The very text. Raises Refused where a hook wrote it in another encoding."""
    raw = repository.run("cat-file", "commit", commit)
    try:
        return raw.partition(b"\n\n")[2].decode()
    except UnicodeDecodeError:
        raise Refused("the text of a commit is no UTF-8: leave --sign-commits out") from None


def _store_commit(repository: Repository, made: Made) -> str:
    """Writes the commit down here, under the name that it has there. Raises Refused."""
    head, _, text = made.payload.partition("\n\n")
    bare = made.signature.rstrip("\n")
    for signature in (made.signature, f"{bare}\n", bare):
        header = "gpgsig " + signature.replace("\n", "\n ")
        data = f"{head}\n{header}\n\n{text}".encode()
        store = ("hash-object", "-t", "commit", "--stdin")
        if repository.line(*store, data=data) == made.id:
            return repository.line(*store, "-w", data=data)
    raise Refused(OTHERS.format(what="a commit"))
