"""Statements are inserted and removed; everything around keeps its bytes."""

from __future__ import annotations

import re
from collections.abc import Sequence

from ..syntax import LN, Leaf, Node, parse, syms, token
from ._expressions import match_quotes
from ._layout import (
    BLOCKS,
    DEFAULT_UNIT,
    NEWLINE_TEXT,
    each_line,
    end_line,
    first_leaf,
    header,
    indentation,
    index_of,
    newline,
    statements,
    unit,
)

BLANK_LINES = re.compile(r"(?:[ \t\f]*(?:\r\n|\r|\n))*")
ATTACHED_COMMENTS = re.compile(r"(?:[ \t]*#[^\r\n]*(?:\r\n|\r|\n))*[ \t\f]*\Z")
COMMENT = re.compile(r"#[^\r\n]*")
MUST_STAY_FIRST = re.compile(
    r"\ufeff?(?:#![^\r\n]*(?:\r\n|\r|\n))?(?:[ \t\f]*#[^\r\n]*coding[:=][^\r\n]*(?:\r\n|\r|\n))?"
)


def own_line(statement: LN) -> Node:
    """The child of a block that holds the statement, alone on its line.

    `a; b` is split, a one-line suite (`if x: a`) is opened first.
    """
    node = statement
    while node.type != syms.simple_stmt and node.parent is not None:
        if node.parent.type in BLOCKS:
            return node
        node = node.parent
    if node.parent is not None and node.parent.type not in BLOCKS:
        _open_suite(node)
    return _split(node, statement)


def _open_suite(simple: Node) -> None:
    compound, outer = simple.parent, header(simple)
    inner = indentation(outer) + unit(outer)
    end = Leaf(token.NEWLINE, newline(simple))
    position = index_of(simple)
    simple.remove()
    simple.prefix = inner
    children = [end, Leaf(token.INDENT, ""), simple, Leaf(token.DEDENT, "")]
    compound.insert_child(position, Node(syms.suite, children))


def _split(simple: Node, statement: LN) -> Node:
    """Give every statement of `a; b; c` a line; the one that holds `statement` is returned.

    The trailing comment stays on the last line.
    """
    small = [child for child in simple.children if child.type not in (token.SEMI, token.NEWLINE)]
    if len(small) == 1:
        return simple
    indent, end, prefix = indentation(simple), newline(simple), simple.prefix
    block, position = simple.parent, index_of(simple)
    for child in [child for child in simple.children if child.type == token.SEMI]:
        child.remove()
    lines = []
    for offset, child in enumerate(small[:-1]):
        child.remove()
        lines.append(Node(syms.simple_stmt, [child, Leaf(token.NEWLINE, end)]))
        lines[-1].prefix = indent if offset else prefix
    small[-1].prefix = indent
    _insert(block, position, lines)
    inside = set(map(id, _ancestors(statement)))
    return next((line for line in lines if id(line) in inside), simple)


def _ancestors(node: LN | None) -> list[LN]:
    above = []
    while node is not None:
        above.append(node)
        node = node.parent
    return above


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
    match_quotes(nodes, near)
    before = len(lines) - len(lines.lstrip("\n"))
    after = len(lines) - len(lines.rstrip("\n")) - 1
    return nodes, before, max(after, 0)


def insert_before(statement: LN, lines: str) -> None:
    """Insert source lines before a statement, below the comments that lead it.

    Lines that end with a blank line are a paragraph of their own: they go above those comments.
    Blank lines at either end of `lines` are only added where there are none yet.
    """
    line = own_line(statement)
    nodes, blank_before, blank_after = _build(lines, line)
    end, indent, prefix = newline(line), indentation(line), line.prefix
    cut = _above_comments(prefix) if blank_after else len(prefix) - len(indent)
    above, below = prefix[:cut], prefix[cut:]
    nodes[0].prefix = _with_blanks(above, blank_before, end, line) + nodes[0].prefix
    line.prefix = end * blank_after + below
    _insert(line.parent, index_of(line), nodes)


