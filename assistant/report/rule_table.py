"""The table of rules, and the page of one that has none of its own."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from .. import codemods
from .lines import EMPTY, Line, Span
from .terminal import Terminal


def table(
    terminal: Terminal, known: Sequence[codemods.Rule], form: str, titles: Mapping[str, str] = {}
) -> None:
    """The table of rules; for people also the other codes that have a page."""
    if form == "json":
        import json

        listed = [{"code": r.code, "name": r.name, "summary": r.summary} for r in known]
        terminal.write((json.dumps(listed, indent=2) + "\n").encode("ascii"))
        return
    width = max((len(rule.name) for rule in known), default=0)
    terminal.show(
        (Span(rule.code, "code"), Span(f"  {rule.name:{width}}  ", "name"), Span(rule.summary))
        for rule in known
    )
    codes = {rule.code for rule in known}
    if others := [(code, name) for code, name in titles.items() if code not in codes]:
        told = "Reports also name these; `distify explain CODE` shows the page of each:"
        terminal.show((EMPTY, (Span(told, "heading"),), *columns(others, terminal.width())))


def columns(pairs: Sequence[tuple[str, str]], width: int | None) -> Iterator[Line]:
    """Codes and names, down one column after the other, as many columns as fit."""
    wide = max(len(f"{code}  {name}") for code, name in pairs) + 2
    count = max(1, (width or 79) // wide)
    rows = -(-len(pairs) // count)
    for row in range(rows):
        line: list[Span] = []
        for code, name in pairs[row::rows]:
            gap = " " * (wide * len(line) // 2 - sum(len(span.text) for span in line))
            line += [Span(f"{gap}{code}", "code"), Span(f"  {name}", "name")]
        yield tuple(line)


def page_of(rule: codemods.Rule) -> str:
    """A page made of what the rule says of itself."""
    before = f"Before:\n\n```python\n{rule.before}```\n"
    after = f"After:\n\n```python\n{rule.after}```\n"
    return f"# {rule.code} {rule.name}\n\n{rule.summary}\n\n{before}\n{after}"
