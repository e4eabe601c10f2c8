"""Where a pipeline is cut into one share for each worker.

Every worker must take the same number of steps, or the others wait for it for ever (#832, #2629):
what isn't understood is left whole, and then every worker sees all of it.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence
from functools import cached_property

from ..declared import has_own_rows
from ..facts import Facts, recorded
from ..training.fits import are_means
from .batch_needs import order_matters, size_is_fixed
from .containers_of_arrays import Arrays
from .cut_places import (
    allowed_cut_range,
    behind_all,
    in_all,
    is_batched,
    is_few,
    made_by,
    of_many,
    preferred,
)
from .cuts import ASKED, BEHIND, STATE, UNNAMED, WHOLE_BATCHES, Cut, ShareForm, Whole
from .hand_shares import has_divided_steps, is_shared_out
from .joined import arms_of, joined_in
from .maker_arrays import maker_arrays
from .orders import Orders
from .pipelines import Pipelines
from .share_forms import Forms
from .stages import Way, is_endless
from .uncut_datasets import UncutDatasets
from .uses import End, Use, Uses

_MAY_SHARE = (Use.TRAINING, Use.VALIDATION, Use.LENGTH, Use.PEEK)


class Shares:
    """The cuts of one module."""

    def __init__(self, facts: Facts) -> None:
        self._facts = facts
        self._pipelines = Pipelines(facts)
        self.orders = Orders(facts, self._pipelines)
        self.uses = Uses(facts, self._pipelines)
        self.ends = self.uses.ends
        self.forms = Forms(facts, self.orders, self.ends)
        self.cuts: dict[ast.expr, Cut] = {}
        self.joined: set[ast.expr] = set()  # calls of `zip` that join nothing but shares
        self.arms: dict[Way, None] = {}  # what they join: files hold more or fewer elements
        self.handed: dict[ast.expr, Arrays] = {}  # by the calls that are given a share of arrays
        self.seeded: dict[
            ast.Call, None
        ] = {}  # shuffles whose batches, or files, are dealt out (D108)
        self.whole: list[Whole] = []
        if shares_data(facts):
            for use in (Use.TRAINING, Use.VALIDATION):
                for end in self.ends:
                    if end.use is use and self._may_cut(end):
                        self._cut(end)
                        self._cut_joined(end)
            for end in self.ends:
                if end.use is Use.TRAINING and self._may_cut(end):
                    self._deal_out(end)
        self.seeded.update((call, None) for call in self._names())
        self.whole = [each for each in self.whole if not all(map(self.cuts_in, each.end.ways))]

    def _cut(self, end: End) -> None:
        everywhere = in_all(end.ways)
        if end.use is Use.TRAINING and not self._is_free(end.ways[0][0].expr):
            self._hand_out(end)  # rather than behind what is made there
        for way in end.ways:
            if self.cuts_in(way):
                continue
            found = self._choose(way, everywhere)  # one place for all branches, if there is one
            found = found if isinstance(found, Cut) else self._choose(way, in_all([way]))
            if isinstance(found, Cut) and end.use is Use.VALIDATION and self._is_few(way, found):
                continue  # whole batches would be dropped, or none be left
            if isinstance(found, Cut):
                self.cuts[found.expr] = found
            else:
                self.whole.append(Whole(end, found))

    def _is_few(self, way: Way, cut: Cut) -> bool:
        """Whether the elements are batches, of which few workers may get one; also of a `zip`."""
        arms = [arm for ways in self._pipelines.arms(way[0].call) for arm in ways]
        return is_few(way, cut.expr) or any(is_few(arm, arm[-1].expr) for arm in arms)

    def _cut_joined(self, end: End) -> None:
        """What `zip` joins is cut before, each for itself, where its result can't be cut."""
        ways = [way for way in end.ways if not self.cuts_in(way)]
        call = joined_in(self._facts, ways)
        arms = arms_of(self._pipelines, call) if call is not None else []
        if call is None or not arms or not self._is_free(call):
            return
        known, kept = dict(self.cuts), self.uses.joined.pop(call, UncutDatasets())
        ends = list(self.forms.ends)
        self.forms.look_at([*ends, *(End(end.expr, end.use, end.by, arm) for arm in arms)])
        self.arms.update((way, None) for arm in arms for way in arm)
        for way in (way for arm in arms for way in arm):
            found = None if self.cuts_in(way) else self._choose(way, in_all([way]))
            if isinstance(found, Cut):
                self.cuts[found.expr] = found
        if all(self.is_cut(way) for arm in arms for way in arm):
            self.joined.add(call)
        else:
            self.cuts, self.uses.joined[call] = known, kept
            self.forms.look_at(ends)

    def _deal_out(self, end: End) -> None:
        """What can't be cut before it is in batches is dealt out in turns where it is used up.

        That is rung 3: all workers make all batches, in one order, and each takes every so many-th.
        """
        if order_matters(self._facts) or any(map(self.cuts_in, end.ways)):
            return
        for expr in behind_all(end.ways):
            seeded = self._seeds(end.ways, expr) if self._is_for_training(expr) else None
            cut = None if seeded is None else self.forms.of_turns(expr)
            if (
                cut is not None
                and cut.form is ShareForm.PAIRED
                and any(map(_begins_anew, end.ways))
            ):
                return
            if cut is not None and seeded is not None and not self.forms.loses_length(cut):
                self.cuts[expr] = cut
                self.seeded.update(seeded)
                return

    def _names(self) -> Iterator[ast.Call]:
        """The shuffles of names of files whose elements are cut behind them."""
        for way in (way for end in self.ends for way in end.ways if self.cuts_in(way)):
            places = [stage.expr for stage in way]
            for call in self.orders.names(way):
                if not self.cuts_in(way[: places.index(call)]):
                    yield call

    def _hand_out(self, end: End) -> None:
        """Give a function that makes the data a share of the arrays, if it can take one."""
        found = [maker_arrays(self._facts, way) for way in end.ways]
        arrays = found[0]
        if arrays is None or not all(a is not None and a.call is arrays.call for a in found):
            return
        is_fixed = size_is_fixed(self._facts) or order_matters(self._facts)
        if not is_fixed and not self.cuts_in(end.ways[0]) and self._is_for_training(arrays.call):
            self.handed[arrays.call] = arrays

    def _seeds(self, ways: Sequence[Way], expr: ast.expr) -> dict[ast.Call, None] | None:
        """The shuffles that need a seed for one order up to a place; None if that isn't enough."""
        found: dict[ast.Call, None] = {}
        for way in ways:
            number = [stage.expr for stage in way].index(expr) + 1
            if self.orders.why_differs(way[:number], way[number:], is_dealt=True) is not None:
                return None
            found.update(dict.fromkeys(self.orders.seedable(way)))
        return found

    def _is_for_training(self, expr: ast.expr) -> bool:
        """Whether nothing but training steps uses up what is there; of few batches none is left."""
        ends = (end for end, _ in self.forms.through(expr))
        return all(end.use is not Use.VALIDATION for end in ends) and self._is_free(expr)

    def _may_cut(self, end: End) -> bool:
        """Validation only where Horovod's mean over the workers is what it says of all the data."""
        is_averaged = end.use is not Use.VALIDATION or are_means(self._facts)
        return is_averaged and not self._is_by_hand(end)

    def _is_by_hand(self, end: End) -> bool:
        """Whether the program shares it out itself, or divides the steps that it is used for."""
        if any(has_own_rows(self._facts, node) for node in (end.expr, end.by)):
            return True
        return any(map(self._is_shared, end.ways)) or has_divided_steps(self._facts, end)

    def _is_shared(self, way: Way) -> bool:
        return any(is_shared_out(self._facts, stage) for stage in way)

    def cuts_in(self, way: Way) -> int:
        """How many cuts a way has."""
        cut = [each for each in (self.cuts, self.joined, self.handed) if each]
        return sum(any(stage.expr in each for each in cut) for stage in way) if cut else 0

    @property
    def has_any(self) -> bool:
        """Whether anything is cut."""
        return bool(self.cuts or self.handed)

    def is_cut(self, way: Way) -> bool:
        """Whether each worker gets its share on this way."""
        return self.cuts_in(way) == 1 or self._is_shared(way)

    def rounds(self) -> Iterator[ast.expr]:
        """The numbers of rounds of loops that draw from shares, or from what has no end."""
        return self.uses.rounds(lambda way: self.is_cut(way) or is_endless(way))

    def _choose(self, way: Way, among: set[ast.expr]) -> Cut | str:
        """The first place where a cut is right, one with a name before others; else why not."""
        unnamed: Cut | None = None
        reason = "it is also used for something that needs all of it"
        for found in self._tried(way, among):
            if not isinstance(found, Cut):
                reason = found
            elif found.form in (ShareForm.COUNTED_UNNAMED, ShareForm.COUNTED_NAMED):
                unnamed = unnamed or found
            elif unnamed is None or _is_better(way, found, unnamed):
                return found
        return unnamed or reason

    def _tried(self, way: Way, among: set[ast.expr]) -> Iterator[Cut | str]:
        """The cuts that are right, and what is in the way of others, up to where orders differ."""
        lower, upper = allowed_cut_range(way)
        is_one_by_one = order_matters(self._facts) or way in self.arms
        files = () if is_one_by_one else tuple(of_many(self._facts, way))
        if order_matters(self._facts) or (lower >= upper and not files):
            yield STATE if order_matters(self._facts) else BEHIND.format(way[lower].method)
            return
        for number in (*files, *(preferred(way, lower, upper) if lower < upper else ())):
            differs = self.orders.why_differs(way[: number + 1], way[number + 1 :])
            expr = way[number].expr
            if differs is None and not (way[number].is_whole and expr in among):
                continue
            if differs is None and self._is_free(expr):
                cut, differs = self.forms.form(expr), self._why_others_differ(expr)
                if cut is not None and differs is None and self.forms.loses_length(cut):
                    yield ASKED
                elif differs is None:
                    is_right = cut is not None and (number < upper or cut.batch is not None)
                    why = WHOLE_BATCHES if is_batched(way, expr) else UNNAMED
                    yield cut if cut is not None and is_right else why
            if differs is not None:
                yield differs
                return

    def _is_free(self, expr: ast.expr) -> bool:
        """Whether nothing needs the whole of it, and no way to an end would be cut twice."""
        for end, way in self.forms.through(expr):
            is_whole = end.use not in _MAY_SHARE or self._is_of_others(end, way)
            if is_whole or self.cuts_in(way) or self._is_kept(expr, way):
                return False
            if sum(stage.expr is expr for stage in way) > 1:
                return False
        return True

    def _is_of_others(self, end: End, way: Way) -> bool:
        """Whether something is looked at that a function makes for no training."""
        return end.use is Use.PEEK and not self._makers.issuperset(made_by(way))

    @cached_property
    def _makers(self) -> set[ast.expr]:
        """The calls of the program's functions that make what is trained on."""
        ends = (end for end in self.ends if end.use is Use.TRAINING)
        return {call for end in ends for way in end.ways for call in made_by(way)}

    def _is_kept(self, expr: ast.expr, way: Way) -> bool:
        kept = (self.uses.kept, *self.uses.joined.values())
        return any(each.has(expr, way) for each in kept)

    def _why_others_differ(self, expr: ast.expr) -> str | None:
        """What makes the order another one on each worker on some way, if only an `if`."""
        reasons = (self.orders.why_differs(*parts) for parts in self.forms.parted(expr))
        return next((reason for reason in reasons if reason is not None), None)


def _begins_anew(way: Way) -> bool:
    """Whether it shuffles, and goes on in a new order inside of one pass.

    Who goes through it twice, side by side, comes to the new order at two times, each worker at
    others.
    """
    methods = [stage.method for stage in way]
    return "repeat" in methods and "shuffle" in methods


def _is_better(way: Way, found: Cut, unnamed: Cut) -> bool:
    """Whether another place is better than one whose dataset has no name, or has to get one."""
    if unnamed.form is ShareForm.COUNTED_NAMED:
        places = [stage.expr for stage in way]
        is_behind = places.index(found.expr) > places.index(unnamed.expr)
        return is_behind and found.form is ShareForm.COUNTED
    return found.batch is None


def shares_data(facts: Facts) -> bool:
    """Whether D107 is going to be applied, by itself or because D109 needs it."""
    chosen, left = facts.options.select, facts.options.ignore
    is_chosen = not chosen.isdisjoint(("D107", "D109"))
    return facts.options.shard and (is_chosen if chosen else "D107" not in left)


@recorded
def shares_of(facts: Facts) -> Shares:
    """The cuts of a module, decided once."""
    return Shares(facts)
