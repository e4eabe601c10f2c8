"""TOML of a checkout, read within bounds: no file keeps its reader busy, or makes it fall over.

Python's own reader calls itself for each bracket, and needs time that grows with the square of the
parts of a key and of the digits of a number.
"""

from __future__ import annotations

import importlib
import re
import sys
from collections.abc import Mapping
from typing import Any

from .reader import NotRead, read

DEPTH, PARTS, DIGITS = 100, 50, 4_000
_STRING = re.compile(
    r'"""(?:[^\\]|\\.)*?"""'
    r"|'''.*?'''"
    r'|"(?:[^"\\\n]|\\.)*"'
    r"|'[^'\n]*'"
    r"|#[^\n]*",
    re.DOTALL,
)
_PARTS = re.compile(rf"(?:\.[ \t]*(?:[\w-]*|'')[ \t]*){{{PARTS}}}")
_DIGITS = re.compile(rf"[\d_]{{{DIGITS}}}")


def load(path: str) -> Mapping[str, Any]:
    """What a file says. Raises NotRead with what is wrong, and FileNotFoundError."""
    try:
        text = read(path).decode("utf-8")
    except UnicodeDecodeError as error:
        raise NotRead(str(error)) from error
    _refuse_monsters(_STRING.sub("''", text))
    toml = importlib.import_module("tomllib" if sys.version_info >= (3, 11) else "tomli")
    try:
        content: dict[str, Any] = toml.loads(text)
    except (ValueError, RecursionError) as error:
        raise NotRead(" ".join(str(error).split())) from error
    return content


def _refuse_monsters(bare: str) -> None:
    """Looks at a text without its strings and comments."""
    for number, line in enumerate(bare.split("\n"), 1):
        if _PARTS.search(line):
            raise NotRead(f"line {number} holds a key of more than {PARTS} parts")
        if _DIGITS.search(line):
            raise NotRead(f"line {number} holds a number of more than {DIGITS} digits")
    depth = 0
    for bracket in re.findall(r"[\[\]{}]", bare):
        depth = depth + 1 if bracket in "[{" else max(0, depth - 1)
        if depth > DEPTH:
            raise NotRead(f"is nested more than {DEPTH} deep")
