"""Words by which a text makes or changes modules at run time, where nobody can follow them."""

from __future__ import annotations

import re

from ..model import SyntaxProblem
from ..syntax.line_ends import BOM
from ..syntax.source import Source
from .fetches import FUNCTION, fetches
from .import_paths import INSTALLED

_AT_RUN_TIME = ("importlib", "__import__", "sys.modules")
_ABOUT = re.compile("|".join(map(re.escape, (*_AT_RUN_TIME, "import_module", "metadata"))))
_ALONE = ("def __getattr__(name", "distify: skip-file")
_LIBRARIES = "|".join(sorted(INSTALLED))
# What reads a version or a file, and modules of libraries: nothing of the project changes by it.
_HARMLESS = re.compile(
    rf"""\b(?:importlib\.)?import_module\(\s*f?["'](?:{_LIBRARIES})\."""
    r"|^[ \t]*from importlib(?:\.metadata|_metadata) import (?:version|PackageNotFoundError)"
    r"(?: as \w+)?(?:, *(?:version|PackageNotFoundError))*[ \t]*(?:#.*)?$"
    r"|\bimportlib(?:\.|_)metadata\.(?:version\(|PackageNotFoundError)"
    r"|\bimportlib[._]resources\b",
    re.MULTILINE,
)
_IMPORT = re.compile(
    r"^[ \t]*(?:import importlib(?:[._]metadata)?|from importlib import "
    r"(?:import_module|resources|metadata))[ \t]*(?:#.*)?$",
    re.MULTILINE,
)


def made_at_run_time(text: str) -> str | None:
    """The word by which a program makes or changes modules at run time; None where it has none."""
    found = next((word for word in _AT_RUN_TIME if word in text), None)
    if found != "importlib":
        return found
    rest = _HARMLESS.sub("", _lines_about_it(_without_fetches(text)))
    if not re.search(r"\bimport_module\(|\bmetadata\.", rest):
        rest = _IMPORT.sub("", rest)
    return next((word for word in _AT_RUN_TIME if word in rest), None)


def _without_fetches(text: str) -> str:
    """The text without the functions that import modules by their names from a known package.

    Whether the project has these is asked where it is known.
    """
    if f"{FUNCTION}(" not in text:
        return text
    try:
        source = Source(text.removeprefix(BOM))
    except SyntaxProblem:
        return text
    rest = source.text
    functions = (source.offsets(f.call.func) for f in fetches(source.module, text))
    for start, stop in sorted(functions, reverse=True):
        rest = rest[:start] + rest[stop:]
    return rest


def _lines_about_it(text: str) -> str:
    """The lines with such words, and those behind them: to search all lines is slow."""
    lines = text.split("\n")
    told = [number for number, line in enumerate(lines) if _ABOUT.search(line)]
    return "\n".join(lines[n] for n in sorted({*told, *(n + 1 for n in told)}) if n < len(lines))


def unseen(text: str) -> str | None:
    """The same of a module, or the word by which it asks to be left alone."""
    return made_at_run_time(text) or next((word for word in _ALONE if word in text), None)
