"""Where chance says how many examples there are: masks, conditions and numbers nobody seeded."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from typing import Callable

from ...library.draws import TENSORFLOW
from ...program.parts import COMPREHENSIONS
from ...syntax.agreed import is_agreed
from ..agreement.chance import drawn, draws, seeded
from ..agreement.orders_by_chance import own_draw
from ..facts import Facts, recorded
from ..functions import returns
from ..roles import Role
from ..scopes import FunctionNode
from ..value_parts import ingredients
from .drawn_fillings import deciding_tests, filled_from
from .mask_domain import MASK, Mask

_TENSORS = re.compile(r"tensorflow\.random\.(?:uniform|\w*normal|gamma|poisson|categorical)$")
# The argument that says which elements are kept, or left out.
_KEEPING = {
    "numpy.compress": 0,
    "numpy.extract": 0,
    "numpy.delete": 1,
    "tensorflow.boolean_mask": 1,
    "itertools.compress": 1,
}
_SIFTING = ("filter", "take_while")
_COUNTING = ("take", "skip", "repeat", "batch", "padded_batch")
_JOINING = ("flat_map", "interleave")  # the datasets that a function gives
_RANGES = ("builtins.range", "numpy.arange", "tensorflow.range", "tensorflow.data.Dataset.range")


def chosen(facts: Facts, expr: ast.AST) -> Iterator[tuple[ast.expr, ast.AST]]:
    """What chooses a number of examples by chance, and the draw that decides.

    `x[np.random.rand(len(x)) < 0.8]`, `[a for a in x if random.random() < 0.8]`, `.take(number)`.
    """
    seen: set[ast.AST] = set()
    waiting: list[ast.AST] = [expr]
    further = facts.program.further(is_agreed)
    while waiting:
        for node in further(waiting.pop()):
            if node in seen or not isinstance(node, ast.expr):
                continue
            seen.add(node)
            waiting += [each for each in filled_from(facts, node) if each not in seen]
            found = deciding_draw(facts, node)
            if found is not None:
                yield node, found


def deciding_draw(facts: Facts, node: ast.expr) -> ast.AST | None:
    """A draw that decides how many elements of something the expression takes."""
    return next(_draws_behind(facts, node), None)


def _draws_behind(facts: Facts, node: ast.expr) -> Iterator[ast.AST]:
    if isinstance(node, ast.Subscript):
        if facts.program.value(MASK, node.slice) > Mask.OTHER:
            yield from (d for d in ingredients(facts, node.slice) if draws(facts, d))
    elif isinstance(node, COMPREHENSIONS):
        for each in node.generators:
            yield from (d for test in each.ifs for d in _draws_in(facts, test))
    elif isinstance(node, ast.Call):
        yield from _draws_of_call(facts, node)
    for test in deciding_tests(facts, node):
        yield from _draws_in(facts, test)


def _draws_of_call(facts: Facts, call: ast.Call) -> Iterator[ast.AST]:
    name = facts.name(call.func) or ""
    method = name.rpartition(".")[2] or getattr(call.func, "attr", "")
    given = [*call.args, *(keyword.value for keyword in call.keywords)]
    if name in _KEEPING:
        yield from (d for each in given[_KEEPING[name] :] for d in _draws_in(facts, each))
    elif method in _SIFTING:
        tests = (test for each in given for test in _results(facts, each))
        yield from (d for test in tests for d in _draws_in(facts, test))
    elif name in _RANGES or (method in _COUNTING and _is_of_dataset(facts, call)):
        yield from (d for each in given for d in _draws_number(facts, each))
    elif method in _JOINING:
        parts = (part for each in given for part in _results(facts, each))
        yield from (d for part in parts for _, d in chosen(facts, part))


def _draws_number(facts: Facts, number: ast.expr) -> Iterator[ast.AST]:
    """The draw that a number is or is reckoned with."""
    found = drawn(facts, number)
    tensors = (node for node in facts.origins(number).nodes if _is_own(facts, node))
    yield from tensors if found is None else (found,)


def _is_of_dataset(facts: Facts, call: ast.Call) -> bool:
    """Whether it is a method of a dataset, as far as is known; `x.take(numbers)` picks examples."""
    func = call.func
    return isinstance(func, ast.Attribute) and facts.role(func.value) is Role.DATASET


def _results(facts: Facts, function: ast.expr) -> Iterator[ast.expr]:
    """What the functions give that an argument may be."""
    for node in facts.program.functions(function).nodes:
        if isinstance(node, ast.Lambda):
            yield node.body
        elif isinstance(node, FunctionNode):
            yield from (r.value for r in returns(node) if r.value is not None)


def _draws_in(facts: Facts, test: ast.AST) -> Iterator[ast.AST]:
    if _has_own(facts)(test):
        yield from (node for node in ingredients(facts, test) if node in _own(facts))


@recorded
def _has_own(facts: Facts) -> Callable[[ast.AST], bool]:
    """Whether one of them is among what something is made of: in most conditions none is."""
    return facts.program.sought(_own(facts).__contains__, is_agreed)


@recorded
def _own(facts: Facts) -> frozenset[ast.AST]:
    """The draws of which every worker has its own."""
    return frozenset(call for call in facts.index.calls if _is_own(facts, call))


def _is_own(facts: Facts, node: ast.AST) -> bool:
    """Whether every worker draws its own; what makes an order or picks is seeded by a rule."""
    if not isinstance(node, ast.Call):
        return False
    if _TENSORS.match(facts.name(node.func) or ""):
        has_seed = any(keyword.arg == "seed" for keyword in node.keywords)
        return not has_seed and TENSORFLOW not in seeded(facts)
    return draws(facts, node) and own_draw(facts, node) is None
