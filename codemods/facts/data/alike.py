"""Orders that each worker would make for itself, and that one seed makes the same for all."""

from __future__ import annotations

import ast
from enum import Enum

from ...library.draws import HASHED, Draw, is_sortable
from ...program.records import NamedTuple
from ..facts import Facts, recorded
from ..training.training_loops import is_drawn_once
from .own_orders import is_cut, own_orders
from .shares import shares_of


class How(Enum):
    """What makes it the same order."""

    ARGUMENT = "an argument is the seed"
    MAKER = "a generator with a seed has a method of this name"
    SORTED = "names are sorted"
    LIST = "what makes a list of them sorts them"


class Alike(NamedTuple):
    """An expression, and what makes its value the same on all workers: an argument, a generator."""

    place: ast.expr
    how: How
    name: str = ""
    position: int | None = None


@recorded
def alike(facts: Facts) -> dict[ast.AST, Alike]:
    """By the place of each order; a program with a Horovod of its own may want it otherwise."""
    found: dict[ast.AST, Alike] = {}
    for order in own_orders(facts) if not facts.has_horovod else ():
        if order.drawn is HASHED and isinstance(order.place, ast.expr):
            found[order.place] = _sorted(facts, order.place)
        elif order.drawn is not None and isinstance(order.place, ast.Call):
            made = _made_alike(facts, order.place, order.drawn)
            found.update({} if made is None else {order.place: made})
    return found


def _sorted(facts: Facts, texts: ast.expr) -> Alike:
    """`sorted(set(words))` for `list(set(words))`, and around the set elsewhere."""
    call = facts.parent(texts)
    is_list = isinstance(call, ast.Call) and facts.name(call.func) == "builtins.list"
    return Alike(call, How.LIST) if is_list else Alike(texts, How.SORTED)  # type: ignore[arg-type]


def _made_alike(facts: Facts, call: ast.Call, drawn: Draw) -> Alike | None:
    if drawn.is_listing:
        method = getattr(call.func, "attr", "")
        is_list = is_sortable(facts.name(call.func), method)
        return Alike(call, How.SORTED) if is_list else None
    # One seed in a loop would draw one order all over; without shares nobody's would differ.
    is_dataset = call in shares_of(facts).seeded
    is_once = is_drawn_once(facts, call) or is_dataset
    if not is_once or not (drawn.is_split or is_cut(facts)):
        return None
    if drawn.seeds and not facts.has_hidden_arguments(call):
        return Alike(call, How.ARGUMENT, *drawn.seeds[0])
    is_of_module = isinstance(call.func, ast.Attribute) and _is_numbers(facts, call.func, drawn)
    return Alike(call, How.MAKER, drawn.maker) if drawn.maker and is_of_module else None


def _is_numbers(facts: Facts, func: ast.Attribute, drawn: Draw) -> bool:
    """`np.random.shuffle`: the module stands before the name, and has the generator, too."""
    return facts.name(func.value) == drawn.numbers
