"""A branch on another machine: what is on it, whose commits these are, and a push that is safe."""

from __future__ import annotations

import os
import re
import tempfile
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from .command import GitFailed, Refused, git
from .credentials import GITHUBS, basic, credentials, without_secret
from .hooks import hooks_folder
from .identity import People
from .ownership import ONTO, OURS, Branch, is_below, judged
from .repository import Repository

__all__ = ["Branch", "Remote", "RemoteState"]
# Settings of how to reach a server; the others are about files and people.
TRANSPORT = r"^(http|credential|ssh|protocol|url)\.|^core\.(sshcommand|gitproxy|askpass)$"
# In the scratch repository no program of the user runs: git would hand it the token.
QUIET = [("core.hooksPath", os.devnull), ("core.fsmonitor", "false")]
# One branch, whatever the settings say that goes along.
ALONE = ("--quiet", "--no-follow-tags", "--recurse-submodules=no")
UNHOOKED = ("--no-verify", "--signed=no")  # neither a hook nor a program that signs
TAKES_SETTINGS = (2, 31)  # from the environment


@dataclass(frozen=True)
class RemoteState:
    """Whether the base on the remote holds what is checked out; our branch, if it is there."""

    holds_head: bool
    branch: Branch | None


class Remote:
    """`origin` of a repository; `token` is for its server, if that speaks HTTP.

    `fork` is the address that the branch is pushed to, where it is not `origin` itself.
    """

    def __init__(
        self,
        repository: Repository,
        token: str = "",
        server: str = "",
        fork: str = "",
        user: str = GITHUBS,
    ) -> None:
        self.repository = repository
        address = repository.ask("remote", "get-url", "--push", "origin")
        if not address:
            raise Refused("there is no remote `origin` to open a pull request at")
        self._secrets = (token, basic(token, user)) if token else ()
        places = tuple(dict.fromkeys((address, fork or address)))
        self._env = credentials(places, token, server, user=user)
        # In the scratch repository, the settings of the clone: a key, a proxy, a certificate.
        self._outside = credentials(places, token, server, QUIET + _transport(repository), user)
        # Everybody sees the arguments of git: a password in the address is not needed with a token.
        shown = without_secret if "GIT_CONFIG_COUNT" in self._env else str
        self.url, self.pushed_to = shown(address), shown(fork or address)

    def see(self, name: str, onto: str, head: str, who: People) -> RemoteState:
        """What is there. Raises Refused where `onto` is not."""
        with tempfile.TemporaryDirectory(prefix="distify-pr-") as scratch:
            git(scratch, "init", "--quiet", "--template=", ".")
            wanted = {self.url: {ONTO: onto}}
            wanted.setdefault(self.pushed_to, {})[OURS] = name
            found = {place for url in wanted for place in self._fetched(scratch, url, wanted[url])}
            if ONTO not in found:
                raise Refused(f"the remote has no branch {onto!r}: name another one (--base)")
            branch = judged(scratch, head, who) if OURS in found else None
            return RemoteState(is_below(scratch, head, ONTO), branch)

    def _fetched(self, scratch: str, url: str, wanted: Mapping[str, str]) -> Iterable[str]:
        """Gets those of the wanted branches that are there; the places where they lie now."""
        there = self._git(scratch, "ls-remote", "--", url, *map(_full, wanted.values()))
        pairs = (line.split("\t") for line in there.decode().splitlines())
        refs = {ref for _, ref in pairs}
        found = {place: name for place, name in wanted.items() if _full(name) in refs}
        if found:
            self._fetch(scratch, url, found)
        return found

    def _fetch(self, scratch: str, url: str, names: Mapping[str, str]) -> None:
        """Commits only, into a place of its own: the user's repository may be a shallow clone."""
        config = os.path.join(scratch, ".git", "config")
        with open(config, "rb") as file:
            before = file.read()
        refs = [f"+{_full(name)}:{place}" for place, name in names.items()]
        options = ("--quiet", "--no-tags", "--filter=tree:0", "--no-auto-maintenance")
        self._git(scratch, "fetch", *options, url, *refs)
        with open(config, "wb") as file:  # what is missing from now on is not there
            file.write(before)

    def push(self, name: str, commit: str, expected: str) -> None:
        """The branch goes from `expected` to `commit`; "" stands for none. Raises Refused."""
        lease = f"--force-with-lease={_full(name)}:{expected}"
        what = f"{commit}:{_full(name)}"
        has_token = "GIT_CONFIG_COUNT" in self._env
        if has_token:  # a hook that such a push starts would see it
            self._ask_hook(name, commit, expected)
        options = (*ALONE, *(UNHOOKED if has_token else ()))
        try:
            self._git(self.repository.top, "push", *options, lease, "--", self.pushed_to, what)
        except GitFailed as error:
            raise collision(name, error.words) or error from None

    def _ask_hook(self, name: str, commit: str, expected: str) -> None:
        """Runs the hook `pre-push` as `git push` would (githooks(5)). Raises Refused."""
        hook = os.path.join(hooks_folder(self.repository), "pre-push")
        if not (os.path.isfile(hook) and os.access(hook, os.X_OK)):
            return
        nothing = "0" * len(self.repository.line("rev-parse", "HEAD"))
        local = (commit, commit) if commit else ("(delete)", nothing)
        data = " ".join((*local, _full(name), expected or nothing)) + "\n"
        run = ("-c", 'alias.distify-pre-push=!"$DISTIFY_HOOK"', "distify-pre-push")
        try:
            self.repository.run(
                *run, self.pushed_to, self.pushed_to, data=data.encode(), env={"DISTIFY_HOOK": hook}
            )
        except GitFailed as error:
            printed = error.output.decode("utf-8", "replace")
            words = self._without_token(f"{error.words}\n{printed}".strip())
            raise Refused(f"the hook pre-push is against it:\n{words}") from None

    def _git(self, folder: str, *arguments: str) -> bytes:
        """A command that talks to the server; what it says never holds a secret."""
        inside = folder == self.repository.top
        try:
            return git(folder, *arguments, env=self._env if inside else self._outside)
        except GitFailed as error:
            # A pre-push hook may say there why it is against it.
            printed = error.output.decode("utf-8", "replace").strip()
            words = self._without_token(f"{error.words}\n{printed}".strip())
            hints = (REDIRECTED, FORBIDDEN, ARCHIVED, *self._about_access())
            hint = next((f"\n{text}" for sign, text in hints if sign.search(words)), "")
            raise GitFailed(arguments, error.status, words + hint) from None

    def _about_access(self) -> Sequence[tuple[re.Pattern[str], str]]:
        if "GIT_CONFIG_COUNT" in self._env:
            return (INVALID if _is_new() else OLD, DENIED)
        return [OWN_ACCESS if self._secrets else NO_TOKEN]

    def _without_token(self, words: str) -> str:
        for url in (self.url, self.pushed_to):
            words = words.replace(url, without_secret(url))
        for secret in self._secrets:
            words = words.replace(secret, "***")
        return words


def _is_new() -> bool:
    found = re.search(rb"(\d+)\.(\d+)", git(os.curdir, "version"))
    return found is None or (int(found[1]), int(found[2])) >= TAKES_SETTINGS


def _full(name: str) -> str:
    return f"refs/heads/{name}"


def _transport(repository: Repository) -> list[tuple[str, str]]:
    """The settings of this clone alone; a key without a value means yes."""
    options = ("--local", "--includes", "-z", "--get-regexp", TRANSPORT)
    records = repository.ask("config", *options).split("\0")
    pairs = (record.partition("\n") for record in records if record)
    return [(key, value if between else "true") for key, between, value in pairs]


# -- what git and servers say of a refusal, and what to do about it ------------------------------

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
