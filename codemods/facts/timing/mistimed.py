"""Numbers of steps that D106 sets right: each worker takes a share of the steps that one means.

What is compared with a count is divided, `step > 1000 // hvd.size()`; what is reckoned from one
goes by all steps that the workers have taken together, `step * hvd.size() / total`. So do totals
that are shown beside a count, as a worker that takes 25 steps and prints `25/100` at its end seems
to have lost the rest, and means: `total += loss` over a share of the batches, and `total / steps`
of all of them, is an Nth.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Collection, Iterator, Sequence
from string import Formatter
from typing import Union

from ...library.displays import BARS, PROGBAR
from ...library.effects import iterates
from ...program.node_fields import within
from ...program.records import NamedTuple
from ...syntax.fields import holding
from ..by_rank import depends_on_size
from ..data.arrays import is_size
from ..data.divided import Share, divided, is_many, is_shorter, share, shrinks
from ..facts import Facts, recorded
from ..horovod import calls_of
from ..roles import Role
from ..steps.compared_counts import Meeting, is_turn, roots
from ..steps.each_step import beside, counters, stepping_loops
from ..steps.units import SHARE, WHOLE, Clash, Counted, Unit, Units, Way, clash
from ..value_parts import ingredients
from .advances import advances
from .hanging import Hanging, is_of_optimizer

_LEAVING = (ast.Break, ast.Return)
_PASSED = (ast.Lt, ast.LtE, ast.Gt, ast.GtE)
_BETWEEN = re.compile(r"\s*(?:/|(?:out )?of\b)\s*$")  # of `step 3/100`, `step 3 of 100`
_WRITTEN = re.compile(r"\s*(?:/|(?:out )?of\b)\s*\d\d")
_FIELD = re.compile(r"%(?:%|[-+ #0]*\d*(?:\.\d+)?[a-zA-Z])")
_NUMBERS = (ast.Name, ast.Attribute, ast.Constant, ast.Subscript, ast.BinOp, ast.Call)
_PLAIN = (ast.Name, ast.Attribute, ast.BinOp, ast.UnaryOp, ast.Call)  # no quotes, no braces
_STEPS = ("update", "add")  # what tells a bar that there was a step

Part = Union[str, ast.expr]


class Mistimed(NamedTuple):
    """Numbers of steps of one device to divide, and counts of a worker's own steps to multiply.

    `raised`: what each step multiplies a number by, as if it were as many steps as workers.
    """

    divided: tuple[tuple[ast.expr, Share], ...] = ()
    multiplied: tuple[ast.expr, ...] = ()
    raised: tuple[ast.expr, ...] = ()


def units_of(facts: Facts) -> Units:
    """The units of the numbers as they will be where D107 has shared out the data."""

    def is_share(length: ast.expr) -> bool:
        return shrinks(facts, length) or depends_on_size(facts, length)

    return Units(facts.program, Counted(counters(facts, SHARE), is_share))


@recorded
def mistimed(facts: Facts) -> Mistimed:
    """All of a program; none where no step is left out, or which knows how many workers it has."""
    knows_size = any(True for _ in calls_of(facts, "size"))
    if knows_size or not is_shorter(facts):
        return Mistimed()
    units = units_of(facts)
    search, hanging = _Mends(facts, units), Hanging(facts, units)
    last = (each for each in hanging.shown() if search.is_last(each))
    found = [search.at(each) for each in (*hanging.meetings(), *last)]
    numbers = dict(pair for each in found for pair in each.divided)
    counts = dict.fromkeys(count for each in found for count in each.multiplied)
    further = [*advances(facts)]
    counts.update(dict.fromkeys(each.amount for each in further if not each.is_product))
    raised = tuple(each.amount for each in further if each.is_product)
    return Mistimed(tuple(numbers.items()), tuple(counts), raised)


class _Mends:
    """What is to be done in one program."""

    def __init__(self, facts: Facts, units: Units) -> None:
        self._facts, self._units = facts, units
        self._known = {number for number, _ in divided(facts)}

    def at(self, meeting: Meeting) -> Mistimed:
        """What is to be done at one."""
        number = meeting.number and _without_one(meeting.number)
        if (
            meeting.clash is Clash.UNCLEAR
            or self._is_told(meeting)
            or not self._known.isdisjoint(within(meeting.place))
        ):
            return Mistimed()
        if number is not None and number not in within(meeting.place):
            return Mistimed(tuple(self._of_container(meeting.place, number)))
        if number is not None and not meeting.goes_round and self._is_divided(meeting, number):
            is_said = not any(isinstance(node, ast.NamedExpr) for node in within(number))
            part = self._share(meeting, number)
            return Mistimed(((number, part),)) if is_said else Mistimed()
        counts = roots(self._facts.program, self._units, meeting.counter)
        return Mistimed((), tuple(each for each in counts if self._is_own(each, meeting)))

    def is_last(self, meeting: Meeting) -> bool:
        """Whether it asks for the last round of a loop of which each worker takes a share."""
        number = meeting.number and _without_one(meeting.number)
        if number is None or meeting.clash is Clash.UNCLEAR:
            return False
        rounds = {ast.unparse(each) for each in self._known}
        return ast.unparse(number) in rounds or self._is_last(meeting.place, number)

    def _is_own(self, count: ast.expr, meeting: Meeting) -> bool:
        """Whether it counts a worker's own steps, or is the expression that goes by them."""
        unit = self._units.of(count)
        is_reckoned = count is meeting.counter and not isinstance(count, (ast.Name, ast.Call))
        return unit.powers == SHARE and (unit.way is Way.COUNT or is_reckoned)

    def _of_container(self, place: ast.AST, number: ast.expr) -> Iterator[tuple[ast.expr, Share]]:
        """`steps` of `step in steps`; the keys of a table that is only asked by a count."""
        asked = place.comparators[0] if isinstance(place, ast.Compare) else None
        if not isinstance(asked, (ast.Name, ast.Attribute)):
            return
        if not isinstance(self._facts.parent(number), ast.Dict):
            yield asked, Share.EACH
        elif isinstance(asked, ast.Name) and all(map(self._is_asked, self._facts.readers(asked))):
            yield number, share(self._facts, number)

    def _is_asked(self, load: ast.AST) -> bool:
        """`step in rates`, `rates[step]`."""
        parent = self._facts.parent(load)
        if isinstance(parent, ast.Subscript):
            return self._units.of(parent.slice).way is Way.COUNT
        return isinstance(parent, ast.Compare) and load in parent.comparators

    def _is_divided(self, meeting: Meeting, number: ast.expr) -> bool:
        """Whether a count is compared with it, or examples are: not a part of the way."""
        counter = meeting.counter
        is_product = isinstance(counter, ast.BinOp) and isinstance(counter.op, ast.Mult)
        is_count = is_product or self._units.of(counter).way is Way.COUNT
        return meeting.is_asked and is_count and is_many(self._facts, number)

    def _is_told(self, meeting: Meeting) -> bool:
        """Whether it stands in a schedule, which is told the steps of all workers or of none, or in
        an optimizer, of which nobody can tell what it counts them for.
        """
        if is_of_optimizer(self._facts, meeting.place):
            return True
        cls = self._facts.cls(meeting.place)
        return cls is not None and self._facts.role_of_class(cls) is Role.SCHEDULE

    def _share(self, meeting: Meeting, number: ast.expr) -> Share:
        """Nobody gets to step 0 once more, or ends there; what is only passed may be 0."""
        ops = getattr(meeting.place, "ops", ())
        if self._is_last(meeting.place, number):
            return Share.LAST
        is_passed = bool(ops) and all(isinstance(op, _PASSED) for op in ops)
        is_end = isinstance(self._facts.statement(meeting.place), ast.While) or any(
            isinstance(parent, ast.If) and isinstance(parent.body[-1], _LEAVING)
            for parent in self._facts.parents(meeting.place)
        )
        is_last = number is not meeting.number  # `n` of `n - 1`
        is_any = is_passed and not is_end and not is_last
        return Share.ANY if is_any else share(self._facts, number)

    def _is_last(self, place: ast.AST, number: ast.expr) -> bool:
        """Whether it is one less than the rounds of a loop around, or of a turn, both written."""
        value = number.value if isinstance(number, ast.Constant) else None
        loops = (p for p in self._facts.parents(place) if isinstance(p, ast.For))
        rounds = (n for loop in loops for n in self._facts.program.ingredients(loop.iter))
        turns = (n.right for n in within(place) if is_turn(n))  # type: ignore[attr-defined]
        counts = [n for n in rounds if n in self._known] + [*turns]
        written = [n.value for n in counts if isinstance(n, ast.Constant)]
        return isinstance(value, int) and value + 1 in written


