"""A loop becomes a function: another head above its block, which keeps its bytes."""

from __future__ import annotations

from ..syntax import Leaf, Node, parse, syms
from .insertions import above_comments, insert_after, insert_before, with_blanks
from .layout import BLOCKS, first_leaf, index_of, newline, statements
from .own_lines import own_line
from .removals import COMMENT


def define(loop: Node, head: str, first: str, last: str) -> None:
    """Give a loop the head of a function, with lines at both ends of the block.

    A blank line goes above it, where nothing else is above; comments of the old head stay there.
    """
    block = loop.children[-1]
    if block.type not in BLOCKS:
        own_line(block)
        block = loop.children[-1]
    inside = statements(block)
    if last:
        insert_after(inside[-1], last)
    if first:
        _insert_above_comments(inside[0], first)
    colon = loop.children[-2]
    made = parse(f"{head}\n    pass\n").children[0]
    leaf = first_leaf(loop)
    prefix, comments = leaf.prefix, _comments(loop, leaf)
    for child in loop.children[: index_of(colon)]:
        child.remove()
    for position, child in enumerate(made.children[:-2]):
        child.remove()
        loop.insert_child(position, child)
    loop.type = syms.funcdef
    loop.prefix = _with_blank_line(loop, prefix, comments)


def _insert_above_comments(statement: Node, lines: str) -> None:
    """Insert lines where a block begins, above the comments of its first statement."""
    (made, *_) = insert_before(statement, lines)
    line = own_line(statement)
    made.prefix, line.prefix = line.prefix, made.prefix


def _comments(loop: Node, first: Leaf) -> list[str]:
    """The comments that stand inside the head."""
    leaves = [leaf for child in loop.children[:-1] for leaf in child.leaves() if leaf is not first]
    return [comment for leaf in leaves for comment in COMMENT.findall(leaf.prefix)]


def _with_blank_line(loop: Node, prefix: str, comments: list[str]) -> str:
    indent = prefix[len(prefix.rstrip(" \t")) :]
    end = newline(loop)
    prefix = prefix[: len(prefix) - len(indent)]
    prefix += "".join(indent + comment.rstrip() + end for comment in comments) + indent
    cut = above_comments(prefix)
    wanted = 1 if loop.parent.type != syms.file_input else 2
    return with_blanks(prefix[:cut], wanted, end, loop) + prefix[cut:]
