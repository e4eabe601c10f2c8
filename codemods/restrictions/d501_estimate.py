"""Whether it is worth while to run layers again, told before anything is rewritten."""

from __future__ import annotations

from collections.abc import Iterator

from ..facts import Facts
from ..facts.layers.layer_bodies import SEQUENTIAL
from ..facts.layers.layer_counts import depth, halves, segments
from ..facts.layers.recomputation import is_compiled, recomputation
from ..model import RECOMPUTE, Finding
from . import restriction
from ._finding import COST, note

KNOWN = "of {} outputs of layers about {} are kept, and each layer is run {} times"
HALVES = KNOWN.format("t", "1 + log2 t", "1 + ½ log2 t")
SEGMENTS = KNOWN.format("t", "2 √t", "2")
BY_THEMSELVES = (SEQUENTIAL, "tensorflow.keras.Input", "tensorflow.keras.layers.Input")
NO_LOOP = "there is no loop over layers here: Keras runs the layers of this model by itself"
FIX = "write it as a class with the layers in a list and a loop in `call`: distify explain C09"
CELLS = tuple(f"tensorflow.keras.layers.{each}Cell" for each in ("GRU", "LSTM", "SimpleRNN"))
TIME = "no loop runs this cell as D501 can rewrite it: h, _ = cell(x[:, t], [h])"
LEFT = "the forms that are rewritten: distify explain D501"
LEAK = "in eager mode Keras 2 never frees what its sigmoid was given"
LEAK_FIX = "recurrent_activation=tf.sigmoid, or run the step as a tf.function"
FEW = 16  # layers for which segments need about as little memory as halves


@restriction(code=RECOMPUTE, name="estimate", rule=RECOMPUTE)
def estimate(facts: Facts) -> Iterator[Finding]:
    """Notes: how many outputs of layers are kept at a time, and how often layers are run."""
    found = recomputation(facts)
    if not found.loops and not found.steps and not found.problems:
        yield from _out_of_reach(facts)
    is_sqrt = facts.options.recompute == "sqrt"
    for steps in found.steps:
        message = (SEGMENTS if is_sqrt else HALVES).replace("layers", "steps", 1)
        message = message.replace("each layer", "each step")
        leaks = steps.is_nested and not is_compiled(facts)
        yield note(
            facts,
            steps.node,
            RECOMPUTE,
            f"{message} forwards instead of once{f'; {LEAK}' if leaks else ''}",
            LEAK_FIX if leaks else "",
            kind=COST,
        )
    for loop in found.loops:
        layers = depth(facts, loop.layers)
        message, advice = SEGMENTS if is_sqrt else HALVES, ""
        if layers:
            kept, runs = (segments if is_sqrt else halves)(layers)
            message = KNOWN.format(layers, kept, f"{runs / layers:.1f}")
            advice = _advice(layers, is_sqrt)
        yield note(
            facts, loop.node, RECOMPUTE, f"{message} forwards instead of once", advice, kind=COST
        )


def _out_of_reach(facts: Facts) -> Iterator[Finding]:
    """Models that run their layers by themselves, and cells: pages say what can be done."""
    for name in BY_THEMSELVES:
        for call in facts.calls_of(name):
            yield note(facts, call, RECOMPUTE, NO_LOOP, FIX, kind=COST)
    for call in facts.calls_of(*CELLS):
        yield note(facts, call, RECOMPUTE, TIME, LEFT, kind=COST)


def _advice(layers: int, is_sqrt: bool) -> str:
    if layers < 4:
        return "so few layers are hardly worth it"
    if layers <= FEW and not is_sqrt:
        return 'recompute = "sqrt" takes less time and little more memory for so few layers'
    return ""
