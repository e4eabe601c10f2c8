"""Where a pipeline, or the arrays that it is made of, is cut into one share for each worker."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence
from functools import cached_property
from itertools import takewhile

from ...library.datasets import BATCHING, REGROUPING, ROW_BY_ROW, ROW_BY_ROW_METHODS, SIFTING
from ...library.names import normal
from ...program.bindings import Binding
from ...program.call_sites import passed
from ...program.node_fields import children, within
from ...program.parts import FunctionNode
from ..declared import has_own_rows
from ..facts import Facts, recorded
from ..training.fits import are_means
from ..training.training_loops import is_delayed
from .arrays import is_size
from .batch_needs import order_matters, size_is_fixed
from .data_lengths import TRAINING, Arrays, collect
from .orders import (
    Orders,
    allowed_cut_range,
    behind_all,
    in_all,
    is_batched,
    is_few,
    made_by,
    of_many,
    preferred,
)
from .pipelines import Pipelines, UncutDatasets, Way, arms_of, is_endless, joined_in
from .share_forms import (
    ASKED,
    BEHIND,
    STATE,
    UNNAMED,
    WHOLE_BATCHES,
    Cut,
    Forms,
    ShareForm,
    Whole,
    has_divided_steps,
    is_shared_out,
)
from .uses import End, Use, Uses

# -- maker arrays --------------------------------------------------------------------------------
# Arrays of which a function of the program makes a dataset: each worker gives it its share.
#
# `train = dataset(x, y, shuffle=True)`, where the same function makes the data of tests: it can't
# cut the examples, and what it is given can be.

_PLAIN = (
    ast.Tuple,
    ast.List,
    ast.Dict,
    ast.UnaryOp,
    ast.Constant,
    ast.Name,
    ast.Starred,
)
_MIXING = REGROUPING | SIFTING


def maker_arrays(facts: Facts, way: Way) -> Arrays | None:
    """The arrays that the call on the way of a dataset is given, if no more than its examples.

    None where the function takes them another way than row by row, or asks for something of all.
    """
    made = next(iter(made_by(way)), None)
    source = way[0]
    if not isinstance(made, ast.Call) or source.method != "from_tensor_slices":
        return None
    methods = [stage.method for stage in way]
    is_regrouped = any(m in _MIXING for m in methods) or sum(m in BATCHING for m in methods) > 1
    if is_regrouped or facts.has_hidden_arguments(made) or is_delayed(facts, made):
        return None
    function = facts.function(source.call)
    if not isinstance(function, FunctionNode) or facts.callee(made) is not function:
        return None
    values = _given(facts, made, function, source.call)
    return None if values is None else collect(facts, made, TRAINING, values, is_known=True)


def _given(
    facts: Facts, made: ast.Call, function: ast.AST, source: ast.Call
) -> list[ast.expr] | None:
    """What the call passes for the parameters that the elements are slices of."""
    arguments = {*made.args, *(keyword.value for keyword in made.keywords)}
    found: dict[ast.expr, None] = {}
    rows = _Rows(facts, function)
    for part in source.args[:1]:
        for arg in rows.parameters(part):
            value = None if arg is None else passed(made, function, arg, facts.classes)
            if value not in arguments:
                return None
            found[value] = None
    return list(found) if rows.are_all_reads() else None


class _Rows:
    """The parameters of a function that a value has its rows of, one of each for one of its own."""

    def __init__(self, facts: Facts, function: ast.AST) -> None:
        self._facts, self._function = facts, function
        self._seen: set[ast.AST] = set()

    def are_all_reads(self) -> bool:
        """Whether nothing else of the function reads them, but how long they are for a shuffle.

        A mean, a vocabulary, a number of classes, a batch by their length would be of a share.
        """
        names = {node.id for node in self._seen if isinstance(node, ast.Name)}
        loads = (n for n in within(self._function) if isinstance(n, ast.Name) and n.id in names)
        return all(
            n in self._seen or not isinstance(n.ctx, ast.Load) or self._is_of_shuffle(n)
            for n in loads
        )

    def _is_of_shuffle(self, name: ast.Name) -> bool:
        """`shuffle(len(x))`, `shuffle(x.shape[0])`."""
        around = list(takewhile(lambda p: isinstance(p, ast.expr), self._facts.parents(name)))
        is_length = any(is_size(self._facts, each) for each in around)
        calls = [p for p in self._facts.parents(name) if isinstance(p, ast.Call)]
        methods = [getattr(call.func, "attr", "") for call in calls]
        return is_length and "shuffle" in methods[:2]

    def parameters(self, expr: ast.AST) -> Iterator[ast.arg | None]:
        """Each of them; None where the rows may be others."""
        if expr in self._seen or isinstance(expr, (ast.Constant, ast.expr_context)):
            return
        self._seen.add(expr)
        if isinstance(expr, ast.Name):
            yield from self._bound(expr)
        elif isinstance(expr, ast.Call):
            yield from self._called(expr)
        elif isinstance(expr, ast.Subscript):
            yield from self.parameters(expr.value) if _keeps_rows(expr.slice) else [None]
        elif isinstance(expr, ast.Attribute):
            yield from self.parameters(expr.value) if expr.attr == "values" else [None]
        elif isinstance(expr, ast.BinOp):
            yield from self._of_both(expr)
        elif isinstance(expr, _PLAIN):
            for part in children(expr):
                yield from self.parameters(part)
        else:
            yield None

    def _of_both(self, expr: ast.BinOp) -> Iterator[ast.arg | None]:
        """`x / 255.0`; of `x - mean`, one may be there for all rows of the other."""
        left, right = (list(self.parameters(side)) for side in (expr.left, expr.right))
        yield from [None] if left and right else left or right

    def _bound(self, name: ast.Name) -> Iterator[ast.arg | None]:
        """What a name stands for in the function; a name from outside tells nothing of rows."""
        bindings = self._facts.bindings(name)
        for binding in bindings:
            if isinstance(binding.node, ast.arg):
                is_own = self._facts.function(name) is self._function
                yield binding.node if is_own else None
            elif binding.kind == "assign" and binding.value is not None:
                yield from self._assigned(binding)
            else:
                is_scaled = binding.kind == "aug" and isinstance(binding.value, ast.Constant)
                yield from [] if is_scaled else [None]
        if not bindings:
            yield None

    def _assigned(self, binding: Binding) -> Iterator[ast.arg | None]:
        """`x = x / 255`; `x, y = pair` of a parameter."""
        part = binding.part if binding.path else binding.value
        part = binding.value if part is None and isinstance(binding.value, ast.Name) else part
        yield from [None] if part is None else self.parameters(part)

    def _called(self, call: ast.Call) -> Iterator[ast.arg | None]:
        """What is made of rows, one by one: `tf.cast(x, t)`, `df.pop("y")`, `x.reshape(-1, 4)`."""
        name = self._facts.name(call.func)
        if name is not None:
            is_known = normal(name) in ROW_BY_ROW and bool(call.args)
            is_known = is_known and (len(call.args) > 1 or not _counts_classes(name, call))
            yield from self.parameters(call.args[0]) if is_known else [None]
            return
        func = call.func
        is_method = isinstance(func, ast.Attribute) and func.attr in ROW_BY_ROW_METHODS
        is_known = is_method and self._is_of_rows(func.attr, call)  # type: ignore[attr-defined]
        if not is_known:
            yield None
        else:
            yield from self.parameters(func.value)  # type: ignore[attr-defined]

    def _is_of_rows(self, method: str, call: ast.Call) -> bool:
        """Whether it leaves as many rows as there are."""
        if method == "pop":  # of a copy: whoever gave the table reads it once more
            made = self._facts.origins(call.func.value).nodes  # type: ignore[attr-defined]
            return all(isinstance(n, ast.Call) and _method(n) == "copy" for n in made)
        if method == "drop":
            return any(keyword.arg in ("axis", "columns") for keyword in call.keywords)
        return method != "reshape" or self._begins_with_all(call)

    def _begins_with_all(self, call: ast.Call) -> bool:
        """`(-1, 28, 28)`, `(x.shape[0], 784)`, `(len(x), 1)`."""
        first = call.args[0] if call.args else None
        first = first.elts[0] if isinstance(first, (ast.Tuple, ast.List)) and first.elts else first
        if isinstance(first, ast.Subscript):
            first = first.value
        is_rest = isinstance(first, ast.UnaryOp) and len(call.args) + len(_tuple(call)) > 1
        return is_rest or (first is not None and is_size(self._facts, first))


def _method(call: ast.Call) -> str:
    return getattr(call.func, "attr", "")


def _counts_classes(name: str, call: ast.Call) -> bool:
    """`to_categorical(y)`: as wide as the largest class that is there."""
    is_told = any(keyword.arg == "num_classes" for keyword in call.keywords)
    return name.endswith(".to_categorical") and not is_told


def _tuple(call: ast.Call) -> list[ast.expr]:
    first = call.args[0] if call.args else None
    return first.elts if isinstance(first, (ast.Tuple, ast.List)) else []


def _keeps_rows(index: ast.expr) -> bool:
    """`df["y"]`, `df[["a", "b"]]`, `x[..., None]`, `x[:, 0]`."""
    first = index.elts[0] if isinstance(index, ast.Tuple) and index.elts else index
    if isinstance(first, ast.Slice):
        return first.lower is None and first.upper is None and first.step is None
    if isinstance(first, ast.List):
        return all(isinstance(e, ast.Constant) and isinstance(e.value, str) for e in first.elts)
    return isinstance(first, ast.Constant) and (first.value is ... or isinstance(first.value, str))


# -- cuts of pipelines ---------------------------------------------------------------------------
# Where a pipeline is cut into one share for each worker.
#
# Every worker must take the same number of steps, or the others wait for it for ever (#832,
# #2629): what isn't understood is left whole, and then every worker sees all of it.

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
