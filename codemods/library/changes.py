"""What calls change in place: an argument, or the object whose method they are.

Such a change is a write: whoever reads the object later sees it. A name alone doesn't say so of
methods: `text.partition(" ")` gives three texts, `array.partition(3)` moves the elements.
"""

from __future__ import annotations

import re
from typing import Union

from .names import normal
from .words import words

RECEIVER = "receiver"  # the object whose method is called
Place = Union[int, str]  # an argument by its position or keyword, or RECEIVER

_FIRST = re.compile(
    r"(?:numpy\.)?random\.shuffle$|numpy\.(?:copyto|fill_diagonal|place|put|put_along_axis|putmask)$"
    r"|heapq\.\w+$|bisect\.insort\w*$|numpy\.\w+\.at$"
)
# The methods of containers and arrays that give nothing, or what they take out.
_METHODS = words(
    """
    append appendleft extend extendleft insert rotate sort reverse add discard remove pop popitem
    popleft clear update setdefault difference_update intersection_update
    symmetric_difference_update
    fill partition put itemset resize setfield setflags
    """
)
# `generator.shuffle(a)`; `dataset.shuffle(a)` changes nothing, and `a` is a number.
_GENERATORS = frozenset(
    {
        "numpy.random.Generator",
        "numpy.random.RandomState",
        "numpy.random.default_rng",
        "random.Random",
        "random.SystemRandom",
    }
)
_SHUFFLE = ".shuffle"
_OUT = frozenset({"out"})  # the result is written there
_IN_PLACE = frozenset({"inplace"})


def changed(name: str, keywords: list[str], makers: list[str]) -> tuple[Place, ...]:
    """What a call changes; the name of a method starts with a dot.

    `keywords`: those that the call has, without those that are written out as False or None;
    `makers`: the names of what makes the object whose method it is.
    """
    found: list[Place] = [word for word in keywords if word in _OUT]
    if not name.startswith("."):
        return tuple([*found, 0] if _FIRST.match(normal(name)) else found)
    if name[1:] in _METHODS or not _IN_PLACE.isdisjoint(keywords):
        found.append(RECEIVER)
    if name == _SHUFFLE and not _GENERATORS.isdisjoint(map(normal, makers)):
        found.append(0)
    return tuple(found)


def depends_on_maker(method: str) -> bool:
    """Whether what a method changes depends on whose method it is."""
    return method == _SHUFFLE
