"""A temporary work tree in which `git commit` itself runs the user's hooks.

They find there what they would find in the user's own: every tracked file as it is at that commit
(or those of the sparse checkout), and the ignored files and folders of the top folder (`.venv`,
`node_modules`), as links.
"""

from __future__ import annotations

import contextlib
import os
import shutil
import tempfile
from collections.abc import Iterable, Iterator, Mapping

from . import identity, references
from .message import sealed
from .refusals import Head, unsigned
from .repository import GitFailed, Refused, Repository, git
from .session import Session

HOOKS = ("pre-commit", "prepare-commit-msg", "commit-msg", "post-commit")
BYPASSED = ("pre-commit", "commit-msg")  # by --no-verify
OWN_HOOKS = ("distify", "distify-fix")  # .pre-commit-hooks.yaml
SIGNERS = ("gpg.format", "gpg.program", "gpg.ssh.program", "gpg.x509.program")
NOT_WRITTEN = "failed to write commit object"
SILENT = "neither git nor a hook said why"
NO_HOOKS = f"core.hooksPath={os.devnull}"
UTF8 = ("-c", "i18n.commitEncoding=UTF-8")
NO_MAINTENANCE = ("-c", "gc.auto=0", "-c", "maintenance.auto=false")


def hooks_folder(repository: Repository) -> str:
    """Absolute, so that it holds in another work tree, too."""
    path = repository.line("rev-parse", "--git-path", "hooks")
    return os.path.join(repository.top, path)


def has_hooks(repository: Repository, verify: bool) -> bool:
    """Whether `git commit` would run any; newer versions of git also take them from settings."""
    folder = hooks_folder(repository)
    names = [name for name in HOOKS if verify or name not in BYPASSED]
    paths = [os.path.join(folder, name) for name in names]
    named = any(os.path.isfile(path) and os.access(path, os.X_OK) for path in paths)
    return named or bool(repository.ask("config", "--get-regexp", r"^hook\..*\.command$"))


def signs(repository: Repository) -> bool:
    """Whether the settings ask for signatures."""
    return repository.ask("config", "--type=bool", "commit.gpgSign") == "true"


def _signing(repository: Repository) -> Iterator[str]:
    """Settings of the user's folder: `includeIf.gitdir:….git` does not hold in another one.

    A key of ssh is a file; git looks for it from the top folder, which is another one here.
    """
    key = repository.ask("config", "--type=path", "user.signingKey")
    place = os.path.join(repository.top, key)
    is_file = repository.ask("config", "gpg.format") == "ssh" and os.path.isfile(place)
    found = {name: repository.ask("config", name) for name in SIGNERS}
    found["user.signingKey"] = place if is_file else key
    found["commit.gpgSign"] = "true" if signs(repository) else ""
    for name, value in found.items():
        if value:
            yield from ("-c", f"{name}={value}")


def _person(repository: Repository) -> dict[str, str]:
    """Whose commits they are in the user's folder, as variables of git. Raises Refused."""
    people = identity.of(repository)
    roles = {"AUTHOR": people.author, "COMMITTER": people.committer}
    keys = ("NAME", "EMAIL")
    return {f"GIT_{r}_{k}": v for r, person in roles.items() for k, v in zip(keys, person)}


class Checkout:
    """The temporary work tree; commits are made one on top of the other."""

    def __init__(self, session: Session, folder: str, verify: bool) -> None:
        self.session, self.folder, self.verify = session, folder, verify
        self.hooks = hooks_folder(session.repository)
        self.signing = tuple(_signing(session.repository))
        self.person = _person(session.repository)

    def commit(self, files: Mapping[str, bytes], message: str) -> str:
        """Commits these files as `git commit` does. Raises Refused with what a hook said."""
        before = self._head()
        try:
            self._stage(files)
            self._commit(message)
        except GitFailed as error:
            raise Refused(self._why(message.partition("\n")[0], error.words)) from None
        made = self._head()
        parents = self._line("rev-parse", f"{made}^@").split()
        if parents != [before]:
            raise Refused("a hook moved HEAD while its commit was made; try --no-verify")
        return made

    def _stage(self, files: Mapping[str, bytes]) -> None:
        for path, data in files.items():
            place = os.path.join(self.folder, path)
            os.makedirs(os.path.dirname(place), exist_ok=True)
            with open(place, "wb") as file:
                file.write(data)
        for how in (["--no-skip-worktree"], []):  # outside of a sparse checkout, too
            self._git("update-index", *how, "-z", "--stdin", data=_joined(files))

    def _commit(self, message: str) -> None:
        settings = (
            *("-c", f"core.hooksPath={self.hooks}"),
            *("-c", f"core.excludesFile={self.folder}.excludes"),
            *(*UTF8, *self.signing, *NO_MAINTENANCE),
        )
        command = ("commit", "--quiet", "--cleanup=whitespace", "-F", "-")
        options = () if self.verify else ("--no-verify",)
        env = {**self.person, "SKIP": _skipped()}
        self._git(*settings, *command, *options, data=message.encode(), env=env)

    def commit_sealed(self, files: Mapping[str, bytes], message: str) -> str:
        """The same with a seal, which can fit only what the hooks made of files and message."""
        made = self.commit(files, message)
        tree = self._line("rev-parse", f"{made}^{{tree}}")
        text = sealed(self.text(made).rstrip("\n") + "\n", tree)
        options = ("-S",) if signs(self.session.repository) else ()
        command = (*UTF8, *self.signing, "commit-tree", *options)
        of = ("-p", self._line("rev-parse", f"{made}^"), "-F", "-", tree)
        again = self._git(*command, *of, data=text.encode(), env=self.person).decode().strip()
        self._git("-c", NO_HOOKS, "update-ref", "--no-deref", "HEAD", again, made)
        return again

    def text(self, commit: str) -> str:
        """What hooks made of the message."""
        alone = ("-1", "--no-show-signature", "--encoding=UTF-8", "--format=%B")
        return self._git("log", *alone, commit).decode("utf-8", "replace")

    def _why(self, subject: str, words: str) -> str:
        # Git's last words once all hooks have passed; in another language they go unnoticed.
        if NOT_WRITTEN in words and signs(self.session.repository):
            return unsigned(words)
        return (
            f"git did not make the commit {subject!r}; nothing has changed "
            f"(--no-verify leaves out pre-commit and commit-msg hooks):\n{words or SILENT}"
        )

    def _head(self) -> str:
        return self._line("rev-parse", "HEAD")

    def _line(self, *arguments: str) -> str:
        return self._git(*arguments).decode().strip()

    def _git(
        self, *arguments: str, data: bytes = b"", env: Mapping[str, str] | None = None
    ) -> bytes:
        """The guard waits for it, should distify be killed."""
        return git(self.folder, *arguments, data=data, env=env, pass_fds=self.session.fds)


