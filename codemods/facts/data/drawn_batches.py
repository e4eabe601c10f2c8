"""Batches that each worker draws or invents for itself, or reads one after another."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable, Iterator
from functools import partial

from ...library.draws import DRAWING, TENSORFLOW, is_environment
from ...library.tensorflow_names import COMPILED
from ...program.call_sites import is_generator, passed, returns
from ..facts import Facts
from ..own_values import drawn, draws, seeded
from ..roles import Role
from ..value_parts import ingredients

# -- sliding windows -----------------------------------------------------------------------------
# Examples that a program reads one after another, by a place that it moves on itself.
#
# `buffer.append(data[place])`, `place = (place + 1) % len(data)`: all workers read the same ones,
# also where one of these is picked by chance then, as the word that a word in the middle goes
# with.


def is_sliding_window(facts: Facts, holder: ast.expr) -> bool:
    """Whether what examples are picked from is filled with such as stand at a moving place."""
    parts = (n for n in facts.program.ingredients(holder) if isinstance(n, ast.Subscript))
    return any(_moves_on(facts, part.slice) for part in parts if isinstance(part.ctx, ast.Load))


def _moves_on(facts: Facts, place: ast.expr) -> bool:
    """Whether a number is reckoned from what it was before."""
    sums = (n for n in facts.program.ingredients(place) if isinstance(n, ast.BinOp))
    return any(each in facts.program.ingredients(each.left) for each in sums)


# -- endless draws -------------------------------------------------------------------------------
# Batches that are chosen by chance, by each worker its own: by generators, and for a step.


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
    if returns(function) or _has_unknown_decorator(facts, function):
        return None
    return _forever(function.body[-1])


def _forever(last: ast.stmt) -> ast.While | None:
    """`while True:` that yields in every round and is never left."""
    if not isinstance(last, ast.While) or _is_left(last):
        return None
    is_always = isinstance(last.test, ast.Constant) and bool(last.test.value)
    yields = (isinstance(s, ast.Expr) and isinstance(s.value, ast.Yield) for s in last.body)
    return last if is_always and any(yields) else None


# -- invented ------------------------------------------------------------------------------------
# Data that each worker invents for itself: batches of random numbers, and nothing that is read.
#
# No worker trains on all of it, as there is no whole; unseeded, each of them has examples of its
# own.

_PICKS = r"\.(?:choices?|sample|shuffle|permut\w+|categorical)$"  # of what is there
_TENSORS = "tensorflow.random."
_COMPUTES = r"^(?:tensorflow|numpy|math|builtins)\."
_READS = r"load|read|open|file|data|input|memmap|iter|next"
_OPAQUE = frozenset({Role.MODEL, Role.OPTIMIZER, Role.TAPE})


def is_invented(facts: Facts, values: Iterable[ast.expr], seeds_count: bool = True) -> bool:
    """Whether the values are made of random numbers and constants only; of unseeded ones, if told.

    A seed makes them the same on all workers.
    """
    nodes = list(_made_of(facts, values))
    calls = [node for node in nodes if isinstance(node, ast.Call)]
    if any(isinstance(node, ast.Subscript) for node in nodes):
        return False
    drawn = [call for call in calls if _draws(facts, call, seeds_count)]
    return bool(drawn) and all(call in drawn or _computes(facts, call) for call in calls)


def is_of_own_numbers(facts: Facts, values: Iterable[ast.expr]) -> bool:
    """Whether nothing is read and nothing picked: whoever seeds by the worker's number invents."""
    nodes = (node for node in _made_of(facts, values) if isinstance(node, ast.Call))
    names = [(call, str(facts.name(call.func) or _method(call))) for call in nodes]
    return not any(re.search(_PICKS, f".{name}") for _, name in names) and all(
        name.startswith("horovod.") or _computes(facts, call) for call, name in names
    )


def _method(call: ast.Call) -> str:
    return call.func.attr if isinstance(call.func, ast.Attribute) else ""


def seeded_draws(facts: Facts, values: Iterable[ast.expr]) -> Iterator[ast.Call]:
    """The calls that draw the values with a seed of their own."""
    for node in _made_of(facts, values):
        if isinstance(node, ast.Call) and has_own_seed(node):
            yield node


def has_own_seed(call: ast.Call) -> bool:
    """Whether it is given the seed by which it draws: `tf.random.normal([8], seed=1)`."""
    return seed_of_generator(call) is not None


def seed_of_generator(call: ast.Call) -> ast.expr | None:
    """That seed."""
    seeds = (keyword.value for keyword in call.keywords if keyword.arg == "seed")
    return next((s for s in seeds if not isinstance(s, ast.Constant) or s.value is not None), None)


def drawn_from(facts: Facts, values: Iterable[ast.expr]) -> Iterator[str]:
    """The modules whose global numbers the values are made of."""
    for node in _made_of(facts, values):
        if isinstance(node, ast.Call) and _draws(facts, node, seeds_count=False):
            yield (facts.name(node.func) or "").rpartition(".")[0]


def _made_of(facts: Facts, values: Iterable[ast.expr]) -> Iterator[ast.AST]:
    return (node for value in values for node in ingredients(facts, value, _OPAQUE))


def _draws(facts: Facts, call: ast.Call, seeds_count: bool = True) -> bool:
    """Whether it gives numbers, other ones on every worker, or where no seed counts."""
    name = facts.name(call.func) or f".{getattr(call.func, 'attr', '')}"
    if re.search(_PICKS, name):
        return False
    if name.startswith(_TENSORS):
        return not (seeds_count and (TENSORFLOW in seeded(facts) or has_own_seed(call)))
    return draws(facts, call) or (not seeds_count and re.match(DRAWING, name) is not None)


def _computes(facts: Facts, call: ast.Call) -> bool:
    """Whether nothing comes in by a call but what it is given."""
    name = facts.name(call.func)
    if name is not None:
        return re.match(_COMPUTES, name) is not None and not re.search(_READS, name, re.IGNORECASE)
    if facts.callee(call) is not None or facts.role(call.func) in _OPAQUE:
        return True
    return isinstance(call.func, ast.Attribute)  # of a value that is looked at by itself


# These change nothing about what a function returns.
_TRANSPARENT = frozenset(
    {
        "staticmethod",
        "classmethod",
        "property",
        "functools.wraps",
        "functools.lru_cache",
        "functools.cache",
    }
)


def _has_unknown_decorator(facts: Facts, function: ast.AST) -> bool:
    """Whether some decorator may make another function of it."""
    for decorator in getattr(function, "decorator_list", []):
        name = facts.name(decorator.func if isinstance(decorator, ast.Call) else decorator) or ""
        if name not in _TRANSPARENT and name.replace("builtins.", "") not in _TRANSPARENT:
            if name not in COMPILED:
                return True
    return False
