"""What a file is said to have where looking at it fails."""

from __future__ import annotations

from .reader import Problem
from .source import Unreadable


def problem_of(name: str, error: Exception) -> Problem:
    """The problem of the file of that name: its own fault, or one of distify."""
    from distify.codemods.model import SyntaxProblem, UnsoundResult

    if isinstance(error, Unreadable):
        return Problem(name, error.message, error.line, error.column, error.cell)
    if isinstance(error, SyntaxProblem):
        return Problem(name, f"can't be parsed: {error.message}", error.line, error.column + 1)
    if isinstance(error, (RecursionError, MemoryError)):
        return Problem(name, "is nested too deeply to be parsed")
    if isinstance(error, UnsoundResult):
        fault = f"{error.rule} would have broken it ({error.message}), so it was left as it was"
        return Problem(name, f"{fault}; please report this fault of distify", error.line)
    fault = f"{type(error).__name__}: {error}".partition("\n")[0]
    return Problem(
        name, f"made distify stumble ({fault}), so it was left as it was; please report it"
    )
