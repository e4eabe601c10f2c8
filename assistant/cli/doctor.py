"""`distify doctor`: what is installed, what fits together, and the commands for what is missing."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator, Sequence

import click

from ..report.lines import Line, Span
from ..report.terminal import Terminal
from ..verify.run.machine import BAD, NOTE, OK, Check, checks
from . import options

STYLES = {OK: "", NOTE: "note", BAD: "blocked"}


@click.command(short_help="Tell what is installed for Horovod, and what is missing.")
@options.python
@options.text_or_json
@options.color
def doctor(python: str | None, form: str, color: str) -> None:
    """Tell what this machine has for training with Horovod, and what to do about the rest.

    It looks at the Python that `distify verify` would take, loads Horovod there, and asks for GPUs
    and compilers. Nothing is installed or changed. What it prints can go into a report of a fault.

    \b
    Examples:
      distify doctor
      distify doctor --python ~/venv/bin/python

    \b
    Exit code:
      0  programs can be verified here
      1  something is missing; the commands that install it are told
    """
    found = checks(python)
    terminal = Terminal(color)
    if form == "json":
        text = json.dumps([each._asdict() for each in found], indent=2)
        terminal.write(f"{text}\n".encode("ascii"))
    else:
        terminal.show(_lines(found))
    sys.exit(int(any(each.verdict == BAD for each in found)))


def _lines(found: Sequence[Check]) -> Iterator[Line]:
    width = max(len(each.what) for each in found)
    for each in found:
        yield (Span(f"{each.what:{width}}  ", "name"), Span(each.found, STYLES[each.verdict]))
        for line in each.todo.splitlines():
            yield (Span(" " * (width + 2)), Span(line))
    if all(each.verdict != BAD for each in found):
        yield (Span("Ready: ", "changed"), Span("`distify verify SCRIPT` can run here."))
