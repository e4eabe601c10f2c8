"""Where the cells of a notebook stand in its JSON: what is changed there, and nothing beside it.

Source: https://nbformat.readthedocs.io/en/latest/format_description.html (format 4).
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import Any, NamedTuple

_SPACE = re.compile(r"[ \t\r\n]*")
_DECODER = json.JSONDecoder()
_TWICE = "says `{}` twice, so nobody knows which one counts"


class BadNotebook(ValueError):
    """Why a notebook can't be read, in words that follow its name."""


class Piece(NamedTuple):
    """One string in the JSON text, with what it means."""

    start: int
    end: int
    value: str


class Cell(NamedTuple):
    """A code cell; its number counts all cells of the notebook from 1, as ruff does."""

    number: int
    start: int  # of the cell in the JSON text
    end: int
    source: tuple[int, int]  # where what `source` says begins and ends
    pieces: tuple[Piece, ...]  # the strings of it
    is_list: bool
    has_id: bool

    @property
    def code(self) -> str:
        """The code of the cell."""
        return "".join(piece.value for piece in self.pieces)


class Layout(NamedTuple):
    """A notebook's JSON text, the language of its kernel and its code cells in order."""

    text: str
    language: str  # "" where nothing says it
    cells: tuple[Cell, ...]
    extension: str = ".txt"  # of the script that nbconvert makes of it


class Member(NamedTuple):
    """A value in the JSON text; `key` is that of its object, or its place in its list."""

    key: str
    start: int
    end: int
    value: Any


def layout(text: str) -> Layout:
    """The layout of a notebook of format 4. Raises BadNotebook."""
    try:
        return _layout(text)
    except BadNotebook:
        raise
    except json.JSONDecodeError as error:
        line = f"line {error.lineno}: {error.msg}"
        raise BadNotebook(f"is no JSON, which a notebook has to be ({line})") from None
    except (RecursionError, MemoryError):
        raise BadNotebook("is nested too deeply to be a notebook") from None
    except ValueError:  # https://docs.python.org/3/library/stdtypes.html#int-max-str-digits
        raise BadNotebook("holds a number of thousands of digits: nothing can read it") from None


def _layout(text: str) -> Layout:
    start = _skip(text, 0)
    whole = json.loads(text)
    if not isinstance(whole, dict) or not {"cells", "nbformat", "worksheets"} & whole.keys():
        raise BadNotebook("is no notebook: it holds no cells")
    if whole.get("nbformat", 4) != 4 or "cells" not in whole:
        found = f"{whole.get('nbformat', 3)!r:.20}"
        way = "`jupyter nbconvert --to notebook --inplace` brings it up to date"
        raise BadNotebook(f"is a notebook of format {found}, and distify reads format 4; {way}")
    cells = _only(list(_members(text, start)), "cells")
    if not isinstance(cells.value, list):
        raise BadNotebook("is no notebook: its `cells` are no list")
    code = tuple(_code_cells(text, cells))
    language = _kernel_field(whole.get("metadata"), "language_info", "name")
    language = language or _kernel_field(whole.get("metadata"), "kernelspec", "language")
    extension = _kernel_field(whole.get("metadata"), "language_info", "file_extension")
    return Layout(text, language, code, extension or ".txt")


def _code_cells(text: str, cells: Member) -> Iterator[Cell]:
    for number, each in enumerate(_members(text, cells.start), 1):
        if not isinstance(each.value, dict) or not isinstance(each.value.get("cell_type"), str):
            raise BadNotebook(f"is no notebook: its cell {number} says no `cell_type`")
        if each.value["cell_type"] != "code":
            continue
        members = list(_members(text, each.start))
        _only(members, "cell_type")
        source = _only(members, "source")
        is_list = isinstance(source.value, list)
        strings = list(_members(text, source.start)) if is_list else [source]
        if not all(isinstance(one.value, str) for one in strings):
            raise BadNotebook(f"has a cell {number} whose `source` is neither text nor lines")
        pieces = tuple(Piece(one.start, one.end, one.value) for one in strings)
        span = (source.start, source.end)
        yield Cell(number, each.start, each.end, span, pieces, is_list, "id" in each.value)


def _only(members: list[Member], key: str) -> Member:
    found = [each for each in members if each.key == key]
    if not found:
        raise BadNotebook(f"is no notebook: a code cell has no `{key}`")
    if len(found) > 1:
        raise BadNotebook(_TWICE.format(key))
    return found[0]


def _kernel_field(metadata: object, table: str, key: str) -> str:
    """What a notebook says of its kernel; "" where it says nothing."""
    about = metadata.get(table) if isinstance(metadata, dict) else None
    said = about.get(key) if isinstance(about, dict) else None
    return said if isinstance(said, str) else ""


def _members(text: str, start: int) -> Iterator[Member]:
    """The values of the object or of the list that begins at `start`."""
    is_object, at = text[start] == "{", _skip(text, start + 1)
    count = 0
    while text[at] not in "}]":
        key = str(count)
        if is_object:
            key, at = _DECODER.raw_decode(text, at)
            at = _skip(text, _skip(text, at) + 1)  # behind the colon
        value, end = _DECODER.raw_decode(text, at)
        yield Member(key, at, end, value)
        at, count = _skip(text, end), count + 1
        if text[at] == ",":
            at = _skip(text, at + 1)


def _skip(text: str, at: int) -> int:
    found = _SPACE.match(text, at)
    return found.end() if found else at
