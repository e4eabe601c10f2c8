"""`distify rules` and `distify explain`: what distify knows, to be read without a program."""

from __future__ import annotations

import click

from .. import codemods
from ..files.codes import suggestion
from ..report.rules import page_of, table
from ..report.terminal import Terminal
from . import options


@click.command(short_help="List the rules.")
@options.text_or_json
@options.color
def rules(form: str, color: str) -> None:
    """List the rules, in the order in which they are applied."""
    table(Terminal(color), codemods.rules(), form, codemods.titles())


@click.command(short_help="Show the page of a rule.")
@click.argument("code", shell_complete=options.codes)
@options.color
def explain(code: str, color: str) -> None:
    """Show the page of a rule: what it does, why, and what goes wrong without it.

    CODE is a code or a name that `distify rules` lists, or any code that a report names, of a
    repair, too.

    \b
    Examples:
      distify explain D104
      distify explain scale-learning-rate
      distify explain R05
    """
    Terminal(color).page(_page(code))


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