def _without_one(number: ast.expr) -> ast.expr:
    """`n` of `n - 1`."""
    is_sum = isinstance(number, ast.BinOp) and isinstance(number.op, (ast.Add, ast.Sub))
    right = number.right if is_sum else None  # type: ignore[attr-defined]
    is_one = isinstance(right, ast.Constant) and right.value == 1
    return number.left if is_one else number  # type: ignore[attr-defined]


# -- shown totals ----------------------------------------------------------------------------------
# What a program shows of its steps, of which a worker takes its share.


class Shown(NamedTuple):
    """A total, None where it is written in the text; and the f-string whose field it is."""

    number: ast.expr | None
    place: ast.expr
    string: ast.JoinedStr | None = None


def shown_totals(facts: Facts) -> Iterator[Shown]:
    """The totals that are those of one device, in the order of the text."""
    if not is_shorter(facts):
        return
    units = units_of(facts)
    seen: set[ast.AST] = set()
    texts = (*facts.index.nodes(ast.JoinedStr), *facts.index.nodes(ast.BinOp), *facts.index.calls)
    for node in sorted(texts, key=facts.place):
        for counter, shown in _beside_counters(units, node):
            if shown.place not in seen and _is_wrong(facts, units, units.of(counter), shown.number):
                seen.add(shown.place)
                yield shown
    own = Unit(SHARE, Way.COUNT)
    for total in _of_bars(facts, stepping_loops(facts)):
        if _is_wrong(facts, units, own, total):
            yield Shown(total, total)


