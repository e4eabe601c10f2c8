"""What a project asks of its files before it is read as a program, behind the same door."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from distify.codemods.project.search_path import Added
    from distify.codemods.project.sketch import Sketch
    from distify.codemods.project.texts import Project


def sketch(text: str) -> Sketch:
    """What a project asks of one of its files."""
    from distify.codemods.project import sketch as sketches

    return sketches.sketch(text)


def wanted(entry: str, path: str, of: Sketch, added: Added) -> tuple[str, ...]:
    """The paths at which the modules that a file of an entry's project imports may stand."""
    from distify.codemods.project.sketch import wanted

    return wanted(entry, path, of, added)


def added(entry: str, files: Iterable[tuple[str, Sketch]]) -> Added:
    """The folders that the files of a program add to those in which Python looks for modules."""
    from distify.codemods.project.search_path import NOTHING, added

    found = NOTHING
    for path, sketch in files:
        if sketch.added:
            found = found.and_others(added(entry, path, sketch.added))
    return found


def project(
    entry: str,
    texts: Mapping[str, str],
    started: tuple[str, ...] = (),
    sketches: Mapping[str, Sketch] | None = None,
) -> Project:
    """The texts of a project as seen from one of its files, of which commands start functions."""
    from distify.codemods.project.texts import Project

    known = sketches or {}
    others = {path: each for path, each in known.items() if path != entry}  # it may be repaired
    return Project(entry, texts, started, others, added(entry, known.items()))
