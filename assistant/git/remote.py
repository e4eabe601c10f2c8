"""A branch on another machine: what is on it, whose commits these are, and a push that is safe.

The token reaches git by environment variables only (`GIT_CONFIG_COUNT`, git-config(1)): no
argument, address or configuration file ever holds it.
"""

from __future__ import annotations

import base64
import os
import re
import tempfile
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from urllib.parse import urlsplit

from .command import GitFailed, Refused, git
from .denials import (
    ARCHIVED,
    DENIED,
    FORBIDDEN,
    INVALID,
    NO_TOKEN,
    OLD,
    OWN_ACCESS,
    REDIRECTED,
    collision,
)
from .identity import People
from .ownership import ONTO, OURS, Branch, is_below, judged
from .repository import Repository

__all__ = ["Branch", "Remote", "RemoteState", "credentials", "without_secret"]
# What no trace shows, whatever a person asked for; no setting and no variable is called "-".
UNTRACED = {
    "GIT_TRACE_REDACT": "1",
    "GIT_TRACE2_CONFIG_PARAMS": "-",
    "GIT_TRACE2_ENV_VARS": "-",
}
# Settings of how to reach a server; the others are about files and people.
TRANSPORT = r"^(http|credential|ssh|protocol|url)\.|^core\.(sshcommand|gitproxy|askpass)$"
# In the scratch repository no program of the user runs: git would hand it the token.
QUIET = [("core.hooksPath", os.devnull), ("core.fsmonitor", "false")]
# One branch, whatever the settings say that goes along.
ALONE = ("--quiet", "--no-follow-tags", "--recurse-submodules=no")
TAKES_SETTINGS = (2, 31)  # from the environment


@dataclass(frozen=True)
class RemoteState:
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
        # In the scratch repository, the settings of the clone: a key, a proxy, a certificate.
        self._outside = credentials(address, token, server, QUIET + _transport(repository))
        # Everybody sees the arguments of git: a password in the address is not needed with a token.
        self.url = without_secret(address) if "GIT_CONFIG_COUNT" in self._env else address

    def see(self, name: str, onto: str, head: str, who: People) -> RemoteState:
        """What is there. Raises Refused where `onto` is not."""
        with tempfile.TemporaryDirectory(prefix="distify-pr-") as scratch:
            there = self._git(scratch, "ls-remote", "--", self.url, *map(_full, (name, onto)))
            pairs = (line.split("\t") for line in there.decode().splitlines())
            found = {ref for _, ref in pairs}
            if _full(onto) not in found:
                raise Refused(f"the remote has no branch {onto!r}: name another one (--base)")
            wanted = {ONTO: onto, OURS: name}
            self._fetch(scratch, {p: n for p, n in wanted.items() if _full(n) in found})
            branch = judged(scratch, head, who) if _full(name) in found else None
            return RemoteState(is_below(scratch, head, ONTO), branch)

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
        what = f"{commit}:{_full(name)}"
        try:
            self._git(self.repository.top, "push", *ALONE, lease, "--", self.url, what)
        except GitFailed as error:
            raise collision(name, error.words) or error from None

    def _git(self, folder: str, *arguments: str) -> bytes:
        """A command that talks to the server; what it says never holds a secret."""
        inside = folder == self.repository.top
        try:
            return git(folder, *arguments, env=self._env if inside else self._outside)
        except GitFailed as error:
            # A pre-push hook may say there why it is against it.
            printed = error.output.decode("utf-8", "replace").strip()
            words = self._scrubbed(f"{error.words}\n{printed}".strip())
            hints = (REDIRECTED, FORBIDDEN, ARCHIVED, *self._about_access())
            hint = next((f"\n{text}" for sign, text in hints if sign.search(words)), "")
            raise GitFailed(arguments, error.status, words + hint) from None

    def _about_access(self) -> Sequence[tuple[re.Pattern[str], str]]:
        if "GIT_CONFIG_COUNT" in self._env:
            return (INVALID if _is_new() else OLD, DENIED)
        return [OWN_ACCESS if self._token else NO_TOKEN]

    def _scrubbed(self, words: str) -> str:
        words = words.replace(self.url, without_secret(self.url))
        for secret in (self._token, _basic(self._token)) if self._token else ():
            words = words.replace(secret, "***")
        return words


def _is_new() -> bool:
    found = re.search(rb"(\d+)\.(\d+)", git(os.curdir, "version"))
    return found is None or (int(found[1]), int(found[2])) >= TAKES_SETTINGS


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


def _transport(repository: Repository) -> list[tuple[str, str]]:
    """The settings of this clone alone; a key without a value means yes."""
    options = ("--local", "--includes", "-z", "--get-regexp", TRANSPORT)
    records = repository.ask("config", *options).split("\0")
    pairs = (record.partition("\n") for record in records if record)
    return [(key, value if between else "true") for key, between, value in pairs]


def credentials(
    url: str, token: str, server: str, before: Sequence[tuple[str, str]] = ()
) -> dict[str, str]:
    """Variables that give git the token for this very address, in the place of any other one.

    An empty header first: it takes away those that actions/checkout leaves in the configuration,
    since two would be refused. No redirect is followed: git would show the token wherever it leads.
    And no helper is asked: where the token is refused, git would have it forget a good password.
    """
    env = {"GIT_TERMINAL_PROMPT": "0"} if token else {}
    settings = list(before)
    mine, theirs = urlsplit(without_secret(url)), urlsplit(server)
    places = [(each.scheme, each.netloc.lower()) for each in (mine, theirs)]
    if token and places[0] == places[1]:
        key = f"http.{mine.geturl()}"
        settings += [(f"{key}.followRedirects", "false"), (f"{key}.extraheader", "")]
        settings += [(f"{key}.extraheader", f"AUTHORIZATION: basic {_basic(token)}")]
        settings += [(f"credential.{mine.geturl()}.helper", "")]
        env |= {**UNTRACED, "GIT_ASKPASS": ""}  # neither that one nor any other program
    count = int(os.environ.get("GIT_CONFIG_COUNT") or 0)
    for number, (key, value) in enumerate(settings, count):
        env |= {f"GIT_CONFIG_KEY_{number}": key, f"GIT_CONFIG_VALUE_{number}": value}
    return {**env, "GIT_CONFIG_COUNT": str(count + len(settings))} if settings else env
