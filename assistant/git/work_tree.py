"""Fills a temporary work tree: files of a commit, the sparse checkout, links to ignored files."""

from __future__ import annotations

import contextlib
import os
import shutil
from collections.abc import Iterable

from .command import GitFailed, Refused, git
from .repository import Repository
from .session import Session


def fill(session: Session, folder: str, *settings: str) -> None:
    """Checks out the files of HEAD for the hooks.

    Raises Refused where the temporary folder is too small for them.
    """
    command = (*settings, "-c", "checkout.workers=0", "read-tree", "-m", "-u", "HEAD")
    try:
        # The hooks of git-lfs need no contents.
        git(folder, *command, env={"GIT_LFS_SKIP_SMUDGE": "1"}, pass_fds=session.fds)
    except GitFailed as error:
        raise Refused(
            f"the files could not be checked out for the hooks, in {folder} "
            f"(another TMPDIR gives another place):\n{error.words}"
        ) from None


def copy_sparse(repository: Repository, own: str) -> None:
    """Older versions of git don't take the sparse checkout along."""
    patterns = os.path.join(repository.git_dir, "info", "sparse-checkout")
    if repository.ask("config", "--type=bool", "core.sparseCheckout") != "true":
        return
    place = os.path.join(own, "info", "sparse-checkout")
    if os.path.isfile(patterns) and not os.path.exists(place):
        os.makedirs(os.path.dirname(place), exist_ok=True)
        shutil.copyfile(patterns, place)


def link_ignored(repository: Repository, folder: str) -> None:
    """Tools that live in the project but not in git: `.venv/bin/ruff`, `node_modules`."""
    names = [n for n in os.listdir(repository.top) if not os.path.lexists(os.path.join(folder, n))]
    try:
        answer = git(repository.top, "check-ignore", "-z", "--stdin", data=joined(names))
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


def joined(names: Iterable[str]) -> bytes:
    """Names as git reads them with `-z`."""
    return os.fsencode("\0".join(names))


def _literal(name: str) -> bytes:
    """A name as a pattern that matches it alone (a line end, which none can hold: any sign)."""
    special = b"*?[\\! #"
    signs = (bytes([sign]) for sign in os.fsencode(name))
    return b"".join(b"\\" + s if s in special else b"?" if s == b"\n" else s for s in signs)