def is_editable(facts: Facts, shown: Shown) -> bool:
    """Whether it can be divided where it stands: in fields of an f-string, what its text shows."""
    if shown.number is None or shown.string is None:
        return shown.number is not None
    begin, end = facts.source.offsets(shown.string)
    code = ast.unparse(shown.number)
    is_plain = all(_is_plain(node) for node in within(shown.number))
    return is_plain and holding(code).search(facts.source.text[begin:end]) is not None


def _is_plain(node: ast.AST) -> bool:
    return isinstance(node, _PLAIN) or isinstance(getattr(node, "value", None), int)


def _is_wrong(facts: Facts, units: Units, count: Unit, number: ast.expr | None) -> bool:
    """Whether a total that is shown beside a count is that of one device, and could be divided."""
    if number is None:
        return True
    return is_many(facts, number) and clash(count, units.of(number)) is Clash.UNLIKE


# -- in text ------------------------------------------------------------------------------------


def _beside_counters(units: Units, node: ast.AST) -> Iterator[tuple[ast.expr, Shown]]:
    """Each total behind a count of a worker's own steps: `…/total`, `… of total`."""
    parts = list(_parts(node))
    for number, part in enumerate(parts[:-1]):
        text = parts[number + 1]
        if isinstance(part, str) or not isinstance(text, str) or text[:1] not in "/ o":
            continue
        count = units.of(part)
        if not count.counts or count.powers != SHARE:
            continue
        following = parts[number + 2] if number + 2 < len(parts) else None
        if _WRITTEN.match(text):
            yield part, Shown(None, part if not isinstance(node, ast.JoinedStr) else node)
        elif _BETWEEN.match(text) and isinstance(following, _NUMBERS):
            string = node if isinstance(node, ast.JoinedStr) else None
            yield part, Shown(following, following, string)


def _parts(node: ast.AST) -> Iterator[Part]:
    """What a text is put together from: the text between values, and the values."""
    if isinstance(node, ast.JoinedStr):
        for value in node.values:
            yield value.value if isinstance(value, ast.FormattedValue) else _text(value)
    elif isinstance(node, ast.BinOp) and isinstance(node.op, ast.Mod):
        values = node.right.elts if isinstance(node.right, ast.Tuple) else [node.right]
        yield from _of_percents(_text(node.left), values)
    elif isinstance(node, ast.Call):
        yield from _of_call(node)


