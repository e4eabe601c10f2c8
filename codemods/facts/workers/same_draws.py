"""Batches that all workers draw alike: one seed for all, and nothing of the data is cut by rank."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from ...library.draws import NUMPY, PYTHON, TENSORFLOW
from ...library.ranks import is_rank
from ..agreement.chance import SEEDS
from ..data.shares import shares_of
from ..facts import Facts
from ..rank_domain import TAINTED, Taint
from .collectives import names_of
from .whole import is_whole

_DRAWS = {
    NUMPY: ("permutation", "shuffle", "choice", "randint"),
    PYTHON: ("shuffle", "sample", "choice", "choices", "randrange", "randint"),
}
_PLAIN = (ast.Compare, ast.UnaryOp, ast.If, ast.IfExp, ast.BoolOp)


def same_draws(facts: Facts) -> Iterator[tuple[ast.Call, ast.Call]]:
    """A draw of examples, and what seeds it for all workers alike."""
    if not is_whole(facts) or shares_of(facts).cuts or _is_data_by_rank(facts):
        return
    seeds = {m: call for call in facts.index.calls for m in _seeded_by(facts, call)}
    for call in facts.index.calls:
        seed = _seed_of(facts, call, seeds)
        if seed is not None:
            yield call, seed
            return  # one seed mends them all


def _seeded_by(facts: Facts, call: ast.Call) -> tuple[str, ...]:
    """The modules that a call seeds, with what is the same for all workers."""
    modules = SEEDS.get(facts.name(call.func) or "", ()) if call.args else ()
    own = any(facts.program.value(TAINTED, arg) > Taint.SHARED for arg in call.args)
    return () if own else modules


def _seed_of(facts: Facts, call: ast.Call, seeds: dict[str, ast.Call]) -> ast.Call | None:
    """What seeds a draw, None for other calls."""
    module, _, name = (facts.name(call.func) or "").rpartition(".")
    if name in _DRAWS.get(module, ()):
        return seeds.get(module)
    is_shuffle = isinstance(call.func, ast.Attribute) and call.func.attr == "shuffle"
    if not is_shuffle or not any(
        call is s.expr for e in shares_of(facts).ends for w in e.ways for s in w
    ):
        return None
    given = facts.argument(call, "seed", 1)
    return (
        call
        if isinstance(given, ast.Constant) and given.value is not None
        else seeds.get(TENSORFLOW)
    )


def _is_data_by_rank(facts: Facts) -> bool:
    """Whether the worker's number goes anywhere but into conditions and the choice of a GPU."""
    calls = (c for c in facts.index.calls if any(is_rank(n) for n in names_of(facts, c)))
    return any(not _is_for_itself(facts, call) for call in calls)


def _is_for_itself(facts: Facts, call: ast.Call) -> bool:
    parent = facts.parent(call)
    if isinstance(parent, _PLAIN):
        return True
    if not any(name.endswith("local_rank") for name in names_of(facts, call)):
        return False
    return isinstance(parent, (ast.Subscript, ast.Call))  # `gpus[hvd.local_rank()]`, `str(…)`
