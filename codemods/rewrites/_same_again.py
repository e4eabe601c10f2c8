"""What is written where a part that is run again draws numbers, or moves averages.

Each part gets a seed before it is run, and draws by that seed and by the number of the draw: the
same in every run. Averages are moved by the first run alone. What stands outside of such a part
draws and moves as ever.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator

from ..edits import At, Replace, SetArgument
from ..facts import Facts
from ..facts.layers.layer_calls import Problem
from ..library.layers import REPAIRED
from ._new_code import fresh, tf

AGAIN = '''\
class {state}:
    """The part of a step that runs: what it draws by, and whether it is run again."""

    seed, draws, is_again = None, 0, False


def {next_seed}():
    """A seed; in a part that may be run again, the same in each of its runs."""
    if {state}.seed is None:
        return {tf}.random.uniform([2], maxval=2**31 - 1, dtype={tf}.int32)
    {state}.draws += 1
    return {tf}.random.experimental.stateless_fold_in({state}.seed, {state}.draws)


def {run_again}(function):
    """The same as tf.recompute_grad; each run draws the same, and knows whether it is the first."""
    seed, runs = {next_seed}(), []

    def run(*given):
        before = {state}.seed, {state}.draws, {state}.is_again
        {state}.seed, {state}.draws = seed, 0
        {state}.is_again = before[2] or len(runs) > 0
        runs.append(function)
        try:
            return function(*given)
        finally:
            {state}.seed, {state}.draws, {state}.is_again = before

    return {tf}.recompute_grad(run)
'''
DROPOUT = '''\
class {name}({tf}.keras.layers.Dropout):
    """Drops the same in each run of a part."""

    def call(self, inputs, training=None):
        if not training or {state}.seed is None:
            return super().call(inputs, training=training)
        return {tf}.nn.experimental.stateless_dropout(inputs, self.rate, {next_seed}())
'''
NOISE = '''\
class {name}({tf}.keras.layers.GaussianNoise):
    """Adds the same in each run of a part."""

    def call(self, inputs, training=None):
        if not training or {state}.seed is None:
            return super().call(inputs, training=training)
        noise = {tf}.random.stateless_normal({tf}.shape(inputs), {next_seed}(), stddev=self.stddev)
        return inputs + noise
'''
NORMALIZATION = '''\
class {name}({tf}.keras.layers.BatchNormalization):
    """Moves its averages in the first run of a part alone."""

    def add_update(self, updates):
        if not {state}.is_again:
            super().add_update(updates)
'''
LAYERS = {
    "Dropout": ("SameDropout", DROPOUT),
    "GaussianNoise": ("SameGaussianNoise", NOISE),
    "BatchNormalization": ("OnceBatchNormalization", NORMALIZATION),
}
STATE, SEED, AGAINST = "Again", "next_seed", "run_again"


def definitions(facts: Facts, repaired: Iterable[Problem]) -> list[str]:
    """The texts; none where nothing has to be repaired."""
    kinds = [problem.repair for problem in repaired]
    names = {"state": fresh(facts, STATE), "next_seed": fresh(facts, SEED), "tf": tf(facts)}
    texts = [AGAIN.format(**names, run_again=fresh(facts, AGAINST))] if kinds else []
    for kind, (name, text) in LAYERS.items():
        if kind in kinds:
            texts.append(text.format(**names, name=fresh(facts, name)))
    return texts


def told(facts: Facts, text: str, repaired: Iterable[Problem]) -> str:
    """A text that runs parts again, in which each run is told what it must know."""
    if not any(True for _ in repaired):
        return text
    return text.replace(f"{tf(facts)}.recompute_grad(", f"{fresh(facts, AGAINST)}(")


def repairs(facts: Facts, repaired: Iterable[Problem]) -> Iterator[At]:
    """The edits at what is made or drawn."""
    for problem in repaired:
        call = problem.node
        assert isinstance(call, ast.Call)
        if problem.repair in REPAIRED:
            yield At(call.func, Replace(fresh(facts, LAYERS[problem.repair][0])))
        else:
            function = problem.repair.replace("tensorflow", tf(facts), 1)
            yield At(call.func, Replace(function))
            yield At(call, SetArgument("seed", f"{fresh(facts, SEED)}()"))
