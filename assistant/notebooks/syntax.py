"""What Python says of cells: each is a program by itself, and all of them are one."""

from __future__ import annotations

import ast
import warnings

from .restored import Lost


class Bad(ValueError):
    """Why a cell can't be read; its number and the line in it count from 1."""

    def __init__(self, message: str, cell: int, line: int, column: int = 0) -> None:
        super().__init__(message)
        self.message, self.cell, self.line, self.column = message, cell, line, column


def refuse_no_python(text: str, cell: int) -> None:
    """Raises Bad for a cell that is no Python by itself, as one that only the next one closes."""
    try:
        _parse_quietly(text)
    except SyntaxError as error:
        place = cell, error.lineno or 1, error.offset or 1
        raise Bad(f"can't be parsed: {error.msg}", *place) from None
    except (ValueError, RecursionError, MemoryError) as error:
        raise Bad(f"can't be parsed: {error}", cell, 1) from None


def _parse_quietly(text: str) -> ast.Module:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return ast.parse(text)


def tree(text: str) -> str:
    """A module without its layout and comments. Raises Lost for what is none."""
    try:
        return ast.dump(_parse_quietly(text))
    except (SyntaxError, ValueError, RecursionError, MemoryError) as error:
        raise Lost(str(error)) from None
