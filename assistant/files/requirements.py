"""Which TensorFlow a project asks for: its lock files, requirements and pyproject.toml.

Where none of them says it, what is installed does.
"""

from __future__ import annotations

import contextlib
import functools
import os
import re
from collections.abc import Iterator

from distify.codemods.program.records import NamedTuple

from . import project_packages
from .reader import NotRead, Problem, repository, text
from .version_specifiers import DEFAULT, LONGEST, Version, closest

LOCKS = ("uv.lock", "poetry.lock", "pdm.lock")
PIPFILE = "Pipfile.lock"
TEXTS = ("environment.yml", "environment.yaml", "pyproject.toml", "setup.cfg", "setup.py")
LOCKED = 20_000_000  # bytes: programs write these
_PACKAGE = r"tensorflow(?:[-_.](?:cpu|gpu|intel|macos|rocm))?"  # tf-nightly pins nothing
_NAME = re.compile(_PACKAGE, re.IGNORECASE)
# Nothing in it is without a bound: the time grows with the text alone.
_REQUIREMENT = re.compile(
    rf"(?<![\w./-]){_PACKAGE}[ \t]{{0,99}}(?:\[[^\]\n]{{0,99}}\])?[\"']?[ \t]{{0,99}}"
    r"(?:=[ \t]{0,9}\{[ \t]{0,9}version[ \t]{0,9}=[ \t]{0,9}|=[ \t]{0,9}(?=[\"']))?"
    rf"[\"'(]{{0,9}}(?P<specifier>[=<>!~^\d][^;\"'\n]{{0,{LONGEST}}})",
    re.IGNORECASE,
)
# As all three programs write it; a real reader of TOML needs seconds for a large lock file.
_LOCKED = re.compile(r'^name = "([\w.-]{1,99})"\r?\nversion = "([^"\n]{1,99})"', re.MULTILINE)


class Asked(NamedTuple):
    """The version that is asked for, who says so, and what could not be read meanwhile."""

    version: Version
    why: str = ""  # "" where nobody says it
    unread: tuple[Problem, ...] = ()


@functools.cache
def tensorflow(folder: str) -> Asked:
    """The version asked for by the project around an absolute folder, else 2.15."""
    unread: list[Problem] = []
    folders = folders_of(folder)
    for each in folders:
        for version, name in _asked_in(each, unread):
            return Asked(version, f"{name} asks for it", tuple(unread))
    there = project_packages.tensorflow(folders)
    if there is None:
        return Asked(DEFAULT, "", tuple(unread))
    version, environment = there
    return Asked(version, f"it is installed in {environment}", tuple(unread))


def folders_of(folder: str) -> list[str]:
    """The folders of the project around an absolute one, from that one up to its root."""
    return [*_up_to(_root(folder), folder)]


def _up_to(root: str, folder: str) -> Iterator[str]:
    yield folder
    while folder != root:
        folder = os.path.dirname(folder)
        yield folder


def _root(folder: str) -> str:
    """The repository's root; without one, the nearest folder with a pyproject.toml, or this one."""
    found = repository(folder)
    above = folder
    while found is None and not os.path.isfile(os.path.join(above, "pyproject.toml")):
        found = folder if above == os.path.dirname(above) else None
        above = os.path.dirname(above)
    return found or above


def _asked_in(folder: str, unread: list[Problem]) -> Iterator[tuple[Version, str]]:
    """A lock says it exactly, so it is asked first; a file that can't be read says nothing."""
    with contextlib.suppress(OSError):
        names = sorted(os.listdir(folder))
        locks = [name for name in (*LOCKS, PIPFILE) if name in names]
        pinned = [n for n in names if n.startswith("requirements") and n.endswith(".txt")]
        pinned.sort(key="requirements.txt".__ne__)  # before `requirements-tf1.txt` and its like
        for name in [*locks, *pinned, *(name for name in TEXTS if name in names)]:
            path = os.path.join(folder, name)
            try:
                yield from ((version, name) for version in _asked_by(path, name))
            except NotRead as error:
                unread.append(Problem(path, f"{error}; it was not read"))


def _asked_by(path: str, name: str) -> Iterator[Version]:
    asked = _text(path)
    if name in LOCKS:
        asked = _locked_versions(path)
    elif name == PIPFILE:
        asked = _pipfile(path)
    yield from (version for version in map(closest, asked) if version is not None)


def _locked_versions(path: str) -> Iterator[str]:
    for name, version in _LOCKED.findall(text(path, LOCKED)):
        if _NAME.fullmatch(name):
            yield f"=={version}"


def _pipfile(path: str) -> Iterator[str]:
    import json  # few projects have such a file

    try:
        packages = json.loads(text(path, LOCKED))["default"]
        asked = [each["version"] for name, each in packages.items() if _NAME.fullmatch(name)]
    except RecursionError as error:
        raise NotRead("is nested too deeply") from error
    except (ValueError, LookupError, TypeError, AttributeError):
        return
    yield from (version for version in asked if isinstance(version, str))


def _text(path: str) -> Iterator[str]:
    for line in text(path).split("\n"):
        for found in _REQUIREMENT.finditer(line.partition("#")[0]):
            yield found["specifier"]
