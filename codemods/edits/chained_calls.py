"""Method calls behind an expression, in the layout of the chain that they make longer."""

from __future__ import annotations

from ..syntax import LN, Node, syms, token
from .expression_edits import expression, wrap
from .layout import index_of
from .long_chains import links, whole_chain
from .width import fold_around


def put_behind(start: LN, code: str) -> None:
    """Put the calls of `code` behind an expression, in the layout of its chain of calls."""
    made = expression(code).children[1:]
    for trailer in made:
        trailer.remove()
    chain, position = _chain(start)
    if chain is None:
        wrap(start, code)
        fold_around(start)
        return
    whole = whole_chain(chain)
    line = _line_of_its_own(whole)
    for offset, trailer in enumerate(made):
        if line and trailer.children[0].type == token.DOT:
            trailer.prefix = line
        chain.insert_child(position + offset, trailer)
    if line:
        _leave_comment(made, whole)
    else:
        fold_around(made[-1], fewest=1)  # a call of a few names has a line of its own


def _leave_comment(made: list[LN], whole: LN) -> None:
    """A comment at the end of the line above stays there."""
    parts = links(whole)
    number = next(n for n, part in enumerate(parts) if part is made[-1]) + 1
    if number < len(parts):
        prefix = parts[number].prefix
        comment = prefix.partition("\n")[0].rstrip("\r")
        if "#" in comment:
            made[0].prefix = comment + made[0].prefix
            parts[number].prefix = prefix[len(comment) :]


def _chain(start: LN) -> tuple[Node | None, int]:
    """The node that holds the trailers behind an expression, and where the next one goes."""
    if start.type == syms.power and start.children[0].type != token.AWAIT:
        return start, len(start.children)
    parent = start.parent
    if parent is not None and parent.type == syms.power and start.type != token.DOUBLESTAR:
        return parent, index_of(start) + 1
    return None, 0


def _line_of_its_own(chain: LN) -> str:
    """What stands before the dots of a chain that has them on lines of their own."""
    for trailer in links(chain)[1:]:
        before, end, indent = trailer.prefix.rpartition("\n")
        if trailer.type == syms.trailer and end:
            above = before.rpartition("\n")[2]  # blank, a comment, or joined by a backslash
            joint = " \\" if "\\" in above and "#" not in above else ""
            return joint + ("\r\n" if before.endswith("\r") else "\n") + str(indent)
    return ""
