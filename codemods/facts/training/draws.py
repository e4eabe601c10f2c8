"""What is drawn from an iterator, `next(it)` by `next(it)`, and how many rounds of it train."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from ...library.agreement import COUNTERS, RANGES
from ...library.effects import iterates
from ...program.node_fields import within
from ..facts import Facts, recorded
from ..moves import Moves
from .fetched_steps import is_global_step
from .training_loops import loop_around, trains

_BARS = 3  # around one another, at most


def draws(facts: Facts, made: ast.expr) -> list[ast.AST]:
    """Every `next(iterator)` of the iterator that is made there, if it is used for nothing else."""
    found: list[ast.AST] = []
    for use in _holding(facts).get(made, ()):
        parent = facts.parent(use)
        parent = facts.parent(parent) if isinstance(parent, ast.keyword) else parent
        if isinstance(parent, ast.Call) and _is_next(facts, parent):
            found.append(parent)
        elif not _moves_on(facts, parent, use):
            return []
    return found


@recorded
def _holding(facts: Facts) -> dict[ast.AST, list[ast.expr]]:
    """The places that may hold what each call makes: the call itself, and where it is read."""
    loads = (node for nodes in facts.index.loads.values() for node in nodes)
    found: dict[ast.AST, list[ast.expr]] = {}
    for place in (*facts.index.calls, *loads):
        for made in facts.origins(place).nodes:
            if isinstance(made, ast.Call) and isinstance(place, ast.expr):
                found.setdefault(made, []).append(place)
    return found


def _moves_on(facts: Facts, parent: ast.AST | None, use: ast.expr) -> bool:
    moves = Moves(facts)
    return moves.into(parent, use) if isinstance(parent, ast.Call) else moves.to(parent, use)


def _is_next(facts: Facts, call: ast.Call) -> bool:
    return facts.name(call.func) == "builtins.next" and len(call.args) == 1


def turns(facts: Facts, draw: ast.AST, deep: int = 3) -> list[ast.AST]:
    """What loops do for a draw: itself, or the calls of the function that draws once a call."""
    home = facts.function(draw)
    if home is None or not deep or loop_around(facts, draw) is not None:
        return [draw]
    return [turn for call in facts.call_sites(home) for turn in turns(facts, call, deep - 1)]


def rounds(facts: Facts, made: ast.expr) -> Iterator[ast.expr]:
    """The `n` of loops `for … in range(n)` that train on what they draw from this iterator."""
    for draw in draws(facts, made):
        for turn in turns(facts, draw):
            yield from rounds_of(facts, turn)


def are_counted(facts: Facts, made: ast.expr) -> bool:
    """Whether all that is drawn from an iterator is drawn by loops that train so many rounds."""
    found = [turn for draw in draws(facts, made) for turn in turns(facts, draw)]
    loops = [whole_round(facts, turn) for turn in found]
    inner = (loop_around(facts, turn) for turn in found)  # a test beside training draws as well
    are_trained = all(loop is not None and trains(facts, loop) for loop in inner)
    is_each = all(loop is not None and _runs_once(facts, loop, made) for loop in loops)
    return bool(found) and are_trained and is_each and all(any(rounds_of(facts, t)) for t in found)


def _runs_once(facts: Facts, place: ast.AST, made: ast.expr, deep: int = 3) -> bool:
    """Whether a loop, or a call of the function it is in, has all rounds of an iterator.

    Where a loop around it goes on drawing, and it has four rounds, eight workers do one of them
    each: together twice as many as there is data for.
    """
    around, home = loop_around(facts, place), facts.function(place)
    if around is not None and made not in within(around):
        return False
    calls = facts.call_sites(home) if home not in (None, facts.function(made)) else []
    return bool(deep) and all(_runs_once(facts, call, made, deep - 1) for call in calls)


def rounds_of(facts: Facts, node: ast.AST, with_while: bool = False) -> Iterator[ast.expr]:
    """The number of rounds of the counting loop around what is done once a round."""
    loop = whole_round(facts, node)
    yield from _count(facts, loop)
    if with_while and isinstance(loop, ast.While):
        is_each = isinstance(loop.test, ast.BoolOp) and isinstance(loop.test.op, ast.And)
        for test in loop.test.values if is_each else [loop.test]:  # type: ignore[attr-defined]
            yield from _bound(facts, loop, test)


def _bound(facts: Facts, loop: ast.While, test: ast.expr) -> list[ast.expr]:
    """`n` of `while step < n:`, `n > step:` and `step * size < n:`, where `step` only counts."""
    if not isinstance(test, ast.Compare) or len(test.ops) != 1:
        return []
    sides = [test.left, test.comparators[0]]
    if isinstance(test.ops[0], (ast.Gt, ast.GtE)):
        sides.reverse()
    elif not isinstance(test.ops[0], (ast.Lt, ast.LtE, ast.NotEq)):
        return []
    return sides[1:] if _is_counted(facts, loop, sides[0]) else []


def _is_counted(facts: Facts, loop: ast.While, value: ast.expr) -> bool:
    """Whether a value is reckoned from one number that counts the rounds, and from no other."""
    if is_global_step(facts, value):
        return True
    counters = [
        n for n in within(value) if isinstance(n, ast.Name) and counts_rounds(facts, loop, n)
    ]
    return isinstance(value, (ast.Name, ast.BinOp)) and len(counters) == 1


def counts_rounds(facts: Facts, loop: ast.AST, name: ast.Name) -> bool:
    """Whether a name begins with a number that is written out, and each round adds to it."""
    if is_global_step(facts, name):
        return True
    bindings, inside = facts.names.bindings(name), set(within(loop))
    rounds: list[ast.stmt] = getattr(loop, "body", [])
    added = [b for b in bindings if b.kind == "aug" and facts.statement(b.node) in rounds]
    begun = [
        b for b in bindings if b.kind == "assign" and is_number(b.value) and b.node not in inside
    ]
    return len(added) == 1 and len(added) + len(begun) == len(bindings)


def is_number(value: ast.AST | None) -> bool:
    """`0`, and -1."""
    inner = value.operand if isinstance(value, ast.UnaryOp) else value
    return isinstance(inner, ast.Constant) and isinstance(inner.value, int)


def whole_round(facts: Facts, node: ast.AST) -> ast.AST | None:
    """The loop of which each round takes the step that stands in a node."""
    return _whole_round(facts, loop_around(facts, node))


def _whole_round(facts: Facts, loop: ast.AST | None) -> ast.AST | None:
    """Out of a loop that takes turns with other training: five steps of a critic, then one."""
    around = None if loop is None else loop_around(facts, loop)
    while loop is not None and around is not None and _trains_beside(facts, around, loop):
        loop, around = around, loop_around(facts, around)
    return loop


def _trains_beside(facts: Facts, around: ast.AST, loop: ast.AST) -> bool:
    statements: list[ast.stmt] = around.body  # type: ignore[attr-defined]
    return any(trains(facts, s) for s in statements if loop not in within(s))


def _count(facts: Facts, loop: ast.AST | None) -> list[ast.expr]:
    """The number of rounds of a counting loop that trains."""
    is_trained = isinstance(loop, ast.For) and trains(facts, loop)
    count = without_bar(facts, loop.iter) if is_trained else None  # type: ignore[union-attr]
    if not isinstance(count, ast.Call) or facts.name(count.func) not in COUNTERS:
        return []
    if len(count.args) == 2:
        return _end(*count.args)
    return count.args if len(count.args) == 1 else []


def without_bar(facts: Facts, iterable: ast.expr) -> ast.expr:
    """What a loop runs over, where a progress bar around that shows how far it is."""
    for _ in range(_BARS):
        made = facts.origins(iterable).nodes if isinstance(iterable, ast.Name) else (iterable,)
        bar = next(iter(made)) if len(made) == 1 else None
        if not isinstance(bar, ast.Call) or not iterates(facts.name(bar.func) or ""):
            break
        iterable = bar.args[0] if bar.args else bar
    return iterable


def _end(begin: ast.expr, end: ast.expr) -> list[ast.expr]:
    """`n` of `range(1, n + 1)`, which counts from one, and of `range(0, n)`."""
    first = begin.value if isinstance(begin, ast.Constant) else None
    if first == 1 and isinstance(end, ast.BinOp) and isinstance(end.op, ast.Add):
        is_one = isinstance(end.right, ast.Constant) and end.right.value == 1
        return [end.left] if is_one else []
    return [end] if first == 0 or (first == 1 and isinstance(end, ast.Constant)) else []


def ends_range_from_one(facts: Facts, expr: ast.expr) -> bool:
    """Whether it is `n` of `range(1, n)`, which has a round less than that."""
    call = facts.parent(expr)
    if not isinstance(call, ast.Call) or facts.name(call.func) not in RANGES:
        return False
    begin = call.args[0]
    return len(call.args) == 2 and isinstance(begin, ast.Constant) and begin.value == 1
