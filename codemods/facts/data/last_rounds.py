"""The last round of a loop whose steps the workers share: `if step == n - 1: saver.save(…)`.

Rule D106: a worker that takes only its share of the rounds never gets to the number of all of them.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from ...library.agreement import RANGES
from ...program.node_fields import within
from ...program.records import NamedTuple
from ..facts import Facts, recorded
from ..training.draws import without_bar
from .divided import Share, divided
from .same_meaning import stay_bound

_PATHS = (ast.Name, ast.Attribute)


class Sum(NamedTuple):
    """A number as `base + added`, the base as it is written; "" for a plain number."""

    base: str
    added: int


class Counted(NamedTuple):
    """A loop that counts up to a number that is divided, and how many rounds it had before."""

    loop: ast.For
    counter: str
    begin: int
    rounds: Sum
    share: Share


@recorded
def last_rounds(facts: Facts) -> dict[ast.expr, Share]:
    """The number of all rounds, where a counter is compared with it: it is divided as they are."""
    counts = dict(divided(facts))
    return {
        number: share
        for counted in _counted(facts, counts)
        for node in within(counted.loop)
        if isinstance(node, ast.Compare) and len(node.ops) == 1
        for side in _sides(facts, counted, node)
        if side not in counts
        for number, share in _divided(side, counted)
    }


def _divided(side: ast.expr, counted: Counted) -> Iterator[tuple[ast.expr, Share]]:
    """`n` of `n - 1`; 49 is the last of 50."""
    value = side.value if isinstance(side, ast.Constant) else None
    if isinstance(value, int) and Sum("", value + 1) == counted.rounds:
        yield side, Share.LAST
    yield from ((number, counted.share) for number in _rounds_in(side, counted.rounds))


def _counted(facts: Facts, counts: dict[ast.expr, Share]) -> Iterator[Counted]:
    """`for step in range(n)` and `range(1, n + 1)`, of which `n` is divided."""
    for number, share in counts.items():
        call = next((p for p in facts.parents(number) if not isinstance(p, ast.BinOp)), None)
        if not isinstance(call, ast.Call) or facts.name(call.func) not in RANGES:
            continue
        loop = next((p for p in facts.parents(call) if isinstance(p, ast.For)), None)
        begin = _sum(call.args[0]) if len(call.args) == 2 else Sum("", 0)
        end = _sum(call.args[-1]) if len(call.args) < 3 else None
        if loop is None or begin is None or end is None or begin.base:
            continue
        if without_bar(facts, loop.iter) is call and isinstance(loop.target, ast.Name):
            rounds = Sum(end.base, end.added - begin.added)
            yield Counted(loop, loop.target.id, begin.added, rounds, share)


def _sides(facts: Facts, counted: Counted, test: ast.Compare) -> Iterator[ast.expr]:
    """The other side of a comparison where it is the counter's last value."""
    sides = (test.left, test.comparators[0])
    for counter, number in (sides, sides[::-1]):
        asked, given = _sum(counter), _sum(number)
        if asked is not None and asked.base == counted.counter:
            last = counted.rounds.added + counted.begin - 1 + asked.added
            if given == Sum(counted.rounds.base, last) and _stays(facts, counted, number):
                yield number


def _stays(facts: Facts, counted: Counted, number: ast.expr) -> bool:
    """Whether it is the same in each round as before the loop."""
    inside = set(within(counted.loop))
    paths = (node.attr for node in within(number) if isinstance(node, ast.Attribute))
    stores = (store for path in paths for store, _ in facts.index.attribute_stores.get(path, ()))
    is_kept = inside.isdisjoint(stores)
    return is_kept and stay_bound(facts, number, counted.loop, _asked_in(facts, number))


def _asked_in(facts: Facts, number: ast.expr) -> ast.stmt:
    """The statement that asks for it: of an `elif`, the `if` at the beginning."""
    statement = facts.statement(number)
    around = facts.parent(statement)
    while isinstance(around, ast.If) and around.orelse == [statement]:
        statement, around = around, facts.parent(around)
    return statement


def _rounds_in(number: ast.expr, rounds: Sum) -> Iterator[ast.expr]:
    """The part of a number that is that of all rounds: `n` of `n - 1`."""
    if _sum(number) == rounds:
        yield number
    elif isinstance(number, ast.BinOp):
        yield from _rounds_in(number.left, rounds)


def _sum(expr: ast.expr) -> Sum | None:
    """`n`, `self.n + 1`, `100`; None for what is neither a path nor a number, and one added."""
    if isinstance(expr, ast.BinOp) and isinstance(expr.op, (ast.Add, ast.Sub)):
        left, right = _sum(expr.left), _sum(expr.right)
        if left is None or right is None or right.base:
            return None
        sign = 1 if isinstance(expr.op, ast.Add) else -1
        return Sum(left.base, left.added + sign * right.added)
    if isinstance(expr, ast.Constant) and type(expr.value) is int:
        return Sum("", expr.value)
    is_path = isinstance(expr, _PATHS) and all(isinstance(n, _PATHS) for n in _chain(expr))
    return Sum(ast.unparse(expr), 0) if is_path else None


def _chain(expr: ast.expr) -> Iterator[ast.expr]:
    yield expr
    while isinstance(expr, ast.Attribute):
        expr = expr.value
        yield expr
