"""How a step speaks to GitHub Actions: outputs, job summary, annotations.

https://docs.github.com/actions/reference/workflows-and-actions/workflow-commands. Whatever a name
or a message holds, it ends neither a command nor a value, and starts none.
"""

from __future__ import annotations

import contextlib
import os
import sys
from collections.abc import Iterable, Iterator, Mapping
from typing import NamedTuple

from .escape import safe_lines, safe_path

LIMIT = 1_000_000  # bytes of a job summary; GitHub takes 1 MiB


class Annotation(NamedTuple):
    """A remark at a line of a file; `level` is error, warning or notice."""

    level: str
    title: str
    text: str
    path: str = ""
    line: int = 0
    column: int = 0


def running() -> bool:
    """Whether GitHub Actions (or something that says so) runs this."""
    return os.environ.get("GITHUB_ACTIONS") == "true"


@contextlib.contextmanager
def listening_to_nobody() -> Iterator[None]:
    """Nothing printed inside is taken for a command, be it from a file name or from git."""
    word = os.urandom(16).hex()
    _say(f"::stop-commands::{word}")
    try:
        yield
    finally:
        sys.stderr.flush()
        _say(f"::{word}::")
        annotate(_WAITING)
        _WAITING.clear()


_WAITING: list[Annotation] = []


def later(annotations: Iterable[Annotation]) -> None:
    """Keeps them until somebody listens again."""
    _WAITING.extend(annotations)


def annotate(annotations: Iterable[Annotation]) -> None:
    """Shows them in the log, in the summary and beside the lines of a pull request."""
    for each in annotations:
        _say(command(each))


def command(annotation: Annotation) -> str:
    """One line, whatever it is made of."""
    properties = {
        "file": safe_path(annotation.path),  # GitHub looks for a file of exactly this name
        "line": str(annotation.line or ""),
        "col": str(annotation.column or ""),
        "title": safe_lines(annotation.title),  # a log is read in a terminal, too
    }
    said = ",".join(f"{key}={_property(text)}" for key, text in properties.items() if text)
    return f"::{annotation.level} {said}::{_data(safe_lines(annotation.text))}"


def _data(text: str) -> str:
    return text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def _property(text: str) -> str:
    return _data(text).replace(":", "%3A").replace(",", "%2C")


def _say(line: str) -> None:
    encoding = sys.stdout.encoding or "utf-8"
    sys.stdout.write(line.encode(encoding, "backslashreplace").decode(encoding) + "\n")
    sys.stdout.flush()


def put(outputs: Mapping[str, str]) -> None:
    """Sets the step's outputs; a value may have any number of lines."""
    text = ""
    for name, value in outputs.items():
        word = f"distify_{os.urandom(16).hex()}"
        text += f"{name}<<{word}\n{value}\n{word}\n"
    _append("GITHUB_OUTPUT", text)


def summarize(markdown: str) -> None:
    """Adds to the job's summary."""
    data = markdown.encode("utf-8", "replace")[:LIMIT]
    _append("GITHUB_STEP_SUMMARY", data.decode("utf-8", "ignore") + "\n")


def _append(variable: str, text: str) -> None:
    path = os.environ.get(variable)
    if path:
        with open(path, "a", encoding="utf-8", newline="\n", errors="replace") as file:
            file.write(text)
