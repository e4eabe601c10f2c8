"""Where lines begin and end in a concrete tree: indentation, newlines, comments.

As distify.codemods.syntax parses it, the prefix of a statement's first leaf is all the text from
the end of the line before (blank lines, comments, indentation); INDENT leaves are empty, and a
DEDENT leaf holds only the comments that end its own block.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Callable

from ..syntax import LN, Leaf, Node, syms, token
from ..syntax.grammar import grammar

BLOCKS = frozenset((syms.suite, syms.file_input))
NEWLINE_TEXT = re.compile(r"\r\n|\r|\n")
LINE_START = re.compile(r"(\A|\r\n|\r|\n)([ \t\f]*)")
TAB_START = re.compile(r"[\r\n]\t")
DEFAULT_UNIT = "    "


def _indent(prefix: str) -> str:
    """The white space that a line begins with, given all that stands before its first token."""
    last = NEWLINE_TEXT.split(prefix)[-1]
    return last.rpartition("\f")[2]


def first_leaf(node: LN) -> Leaf:
    """The leaf that a node begins with."""
    return next(iter(node.leaves()))


def root(node: LN) -> Node:
    """The tree that a node stands in."""
    while node.parent is not None:
        node = node.parent
    return node


def statement_around(node: LN) -> Node:
    """The child of a block, or of the file, that a node stands in."""
    while node.parent is not None and node.parent.type not in BLOCKS:
        node = node.parent
    return node


def indentation(line: LN) -> str:
    """The white space before a statement that begins a line."""
    return (
        "" if line.parent is None or line.parent.type == syms.file_input else _indent(line.prefix)
    )


def newline(node: LN) -> str:
    """How lines end here: as the node's own first line does, else as the file's first one."""
    for place in (node, root(node)):
        for leaf in place.leaves():
            found = NEWLINE_TEXT.search(leaf.value if leaf.type == token.NEWLINE else leaf.prefix)
            if found:
                return found[0]
    return "\n"


def unit(line: LN) -> str:
    """One level of indentation: that of the block around, of one inside, else the file's first.

    Where nothing is a block, arguments over lines that begin with a tab tell of a file of tabs.
    """
    block = line.parent
    while block is not None and block.parent is not None:
        if block.type in (syms.suite, symbol("match_stmt")):
            return _step(block) or DEFAULT_UNIT
        block = block.parent
    for place in (line, root(line)):
        for node in place.pre_order():
            if node.type == syms.suite and _step(node):
                return _step(node)
    tabs = any(TAB_START.search(leaf.prefix) for leaf in root(line).leaves())
    return "\t" if tabs else DEFAULT_UNIT


def _step(block: Node) -> str:
    if block.type == syms.suite:
        lines = statements(block)  # none where all of them have left the block
        return indentation(lines[0])[len(indentation(header(block))) :] if lines else ""
    case = next(child for child in block.children if child.type == symbol("case_block"))
    return indentation(case)[len(indentation(block)) :]


def header(inside: Node) -> Node:
    """What begins the line that a suite belongs to: a compound statement or a `case`."""
    node: Node = inside.parent
    while node.parent.type not in BLOCKS and node.type != symbol("case_block"):
        node = node.parent
    return node


def symbol(name: str) -> int:
    """The type of nodes that fissix's own grammar knows nothing of."""
    return grammar().numbers[name]


def index_of(node: LN) -> int:
    """The number of a node among its siblings; to fissix, nodes of equal text are equal."""
    return next(i for i, child in enumerate(node.parent.children) if child is node)


def statements(block: LN) -> list[LN]:
    """The statements of a suite or file without the leaves that delimit it."""
    around = (token.NEWLINE, token.INDENT, token.DEDENT, token.ENDMARKER)
    return [child for child in block.children if child.type not in around]


def each_line(nodes: Iterable[LN], change: Callable[[str], str]) -> None:
    """Apply `change` to the white space that each non-blank line of whole statements begins with.

    Lines that begin inside a string are left alone.
    """
    at_start = True
    for leaf in (leaf for node in nodes for leaf in node.leaves()):
        if leaf.type in (token.INDENT, token.DEDENT):
            leaf.prefix = _change_lines(leaf.prefix, change, at_start, more=False)
            continue
        leaf.prefix = _change_lines(leaf.prefix, change, at_start, more=leaf.value != "")
        at_start = leaf.type == token.NEWLINE


def _change_lines(prefix: str, change: Callable[[str], str], at_start: bool, more: bool) -> str:
    """`more`: whether a token stands on the last line of the prefix."""

    def begin(match: re.Match[str]) -> str:
        blank = not more if match.end() == len(prefix) else prefix[match.end()] in "\r\n"
        if blank or (match.start() == 0 and not match[1] and not at_start):
            return match[0]
        reset, form_feed, white = match[2].rpartition("\f")
        return match[1] + reset + form_feed + change(white)

    return LINE_START.sub(begin, prefix)


def end_line(line: LN) -> bool:
    """Give an unfinished last line of the file its newline; tell whether it was unfinished."""
    last: Leaf | None = None
    for leaf in line.leaves():
        if leaf.type == token.NEWLINE or leaf.prefix:
            last = leaf
    if last is None:
        return False
    if last.type == token.NEWLINE:
        unfinished = not last.value
        last.value = last.value or newline(line)
        return unfinished
    if last.type == token.DEDENT and not last.prefix.endswith(("\n", "\r")):
        last.prefix += newline(line)
        return True
    return False


def substitute(node: LN, new: LN) -> None:
    """Put another node in a node's place; fissix's `replace` copies the list of its siblings."""
    for number, sibling in enumerate(node.parent.children):
        if sibling is node:
            node.parent.set_child(number, new)
            return
