"""`distify config`: every setting, and where it comes from."""

from __future__ import annotations

import json
import os

import click

from ..files.config import ConfigProblem
from ..files.effective import DEFAULT, Setting, effective
from ..report.lines import Line, Span
from ..report.terminal import Terminal
from . import options


@click.command(short_help="Show every setting, and where it comes from.")
@click.argument("path", default=".", type=click.Path(exists=True))
@click.option("--schema", is_flag=True, help="Print the JSON schema of the settings, for editors.")
@options.text_or_json
@options.color
def config(path: str, schema: bool, form: str, color: str) -> None:
    """Show every setting as it holds for PATH (default: the current folder), and who says so.

    Settings stand in `[tool.distify]` of the nearest pyproject.toml on the way up; the version of
    TensorFlow also comes from requirements and lock files, or from what is installed.

    \b
    Examples:
      distify config
      distify config src/train.py
      distify config --format json
      distify config --schema > distify.json
    """
    if schema:
        from ..files.settings_schema import schema as made

        Terminal(color).write(f"{json.dumps(made(), indent=2)}\n".encode("ascii"))
        return
    real = os.path.realpath(path)
    folder = real if os.path.isdir(real) else os.path.dirname(real)
    terminal = Terminal(color)
    try:
        found = list(effective(folder))
    except ConfigProblem as error:
        raise click.UsageError(str(error)) from None
    if form == "json":
        text = json.dumps([each._asdict() for each in found], indent=2)
        terminal.write(f"{text}\n".encode("ascii"))
        return
    keys, values = (max(map(len, column)) for column in zip(*((s.key, s.text) for s in found)))
    terminal.show(_line(each, keys, min(values, 40)) for each in found)


def _line(setting: Setting, keys: int, values: int) -> Line:
    style = "" if setting.why == DEFAULT else "changed"
    return (
        Span(f"{setting.key:{keys}}  ", "name"),
        Span(f"{setting.text:{values}}  ", style),
        Span(setting.why, "dim"),
    )
