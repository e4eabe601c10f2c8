"""`distify rules` and `distify explain`: what distify knows, to be read without a program."""

from __future__ import annotations

import os
import sys

import click

from .. import codemods
from ..files.choice import Choice
from ..files.codes import suggestion
from ..report.rule_table import page_of, table
from ..report.terminal import Terminal
from . import options

FAILED = 2


@click.command(short_help="List the rules.")
@options.text_or_json
@options.color
def rules(form: str, color: str) -> None:
    """List the rules, in the order in which they are applied."""
    table(Terminal(color), codemods.rules(), form, codemods.titles())


@click.command(short_help="Show the page of a rule, or why a line is as it is.")
@click.argument("code", metavar="CODE|FILE:LINE", shell_complete=options.codes)
@options.color
def explain(code: str, color: str) -> None:
    """Show the page of a rule: what it does, why, and what goes wrong without it.

    CODE is a code or a name that `distify rules` lists, or any code that a report names, of a
    repair, too.

    With FILE:LINE it says why that line is as it is, or becomes what it becomes: the rules that
    change it, and what the judge has proved of the result, or couldn't prove there.

    \b
    Examples:
      distify explain D104
      distify explain scale-learning-rate
      distify explain R05
      distify explain train.py:12
    """
    path, _, number = code.rpartition(":")
    if path and number.isdecimal() and os.path.isfile(path):
        _explain_line(Terminal(color), path, int(number))
    else:
        Terminal(color).page(_page(code))


def _explain_line(terminal: Terminal, path: str, line: int) -> None:
    """Tells of a line of a script, by itself or as a part of the programs of its project."""
    from ..files import projects
    from ..files.config import ConfigProblem
    from ..files.result import look, problems
    from ..files.source_names import NOTEBOOK
    from ..report.explained import explained
    from ..report.text import problem_line

    real = os.path.realpath(path)
    if path.endswith(NOTEBOOK):
        raise click.UsageError("a line is named of a script: `distify check` tells of a notebook")
    try:
        result = look([path], Choice((), ()), terminal)
        if not any(each.changed or each.blocked for each in result.outcomes):
            whole = look([projects.root(os.path.dirname(real))], Choice((), ()), terminal)
            result = whole if any(each.target.path == real for each in whole.outcomes) else result
    except ConfigProblem as error:
        raise click.UsageError(str(error)) from None
    if result.failed and not result.outcomes:
        terminal.show(map(problem_line, problems(result)), error=True)
        sys.exit(FAILED)
    text = projects.text_of(real) or ""
    if not 0 < line <= len(text.splitlines()):
        raise click.UsageError(f"{path} has no line {line}")
    options = Choice((), ()).options_for(os.path.dirname(real))
    terminal.show(explained(result.outcomes, real, line, options, terminal.width()))


def _page(word: str) -> str:
    pages = codemods.pages()
    if word.upper() in pages:  # restrictions have pages, too
        return codemods.page(word.upper())
    rules = {key: rule for rule in codemods.changes() for key in (rule.code, rule.name.upper())}
    rule = rules.get(word.upper())
    if rule is None:
        near = suggestion(
            word, [*pages, *(key for r in rules.values() for key in (r.code, r.name))]
        )
        raise click.UsageError(f"no rule {word}{near}")
    return codemods.page(rule.code) if rule.code in pages else page_of(rule)
