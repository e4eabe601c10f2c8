"""Modules of the standard library that inserted code speaks of, which each file imports itself."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator

from ..applying.places_to_edit import Found
from ..edits import At, Insert, Places
from ..facts import Facts
from ..facts.setup.import_places import last_import
from ..rewrites._import_edits import standard_import, standard_line
from ..rewrites._new_code import contextlib, os, weakref
from .files import File
from .forms import speaks_of, text_of
from .imports import imported

_NAMES = (("contextlib", contextlib), ("os", os), ("weakref", weakref))


def imports(facts: Facts, own: Facts, file: File, text: str, others: list[str]) -> list[At]:
    """The imports that inserted code lacks in a file: these at their sorted places, and others."""
    lacking = [(module, name) for module, name in _modules(facts) if _lacks(file, name, text)]
    if last_import(own) is None:
        lines = [standard_line(*each) for each in lacking]
        return _together(own, file, [*lines, *(["\n"] if lines and others else []), *others])
    found = [standard_import(own, *each) for each in lacking]
    edits = [At(place, edit) for places in found for place, edit in places.items()]
    if not others:  # no other lines come between
        edits = [at._replace(edit=at.edit._replace(distance=0)) for at in edits]  # type: ignore[call-arg]
    return list(_side_by_side([*edits, *_together(own, file, others)]))


def _side_by_side(edits: list[At]) -> Iterator[At]:
    """The same, with one edit for lines that go to one place, in their order."""
    found: dict[ast.AST, Insert] = {}
    for at in edits:
        first, edit = found.get(at.place, Insert()), at.edit
        assert isinstance(edit, Insert)
        both = first.before + edit.before, first.after + edit.after
        found[at.place] = edit._replace(before=both[0], after=both[1])
    return (At(place, edit) for place, edit in found.items())


def _lacks(file: File, name: str, text: str) -> bool:
    return name not in file.names and speaks_of(text, name)


def _together(own: Facts, file: File, lines: list[str]) -> list[At]:
    return [*imported(own, file.path, lines).edits] if lines else []


def without_vain_imports(facts: Facts, found: Iterable[Found]) -> Iterator[Found]:
    """What is due in the entry, without the imports that only code of other files needs."""
    found = list(found)
    texts = [text_of(at.edit) for _, places in found for at in places.edits]
    vain = {
        line.strip()
        for module, name in _modules(facts)
        if not any(speaks_of(text, f"{name}\\.") for text in texts)
        for line in (standard_line(module, name),)
    }
    for rule, places in found:
        edits = [at for at in places.edits if text_of(at.edit).strip() not in vain]
        if edits:
            yield (rule, places if len(edits) == len(places.edits) else Places(edits))


def _modules(facts: Facts) -> Iterator[tuple[str, str]]:
    return ((module, name(facts)) for module, name in _NAMES)
