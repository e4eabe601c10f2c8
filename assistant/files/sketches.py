"""What a project asks of its files, kept by their content: most are as they were before."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from distify.codemods.program.records import NamedTuple

from .cache_folder import LARGE, Folder
from .cache_keys import digest, itself
from .cache_shape import BadShape, Shapes, record_of

if TYPE_CHECKING:
    from distify.codemods.project.sketch import Sketch

NAME = "sketches.json"
SPARE = 1_000  # sketches of texts that nobody has asked for lately
SHARE = 100  # to sketch one text takes less time than to write that many


class Sketches:
    """The sketches of a project's texts, as earlier runs have kept them."""

    def __init__(self, folder: Folder) -> None:
        self._folder = folder
        self._kept: dict[str, Any] | None = None
        self._asked: dict[str, Any] = {}
        self._known: dict[str, Sketch] = {}
        self._new = 0

    def of(self, text: str) -> Sketch | None:
        """What is known of a text."""
        name = digest(text)
        if name not in self._known:
            value = self._value(text)
            try:
                found = _sketch_from(value) if value is not None else None
            except BadShape:
                found = None
            if found is None:
                return None
            self._asked[name], self._known[name] = value, found
        return self._known[name]

    def _value(self, text: str) -> Any:
        """What is kept for a text, whatever that is."""
        if self._kept is None:
            self._kept = self._read()
        return self._kept.get(digest(text))

    def words(self, text: str) -> frozenset[str] | None:
        """The names in the imports of a text, if they are known: no sketch is made for them."""
        name, value = digest(text), self._value(text)
        try:
            flat = _flat(value) if value is not None else None
        except BadShape:
            return None
        if flat is None:
            return None
        self._asked[name] = value
        return frozenset(" ".join((*flat.modules, *flat.names)).replace(".", " ").split())

    def note(self, text: str, sketch: Sketch) -> None:
        """Keep what was found in a text."""
        name = digest(text)
        self._asked[name], self._known[name] = list(_flat_of(sketch)), sketch
        self._new += 1

    def keep(self) -> None:
        """Write what is new for the next run, once it is enough for all to be written anew.

        What two runs write at once, one of them has.
        """
        if not self._new or self._new * SHARE < len(self._asked) or not self._folder.begin():
            return
        others = {name: value for name, value in self._read().items() if name not in self._asked}
        kept = {} if len(others) > len(self._asked) + SPARE else others
        answer = [self._folder.stamp(), itself(), {**kept, **self._asked}]
        data = json.dumps(answer, separators=(",", ":")).encode("ascii")
        self._folder.write(NAME, data, LARGE)
        self._new = 0

    def _read(self) -> dict[str, Any]:
        try:
            stamp, made_by, found = json.loads(self._folder.read(NAME, LARGE))
            is_ours = stamp == self._folder.stamp() and made_by == itself()
        except (OSError, ValueError, TypeError, RecursionError):
            return {}
        return found if is_ours and isinstance(found, dict) else {}


class Flat(NamedTuple):
    """A sketch as lists of words and numbers, which are looked at fast."""

    flags: tuple[int, ...]
    modules: tuple[str, ...]
    levels: tuple[int, ...]
    names: tuple[str, ...]
    bound: tuple[str, ...]
    binds: tuple[str, ...]
    uses: tuple[str, ...]
    runs: tuple[int, ...]
    added: tuple[str, ...]


_SHAPES: Shapes = {Flat: ([int], [str], [int], [str], [str], [str], [str], [int], [str])}


def _flat_of(sketch: Sketch) -> Flat:
    imports, parts = sketch.imports, sketch.parts
    return Flat(
        (int(sketch.is_entry), int(sketch.is_script), int(sketch.is_quiet)),
        tuple(each.module for each in imports),
        tuple(each.level for each in imports),
        tuple(" ".join(each.names) for each in imports),
        tuple(" ".join(each.bound) for each in imports),
        tuple(part.binds for part in parts),
        tuple(part.uses for part in parts),
        tuple(part.runs + 2 * part.is_main for part in parts),
        sketch.added,
    )


def _flat(value: object) -> Flat:
    """Raises BadShape."""
    flat: Flat = record_of(Flat, value, _SHAPES)
    if len(flat.flags) != 3:
        raise BadShape
    return flat


def _sketch_from(value: object) -> Sketch:
    """Raises BadShape."""
    from distify.codemods.project.bound_and_used import Part
    from distify.codemods.project.sketch import Imported, Sketch

    flat = _flat(value)
    names = (tuple(words.split()) for words in flat.names)
    bound = (tuple(words.split()) for words in flat.bound)
    imports = tuple(map(Imported, flat.modules, flat.levels, names, bound))
    runs, mains = ([bool(run & bit) for run in flat.runs] for bit in (1, 2))
    parts = tuple(map(Part, flat.binds, flat.uses, runs, mains))
    is_entry, is_script, is_quiet = map(bool, flat.flags)
    return Sketch(imports, is_entry, is_script, parts, is_quiet, flat.added)