def _above_comments(prefix: str) -> int:
    """Where the comment block that touches the statement begins, below a shebang or coding line."""
    found = ATTACHED_COMMENTS.search(prefix)
    head = MUST_STAY_FIRST.match(prefix)
    return max(found.start() if found else len(prefix), head.end() if head else 0)


def _with_blanks(above: str, wanted: int, end: str, line: Node) -> str:
    """Text above an insertion with at least so many blank lines, none at the start of a block."""
    if statements(line.parent)[0] is line and not above.strip("\ufeff \t\f\r\n"):
        return above
    return above + end * max(0, wanted - _blank_lines(above[::-1], bool(above.strip())))


def _blank_lines(text: str, past_comment: bool) -> int:
    blank = len(NEWLINE_TEXT.findall(BLANK_LINES.match(text)[0]))  # type: ignore[index]
    return blank - 1 if past_comment and blank else blank


def insert_after(statement: LN, lines: str) -> None:
    """Insert source lines after a statement; a trailing comment stays with the statement.

    Blank lines at either end of `lines` are only added where there are none yet.
    """
    line = own_line(statement)
    nodes, blank_before, blank_after = _build(lines, line)
    end = newline(line)
    if end_line(line):
        _last_newline(nodes[-1]).value = ""
    nodes[0].prefix = end * blank_before + nodes[0].prefix
    position = index_of(line) + 1
    following = line.parent.children[position]
    if following.type not in (token.DEDENT, token.ENDMARKER):
        present = _blank_lines(following.prefix, past_comment=False)
        following.prefix = end * max(0, blank_after - present) + following.prefix
    _insert(line.parent, position, nodes)


def insert_at_top(tree: Node, lines: str) -> None:
    """Insert source lines before the first statement that may follow a docstring and futures."""
    head: Node | None = None
    for line in statements(tree):
        if not (is_future_import(line) or (head is None and is_docstring(line))):
            break
        head = line
    if head is not None:
        insert_after(head, lines)
    else:
        insert_before(statements(tree)[0], lines)


def is_docstring(line: LN) -> bool:
    """Whether a statement is nothing but a string."""
    return bool(line.type == syms.simple_stmt and first_leaf(line).type == token.STRING)


def is_future_import(line: LN) -> bool:
    """Whether a statement is `from __future__ import …`, which nothing else may precede."""
    return line.type == syms.simple_stmt and str(line.children[0]).split()[:2] == [
        "from",
        "__future__",
    ]


def _insert(block: Node, position: int, nodes: Sequence[Node]) -> None:
    for offset, node in enumerate(nodes):
        block.insert_child(position + offset, node)


def _last_newline(node: Node) -> Leaf:
    return [leaf for leaf in node.leaves() if leaf.type == token.NEWLINE][-1]


def remove_statement(statement: LN) -> None:
    """Remove a statement; comments stay, and `pass` where a block would be left empty."""
    line = own_line(statement)
    block, position = line.parent, index_of(line)
    if block.type == syms.suite and len(statements(block)) == 1:
        small = Leaf(token.NAME, "pass", prefix=line.prefix)
        line.replace(Node(syms.simple_stmt, [small, _detached(_last_newline(line))]))
        return
    following = block.children[position + 1]
    if following.type == token.ENDMARKER and position and not _last_newline(line).value:
        _last_newline(block.children[position - 1]).value = ""
    line.remove()
    left = _comments_left(line)
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
    end = _last_newline(line).value or "\n"
    _, *further = line.leaves()
    comments = [comment for leaf in further for comment in COMMENT.findall(leaf.prefix)]
    return above + "".join(indent + comment.rstrip() + end for comment in comments)


def _join(left: str, following: LN) -> str:
    """Blank lines on both sides of a removed statement are not added up."""
    right: str = following.prefix
    if left.strip():
        return left + right
    blank = BLANK_LINES.match(right)[0]  # type: ignore[index]
    ends_block = following.type in (token.DEDENT, token.ENDMARKER)
    keep = ends_block or len(NEWLINE_TEXT.findall(left)) <= len(NEWLINE_TEXT.findall(blank))
    return right if keep else left + right[len(blank) :]
