"""Text from files as Markdown that says just that, wherever GitHub shows it."""

from __future__ import annotations

import re

from .escape import safe

CODE = re.compile(r"(?<!`)`[^`\n]+`(?!`)")
FENCE = re.compile(r"^ {0,3}(`{3,}|~{3,})(.*)$", re.MULTILINE)
SPECIAL = re.compile(r"([\\`*_{}\[\]()<>|~!+-])")
# A person, a team, an issue or an address works in any text; a comment in between ends that.
CALLS = re.compile(r"[@#](?=\w)|(?<=\b[Gg][Hh])\\-(?=\d)|:(?=//)")


def code(text: str, *, table: bool = False) -> str:
    """A code span that ends where it should, whatever backticks the text holds."""
    text = safe(text)
    longest = max((len(run) for run in re.findall("`+", text)), default=0)
    fence = "`" * (longest + 1)
    pad = " " if longest or text != text.strip() else ""
    span = f"{fence}{pad}{text}{pad}{fence}"
    return span.replace("|", "\\|") if table else span


def block(lines: list[str], language: str = "console") -> str:
    """A fenced block of these lines."""
    lines = [safe(line) for line in lines]
    longest = max((len(run) for line in lines for run in re.findall("`+", line)), default=0)
    fence = "`" * max(3, longest + 1)
    return "\n".join([f"{fence}{language}", *lines, fence])


def ended(text: str) -> str:
    """Somebody's own Markdown; what comes after it is not part of its code or its comment."""
    fence = ""
    for mark, rest in FENCE.findall(text):
        if not fence:
            fence = mark
        elif mark.startswith(fence) and not rest.strip():
            fence = ""
    if fence:
        return f"{text}\n{fence}"
    return f"{text} -->" if text.rfind("<!--") > text.rfind("-->") else text


def prose(text: str) -> str:
    """A sentence of ours with names from files in it; its code spans stay."""
    text = " ".join(text.split())
    parts: list[str] = []
    at = 0
    for found in CODE.finditer(text):
        parts += [_plain(text[at : found.start()]), code(found[0][1:-1])]
        at = found.end()
    return "".join([*parts, _plain(text[at:])])


def _plain(text: str) -> str:
    escaped = SPECIAL.sub(r"\\\1", safe(text)).replace("&", "&amp;")
    return CALLS.sub(lambda found: f"{found[0]}<!-- -->", escaped)
