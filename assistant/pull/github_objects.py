"""Git's objects made by GitHub: https://docs.github.com/rest/git."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from .signed import Made
from .wire import Wire


class GitHubObjects:
    """The calls; what is made twice has the same name, or is found by nobody."""

    def __init__(self, wire: Wire) -> None:
        self._wire = wire

    def make_blob(self, content: str) -> str:
        """The name of contents, which are given in base64."""
        wanted = {"content": content, "encoding": "base64"}
        return self._wire.ask("POST", "/git/blobs", wanted, read=_name)

    def make_tree(self, base: str, entries: Sequence[Mapping[str, Any]]) -> str:
        """The name of a tree: another one with these entries in it."""
        wanted = {"base_tree": base, "tree": list(entries)}
        return self._wire.ask("POST", "/git/trees", wanted, read=_name)

    def make_commit(self, message: str, tree: str, parent: str) -> Made:
        """A commit by whoever the token belongs to; GitHub signs none that names anybody."""
        wanted = {"message": message, "tree": tree, "parents": [parent]}
        return self._wire.ask("POST", "/git/commits", wanted, read=_made)


def _name(found: Mapping[str, Any]) -> str:
    return str(found["sha"])


def _made(found: Mapping[str, Any]) -> Made:
    proof = found["verification"]
    return Made(
        str(found["sha"]),
        str(proof["payload"] or ""),
        str(proof["signature"] or ""),
        bool(proof["verified"]),
        str(proof["reason"]),
    )
