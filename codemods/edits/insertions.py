"""Statements are inserted; everything around keeps its bytes."""

from __future__ import annotations

import re

from ..syntax import LN, Node, parse, syms, token
from .expression_edits import match_quotes
from .layout import (
    DEFAULT_UNIT,
    NEWLINE_TEXT,
    each_line,
    end_line,
    indentation,
    index_of,
    newline,
    statements,
    unit,
)
from .own_lines import last_newline, own_line, put

BLANK_LINES = re.compile(r"(?:[ \t\f]*(?:\r\n|\r|\n))*")
ATTACHED_COMMENTS = re.compile(r"(?:[ \t]*#[^\r\n]*(?:\r\n|\r|\n))*[ \t\f]*\Z")
LINE_OF_STRING = re.compile(r"\n( *)(?=(\n?))")
MUST_STAY_FIRST = re.compile(
    r"\ufeff?(?:#![^\r\n]*(?:\r\n|\r|\n))?(?:[ \t\f]*#[^\r\n]*coding[:=][^\r\n]*(?:\r\n|\r|\n))?"
)


def _build(lines: str, near: Node) -> tuple[list[Node], int, int]:
    """Statements with the layout of `near`, and how many blank lines are asked for around them."""
    tree = parse(lines.strip("\n") + "\n")
    nodes = statements(tree)
    for node in nodes:
        node.remove()
    end, indent, step = newline(near), indentation(near), unit(near)

    def nest(white: str) -> str:
        depth, rest = divmod(len(white), len(DEFAULT_UNIT))
        return indent + step * depth + " " * rest

    each_line(nodes, nest)
    for leaf in (leaf for node in nodes for leaf in node.leaves()):
        leaf.prefix = leaf.prefix.replace("\n", end)
        if leaf.type == token.NEWLINE:
            leaf.value = end
        if leaf.type == token.STRING and leaf.parent.type == syms.simple_stmt:  # a docstring
            leaf.value = LINE_OF_STRING.sub(
                lambda m: end + ("" if m[2] else nest(m[1])), leaf.value
            )
    match_quotes(nodes, near)
    before = len(lines) - len(lines.lstrip("\n"))
    after = len(lines) - len(lines.rstrip("\n")) - 1
    return nodes, before, max(after, 0)


def insert_before(statement: LN, lines: str) -> list[Node]:
    """Insert source lines before a statement, below the comments that lead it; returns them.

    Lines that end with a blank line are a paragraph of their own: they go above those comments.
    Blank lines at either end of `lines` are only added where there are none yet.
    """
    line = own_line(statement)
    nodes, blank_before, blank_after = _build(lines, line)
    end, indent, prefix = newline(line), indentation(line), line.prefix
    cut = above_comments(prefix) if blank_after else len(prefix) - len(indent)
    above, below = prefix[:cut], prefix[cut:]
    nodes[0].prefix = with_blanks(above, blank_before, end, line) + nodes[0].prefix
    line.prefix = end * blank_after + below
    put(line.parent, index_of(line), nodes)
    return nodes


def above_comments(prefix: str) -> int:
    """Where the comment block that touches the statement begins, below a shebang or coding line."""
    found = ATTACHED_COMMENTS.search(prefix)
    head = MUST_STAY_FIRST.match(prefix)
    return max(found.start() if found else len(prefix), head.end() if head else 0)


def with_blanks(above: str, wanted: int, end: str, line: Node) -> str:
    """Text above an insertion with at least so many blank lines, none at the start of a block."""
    if statements(line.parent)[0] is line and not above.strip("\ufeff \t\f\r\n"):
        return above
    backwards = above.replace("\r\n", "\n")[::-1]  # two characters would be two ends of lines
    return above + end * max(0, wanted - _blank_lines(backwards, bool(above.strip())))


def _blank_lines(text: str, past_comment: bool) -> int:
    blank = len(NEWLINE_TEXT.findall(BLANK_LINES.match(text)[0]))  # type: ignore[index]
    return blank - 1 if past_comment and blank else blank


def insert_after(statement: LN, lines: str) -> list[Node]:
    """Insert source lines after a statement and its trailing comment; returns them.

    Blank lines at either end of `lines` are only added where there are none yet.
    """
    line = own_line(statement)
    nodes, blank_before, blank_after = _build(lines, line)
    end = newline(line)
    if end_line(line):
        last_newline(nodes[-1]).value = ""
    nodes[0].prefix = end * blank_before + nodes[0].prefix
    position = index_of(line) + 1
    following = line.parent.children[position]
    if following.type not in (token.DEDENT, token.ENDMARKER):
        present = _blank_lines(following.prefix, past_comment=False)
        following.prefix = end * max(0, blank_after - present) + following.prefix
    put(line.parent, position, nodes)
    return nodes


def comment_above(place: LN, text: str) -> None:
    """Put a comment right above the statement of a node, unless that is what stands there."""
    line = own_line(place)
    comment = f"# {text}{newline(line)}{indentation(line)}"
    if not line.prefix.endswith(comment):
        line.prefix += comment
