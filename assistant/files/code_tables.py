"""The tables of `[tool.distify]` that name codes: `per-file-ignores` and `severity`."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from .. import codemods
from .codes import suggestion
from .reader import PATTERNS

PER_FILE, SEVERITY = "per-file-ignores", "severity"
SEVERITIES = ("error", "warning", "note")
Ignores = tuple[tuple[str, tuple[str, ...]], ...]


class BadTable(ValueError):
    """What is wrong with a table, in words that follow `[tool.distify]`."""


def per_file(value: object) -> Ignores:
    """Patterns, each with the codes that it takes away. Raises BadTable."""
    table = {pattern: _codes(pattern, given) for pattern, given in _table(value, PER_FILE).items()}
    known = codemods.suppressible() if table else frozenset()
    return tuple(
        (pattern, tuple(_code(code, known, PER_FILE) for code in given))
        for pattern, given in table.items()
    )


def _codes(pattern: str, given: object) -> list[str]:
    if not isinstance(given, list) or not all(isinstance(code, str) for code in given):
        raise BadTable(f"{PER_FILE} {pattern!r:.60} must be a list of codes")
    if len(given) > PATTERNS:
        raise BadTable(f"{PER_FILE} {pattern!r:.60} lists more than {PATTERNS}")
    return given


def severities(value: object) -> tuple[tuple[str, str], ...]:
    """How much each code counts. Raises BadTable."""
    table = _table(value, SEVERITY)
    known = codemods.reported() if table else frozenset()
    for code, given in table.items():
        if given not in SEVERITIES:
            one_of = ", ".join(f'"{each}"' for each in SEVERITIES)
            raise BadTable(f"{SEVERITY} {code!r:.60} must be one of {one_of}, not {given!r:.60}")
    return tuple((_code(code, known, SEVERITY), str(given)) for code, given in table.items())


def _table(value: object, key: str) -> Mapping[str, object]:
    if not isinstance(value, dict):
        raise BadTable(f"{key} must be a table")
    if len(value) > PATTERNS:
        raise BadTable(f"{key} lists more than {PATTERNS}")
    return value


def _code(given: str, known: Iterable[str], key: str) -> str:
    code = given.upper()
    if code in known:
        return code
    if code in codemods.pages():
        can = "be taken away" if key == PER_FILE else "have a severity: `distify verify` tells it"
        raise BadTable(f"{key}: {code} can't {can}; see `distify explain {code}`")
    hint = suggestion(given, known).partition("; `")[0]
    raise BadTable(f"{key}: there is no code {given!r:.60}{hint}")
