"""The class of a model whose layers Keras runs by itself: its `call` runs them, and keeps little.

What Keras knows of the model (its layers, weights, names and shapes) stays as it is.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator

from ..edits import At, Replace
from ..facts import Facts
from ..facts.layers.recomputed_layers import Chain
from . import _recomputing
from ._new_code import fresh, tf

HEAD = '''\
class {name}({tf}.keras.{base}):
    """A model whose layers are run again for their gradients, so that little is kept."""

    def call(self, inputs, training=None, mask=None):
'''
WHOLE = """\
        return {run}({layers}, inputs, training)
"""
PART = """\
        x = {run}({layers}, x, training)
"""
BESIDE = """\
        for layer in {layers}:
            x = layer(x, training=training)
"""


def name(facts: Facts, chain: Chain) -> str:
    """The name of its class."""
    base = "Sequential" if chain.is_sequential else "Model"
    part = "".join(f"_{n}" for n in (chain.first, chain.last)) if chain.first or chain.last else ""
    return fresh(facts, f"Recomputed{base}{part}")


def changed(facts: Facts, chains: Iterable[Chain]) -> Iterator[At]:
    """The edits at what makes the models."""
    for chain in chains:
        yield At(chain.call.func, Replace(name(facts, chain)))


def definitions(facts: Facts, chains: Iterable[Chain]) -> list[str]:
    """The text of each class."""
    return list(dict.fromkeys(_written(facts, chain) for chain in chains))


def _written(facts: Facts, chain: Chain) -> str:
    base = "Sequential" if chain.is_sequential else "Model"
    run = _recomputing.name(facts, training=True)
    head = HEAD.format(name=name(facts, chain), tf=tf(facts), base=base)
    begin, end = chain.first + (not chain.is_sequential), -chain.last if chain.last else ""
    layers = f"self.layers[{begin or ''}:{end}]" if begin or end else "self.layers"
    if not chain.first and not chain.last:
        return head + WHOLE.format(run=run, layers=layers)
    lines = ["        x = inputs\n"]
    if chain.first:
        skipped = begin - chain.first or ""
        lines.append(BESIDE.format(layers=f"self.layers[{skipped}:{begin}]"))
    lines.append(PART.format(run=run, layers=layers))
    if chain.last:
        lines.append(BESIDE.format(layers=f"self.layers[{end}:]"))
    return head + "".join(lines) + "        return x\n"


def first(facts: Facts, nodes: Iterable[ast.AST]) -> ast.stmt:
    """The first statement of the module that holds one of these."""
    found = {facts.top(facts.statement(node)) for node in nodes}
    return min(found, key=lambda statement: statement.lineno)
