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
from collections.abc import Iterator, Mapping

from . import identity, references
from .command import GitFailed, Refused, git
from .hooks import hooks_folder, signing, signs
from .message import sealed
from .refusals import Head, unsigned
from .repository import Repository
from .session import Session
from .work_tree import copy_sparse, fill, joined, link_ignored

OWN_HOOKS = ("distify", "distify-fix")  # .pre-commit-hooks.yaml
NOT_WRITTEN = "failed to write commit object"
SILENT = "neither git nor a hook said why"
NO_HOOKS = f"core.hooksPath={os.devnull}"
UTF8 = ("-c", "i18n.commitEncoding=UTF-8")
NO_MAINTENANCE = ("-c", "gc.auto=0", "-c", "maintenance.auto=false")


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
        self.signing = tuple(signing(session.repository))
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
            self._git("update-index", *how, "-z", "--stdin", data=joined(files))

    def _commit(self, message: str) -> None:
        settings = (
            *("-c", f"core.hooksPath={self.hooks}"),
            *("-c", f"core.excludesFile={self.folder}.excludes"),
            *(*UTF8, *self.signing, *NO_MAINTENANCE),
        )
        command = ("commit", "--quiet", "--cleanup=whitespace", "-F", "-")
        options = () if self.verify else ("--no-verify",)
        env = {**self.person, "SKIP": _hooks_to_skip()}
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


def _hooks_to_skip() -> str:
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
    copy_sparse(repository, own)
    if target and references.can_be_copied(repository):
        references.copy(repository, own, folder + ".common", Head(head.commit, target))
    fill(session, folder, *alone)
    link_ignored(repository, folder)
    try:
        yield Checkout(session, folder, verify)
    finally:
        shutil.rmtree(scratch, ignore_errors=True)  # git's part of it goes with the session
