"""Text from files in Markdown, rendered: it says what it said, and does nothing."""

from __future__ import annotations

import re

import pytest
from markdown_it import MarkdownIt

from distify.assistant.report.in_markdown import block, code, prose

TEXTS = (
    "plain words",
    "@someone and @org/team",
    "#1, GH-12 and gh-3",
    "<img src=x onerror=y> &amp; &lt;",
    "[x](http://evil.example) ![y](z) <http://evil.example>",
    "| a | b |",
    "*x* _y_ __z__ ~~w~~ `",
    "`` ` ```",
    "a \\ b \\` c",
    "<!-- -->x<!--",
    "1. x",
    "# x",
    "- [ ] x",
    "+ x",
    "https://evil.example/x www.evil.example",
)
RENDERER = MarkdownIt("commonmark").enable("table")


@pytest.mark.parametrize("text", TEXTS)
def test_a_sentence_says_what_it_said(text: str) -> None:
    said = ""
    for token in RENDERER.parseInline(prose(text))[0].children or []:
        assert token.type in ("text", "text_special", "code_inline", "html_inline")
        if token.type == "html_inline":
            assert token.content == "<!-- -->"  # what keeps a mention asleep
        else:
            assert not re.search(r"@\w|#\d|GH-\d|gh-\d", token.content)
            said += f"`{token.content}`" if token.type == "code_inline" else token.content
    assert said == text


def test_code_in_a_sentence_stays_code() -> None:
    assert prose("wrap `opt @x` | there") == "wrap `opt @x` \\| there"


@pytest.mark.parametrize("text", [*TEXTS, "`", "``", "a`", " a ", "new\nline"])
def test_code_is_one_span_also_in_a_table(text: str) -> None:
    (token,) = RENDERER.parseInline(code(text))[0].children or []
    assert token.type == "code_inline"
    cells = RENDERER.parse(f"| a | b |\n|---|---|\n| {code(text, table=True)} | x |")
    assert [t.content for t in cells if t.type == "inline"][3:] == ["x"]


@pytest.mark.parametrize("text", [*TEXTS, "```", "~~~", "`````", "a\n```\n@x"])
def test_a_block_ends_where_it_should(text: str) -> None:
    (token,) = RENDERER.parse(block([text, "last"]))
    assert token.type == "fence"
    assert len(token.content.splitlines()) == 2
