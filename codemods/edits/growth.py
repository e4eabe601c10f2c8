"""Elements that are put into a list behind the statement that makes it."""

from __future__ import annotations

from collections.abc import Sequence

from ..syntax import LN, syms
from .expression_edits import HOLE
from .guards import guard
from .hoists import hoist
from .insertions import insert_after
from .joins import join_single
from .kinds import Hoist, PutLater
from .layout import NEWLINE_TEXT, index_of
from .lines import begin_of, realign
from .width import fold_around


def put_later(display: LN, edit: PutLater, elements: Sequence[LN]) -> None:
    """`n = [a, b]` becomes `n = [a]`, `if test:` and `n.append(b)`; `f([a, b])` a list before.

    Several are added at once: `n += [b, c]`.
    """
    if not edit.is_bound:
        hoist(display, Hoist(edit.name))
    begun = [begin_of(element) for element in elements]
    for element in elements:
        _take_out(element)
    join_single(display)
    added = [HOLE] * (len(elements) - edit.first)
    grown = [f"{edit.name}.insert(0, {HOLE})\n"] * edit.first
    if len(added) == 1:
        grown.append(f"{edit.name}.append({HOLE})\n")
    elif added:
        grown.append(f"{edit.name} += [{', '.join(added)}]\n")
    lines = insert_after(display, "".join(grown))
    guard(lines, edit.test)
    holes = [leaf for line in lines for leaf in line.leaves() if leaf.value == HOLE]
    for hole, element, begin in zip(holes, elements, begun):
        element.prefix = hole.prefix
        hole.replace(element)
        realign(element, begin, is_bare=False)
        fold_around(element)


def _take_out(element: LN) -> None:
    """Take an element out of its list; a comment behind the one before it stays."""
    items, display = element.parent, _display(element)
    if items.type == syms.listmaker:
        number = index_of(element)
        behind = items.children[number + 1 :]
        for comma in behind[:1] or items.children[number - 1 : number]:
            comma.remove()
        for following in behind[1:2]:
            following.prefix = element.prefix
    comment, closing = NEWLINE_TEXT.split(element.prefix)[0], display.children[-1]
    if "#" in comment:
        closing.prefix = comment + closing.prefix
    element.remove()
    element.prefix = ""
    if items.type == syms.listmaker and not items.children:
        items.remove()
    if len(display.children) == 2 and "#" not in closing.prefix:
        closing.prefix = ""


def _display(element: LN) -> LN:
    return element.parent if element.parent.type == syms.atom else element.parent.parent
