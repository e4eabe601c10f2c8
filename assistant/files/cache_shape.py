"""What became of a text, as JSON and back; what has another shape than that is no answer.

No text of code is kept: whatever somebody writes into a cache, none of it comes into a file.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Union

from distify.codemods.judge.proof import Proof
from distify.codemods.model import (
    Due,
    Evidence,
    Finding,
    Migration,
    Offer,
    Other,
    Suppressed,
    TakenOn,
)

_ALIKE: list[Shape] = [[str], [int]]  # most lists, which are looked at as a whole
_PLACES = [(int, int)]
Shape = Union[type, "list[Any]", "tuple[Any, ...]"]
Shapes = Mapping[type, "tuple[Shape, ...]"]
_FINDING = (int, int, str, str, str, str, int, bool, str, bool, str, str, str)
_SHAPES: dict[type, tuple[Shape, ...]] = {
    Finding: _FINDING,
    Suppressed: (Finding, str, int),
    TakenOn: (Finding, str, int),
    Evidence: (int, int, str, str),
    Due: (str, _PLACES),
    Offer: (str, str, str, bool, str, [Finding], bool),
    Other: (str, int, bool, Migration),
    Proof: (str, str, str, str, int, int, str, str, [str], [int]),
    Migration: (
        str,
        str,
        [Evidence],
        [],  # steps: texts, which are made anew
        [Finding],
        [Finding],
        str,
        [Due],
        [str],
        [Suppressed],
        [Offer],
        [Other],
        [str],
        [str],
        bool,
        [Proof],
        [TakenOn],
        str,
        int,
    ),
}


class BadShape(ValueError):
    """This is no answer that distify has written."""


def packed(seen: Migration) -> list[Any] | None:
    """What can be kept of an outcome; None where it is made of texts."""
    if seen.steps or any(other.migration.steps for other in seen.others):
        return None
    return list(_bare(seen))


def _bare(seen: Migration) -> Migration:
    """The outcome without texts; of why it was skipped, nothing is the empty text."""
    others = tuple(o._replace(migration=_bare(o.migration)) for o in seen.others)
    repairs = tuple(offer._replace(text="") for offer in seen.repairs)
    seen = seen._replace(before="", skipped=seen.skipped or "", others=others, repairs=repairs)
    return seen._replace(judged="")


def unpacked(value: object, before: str) -> Migration:
    """The outcome for the text `before`. Raises BadShape."""
    found: Migration = record_of(Migration, value, _SHAPES)
    return found._replace(before=before, skipped=found.skipped or None)


def record_of(kind: type, value: object, known: Shapes) -> Any:
    """The record out of lists, with those in it. Raises BadShape."""
    shapes = known[kind]
    if type(value) is not list or len(value) != len(shapes):
        raise BadShape
    return kind(*(_value(shape, each, known) for shape, each in zip(shapes, value)))


def _value(shape: Shape, value: object, known: Shapes) -> Any:
    if isinstance(shape, list):
        if type(value) is not list or (value and not shape):
            raise BadShape
        if shape in _ALIKE and {shape[0]}.issuperset(map(type, value)):
            return tuple(value)
        return tuple(_value(shape[0], each, known) for each in value)
    if isinstance(shape, tuple):
        if type(value) is not list or len(value) != len(shape):
            raise BadShape
        return tuple(_value(part, each, known) for part, each in zip(shape, value))
    if shape in known:
        return record_of(shape, value, known)
    if type(value) is not shape:
        raise BadShape
    return value
