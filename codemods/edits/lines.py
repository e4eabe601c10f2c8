"""Lines of the text, read from a place outwards: what is far away costs nothing."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from functools import partial
from itertools import takewhile
from operator import is_not

from ..syntax import LN, Leaf
from .layout import BLOCKS, first_leaf

_LINE_END = re.compile(r"[\r\n]")


def line_at(node: LN) -> str:
    """The line of the text on which a node begins."""
    first = first_leaf(node)
    before, after = [first.prefix], [first.value]
    for leaf in _outwards(first, -1):
        if _LINE_END.search(before[-1]):
            break
        before.append(str(leaf))
    for leaf in _outwards(first, 1):
        if _LINE_END.search(after[-1]):
            break
        after.append(str(leaf))
    begin = _LINE_END.split("".join(reversed(before)))[-1]
    return str((begin + "".join(after)).splitlines()[0])


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
