"""References of its own for the temporary work tree, so that hooks find the user's branch there.

Some hooks guard a branch, others put its name into the message. But a branch that is checked out
moves with each commit, and the user's must not. So git's folder of the temporary work tree names
another common folder, in which the references are copies and everything else is the user's.

From there git sees neither reflogs nor other work trees, so it must not clear objects away either:
it would take stashes and staged work for garbage.
"""

from __future__ import annotations

import os
import shutil

from .refusals import Head
from .repository import Repository

# What is not shared: references, what belongs to one work tree, and distify's own.
OWN = ("refs", "packed-refs", "logs", "worktrees", "index", "config", "distify", "gc.pid")
KEEP_OBJECTS = ("extensions.preciousObjects", "true")  # `git gc`, `prune` and `repack -d` obey
INCLUDES = r"^include(if\..*)?\.path$"


def common(repository: Repository) -> str:
    """Git's folder that all work trees of a repository share."""
    path = repository.line("rev-parse", "--git-common-dir")
    return os.path.realpath(os.path.join(repository.top, path))


def can_be_copied(repository: Repository) -> bool:
    """Whether they are kept as files."""
    return repository.ask("config", "extensions.refStorage") in ("", "files")


def copy(repository: Repository, own: str, place: str, head: Head) -> None:
    """`own` is git's folder of the temporary work tree, and `place` a new one for the copies.

    `head` is what seems to be checked out; its branch needs not be there yet.
    """
    shared = common(repository)
    os.makedirs(os.path.join(place, "refs"))
    for name in os.listdir(shared):
        if _is_shared(name):
            os.symlink(os.path.join(shared, name), os.path.join(place, name))
    _copy_settings(repository, shared, place)
    with open(os.path.join(place, "packed-refs"), "wb") as file:
        file.write(_packed_references(repository, head))
    for name, text in (("commondir", place), ("HEAD", f"ref: {head.branch}")):
        with open(os.path.join(own, name), "wb") as file:
            file.write(os.fsencode(text) + b"\n")


def _is_shared(name: str) -> bool:
    """HEAD and its like are those of one work tree."""
    return not (name in OWN or name.isupper() or name.endswith(".lock"))


def _packed_references(repository: Repository, head: Head) -> bytes:
    """All references as the file `packed-refs` has them."""
    branch = os.fsencode(head.branch)
    lines = repository.run("for-each-ref", "--format=%(objectname) %(refname)").splitlines()
    others = [line for line in lines if line.partition(b" ")[2] != branch]
    return b"".join(line + b"\n" for line in [*others, head.commit.encode() + b" " + branch])


def _copy_settings(repository: Repository, shared: str, place: str) -> None:
    """A path in there counts from the file that names it."""
    settings = os.path.join(place, "config")
    shutil.copyfile(os.path.join(shared, "config"), settings)
    repository.run("config", "--file", settings, *KEEP_OBJECTS)
    found = repository.ask("config", "--file", settings, "-z", "--get-regexp", INCLUDES)
    for record in filter(None, found.split("\0")):
        key, _, path = record.partition("\n")
        if not path.startswith(("/", "~")):
            absolute = os.path.join(shared, path)
            repository.run("config", "--file", settings, "--add", key, absolute)
