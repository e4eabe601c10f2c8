"""How a person shares out the data that no rule shares out, as code for the very case (D107)."""

from __future__ import annotations

import ast

from ..facts import Facts
from ..facts.causes import spelled
from ..facts.data.share_forms import Whole
from ..facts.training.training_loops import without_bar
from ..library.agreement import COUNTERS

EQUALLY = "with the same number of batches on every worker"
FIX = f"shard it by hand, {EQUALLY}"
BY_HAND = f"shard it by hand: `{{}}.shard(hvd.size(), hvd.rank())`, {EQUALLY}"
BEHIND = f"put `.shard(hvd.size(), hvd.rank())` behind it, {EQUALLY}"
JOINED = (
    "put `.shard(hvd.size(), hvd.rank())` behind each of the datasets that `zip` joins, before it "
    f"is shuffled, {EQUALLY}"
)
PART = (
    "{1}train on `{0}[hvd.rank()::hvd.size()]` if it is an array, on `{0}.shard(hvd.size(), "
    f"hvd.rank())` if it is a dataset, {EQUALLY}"
)
EACH = (
    "let each worker take its own: `for {} in itertools.islice({}, hvd.rank(), None, "
    f"hvd.size()):`, with `import itertools` at the top, and {EQUALLY}"
)
NAMED = (ast.Name, ast.Attribute)
WHOLE = (*NAMED, ast.Call, ast.Subscript)  # a method may be called of them as they are
MOST = 60  # characters of code in a sentence


def by_hand(whole: Whole) -> str:
    """The share of a dataset as a person may write it."""
    if whole.reason.startswith("`zip`"):
        return JOINED
    code = ast.unparse(whole.end.expr)
    is_short = isinstance(whole.end.expr, WHOLE) and len(code) <= MOST
    return BY_HAND.format(code) if is_short else BEHIND


def part_of(facts: Facts, value: ast.expr) -> str:
    """What takes a worker's part of a value, which gets a name first if it has none."""
    if isinstance(value, NAMED):
        return PART.format(spelled(value), "")
    taken = facts.scope(value).find("data") is not None
    name, code = "own_data" if taken else "data", ast.unparse(value)
    first = f"`{name} = {code}`" if len(code) <= MOST else f"`{name} = …`"
    return PART.format(name, f"give it a name, {first}, and ")


def looped(facts: Facts, step: ast.expr) -> ast.expr | None:
    """What the loop around a step runs over, unless that only counts."""
    for parent in facts.parents(step):
        if isinstance(parent, ast.For):
            over = without_bar(facts, parent.iter)
            called = facts.name(over.func) if isinstance(over, ast.Call) else None
            return None if called in COUNTERS else parent.iter
    return None


def each_of_loop(facts: Facts, data: ast.expr | None) -> str:
    """The head of a loop that takes a worker's part of what it runs over."""
    loop = None if data is None else facts.parent(data)
    if data is None or not isinstance(loop, ast.For):
        return FIX
    code = ast.unparse(data)
    parts = loop.target.elts if isinstance(loop.target, ast.Tuple) else [loop.target]
    target = ", ".join(map(ast.unparse, parts))
    return EACH.format(target, code) if len(code) <= MOST else FIX
