"""Lines of the text, read from a place outwards: what is far away costs nothing."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from functools import partial
from itertools import takewhile
from operator import is_not

from ..program.records import NamedTuple
from ..syntax import LN, Leaf
from .layout import BLOCKS, first_leaf

_LINE_END = re.compile(r"[\r\n]")
_LINE_STARTS = re.compile(r"(\r\n|\r|\n)")


def line_at(node: LN) -> str:
    """The line of the text on which a node begins."""
    first = first_leaf(node)
    after = [first.value]
    for leaf in _outwards(first, 1):
        if _LINE_END.search(after[-1]):
            break
        after.append(str(leaf))
    return str((_begin(first) + "".join(after)).splitlines()[0])


class Begin(NamedTuple):
    """Where a node begins: the column, and the white space that its line begins with."""

    column: int
    indent: int


def begin_of(node: LN) -> Begin:
    """Where a node begins."""
    before = _begin(first_leaf(node))
    return Begin(len(before), len(before) - len(before.lstrip()))


def _begin(first: Leaf) -> str:
    """What stands on the line before a leaf."""
    before = [first.prefix]
    for leaf in _outwards(first, -1):
        if _LINE_END.search(before[-1]):
            break
        before.append(str(leaf))
    return _LINE_END.split("".join(reversed(before)))[-1]


def realign(node: LN, old: Begin, is_bare: bool) -> None:
    """Move the further lines of a node along: with its column those aligned with it, else less.

    `is_bare`: its lines are in no brackets of its own, and so aligned with nothing but it.
    """
    _, *further = node.leaves()
    new, inner = begin_of(node), set(_behind_brackets(node, old.column))
    for leaf in further:
        first, *lines = _LINE_STARTS.split(leaf.prefix)
        if not lines or len(set(lines[-1])) > 1 or lines[-1].strip(" \t"):
            continue
        width, is_of_tabs = len(lines[-1]), "\t" in lines[-1]
        is_aligned = is_bare or old.indent < old.column <= width or width in inner
        is_aligned = is_aligned and not is_of_tabs
        shift = new.column - old.column if is_aligned else new.indent - old.indent
        *above, last = lines
        above = [_shifted(line, shift) if line.strip() else line for line in above]
        leaf.prefix = "".join([first, *above, _shifted(last, shift)])


def _shifted(line: str, shift: int) -> str:
    """What stands on a line, its comment if it has one, moved along."""
    text = line.lstrip(" \t")
    white = line[: len(line) - len(text)]
    return (white[:1] or " ") * max(0, len(white) + shift) + text


def _behind_brackets(node: LN, column: int) -> Iterator[int]:
    """The columns behind the brackets that open on its first line, which begins at a column."""
    for number, leaf in enumerate(node.leaves()):
        if number and _LINE_END.search(leaf.prefix):
            return
        column += len(leaf.value) + (len(leaf.prefix) if number else 0)
        if leaf.value in ("(", "[", "{"):
            yield column


def _outwards(leaf: Leaf, step: int) -> Iterator[Leaf]:
    """The leaves of its statement before it (`step` -1, the nearest first) or behind it (1)."""
    node: LN = leaf
    while node.parent is not None and node.parent.type not in BLOCKS:
        children = node.parent.children[::-step]
        waiting = list(takewhile(partial(is_not, node), children))
        while waiting:
            found = waiting.pop()
            if isinstance(found, Leaf):
                yield found
            else:
                waiting.extend(found.children[::-step])
        node = node.parent


def is_broken(texts: Iterable[str]) -> bool:
    """Whether a line ends between what is no white space; only as much is read as tells."""
    begun = ended = False
    for each in texts:
        text = each if begun else each.lstrip()
        if ended and text.strip():
            return True
        begun = begun or bool(text)
        _, end, rest = text.partition("\n")
        if rest.strip():
            return True
        ended = ended or bool(end)
    return False
