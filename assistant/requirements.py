"""Which TensorFlow a project asks for: its lock files, requirements and pyproject.toml."""

from __future__ import annotations

import contextlib
import functools
import os
import re
from collections.abc import Iterator

from .config import ConfigProblem, load_toml
from .gitignore import repository

DEFAULT = (2, 15)
LOCKS = ("uv.lock", "poetry.lock", "pdm.lock")
TEXTS = ("environment.yml", "environment.yaml", "pyproject.toml", "setup.cfg", "setup.py")
_PACKAGE = r"tensorflow(?:[-_.](?:cpu|gpu|intel|macos|rocm))?"  # tf-nightly pins nothing
_NAME = re.compile(_PACKAGE, re.IGNORECASE)
_REQUIREMENT = re.compile(
    rf"(?<![\w./-]){_PACKAGE}\s*(?:\[[^\]\n]*\])?[\"']?\s*"
    r"(?:=\s*\{\s*version\s*=\s*|=\s*(?=[\"']))?[\"'(]*(?P<specifier>[=<>!~^\d][^;\"'\n]*)",
    re.IGNORECASE,
)
_CLAUSE = re.compile(r"(===|==|!=|~=|>=|<=|>|<|=|\^|~)?\s*v?(\d+)(?:\.(\d+))?([.\w*]*)")


@functools.cache
def tensorflow(folder: str) -> tuple[int, int]:
    """The version asked for by the project around an absolute folder, else 2.15."""
    root = _root(folder)
    while True:
        version = next(_asked_in(folder), None)
        if version is not None:
            return version
        if folder == root:
            return DEFAULT
        folder = os.path.dirname(folder)


def _root(folder: str) -> str:
    """The repository's root; without one, the nearest folder with a pyproject.toml, or this one."""
    found = repository(folder)
    above = folder
    while found is None and not os.path.isfile(os.path.join(above, "pyproject.toml")):
        found = folder if above == os.path.dirname(above) else None
        above = os.path.dirname(above)
    return found or above


def _asked_in(folder: str) -> Iterator[tuple[int, int]]:
    """A lock says it exactly, so it is asked first; a file that can't be read says nothing."""
    with contextlib.suppress(OSError):
        names = sorted(os.listdir(folder))
        locks = [name for name in LOCKS if name in names]
        pinned = [n for n in names if n.startswith("requirements") and n.endswith(".txt")]
        pinned.sort(key="requirements.txt".__ne__)  # before `requirements-tf1.txt` and its like
        for name in locks:
            yield from _locked(os.path.join(folder, name))
        if "Pipfile.lock" in names:
            yield from _pipfile(os.path.join(folder, "Pipfile.lock"))
        for name in [*pinned, *(name for name in TEXTS if name in names)]:
            yield from _text(os.path.join(folder, name))


def _locked(path: str) -> Iterator[tuple[int, int]]:
    with contextlib.suppress(ConfigProblem, AttributeError, TypeError):
        for package in load_toml(path).get("package", []):
            if _NAME.fullmatch(str(package.get("name"))):
                yield from closest(f"=={package.get('version')}")


def _pipfile(path: str) -> Iterator[tuple[int, int]]:
    import json  # few projects have such a file

    with contextlib.suppress(OSError, ValueError, LookupError, TypeError, AttributeError):
        with open(path, encoding="utf-8") as file:
            packages = json.load(file)["default"]
        for name, package in packages.items():
            if _NAME.fullmatch(name):
                yield from closest(package["version"])


def _text(path: str) -> Iterator[tuple[int, int]]:
    with contextlib.suppress(OSError):
        with open(path, encoding="utf-8", errors="replace") as file:
            text = re.sub("#.*", "", file.read(1_000_000))
        for found in _REQUIREMENT.finditer(text):
            yield from closest(found["specifier"])


def closest(specifier: str) -> Iterator[tuple[int, int]]:
    """The version nearest to the default that `>=2.10,<2.13` allows; none if it names none."""
    low, high, seen = (0, 0), (99, 99), False
    for operator, major, minor, rest in _CLAUSE.findall(specifier):
        if operator != "!=":
            seen = True
            least, most = _span(operator, (int(major), int(minor or 0)), minor, rest)
            low, high = max(low, least), min(high, most)
    if seen:
        yield min(max(DEFAULT, low), high)


def _span(
    operator: str, here: tuple[int, int], minor: str, rest: str
) -> tuple[tuple[int, int], tuple[int, int]]:
    """The lowest and the highest (major, minor) that one clause allows."""
    any_minor = (here[0], 99)
    if operator in (">=", ">"):
        return here, (99, 99)
    if operator == "<=":
        return (0, 0), here
    if operator == "<":
        before = (here[0], here[1] - 1) if here[1] else (here[0] - 1, 99)
        return (0, 0), here if rest.strip(".0") else before
    if operator == "^" or (operator == "~=" and not rest):
        return here, any_minor
    return here, here if minor else any_minor
