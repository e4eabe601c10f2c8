"""What distify says: each code once, with its first words, why, and a program that it is said of.

The programs are those of the suite: what restrictions find is found by running distify on them. A
code that no such program has is shown with the example of its own page.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator, Sequence
from functools import cache
from pathlib import Path
from typing import NamedTuple

from distify.assistant import codemods
from distify.codemods.migrate import migrate
from distify.codemods.model import RECOMPUTE, Finding, Options

ROOT = Path(__file__).resolve().parent.parent
RESTRICTIONS = ROOT / "tests" / "codemods" / "restrictions"
FENCE = re.compile(r"^```(\w*)\n(.*?)^```$", re.M | re.S)
AS_IT_IS = Options()


class Case(NamedTuple):
    """A program of which the suite says that this code is found in it."""

    code: str
    text: str
    options: Options = AS_IT_IS


class Shown(NamedTuple):
    """A code: how it is called, what it is about, and what is said where; `said` may be unknown."""

    code: str
    title: str
    about: str
    example: str
    said: Finding | None = None


def cases() -> Iterator[Case]:
    """Programs of the suite, the plainest first."""
    sys.path[:0] = [str(RESTRICTIONS)]
    import deadlocks  # type: ignore[import-not-found]
    import hazards_of_data  # type: ignore[import-not-found]
    import hazards_of_setup  # type: ignore[import-not-found]
    import hazards_of_training  # type: ignore[import-not-found]
    import sixes  # type: ignore[import-not-found]
    import test_findings  # type: ignore[import-not-found]
    import test_recomputation  # type: ignore[import-not-found]

    for code, texts in sixes.FIRES.items():
        yield from (Case(code, text, sixes.OPTIONS.get(code, AS_IT_IS)) for text in texts)
    for part in (hazards_of_training, hazards_of_setup, hazards_of_data):
        for code, named in part.TOLD.items():
            yield from (Case(code, text) for text in named.values())
    yield from (Case("H05", text) for text in deadlocks.ALONE.values())
    for code, texts in test_findings.BLOCKS.items():
        yield from (Case(code, test_findings.HEAD + text) for text in texts)
    yield from _recomputed(test_recomputation)


def _recomputed(suite: object) -> Iterator[Case]:
    """Networks whose layers can't be run again, as `test_recomputation` puts them together."""
    only = Options(select=frozenset({RECOMPUTE}))
    parts = {name.lower(): getattr(suite, name) for name in ("BODY", "MADE", "LOOP")}
    for test in vars(suite).values():
        for mark in getattr(test, "pytestmark", ()):
            names, told = mark.args
            if isinstance(names, tuple) and len(names) == 2 and names[0] in parts:
                for value, code in told:
                    how = {**parts, names[0]: value}
                    network = suite.NETWORK.format(base="tf.keras.Model", **how)  # type: ignore[attr-defined]
                    block = suite.BLOCK.format(body=how["body"])  # type: ignore[attr-defined]
                    text = suite.HEAD + block + network + suite.TRAIN  # type: ignore[attr-defined]
                    yield Case(code, text, only)


@cache
def shown() -> Sequence[Shown]:
    """Each code that has a page, once, in their order."""
    found = _found(list(cases()))
    rules = {rule.code: rule for rule in codemods.changes()}
    titles = codemods.titles()
    gallery = []
    for code in codemods.pages():
        if code in found:
            text, said = found[code]
            gallery.append(Shown(code, titles[code], about(code), text, said))
        elif code in rules:
            rule = rules[code]
            both = f"# before\n{rule.before}\n# after\n{rule.after}"
            gallery.append(Shown(code, titles[code], about(code), both))
        else:
            gallery.append(Shown(code, titles[code], about(code), _own_example(code)))
    return gallery


def _found(programs: Sequence[Case]) -> dict[str, tuple[str, Finding]]:
    """The first program of each code with what is said of it there.

    A code that no program is written for may be said of one that is written for another.
    """
    found: dict[str, tuple[str, Finding]] = {}
    beside: dict[str, tuple[str, Finding]] = {}
    for code, text, options in programs:
        if code not in found:
            migration = migrate(text, options)
            for said in (*migration.blocked, *migration.notes):
                (found if said.code == code else beside).setdefault(said.code, (text, said))
    return {**beside, **found}


def about(code: str) -> str:
    """The first paragraph of its page."""
    for part in codemods.page(code).partition("\n")[2].split("\n\n"):
        if part.strip() and not part.lstrip().startswith(("```", "|", "#", "-")):
            return " ".join(part.split())
    return ""


def _own_example(code: str) -> str:
    example = FENCE.search(codemods.page(code))
    return example[2] if example else ""


def page(gallery: Sequence[Shown], groups: dict[str, str]) -> str:
    """All of it as Markdown, in the groups of codes."""
    lines = [
        "# What distify says",
        "",
        "Every code once: what it is about, what is said and where, and the program. "
        "What is said is distify's own: it was run on the program when this page was made. "
        "Where nothing is said, the example is that of the rule, or of the code's page.",
        "",
    ]
    for group, heading in groups.items():
        lines += [f"## {heading}", ""]
        for each in gallery:
            if each.code.startswith(group):
                lines += _entry(each)
    return "\n".join(lines)


def _entry(each: Shown) -> list[str]:
    said = _said(each) if each.said is not None else []
    about = each.about.removesuffix(":") + "." * each.about.endswith(":")
    example = (
        ["```python", *each.example.strip("\n").split("\n"), "```", ""] if each.example else []
    )
    if said and len(example) > 12:
        inside = "\n".join(f"    {line}".rstrip() for line in example)
        example = ['??? example "the program"', "", inside, ""]
    return [
        f"### {each.code} {each.title}",
        "",
        f"{about} [More]({each.code}.md)",
        "",
        *said,
        *example,
    ]


def _said(each: Shown) -> list[str]:
    """What the report says of the program, with the line."""
    said = each.said
    assert said is not None
    word = "blocked" if said.severity == "blocked" else "note"
    line = each.example.split("\n")[said.line - 1]
    gutter = " " * len(str(said.line))
    return [
        "```text",
        f"{word} {said.code} line {said.line}: {said.title}",
        *([f"  {said.more}"] if said.more else []),
        f"  {said.line} | {line}",
        f"  {gutter} | {' ' * said.column}^",
        *([f"  fix: {said.fix}"] if said.fix else []),
        "```",
        "",
    ]
