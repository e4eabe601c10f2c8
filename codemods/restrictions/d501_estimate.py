"""Whether it is worth while to run layers again, told before anything is rewritten."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence

from ..facts import Facts
from ..facts.layers.any_loops import AnyLoop, folds
from ..facts.layers.layer_lists import cost, depth, turns
from ..facts.layers.layer_loops import is_compiled
from ..facts.layers.recomputed_layers import Recomputation, recomputation
from ..model import RECOMPUTE, Finding
from . import restriction
from ._finding import COST, note

KNOWN = (
    "of {} outputs of layers about {} are kept, and each layer is run {} times forwards"
    " instead of once{}"
)
UNKNOWN = {
    "halves": ("1 + log2 t", "1 + ½ log2 t"),
    "sqrt": ("2 √t", "2"),
    "binomial": ("{}", "the fewest"),
}
MODEL = "this model keeps what each of its layers gives until its gradients are taken: {}"
MODEL_FIX = "what is rewritten, and what to write instead: distify explain C09"
CELLS = tuple(f"tensorflow.keras.layers.{each}Cell" for each in ("GRU", "LSTM", "SimpleRNN"))
TIME = "no loop runs this cell as D501 can rewrite it: h, _ = cell(x[:, t], [h])"
LEFT = "the forms that are rewritten: distify explain D501"
LEAK = "in eager mode Keras 2 never frees what its sigmoid was given"
LEAK_FIX = "recurrent_activation=tf.sigmoid, or run the step as a tf.function"
FEW = 16  # layers for which segments need about as little memory as halves
KEPT = "this loop keeps what each of its steps{} computes until its gradients are taken: {}"
FOLD = "`{}` keeps what each of its steps computes until its gradients are taken"
ALL = ", {} in all,"
AS_LOOP = "write it as a `for` loop over a list or a range: distify explain D501"
CELLS_LOOP = "a `for` loop that runs its cell step by step is rewritten: distify explain D501"


@restriction(code=RECOMPUTE, name="estimate", rule=RECOMPUTE)
def estimate(facts: Facts) -> Iterator[Finding]:
    """Notes: what is kept of layers and steps, how often they are run, and what is left."""
    found = recomputation(facts)
    if not any(found):
        yield from _out_of_reach(facts)
    yield from _of_models(facts, found)
    for steps in found.steps:
        leaks = steps.is_nested and not is_compiled(facts)
        yield _costs(facts, steps.node, None, "step", f"; {LEAK}" * leaks, LEAK_FIX * leaks)
    for loop in found.loops:
        layers = depth(facts, loop.layers)
        yield _costs(facts, loop.node, layers, "layer", advice=_advice(layers, facts))
    for lines in found.lines:
        yield _costs(facts, lines.node, len(lines.lines), "layer")
    for other in found.others:
        yield _costs(facts, other.node, _turns(facts, other.node), "step")
    yield from _left(facts, found.left)


def _of_models(facts: Facts, found: Recomputation) -> Iterator[Finding]:
    """Models whose layers Keras runs by itself: what they keep, or why they are left."""
    for chain in found.chains:
        advice = _advice(chain.number, facts)
        yield _costs(facts, chain.call, chain.number, "layer", advice=advice)
    for chain in found.alone:
        yield note(facts, chain.call, RECOMPUTE, MODEL.format(chain.wrong), MODEL_FIX, kind=COST)


def _costs(
    facts: Facts, node: ast.AST, count: int | None, what: str, more: str = "", advice: str = ""
) -> Finding:
    """What is kept of a loop, and how often its layers or steps are run."""
    return note(facts, node, RECOMPUTE, _run(facts, count, what, more), advice, kind=COST)


def _run(facts: Facts, count: int | None, what: str, more: str) -> str:
    options = facts.options
    schedule = options.recompute or "halves"
    kept, runs = UNKNOWN[schedule]
    if count:
        states, total = cost(schedule, count, options.base, options.snapshots)
        kept, runs = str(states), f"{total / count:.1f}"
    kept = kept.format(options.snapshots + 1)
    return KNOWN.format(count or "t", kept, runs, more).replace("layer", what)


def _turns(facts: Facts, loop: ast.For | ast.While) -> int | None:
    return turns(facts, loop.iter) if isinstance(loop, ast.For) else None


def _left(facts: Facts, loops: Sequence[AnyLoop]) -> Iterator[Finding]:
    """Loops that a gradient passes through and that stay as they are, with the reason."""
    for loop in loops:
        yield note(facts, loop.node, RECOMPUTE, _kept(facts, loop), LEFT, kind=COST)
    for fold, name in folds(facts):
        way_out = CELLS_LOOP if ".layers." in name else AS_LOOP
        yield note(facts, fold, RECOMPUTE, FOLD.format(name), way_out, kind=COST)


def _kept(facts: Facts, loop: AnyLoop) -> str:
    count = _turns(facts, loop.node)
    return KEPT.format(ALL.format(count) if count else "", loop.wrong)


def _out_of_reach(facts: Facts) -> Iterator[Finding]:
    """Cells that no known loop runs."""
    for call in facts.calls_of(*CELLS):
        yield note(facts, call, RECOMPUTE, TIME, LEFT, kind=COST)


def _advice(layers: int | None, facts: Facts) -> str:
    if layers and layers < 4:
        return "so few layers are hardly worth it"
    if layers and layers <= FEW and facts.options.recompute in ("", "halves"):
        return 'recompute = "sqrt" takes less time and little more memory for so few layers'
    return ""