def _of_call(call: ast.Call) -> Iterator[Part]:
    """`"{}/{}".format(step, n)`, `log("%d/%d", step, n)`, `print("step", step, "of", n)`."""
    func, first = call.func, call.args[0] if call.args else None
    if isinstance(func, ast.Attribute) and func.attr == "format":
        yield from _of_format(_text(func.value), call)
    elif first is not None and "%" in _text(first):
        yield from _of_percents(_text(first), call.args[1:])
    elif getattr(func, "attr", getattr(func, "id", "")) == "print":  # of Python, of TensorFlow
        yield from (_text(each) or each for each in call.args)


def _text(node: ast.AST) -> str:
    value = node.value if isinstance(node, ast.Constant) else ""
    return value if isinstance(value, str) else ""


def _of_percents(form: str, values: Sequence[ast.expr]) -> Iterator[Part]:
    left, begin = list(values), 0
    for field in _FIELD.finditer(form):
        if field[0] != "%%":
            if not left:
                return
            yield form[begin : field.start()]
            yield left.pop(0)
            begin = field.end()
    yield form[begin:]


def _of_format(form: str, call: ast.Call) -> Iterator[Part]:
    by_name = {keyword.arg: keyword.value for keyword in call.keywords}
    try:
        fields = list(Formatter().parse(form))
    except ValueError:
        return
    for number, (text, name, _, _) in enumerate(fields):
        yield text
        if name is not None:
            position = int(name) if name.isdigit() else number
            is_there = not name or name.isdigit()
            given = call.args[position : position + 1] if is_there else [by_name.get(name)]
            if not given or given[0] is None:
                return
            yield given[0]


# -- of progress bars ----------------------------------------------------------------------------


def _of_bars(facts: Facts, loops: Collection[ast.AST]) -> Iterator[ast.expr]:
    """`tqdm(…, total=n)` around such a loop, or told of its steps, and `Progbar(n)`."""
    for call in facts.index.calls:
        name = facts.name(call.func)
        if name == PROGBAR:
            total = facts.argument(call, "target", 0)
        elif name in BARS:
            total = facts.argument(call, "total", 2)
        else:
            continue
        if total is not None and (_is_around(facts, call, loops) or _is_told(facts, call, loops)):
            yield total


def _is_around(facts: Facts, bar: ast.Call, loops: Collection[ast.AST]) -> bool:
    heads = (loop.iter for loop in loops if isinstance(loop, ast.For))
    is_iterable = iterates(facts.name(bar.func) or "")
    return is_iterable and any(bar in facts.program.ingredients(head) for head in heads)


def _is_told(facts: Facts, bar: ast.Call, loops: Collection[ast.AST]) -> bool:
    """Whether such a loop tells it of each step: `bar.update(1)`."""
    target = getattr(facts.parent(bar), "optional_vars", None)
    parent = facts.parent(bar)
    target = parent.targets[0] if isinstance(parent, ast.Assign) else target
    if not isinstance(target, ast.Name):
        return False
    uses = (facts.parent(use) for use in facts.index.loads.get(target.id, ()))
    told = [use for use in uses if isinstance(use, ast.Attribute) and use.attr in _STEPS]
    return bool(told) and all(_innermost(facts, use) in loops for use in told)


def _innermost(facts: Facts, node: ast.AST) -> ast.AST | None:
    kinds = (ast.For, ast.While, ast.FunctionDef)
    return next((parent for parent in facts.parents(node) if isinstance(parent, kinds)), None)


# -- means of loops -----------------------------------------------------------------------------


def fixed_divisors(facts: Facts) -> Iterator[ast.expr]:
    """They stand in what is added up, or below the sum behind the loop."""
    units = units_of(facts) if is_shorter(facts) else None
    for loop in _loops(facts):
        sums = _sums(loop)
        for number in (*_inside(facts, sums), *_behind(facts, loop, sums)):
            if units is not None and units.of(number).powers == WHOLE:
                yield from [number] if _is_fixed(facts, number, loop) else []


def _loops(facts: Facts) -> list[ast.For]:
    return [loop for loop in stepping_loops(facts) if isinstance(loop, ast.For)]


