"""A branch on another machine: what is on it, whose commits these are, and a push that is safe.

The token reaches git by environment variables only (`GIT_CONFIG_COUNT`, git-config(1)): no
argument, address or configuration file ever holds it.
"""

from __future__ import annotations

import base64
import os
import re
import tempfile
from collections.abc import Mapping
from dataclasses import dataclass
from urllib.parse import urlsplit

from .identity import People
from .repository import GitFailed, Refused, Repository, git

RULE = re.compile("^Distify-Rule: ", re.MULTILINE)
# Seen before the push, or by the server at the very moment of it.
MOVED = re.compile("stale info|cannot lock ref|failed to update ref")
OURS, ONTO = "refs/distify/ours", "refs/distify/onto"
# One record per commit; everything that a person's hand on a commit would change.
FIELDS = ("%H", "%P", "%T", "%an", "%ae", "%at", "%cn", "%ce", "%ct", "%B")
DENIED = re.compile(
    r"\b(401|403)\b|denied|not granted|could not read (Username|Password)|Authentication failed"
    r"|terminal prompts disabled|protected branch|read-only|Write access",
    re.IGNORECASE,
)

# What git says of an answer that leads elsewhere, once it may not go there.
REDIRECTED = re.compile(r"returned error: 30\d|redirection")


@dataclass(frozen=True)
class Written:
    """A commit as far as it tells whether distify wrote it and nobody touched it since."""

    id: str
    parents: tuple[str, ...]
    tree: str
    author: tuple[str, ...]  # name, mail, time
    committer: tuple[str, ...]
    ruled: bool

    def is_ours(self, who: People) -> bool:
        """An amended, rebased or picked commit keeps its author and gets another committer.

        So does one whose author is the same person: the times differ then.
        """
        untouched = self.author[2] == self.committer[2]
        own = (self.author[:2], self.committer[:2]) == (who.author, who.committer)
        return self.ruled and untouched and own and len(self.parents) == 1


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


@dataclass(frozen=True)
class Seen:
    """Whether the base on the remote holds what is checked out; our branch, if it is there."""

    holds_head: bool
    branch: Branch | None


class Remote:
    """`origin` of a repository; `token` is for its server, if that speaks HTTP."""

    def __init__(self, repository: Repository, token: str = "", server: str = "") -> None:
        self.repository = repository
        address = repository.ask("remote", "get-url", "--push", "origin")
        if not address:
            raise Refused("there is no remote `origin` to open a pull request at")
        self._token = token
        self._env = credentials(address, token, server)
        # Everybody sees the arguments of git: a password in the address is not needed with a token.
        self.url = without_secret(address) if "GIT_CONFIG_COUNT" in self._env else address

    def see(self, name: str, onto: str, head: str, who: People) -> Seen:
        """What is there. Raises Refused where `onto` is not."""
        with tempfile.TemporaryDirectory(prefix="distify-pr-") as scratch:
            there = self._git(scratch, "ls-remote", "--", self.url, *map(_full, (name, onto)))
            pairs = (line.split("\t") for line in there.decode().splitlines())
            found = {ref for _, ref in pairs}
            if _full(onto) not in found:
                raise Refused(f"the remote has no branch {onto!r}: name another one (--base)")
            wanted = {ONTO: onto, OURS: name}
            self._fetch(scratch, {p: n for p, n in wanted.items() if _full(n) in found})
            branch = _branch(scratch, head, who) if _full(name) in found else None
            return Seen(_is_below(scratch, head, ONTO), branch)

    def _fetch(self, scratch: str, names: Mapping[str, str]) -> None:
        """Commits only, into a place of its own: the user's repository may be a shallow clone."""
        git(scratch, "init", "--quiet", "--template=", ".")
        config = os.path.join(scratch, ".git", "config")
        with open(config, "rb") as file:
            before = file.read()
        refs = [f"+{_full(name)}:{place}" for place, name in names.items()]
        options = ("--quiet", "--no-tags", "--filter=tree:0", "--no-auto-maintenance")
        self._git(scratch, "fetch", *options, self.url, *refs)
        with open(config, "wb") as file:  # what is missing from now on is not there
            file.write(before)

    def push(self, name: str, commit: str, expected: str) -> None:
        """The branch goes from `expected` to `commit`; "" stands for none. Raises Refused."""
        lease = f"--force-with-lease={_full(name)}:{expected}"
        try:
            what = f"{commit}:{_full(name)}"
            self._git(self.repository.top, "push", "--quiet", lease, "--", self.url, what)
        except GitFailed as error:
            if MOVED.search(error.words):
                raise Refused(
                    f"somebody pushed to {name!r} in the meantime; nothing of theirs was "
                    "overwritten: run `distify pr` again"
                ) from None
            raise

    def _git(self, folder: str, *arguments: str) -> bytes:
        """A command that talks to the server; what it says never holds a secret."""
        try:
            return git(folder, *arguments, env=self._env)
        except GitFailed as error:
            words = self._scrubbed(error.words)
            if REDIRECTED.search(words):
                words += (
                    "\nthe repository has another address now, and the token is shown to no other "
                    "one: `git remote set-url origin ADDRESS`"
                )
            elif DENIED.search(words):
                words += (
                    "\nthe token may not do this: it needs the permission `contents: write`, "
                    "which forks and runs for pull requests of forks don't get"
                )
            raise GitFailed(arguments, error.status, words) from None

    def _scrubbed(self, words: str) -> str:
        words = words.replace(self.url, without_secret(self.url))
        for secret in (self._token, _basic(self._token)) if self._token else ():
            words = words.replace(secret, "***")
        return words