def _skipped() -> str:
    """What pre-commit is to leave out, too: distify's own hooks.

    They want whole migrations, and the first commits (repairs, D100) are not even begun ones.
    """
    return ",".join(filter(None, (os.environ.get("SKIP"), *OWN_HOOKS)))


@contextlib.contextmanager
def checkout(session: Session, head: Head, target: str, verify: bool) -> Iterator[Checkout]:
    """The work tree of a commit, on the branch `target`; afterwards it is gone in any case."""
    repository = session.repository
    scratch = os.path.join(os.path.realpath(tempfile.gettempdir()), f"distify-{session.token}")
    session.note(head, scratch=scratch, common=references.common(repository))
    os.mkdir(scratch, 0o700)
    # Some tools take the name of the folder for that of the project.
    folder = os.path.join(scratch, os.path.basename(repository.top) or "tree")
    alone = ("-c", NO_HOOKS, "-c", "submodule.recurse=false")
    add = ("worktree", "add", "--quiet", "--detach", "--no-checkout")
    session.run(*alone, *add, "--", folder, head.commit)
    own = os.fsdecode(git(folder, "rev-parse", "--absolute-git-dir")).removesuffix("\n")
    session.note(head, admin=own)
    _copy_sparse(repository, own)
    if target and references.can_be_copied(repository):
        references.copy(repository, own, folder + ".common", Head(head.commit, target))
    _fill(session, folder, *alone)
    _link_ignored(repository, folder)
    try:
        yield Checkout(session, folder, verify)
    finally:
        shutil.rmtree(scratch, ignore_errors=True)  # git's part of it goes with the session


def _fill(session: Session, folder: str, *settings: str) -> None:
    """Where the temporary folder is small, a large repository finds no room in it."""
    command = (*settings, "-c", "checkout.workers=0", "read-tree", "-m", "-u", "HEAD")
    try:
        # The hooks of git-lfs need no contents.
        git(folder, *command, env={"GIT_LFS_SKIP_SMUDGE": "1"}, pass_fds=session.fds)
    except GitFailed as error:
        raise Refused(
            f"the files could not be checked out for the hooks, in {folder} "
            f"(another TMPDIR gives another place):\n{error.words}"
        ) from None


def _copy_sparse(repository: Repository, own: str) -> None:
    """Older versions of git don't take the sparse checkout along."""
    patterns = os.path.join(repository.git_dir, "info", "sparse-checkout")
    if repository.ask("config", "--type=bool", "core.sparseCheckout") != "true":
        return
    place = os.path.join(own, "info", "sparse-checkout")
    if os.path.isfile(patterns) and not os.path.exists(place):
        os.makedirs(os.path.dirname(place), exist_ok=True)
        shutil.copyfile(patterns, place)


def _link_ignored(repository: Repository, folder: str) -> None:
    """Tools that live in the project but not in git: `.venv/bin/ruff`, `node_modules`."""
    names = [n for n in os.listdir(repository.top) if not os.path.lexists(os.path.join(folder, n))]
    try:
        answer = git(repository.top, "check-ignore", "-z", "--stdin", data=_joined(names))
    except GitFailed:
        answer = b""  # none
    ignored = [os.fsdecode(name) for name in answer.split(b"\0") if name]
    for name in ignored:
        os.symlink(os.path.join(repository.top, name), os.path.join(folder, name))
    _exclude(repository, folder + ".excludes", ignored)


def _exclude(repository: Repository, path: str, names: Iterable[str]) -> None:
    """`git add -A` in a hook must not take the links; `name/` in .gitignore means folders only."""
    known = repository.ask("config", "--type=path", "core.excludesFile")
    home = os.environ.get("XDG_CONFIG_HOME") or os.path.expanduser("~/.config")
    with open(path, "wb") as file, contextlib.suppress(OSError):
        file.writelines(b"/" + _literal(name) + b"\n" for name in names)
        with open(known or os.path.join(home, "git", "ignore"), "rb") as own:
            file.write(own.read())


def _joined(names: Iterable[str]) -> bytes:
    return os.fsencode("\0".join(names))


def _literal(name: str) -> bytes:
    """A name as a pattern that matches it alone (a line end, which none can hold: any sign)."""
    special = b"*?[\\! #"
    signs = (bytes([sign]) for sign in os.fsencode(name))
    return b"".join(b"\\" + s if s in special else b"?" if s == b"\n" else s for s in signs)
