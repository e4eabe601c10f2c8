"""Reads rule codes as people write them: comma lists, prefixes, names, any case."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import partial
from operator import eq

from .. import codemods
from ..codemods import Rule


class UnknownCode(ValueError):
    """Says which code is meant by nothing, and what it may have been meant to be."""


def expand(given: Iterable[str], rules: Sequence[Rule]) -> frozenset[str]:
    """The full codes behind `D104`, `d1`, `D104,D2` or `scale-learning-rate`."""
    names = {rule.code: rule.name for rule in rules}
    wanted = [part.strip() for value in given for part in value.split(",")]
    return frozenset(code for part in wanted if part for code in _matching(part, names))


def _matching(part: str, names: Mapping[str, str]) -> list[str]:
    found = [c for c, name in names.items() if c.startswith(part.upper()) or name == part.lower()]
    if not found:
        raise UnknownCode(_unknown(part, [*names, *names.values()]))
    return found


def _unknown(part: str, known: Iterable[str]) -> str:
    code = part.upper()
    if code not in codemods.pages():
        return f"no rule {part}{suggestion(part, known)}"
    kind = {"H": "hazard", "M": "verdict of a model"}.get(code[0], "restriction")
    return (
        f"{code} is a {kind}, which a report names, and no rule to select or ignore; "
        f"`distify explain {code}` says what to do about it"
    )


def suggestion(word: str, known: Iterable[str]) -> str:
    """`; did you mean D104?`, or a pointer to the list."""
    from difflib import get_close_matches  # where something is wrong only

    folded = {each.lower(): each for each in known}
    near = get_close_matches(word.lower(), folded, n=20, cutoff=0.5)
    if not near:
        return "; `distify rules` lists them all"
    swapped = [each for each in near if sorted(each) == sorted(word.lower())]
    # D140 is D104 rather than D401: two neighbours are swapped more often.
    nearest = max(swapped or near[:1], key=partial(_common, word.lower()))
    return f"; did you mean {folded[nearest]}?"


def _common(word: str, other: str) -> int:
    """How many characters agree, place by place."""
    return sum(map(eq, word, other))
