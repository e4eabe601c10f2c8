"""What a program shows of its steps, of which a worker takes its share: totals, and means.

Rule D106: a worker that takes 25 steps and prints `25/100` at its end seems to have lost the rest;
`total += loss` over a share of the batches, and `total / steps` of all of them, is an Nth.
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
from ..data.arrays import is_size
from ..data.divided import divided, is_many, is_shorter
from ..facts import Facts
from ..steps.each_step import stepping_loops
from ..steps.units import SHARE, WHOLE, Clash, Unit, Units, Way, clash
from ..value_parts import ingredients
from .mistimed import units_of

_BETWEEN = re.compile(r"\s*(?:/|(?:out )?of\b)\s*$")  # of `step 3/100`, `step 3 of 100`
_WRITTEN = re.compile(r"\s*(?:/|(?:out )?of\b)\s*\d\d")
_FIELD = re.compile(r"%(?:%|[-+ #0]*\d*(?:\.\d+)?[a-zA-Z])")
_NUMBERS = (ast.Name, ast.Attribute, ast.Constant, ast.Subscript, ast.BinOp, ast.Call)
_PLAIN = (ast.Name, ast.Attribute, ast.BinOp, ast.UnaryOp, ast.Call)  # no quotes, no braces
_STEPS = ("update", "add")  # what tells a bar that there was a step

Part = Union[str, ast.expr]


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
    value = node.value if isinstance(node, ast.Assign) and len(node.targets) == 1 else None
    if not isinstance(value, ast.BinOp) or not isinstance(value.op, ast.Add):
        return None
    target: ast.expr = node.targets[0]  # type: ignore[attr-defined]
    same = [ast.unparse(side) == ast.unparse(target) for side in (value.left, value.right)]
    other = value.right if same[0] else value.left
    return Sum(target, other) if any(same) else None


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
