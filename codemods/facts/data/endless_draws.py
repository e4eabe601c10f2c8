"""Batches that are chosen by chance, by each worker its own: by generators, and for a step."""

from __future__ import annotations

import ast
from collections.abc import Iterable
from functools import partial

from ...library.draws import is_environment
from ..agreement.chance import drawn, draws
from ..facts import Facts
from ..functions import has_unknown_decorator, is_generator, returns
from ..passed_arguments import passed
from .sliding_windows import is_sliding_window


def is_endless(facts: Facts, value: ast.expr) -> bool:
    """Whether it is a generator that never ends, so that something else counts the steps."""
    if _loop(facts, value) is not None:
        return True
    given = _gone_through(facts, value)
    return given is not None and given is not value and is_endless(facts, given)


def _gone_through(facts: Facts, value: ast.expr) -> ast.expr | None:
    """What a generator of the program goes through to its end: `batches` of `share(batches)`."""
    made = facts.origins(value).only
    function = facts.callee(made) if isinstance(made, ast.Call) else None
    if not isinstance(function, ast.FunctionDef) or not is_generator(function):
        return None
    for loop in function.body:
        over = loop.iter if isinstance(loop, ast.For) else None
        arg = next((a for a in function.args.args if getattr(over, "id", "") == a.arg), None)
        if arg is not None and not returns(function) and not _is_left(loop):
            given = passed(made, function, arg, facts.classes)  # type: ignore[arg-type]
            return given if isinstance(given, ast.expr) else None
    return None


def _is_left(loop: ast.stmt) -> bool:
    return any(isinstance(node, ast.Break) for node in ast.walk(loop))


def chooses_by_chance(facts: Facts, value: ast.expr) -> bool:
    """Whether such a generator picks examples with random numbers of each worker's own."""
    loop = _loop(facts, value)
    picks = [node for node in ast.walk(loop) if isinstance(node, ast.Subscript)] if loop else []
    return any(drawn(facts, pick.slice) is not None for pick in picks)


def picks_by_chance(facts: Facts, values: Iterable[ast.expr]) -> bool:
    """Whether examples are picked for a step by numbers that each worker draws: `memory[index]`.

    What is cut out of an order, `order[i : i + 8]`, goes through all of them.
    """
    found = {*facts.program.ingredients_of(values)}
    is_drawn = any(draws(facts, node) for node in found)  # or no index in it is
    parts = [node for node in found if is_drawn and isinstance(node, ast.Subscript)]
    picked = [part for part in parts if _picks(facts, part.slice)]
    return any(not is_sliding_window(facts, part.value) for part in picked)


def _picks(facts: Facts, index: ast.expr) -> bool:
    """Whether an index is drawn, and not by going through an order of all, `order[i : i + 8]`.

    An order that is not cut at all, `x[order]`, has all of them as well.
    """
    made = list(facts.program.ingredients(index, partial(_tells_no_more, facts)))
    drawn_there = [node for node in made if draws(facts, node)]
    cuts = [node.slice for node in made if isinstance(node, ast.Subscript)]
    moves = (cut.lower for cut in cuts if isinstance(cut, ast.Slice))
    is_order = any(not (lower is None or isinstance(lower, ast.Constant)) for lower in moves)
    is_all = is_order or not cuts
    orders = [n for n in drawn_there if is_all and _last_word(n) == "permutation"]
    return len(orders) < len(drawn_there)


def _tells_no_more(facts: Facts, node: ast.AST) -> bool:
    """Whether what an index is made from lies before it: how many examples there are, is drawn."""
    is_length = isinstance(node, ast.Call) and facts.name(node.func) == "builtins.len"
    return is_length or getattr(node, "attr", "") == "shape" or draws(facts, node)


def _last_word(call: ast.AST) -> str:
    return getattr(getattr(call, "func", None), "attr", "")


def is_played(facts: Facts, values: Iterable[ast.expr]) -> bool:
    """Whether a worker has it from an environment, in which it does what it draws by itself."""
    given = list(values)
    calls = [n for n in facts.program.ingredients_of(given) if isinstance(n, ast.Call)]
    return is_environment_in(facts, given) and any(draws(facts, call) for call in calls)


def is_environment_in(facts: Facts, values: Iterable[ast.expr]) -> bool:
    """Whether an environment is among what they are made of, which starts as chance has it."""
    calls = (n for n in facts.program.ingredients_of(values) if isinstance(n, ast.Call))
    return any(is_environment(facts.name(call.func) or "") for call in calls)


def _loop(facts: Facts, value: ast.expr) -> ast.While | None:
    """The `while True:` at the end of the generator that the value is certainly made by."""
    made = facts.origins(value).only
    function = facts.callee(made) if isinstance(made, ast.Call) else None
    if not isinstance(function, ast.FunctionDef) or not is_generator(function):
        return None
    if returns(function) or has_unknown_decorator(function, facts.names):
        return None
    return _forever(function.body[-1])


def _forever(last: ast.stmt) -> ast.While | None:
    """`while True:` that yields in every round and is never left."""
    if not isinstance(last, ast.While) or _is_left(last):
        return None
    is_always = isinstance(last.test, ast.Constant) and bool(last.test.value)
    yields = (isinstance(s, ast.Expr) and isinstance(s.value, ast.Yield) for s in last.body)
    return last if is_always and any(yields) else None