def own_rounds(facts: Facts) -> Iterator[ast.expr]:
    """Where a sum is divided, behind its loop, by the very number that ends that: `total / steps`.

    Nothing else binds the name, so that it is as many rounds as the loop is to have. So is a number
    that is written out there and here, and one that is reckoned from how long the data is.
    """
    counted = [expr for expr, _ in divided(facts) if isinstance(expr, ast.Name)]
    written = {ast.unparse(expr) for expr, _ in divided(facts) if _is_constant(expr)}
    for each in fixed_divisors(facts):
        if ast.unparse(each) in written or _is_length(facts, each):
            yield each
    for loop in _loops(facts):
        heads = {n.id for n in within(loop.iter) if isinstance(n, ast.Name) and n in counted}
        for number in _behind(facts, loop, _sums(loop)):
            is_count = isinstance(number, ast.Name) and number.id in heads
            if is_count and number not in counted and len(facts.bindings(number)) == 1:
                yield number


class Sum(NamedTuple):
    """What a loop adds up: `total += loss`, `total = total + loss`."""

    target: ast.expr
    value: ast.expr


def _sums(loop: ast.For) -> list[Sum]:
    """The sums of a loop, but what counts its rounds."""
    found = (_sum(node) for node in within(loop))
    return [each for each in found if each is not None and not _is_constant(each.value)]


def _sum(node: ast.AST) -> Sum | None:
    if isinstance(node, ast.AugAssign):
        return Sum(node.target, node.value) if isinstance(node.op, ast.Add) else None
    if not isinstance(node, ast.Assign) or len(node.targets) > 1:
        return None
    added = beside(node.targets[0], node.value, (ast.Add,))
    return None if added is None else Sum(node.targets[0], added)


def _is_constant(node: ast.AST) -> bool:
    return isinstance(node, ast.Constant)


def _inside(facts: Facts, sums: list[Sum]) -> Iterator[ast.expr]:
    """`n` of `total += loss * batch / n`; what is divided by a batch's size is the mean of it."""
    for add in sums:
        parts = [node for node in within(add.value) if isinstance(node, ast.BinOp)]
        is_weighted = any(isinstance(part.op, ast.Mult) for part in parts)
        for part in parts:
            if isinstance(part.op, ast.Div) and (is_weighted or _is_length(facts, part.right)):
                yield part.right


def _is_length(facts: Facts, number: ast.expr) -> bool:
    return any(is_size(facts, node) for node in ingredients(facts, number))


def _behind(facts: Facts, loop: ast.For, sums: list[Sum]) -> Iterator[ast.expr]:
    """`n` of `total / n` and `total /= n` in the same function, behind the loop."""
    names = {ast.unparse(add.target) for add in sums}
    divisions: list[ast.BinOp | ast.AugAssign] = list(facts.index.nodes(ast.BinOp))
    divisions += facts.index.nodes(ast.AugAssign)
    for node in divisions:
        if not isinstance(node.op, ast.Div) or facts.place(node) < facts.place(loop):
            continue
        above, below = _sides(node)
        is_near = facts.function(node) is facts.function(loop) and loop not in facts.parents(node)
        if is_near and ast.unparse(_without_factors(above)) in names:
            yield below


def _without_factors(above: ast.expr) -> ast.expr:
    """`right` of `100.0 * right` and `float(right)`."""
    while True:
        if isinstance(above, ast.BinOp) and isinstance(above.op, ast.Mult):
            above = above.right if _is_constant(above.left) else above.left
        elif isinstance(above, ast.Call) and not above.keywords and len(above.args) == 1:
            above = above.args[0]
        elif isinstance(above, ast.Call) and isinstance(above.func, ast.Attribute):
            above = above.func.value
        else:
            return above


def _sides(node: ast.BinOp | ast.AugAssign) -> tuple[ast.expr, ast.expr]:
    return (node.target, node.value) if isinstance(node, ast.AugAssign) else (node.left, node.right)


def _is_fixed(facts: Facts, number: ast.expr, loop: ast.For) -> bool:
    """Whether nothing of it is counted or bound in the loop, or counts a loop around it."""
    loops = [loop, *(p for p in facts.parents(loop) if isinstance(p, ast.For))]
    names = [n for n in within(loop) if isinstance(n, (ast.Name, ast.Attribute))]
    names += [n for each in loops for n in within(each.target) if isinstance(n, ast.Name)]
    bound = {ast.unparse(n) for n in names if isinstance(n.ctx, ast.Store)}
    asked = {ast.unparse(n) for n in within(number) if isinstance(n, (ast.Name, ast.Attribute))}
    return isinstance(number, _NUMBERS) and bound.isdisjoint(asked)