def _full(name: str) -> str:
    return f"refs/heads/{name}"


def _basic(token: str) -> str:
    return base64.b64encode(f"x-access-token:{token}".encode()).decode("ascii")


def without_secret(url: str) -> str:
    """The address without a name or password that somebody wrote into it."""
    parts = urlsplit(url)
    if not parts.scheme.startswith("http") or "@" not in parts.netloc:
        return url
    return parts._replace(netloc=parts.netloc.rpartition("@")[2]).geturl()


def credentials(url: str, token: str, server: str) -> dict[str, str]:
    """Variables that give git the token for this very address, in the place of any other one.

    An empty header first: it takes away those that actions/checkout leaves in the configuration,
    since two would be refused. No redirect is followed: git would show the token wherever it leads.
    """
    env = {"GIT_TERMINAL_PROMPT": "0"} if token else {}
    mine, theirs = urlsplit(without_secret(url)), urlsplit(server)
    places = [(each.scheme, each.netloc.lower()) for each in (mine, theirs)]
    if not token or places[0] != places[1]:
        return env
    count = int(os.environ.get("GIT_CONFIG_COUNT") or 0)
    header = f"AUTHORIZATION: basic {_basic(token)}"
    for key, value in (("followRedirects", "false"), ("extraheader", ""), ("extraheader", header)):
        env[f"GIT_CONFIG_KEY_{count}"] = f"http.{mine.geturl()}.{key}"
        env[f"GIT_CONFIG_VALUE_{count}"] = value
        count += 1
    return {**env, "GIT_CONFIG_COUNT": str(count), "GIT_TRACE_REDACT": "1"}


def _is_below(scratch: str, commit: str, top: str) -> bool:
    try:
        git(scratch, "merge-base", "--is-ancestor", commit, top)
    except GitFailed:  # or not known there at all
        return False
    return True


def _branch(scratch: str, head: str, who: People) -> Branch:
    """From the tip down as far as the commits are ours; below that all must be in `onto`."""
    chain: list[Written] = []
    at = commit = _written(scratch, OURS)
    while at.is_ours(who):
        chain.append(at)
        at = _written(scratch, at.parents[0])
    ids = tuple(each.id for each in reversed(chain))
    foreign = not _is_below(scratch, at.id, ONTO)
    newer = at.id != head and _is_below(scratch, head, at.id)
    return Branch(commit.id, commit.tree, at.id, ids, foreign, bool(ids) and newer)


def _written(scratch: str, commit: str) -> Written:
    form = "--format=tformat:" + "%x00".join(FIELDS)
    raw = git(scratch, "log", "-1", "--no-mailmap", "--no-show-signature", form, commit)
    *words, text = raw.decode("utf-8", "replace").split("\0", len(FIELDS) - 1)
    id, parents, tree, *people = words
    author, committer = tuple(people[:3]), tuple(people[3:])
    return Written(id, tuple(parents.split()), tree, author, committer, bool(RULE.search(text)))
