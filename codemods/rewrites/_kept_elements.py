"""How rank 0 alone keeps some elements of a list: of callbacks, or of hooks."""

from __future__ import annotations

import ast
from collections.abc import Collection, Iterator
from typing import TYPE_CHECKING, Callable

from ..edits import At, Choose, Edit, Fold, Guard, PutLater, Spread
from ..facts.output.fit_callbacks import KeptElements, grown_by, guarded_wholes, put_in_later
from ..program.records import NamedTuple
from ._new_code import fresh, hvd

if TYPE_CHECKING:
    from ..facts import Facts

HERE = "{hvd}.rank() == 0"
KEPT = "*([_] if {hvd}.rank() == 0 else [])"
ALL = "_ if {hvd}.rank() == 0 else []"
Named = Callable[[ast.expr], str]


class KeptByRankZero(NamedTuple):
    """What rank 0 keeps: elements of lists, statements that add to one, and what lists are called.

    `name`: of the list of a call; `begun`: the lists that get others of Horovod's in front;
    `named`: the name of an element that is too long for its list, where there are long ones.
    """

    elements: Collection[ast.expr]
    guarded: Collection[ast.stmt]
    name: str
    begun: Collection[ast.expr] = ()
    named: Named | None = None


def kept_elements(facts: Facts, kept: KeptByRankZero) -> Iterator[At]:
    """They are put in behind the list, under a test; else each stands in it with one of its own."""
    test = HERE.format(hvd=hvd(facts))
    grown = dict(grown_by(facts, kept.elements))
    later = [*put_in_later(facts, kept.elements)]
    for one in later:
        yield At(one.display, *_later(facts, kept, one, test))
        yield At(one.display, Fold())
    for place in guarded_wholes(facts, (*kept.guarded, *grown.values()), later):
        yield At(place, Guard(test))
    done = {*grown, *(one.display for one in later)}
    left = [each for each in kept.elements if facts.parent(each) not in done]
    for each in left:
        yield At(each, Spread(KEPT.format(hvd=hvd(facts)), kept.named(each) if kept.named else ""))
    two = (facts.index.parents[each] for each in left[1:])  # they may become one
    yield from (At(place, Fold()) for place in dict.fromkeys((*left, *two)))


def _later(
    facts: Facts, kept: KeptByRankZero, later: KeptElements, test: str
) -> tuple[Edit, tuple[ast.expr, ...]]:
    """The edit of a list, and the elements that it takes along."""
    if _is_all(later, kept.begun) and kept.named is None:
        return Choose(ALL.format(hvd=hvd(facts))), ()
    name = fresh(facts, kept.name) if later.name is None else ast.unparse(later.name)
    return PutLater(name, test, later.name is not None, later.first), later.elements


def _is_all(later: KeptElements, begun: Collection[ast.expr]) -> bool:
    """Whether a list of a call holds nothing else, and gets nothing else."""
    is_alone = later.name is None and later.display not in begun
    return is_alone and len(later.display.elts) == len(later.elements)
