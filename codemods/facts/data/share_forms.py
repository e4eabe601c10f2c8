"""In which form a dataset is shared out at a place, whichever way leads there.

Every worker must take the same number of steps, whatever the length is.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable

from ...library.datasets import LENGTHLESS, READY_BATCHED, SIFTING
from ..facts import Facts
from ..naming import can_be_named
from ..traced_code import is_traced
from ..training.pattern import runs_graph
from .cut_places import is_batched
from .cuts import Cut, ShareForm
from .lengths import Length, is_repeatable, length_of_way
from .orders import Orders
from .stages import Way, is_endless
from .uses import End, Use
from .whole_batches import batch_of_all

UNCOUNTED = (ShareForm.GROUPED, ShareForm.PAIRED, ShareForm.BATCHES)


def _may_be_counted(way: Way) -> bool:
    """Whether TensorFlow may tell its length: not of files, of generators, of what is sifted."""
    return way[0].method not in LENGTHLESS and all(stage.method not in SIFTING for stage in way)


def _is_taken(way: Way) -> bool:
    """Whether so many are taken of what repeats for ever: that ends."""
    methods = [stage.method for stage in way]
    last = max((n for n, method in enumerate(methods) if method == "repeat"), default=0)
    return "take" in methods[last:]


def _taken(way: Way) -> ast.Constant | None:
    """How many are taken at the end of a way, if that is written there."""
    last = next((stage for stage in reversed(way) if stage.method), None)
    given = Facts.argument(last.call, "count", 0) if last and last.method == "take" else None
    is_number = isinstance(given, ast.Constant) and isinstance(given.value, int)
    return given if is_number else None  # type: ignore[return-value]


class Forms:
    """Answers for the ends of one module, and for what `zip` joins."""

    def __init__(self, facts: Facts, orders: Orders, ends: Iterable[End]) -> None:
        self._facts, self._orders = facts, orders
        self.look_at(ends)

    def look_at(self, ends: Iterable[End]) -> None:
        """Answer for these ends from now on."""
        self.ends = list(ends)
        self._through: dict[ast.expr, list[tuple[End, Way]]] = {}
        for end in self.ends:
            for way in end.ways:
                for expr in dict.fromkeys(stage.expr for stage in way):
                    self._through.setdefault(expr, []).append((end, way))

    def through(self, expr: ast.expr) -> list[tuple[End, Way]]:
        """Every way through a place, with its end."""
        return self._through.get(expr, [])

    def form(self, expr: ast.expr) -> Cut | None:
        """One form that is right on every way to the place, whichever branch is taken."""
        parts = self.parted(expr)
        if any(b[0].method in READY_BATCHED and len(b) == 1 and rest for b, rest in parts):
            return None  # its `class_names` are read off it
        ways = [(*before, *rest) for before, rest in parts]
        if any(is_batched(way, expr) for way in ways):
            return self._of_batches(expr, ways)
        if self._is_endless(expr):
            return Cut(expr, ShareForm.ENDLESS)
        length = self._length(before for before, _ in parts)
        is_eager = not runs_graph(self._facts)  # a graph has no len
        counted = is_eager and all(self._orders.is_counted(before) for before, _ in parts)
        is_part = length is not None and isinstance(length.of, ast.Subscript)
        if length is not None and not (is_part and counted and self._can_be_named(expr)):
            return Cut(expr, ShareForm.COUNTED, length)
        if counted and (found := self._counted(expr)) is not None:
            return found
        if any(before[0].method == "load" for before, _ in parts):  # images have many sizes
            return Cut(expr, ShareForm.COUNTED_UNNAMED) if counted else None
        uniform = all(self._orders.is_uniform(before, rest) for before, rest in parts)
        return Cut(expr, ShareForm.GROUPED if uniform else ShareForm.PAIRED)

    def of_turns(self, expr: ast.expr) -> Cut:
        """The form in which each worker takes its turns, whatever a batch is (rung 3)."""
        parts = self.parted(expr)
        if self._is_endless(expr):
            taken = {_taken(before) for before, _ in parts}
            number = next(iter(taken)) if len(taken) == 1 else None
            if number is not None:
                return Cut(expr, ShareForm.COUNTED, Length(number, is_number=True))
            if not any(_is_taken(before) for before, _ in parts):
                return Cut(expr, ShareForm.ENDLESS)
        if runs_graph(self._facts) or not all(self._orders.is_counted(b) for b, _ in parts):
            return Cut(expr, ShareForm.PAIRED)
        return (self._counted(expr) or Cut(expr, ShareForm.COUNTED_UNNAMED))._replace(in_turns=True)

    def _counted(self, expr: ast.expr) -> Cut | None:
        """By the length that the dataset knows: it has a name, or gets one in front."""
        if is_repeatable(self._facts, expr):
            return Cut(expr, ShareForm.COUNTED, Length(expr))
        return Cut(expr, ShareForm.COUNTED_NAMED) if self._can_be_named(expr) else None

    def _can_be_named(self, expr: ast.expr) -> bool:
        """Whether it can stand before its statement, in code that is no part of a graph."""
        return can_be_named(self._facts, expr) and not is_traced(self._facts, expr)

    def loses_length(self, cut: Cut) -> bool:
        """Whether the program asks how long something is of which TensorFlow can't tell it then."""
        asked = (way for end in self.ends if end.use is Use.LENGTH for way in end.ways)
        return cut.form in UNCOUNTED and any(
            stage.expr is cut.expr and _may_be_counted(way[: number + 1])
            for way in asked
            for number, stage in enumerate(way)
        )

    def _of_batches(self, expr: ast.expr, ways: list[Way]) -> Cut | None:
        """Examples are shared out, not batches."""
        batch = batch_of_all(self._facts, ways, expr)
        if batch is None:
            return None
        is_endless = self._is_endless(expr)
        form = ShareForm.ENDLESS_BATCHES if is_endless else ShareForm.BATCHES
        return Cut(expr, form, batch=batch)

    def _length(self, ways: Iterable[Way]) -> Length | None:
        """The length that is the same on every way, None where one is unknown or another."""
        lengths = [length_of_way(self._facts, self._orders, before) for before in ways]
        known = {length.key: length for length in lengths if length is not None}
        return next(iter(known.values())) if len(known) == 1 and None not in lengths else None

    def parted(self, expr: ast.expr) -> list[tuple[Way, Way]]:
        """Every way through a place, in two: up to it and behind it."""
        return [
            (way[: number + 1], way[number + 1 :])
            for _, way in self.through(expr)
            for number, stage in enumerate(way)
            if stage.expr is expr
        ]

    def _is_endless(self, expr: ast.expr) -> bool:
        """Whether all that follows is repeated for ever."""
        fed = (Use.TRAINING, Use.VALIDATION)
        return all(is_endless(way) for end, way in self.through(expr) if end.use in fed)
