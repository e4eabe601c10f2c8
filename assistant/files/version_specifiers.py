"""Which version of TensorFlow a specifier means, in the words of pip, Poetry and conda."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from packaging.specifiers import SpecifierSet

Version = tuple[int, int]  # major and minor
DEFAULT: Version = (2, 15)
LONGEST = 200  # characters of a specifier
_EXACT = r"\s*={2,3}\s*v?(\d{1,4})\.(\d{1,4})(?:\.\d{1,4})*\s*"
# `rc1` and its like are left out: what is said of one holds for the version it leads up to.
_CLAUSE = r"(===|==|!=|~=|>=|<=|>|<|=|\^|~)?\s*v?(\d{1,4}(?:\.\d{1,4})*(?:\.\*)?)\w{0,9}"
_TWO = r"(\d+)(?:\.(\d+))?(?:\.(\d+))?"


def closest(specifier: str) -> Version | None:
    """The version nearest to the default that `>=2.10,<2.13` allows; None if it names none."""
    exact = re.fullmatch(_EXACT, specifier)
    if exact:  # as most are: a hook waits for no library
        return int(exact[1]), int(exact[2])
    clauses = re.findall(_CLAUSE, specifier[:LONGEST])
    wanted = [(operator, version) for operator, version in clauses if operator != "!="]
    return _nearest(clauses) if wanted else None


def _nearest(clauses: list[tuple[str, str]]) -> Version | None:
    from packaging.specifiers import InvalidSpecifier, SpecifierSet

    try:
        allowed = SpecifierSet(",".join(_of_pip(*clause) for clause in clauses))
    except InvalidSpecifier:
        return None
    named = [_parts(version) for _, version in clauses]
    majors = {DEFAULT[0], *(major + more for major, _, _ in named for more in (-1, 0, 1))}
    candidates = {(major, minor) for major in majors if major >= 0 for minor in range(100)}
    patches = sorted({0, 99, *(patch + more for *_, patch in named for more in (0, 1))})
    around = sorted(candidates | {(major, minor) for major, minor, _ in named}, key=_distance)
    return next((each for each in around if any(_tries(allowed, each, patches))), None)


def _tries(allowed: SpecifierSet, version: Version, patches: list[int]) -> Iterator[bool]:
    major, minor = version
    for patch in patches:
        yield allowed.contains(f"{major}.{minor}.{patch}", prereleases=True)


def _distance(version: Version) -> tuple[int, Version]:
    away = 1_000 * (version[0] - DEFAULT[0]) + version[1] - DEFAULT[1]
    return abs(away), version


def _parts(version: str) -> tuple[int, int, int]:
    found = re.match(_TWO, version)
    major, minor, patch = (int(part or 0) for part in found.groups()) if found else (0, 0, 0)
    return major, minor, patch


def _of_pip(operator: str, version: str) -> str:
    """A clause in the words of pip: Poetry has `^` and `~`, conda `=`, and a version alone."""
    major, minor, _ = _parts(version)
    dots = version.count(".")
    if operator == "^":
        return f">={version},<{major + 1}"
    if operator == "~":
        return f">={version},<{major}.{minor + 1}" if dots else f">={version},<{major + 1}"
    if operator == "~=" and not dots:
        return f">={version},<{major + 1}"
    if operator in ("", "="):
        return f"=={version}" if version.endswith("*") or dots > 1 else f"=={version}.*"
    return f"{operator}{version}"
