"""Statements are put under an `if`, as the author would have: indented, comments kept, merged."""

from __future__ import annotations

from collections.abc import Sequence

from ..syntax import LN, Leaf, Node, syms, token
from .expression_edits import HOLE, expression, wrap
from .layout import each_line, first_leaf, indentation, index_of, newline, statements, unit
from .own_lines import own_line


def guard(lines: Sequence[LN], test: str) -> None:
    """Put consecutive statements of one block under one `if test:`.

    Comments above the first stay above the `if`. A guard with the same test that was inserted
    directly before takes the statements in, an `if` that holds nothing else gets the test with
    `and`, and an `else` becomes an `elif`. Raises ValueError if other statements stand between.
    """
    own = _own_lines(lines)
    first = own[0]
    if _becomes_elif(own, test):
        return
    condition = _whole_condition(own)
    if condition is not None:
        wrap(condition, f"{HOLE} and {test}")
        return
    before = first.prev_sibling
    if before is not None and _is_own_guard(before, test) and not first.prefix.strip(" \t\f"):
        indent(own)
        suite = before.children[-1]
        for line in own:
            line.remove()
            suite.insert_child(len(suite.children) - 1, line)
        return
    block, position, end = first.parent, index_of(first), newline(first)
    head = Leaf(token.NAME, "if", prefix=first.prefix)
    first.prefix = indentation(first)
    indent(own)
    for line in own:
        line.remove()
    block.insert_child(position, _if(head, test, own, end))


def _own_lines(places: Sequence[LN]) -> list[Node]:
    lines = [own_line(place) for place in places]
    lines = [line for line, before in zip(lines, [None, *lines]) if line is not before]
    siblings = lines[0].parent.children[index_of(lines[0]) :]
    if [id(line) for line in lines] != [id(line) for line in siblings[: len(lines)]]:
        raise ValueError("only consecutive statements of one block share a guard")
    return lines


def _whole_condition(lines: Sequence[Node]) -> LN | None:
    """The last condition of an `if` without `else` that lets these lines run and nothing else."""
    branch = _last_branch(lines)
    return branch[-3] if branch and not _is_else(branch[-3]) else None


def _is_else(word: LN) -> bool:
    return isinstance(word, Leaf) and word.value == "else"


def _last_branch(lines: Sequence[Node]) -> list[LN]:
    """The parts of an `if` whose last branch these lines are all of, or nothing."""
    suite = lines[0].parent
    around = suite.parent
    is_all = len(statements(suite)) == len(lines)
    is_last = around is not None and around.type == syms.if_stmt and around.children[-1] is suite
    return list(around.children) if is_all and is_last else []


def _becomes_elif(lines: Sequence[Node], test: str) -> bool:
    """Whether these lines were all of the `else` of an `if`, which now asks for the test."""
    branch = _last_branch(lines)
    word = branch[-3] if branch else None
    if word is None or not _is_else(word):
        return False
    condition = expression(test)
    condition.prefix = " "
    word.value = "elif"
    word.parent.insert_child(index_of(word) + 1, condition)
    return True


def indent(lines: Sequence[Node]) -> None:
    """One level deeper; lines that are aligned with spaces keep their alignment."""
    outer, step = indentation(lines[0]), unit(lines[0])

    def deepen(white: str) -> str:
        return outer + step + white[len(outer) :] if white.startswith(outer) else step + white

    each_line(lines, deepen)


def _if(head: Leaf, test: str, lines: Sequence[Node], end: str) -> Node:
    condition = expression(test)
    condition.prefix = " "
    suite = [Leaf(token.NEWLINE, end), Leaf(token.INDENT, ""), *lines, Leaf(token.DEDENT, "")]
    return Node(syms.if_stmt, [head, condition, Leaf(token.COLON, ":"), Node(syms.suite, suite)])


def _is_own_guard(node: LN, test: str) -> bool:
    """Whether `guard` made this `if`: a leaf that was never parsed has no line number."""
    if node.type != syms.if_stmt or len(node.children) != 4:
        return False
    return bool(first_leaf(node).lineno == 0 and str(node.children[1]).strip() == test)
