"""Statements are removed; their comments stay, if they are not to go along."""

from __future__ import annotations

import re

from ..syntax import LN, Leaf, Node, syms, token
from .insertions import BLANK_LINES
from .layout import NEWLINE_TEXT, indentation, index_of, statements
from .own_lines import last_newline, own_line

COMMENT = re.compile(r"#[^\r\n]*")
# What speaks to tools, whatever follows: `#!`, cells of notebooks, settings of linters.
FOR_TOOLS = re.compile(r"#(?:!|\s*(?:%%|In ?\[|-\*-|\w+:))")


def remove_statement(statement: LN, commented: bool = False) -> None:
    """Remove a statement, its comments too if told; `pass` stays where a block would be empty."""
    line = own_line(statement)
    block, position = line.parent, index_of(line)
    if block.type == syms.suite and len(statements(block)) == 1:
        small = Leaf(token.NAME, "pass", prefix=line.prefix)
        line.replace(Node(syms.simple_stmt, [small, _detached(last_newline(line))]))
        return
    following = block.children[position + 1]
    line.remove()
    left = _above(line, position, following) if commented else _comments_left(line)
    is_unfinished = following.type == token.ENDMARKER and not last_newline(line).value
    if is_unfinished and position and not left.strip():
        last_newline(block.children[position - 1]).value = ""
    if not position and not left.strip():
        following.prefix = following.prefix.lstrip("\r\n")
    following.prefix = _join(left, following)


def _detached(leaf: Leaf) -> Leaf:
    leaf.remove()
    return leaf


def _comments_left(line: Node) -> str:
    """What remains of a removed line: blank lines above it, comments above, in and behind it."""
    indent = indentation(line) or line.prefix[len(line.prefix.rstrip(" \t")) :]
    above: str = line.prefix[: len(line.prefix) - len(indent)]
    end = last_newline(line).value or "\n"
    _, *further = line.leaves()
    comments = [comment for leaf in further for comment in COMMENT.findall(leaf.prefix)]
    return above + "".join(indent + comment.rstrip() + end for comment in comments)


def _above(line: Node, position: int, following: LN) -> str:
    """What remains above a line that takes its comments along."""
    above: str = line.prefix.rstrip(" \t")
    lines = above.splitlines(keepends=True)
    is_last = following.type in (token.DEDENT, token.ENDMARKER)
    if not position or not (is_last or BLANK_LINES.match(following.prefix)[0]):  # type: ignore[index]
        return above
    while lines and lines[-1].strip() and not FOR_TOOLS.match(lines[-1].lstrip()):
        lines.pop()
    return "".join(lines)


def _join(left: str, following: LN) -> str:
    """Blank lines on both sides of a removed statement are not added up."""
    right: str = following.prefix
    if left.strip():
        return left + right
    blank = BLANK_LINES.match(right)[0]  # type: ignore[index]
    ends_block = following.type in (token.DEDENT, token.ENDMARKER)
    keep = ends_block or len(NEWLINE_TEXT.findall(left)) <= len(NEWLINE_TEXT.findall(blank))
    return right if keep else left + right[len(blank) :]
