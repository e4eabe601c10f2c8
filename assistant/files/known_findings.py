"""`check --baseline FILE`: findings that are known, by content, so that only new ones count.

A finding is known by its file (relative to the baseline's folder), its code, the statement that
it is in, and how often that is so: lines may move, and code may be laid out anew.
"""

from __future__ import annotations

import json
import os
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from hashlib import sha256
from typing import Any, NamedTuple

from .reader import NotRead, read
from .saved import MOST, NotSaved
from .saved import save as _save

VERSION, LONGEST = 1, 200


class BaselineProblem(Exception):
    """Why a baseline can't be read or written, with its name."""


class Fingerprint(NamedTuple):
    """What a finding is known by."""

    path: str
    code: str
    statement: str


Findings = Counter[Fingerprint]


def fingerprint(path: str, code: str, statement: str) -> Fingerprint:
    """The fingerprint of a finding; a long statement is cut, and told from others by a digest."""
    if len(statement) > LONGEST:
        digest = sha256(statement.encode("utf-8", "surrogatepass")).hexdigest()[:16]
        statement = f"{statement[:LONGEST]}... {digest}"
    return Fingerprint(path, code, statement)


def relative(baseline: str, path: str) -> str:
    """A file as the baseline names it."""
    folder = os.path.dirname(os.path.realpath(baseline))
    return os.path.relpath(path, folder).replace(os.sep, "/")


def exists(baseline: str, name: str) -> bool:
    """Whether a file that the baseline names is there."""
    try:
        return os.path.lexists(os.path.join(os.path.dirname(os.path.realpath(baseline)), name))
    except ValueError:
        return False


def load(path: str) -> Findings | None:
    """What is known; None where there is no such file. Raises BaselineProblem."""
    try:
        content = json.loads(read(path, MOST))
    except FileNotFoundError:
        return None
    except NotRead as error:
        raise BaselineProblem(f"{path}: {error}") from None
    except (ValueError, RecursionError):
        raise BaselineProblem(f"{path}: is no JSON") from None
    if not isinstance(content, dict) or "version" not in content:
        raise BaselineProblem(f"{path}: is no baseline of distify")
    if content["version"] != VERSION:
        version = f"{content['version']!r:.20}"
        raise BaselineProblem(f"{path}: is of version {version}; this distify reads {VERSION}")
    return _read_counts(path, content.get("findings"))


def _read_counts(path: str, entries: object) -> Findings:
    found: Findings = Counter()
    try:
        for entry in _mappings(entries):
            key = Fingerprint(*(_of_type(entry[name], str) for name in Fingerprint._fields))
            found[key] += max(_of_type(entry["count"], int), 0)
    except (KeyError, TypeError):
        raise BaselineProblem(f"{path}: is no baseline of distify") from None
    return found


def _mappings(entries: object) -> Iterable[Mapping[str, Any]]:
    if not isinstance(entries, list) or not all(isinstance(entry, dict) for entry in entries):
        raise TypeError
    return entries


def _of_type(value: Any, kind: type) -> Any:
    if type(value) is not kind:
        raise TypeError
    return value


def entries(found: Findings) -> Iterator[dict[str, object]]:
    """The findings in order, for JSON."""
    for key in sorted(found):
        if found[key] > 0:
            yield {**key._asdict(), "count": found[key]}


def save(path: str, found: Findings) -> None:
    """Writes the baseline, whole or not at all. Raises BaselineProblem."""
    content = {"version": VERSION, "findings": list(entries(found))}
    data = (json.dumps(content, indent=2, sort_keys=True) + "\n").encode("ascii")
    try:
        _save(path, data)
    except NotSaved as error:
        raise BaselineProblem(f"{path}: {error}") from None
