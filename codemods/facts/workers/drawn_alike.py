"""Batches that all workers draw alike: one seed for all, and nothing of the data is cut by rank."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from ...judge.own import Level
from ...library.agreement import is_rank
from ...library.draws import NUMPY, PYTHON, TENSORFLOW
from ...library.seeds import SEEDS
from ..by_rank import depends_on_size
from ..data.drawn_batches import is_environment_in
from ..data.numbered_batches import is_of_own_order
from ..data.pipeline_shares import shares_of
from ..data.pipelines import Way
from ..data.uses import Use
from ..facts import Facts
from ..own_values import own
from ..training.pattern import training_of
from .collective_calls import names_of
from .horovod_parts import is_whole

_DRAWS = {
    NUMPY: ("permutation", "shuffle", "choice", "randint"),
    PYTHON: ("shuffle", "sample", "choice", "choices", "randrange", "randint"),
}
_IN_ORDER = (
    *("batch", "cache", "enumerate", "map", "padded_batch", "prefetch", "repeat", "take"),
    *("from_tensor_slices", "range", "with_options", ""),  # the last: only another name
)
_PLAIN = (ast.Compare, ast.UnaryOp, ast.If, ast.IfExp, ast.BoolOp)


def same_draws(facts: Facts) -> Iterator[tuple[ast.Call, ast.Call]]:
    """A draw of examples, and what seeds it for all workers alike."""
    if not is_whole(facts) or shares_of(facts).has_any or _is_data_by_rank(facts):
        return
    if all(is_of_own_order(facts, call) for call, _ in training_of(facts).places):
        return
    seeds = {m: call for call in facts.index.calls for m in _seeded_by(facts, call)}
    for call in facts.index.calls:
        seed = _seed_of(facts, call, seeds)
        if seed is not None:
            yield call, seed
            return  # one seed mends them all


def same_beginnings(facts: Facts) -> Iterator[ast.Call]:
    """`data.take(n // hvd.size())` of what nobody shuffles or shares: all take the first ones."""
    if is_whole(facts) and not shares_of(facts).has_any and not _is_data_by_rank(facts):
        for end in shares_of(facts).ends:
            ways = end.ways if end.use is Use.TRAINING else ()
            taken = (_fewer(facts, way) for way in ways if _is_in_order(way))
            yield from (call for call in taken if call is not None)


def _is_in_order(way: Way) -> bool:
    """Whether every run of it begins with the same elements."""
    return all(stage.method in _IN_ORDER for stage in way)


def _fewer(facts: Facts, way: Way) -> ast.Call | None:
    """The stage that leaves each worker its part of the steps."""
    calls = (s.call for s in way if s.method == "take" and isinstance(s.expr, ast.Call))
    return next((c for c in calls if c.args and depends_on_size(facts, c.args[0])), None)


def _seeded_by(facts: Facts, call: ast.Call) -> tuple[str, ...]:
    """The modules that a call seeds, with what is the same for all workers."""
    modules = SEEDS.get(facts.name(call.func) or "", ()) if call.args else ()
    is_own = any(own(facts, arg).level is Level.OWN for arg in call.args)
    return () if is_own else modules


def _seed_of(facts: Facts, call: ast.Call, seeds: dict[str, ast.Call]) -> ast.Call | None:
    """What seeds a draw, None for other calls."""
    module, _, name = (facts.name(call.func) or "").rpartition(".")
    if name in _DRAWS.get(module, ()):
        return None if is_environment_in(facts, _given(call)) else seeds.get(module)
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


def _given(call: ast.Call) -> list[ast.expr]:
    """What a call is given, which may be a worker's own: `np.random.choice(2, p=policy(state))`."""
    return [*call.args, *(keyword.value for keyword in call.keywords)]


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
