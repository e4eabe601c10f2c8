"""What a setting may be: anything else is told with its file, its key and what was expected."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from .reader import PATTERNS

MOST = 10_000  # epochs, or batches
_VERSION = re.compile(r"(\d{1,6})\.(\d{1,6})(\.\w{1,20}){0,3}")


class ConfigProblem(Exception):
    """Names the file and the key, and what was expected there."""


def flag(own: Mapping[str, Any], key: str, default: bool, path: str) -> bool:
    """Whether it is true. Raises ConfigProblem, as all of these."""
    found = own.get(key, default)
    if not isinstance(found, bool):
        raise ConfigProblem(f"{path}: [tool.distify] {key} must be true or false")
    return found


def count(
    own: Mapping[str, Any], key: str, least: int, path: str, default: int | None = None
) -> int:
    """A whole number from `least`, which also holds where nothing is said, if nothing else does."""
    found = own.get(key, least if default is None else default)
    if type(found) is not int or not least <= found <= MOST:
        wanted = f"{key} must be a number from {least} to {MOST}, not {found!r:.60}"
        raise ConfigProblem(f"{path}: [tool.distify] {wanted}")
    return found


def one_of(
    own: Mapping[str, Any], key: str, words: tuple[str, ...], default: str, path: str
) -> str:
    """One of these words, or what holds where nothing is said."""
    found = own.get(key, default)
    if key in own and found not in words:
        wanted = f"{key} must be {' or '.join(map(_in_quotes, words))}, not {found!r:.60}"
        raise ConfigProblem(f"{path}: [tool.distify] {wanted}")
    return str(found)


def _in_quotes(word: str) -> str:
    return f'"{word}"'


def strings(value: object, key: str, path: str) -> tuple[str, ...]:
    """A list of strings, of which there may not be too many."""
    if not isinstance(value, list) or not all(isinstance(item, str) for item in value):
        raise ConfigProblem(f"{path}: [tool.distify] {key} must be a list of strings")
    if len(value) > PATTERNS:
        raise ConfigProblem(f"{path}: [tool.distify] {key} lists more than {PATTERNS}")
    return tuple(value)


def version(value: object, path: str) -> tuple[int, int] | None:
    """`"2.15"`, or with more behind it, as major and minor."""
    if value is None:
        return None
    found = _VERSION.fullmatch(value) if isinstance(value, str) else None
    if found is None:
        wanted = 'tensorflow must be a version such as "2.15"'
        raise ConfigProblem(f"{path}: [tool.distify] {wanted}, not {value!r:.60}")
    return int(found[1]), int(found[2])
