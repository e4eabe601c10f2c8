"""Sketches of texts, which earlier runs may have made."""

from __future__ import annotations

import contextlib
import functools
from collections.abc import Collection, Iterator
from typing import TYPE_CHECKING

from .. import codemods

if TYPE_CHECKING:
    from distify.codemods.project.sketch import Sketch

    from .sketches import Sketches

_knowing: list[Sketches] = []


@contextlib.contextmanager
def knowing(sketches: Sketches) -> Iterator[None]:
    """Ask what earlier runs have kept of modules, meanwhile, and note there what is new."""
    _knowing.append(sketches)
    try:
        yield
    finally:
        _knowing.pop()


def sketch_of(text: str) -> Sketch:
    """The sketch of a module."""
    if not _knowing:
        return made(text)
    found = _knowing[-1].of(text)
    if found is None:
        found = made(text)
        _knowing[-1].note(text, found)
    return found


@functools.cache
def made(text: str) -> Sketch:
    """The sketch of a text that nobody keeps: an entry's own, which is changed most of all."""
    return codemods.sketch(text)


def words_of(text: str) -> Collection[str]:
    """The names in the imports of a module; of what is kept, no sketch is made for them."""
    found = _knowing[-1].words(text) if _knowing else None
    if found is not None:
        return found
    return {
        word
        for each in sketch_of(text).imports
        for name in (each.module, *each.names)
        for word in name.split(".")
    }
