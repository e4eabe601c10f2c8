"""The repository that files lie in.

Every path reaches git after `--` or on standard input, and is taken literally.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from .command import LITERALLY, GitFailed, Refused, git

# No command line is longer than the system allows, however many files there are.
CHUNK = 200
BEGIN = "run `git init`, commit the files as they are, and try again"


@dataclass(frozen=True)
class Repository:
    """Where a work tree and its administration are; all three are absolute."""

    top: str
    git_dir: str
    index: str

    def run(
        self,
        *arguments: str,
        data: bytes = b"",
        env: Mapping[str, str] | None = None,
        pass_fds: Sequence[int] = (),
    ) -> bytes:
        """A plumbing command in the work tree's top folder. Raises GitFailed."""
        env = {**LITERALLY, **(env or {})}
        return git(self.top, *arguments, data=data, env=env, pass_fds=pass_fds)

    def line(self, *arguments: str, data: bytes = b"") -> str:
        """The one line that a command wrote."""
        return os.fsdecode(self.run(*arguments, data=data)).removesuffix("\n")

    def ask(self, *arguments: str) -> str:
        """The same; empty where the command fails, as git's questions do for "no"."""
        try:
            return self.line(*arguments)
        except GitFailed:
            return ""

    def records(self, *arguments: str, paths: Iterable[str] = ()) -> Iterator[str]:
        """The NUL-ended records that a command wrote about these paths."""
        wanted = list(paths)
        for at in range(0, len(wanted), CHUNK):
            output = self.run(*arguments, "--", *wanted[at : at + CHUNK])
            yield from (os.fsdecode(record) for record in output.split(b"\0") if record)

    def relative(self, path: str) -> str:
        """A path as git knows it. Raises Refused for one that another repository holds."""
        name = os.path.relpath(path, self.top)
        if name.startswith(os.pardir + os.sep):
            raise Refused(
                f"{path} lies outside of the repository {self.top}: name it in a call of its own"
            )
        folder = os.path.dirname(path)
        while len(folder) > len(self.top):
            if os.path.lexists(os.path.join(folder, ".git")):
                raise Refused(
                    f"{path} belongs to the repository {folder}, not to {self.top}: "
                    f"run distify there, or leave it out (`exclude` in the settings)"
                )
            folder = os.path.dirname(folder)
        return name.replace(os.sep, "/")


def find(folder: str, without: str = BEGIN) -> Repository:
    """The repository that a folder belongs to. Raises Refused without a work tree around it.

    `without` says what to do where there is no repository.
    """
    _refuse_without_files(folder, without)
    questions = ("--show-toplevel", "--absolute-git-dir")
    top, git_dir = (
        os.fsdecode(git(folder, "rev-parse", question)).removesuffix("\n") for question in questions
    )
    index = os.fsdecode(git(folder, "rev-parse", "--git-path", "index")).removesuffix("\n")
    return Repository(top, git_dir, os.path.join(folder, index))


def _refuse_without_files(folder: str, without: str) -> None:
    questions = ("--is-bare-repository", "--is-inside-work-tree")
    try:
        inside = git(folder, "rev-parse", *questions, env={"LC_ALL": "C"})
    except GitFailed as error:
        if "not a git repository" in error.words:
            raise Refused(f"{folder} is not in a git repository: {without}") from None
        raise
    bare, within = inside.split()
    if bare == b"true":
        raise Refused(f"{folder} is a bare repository, without files: use a clone of it")
    if within != b"true":
        raise Refused(f"{folder} is inside of git's own folder: go to the work tree")
