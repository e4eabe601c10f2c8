"""Chance decides how many examples there are; one example picked by chance doesn't."""

from __future__ import annotations

import ast

import pytest

from distify.codemods.facts import Facts
from distify.codemods.judge.disagreements import disagreements
from distify.codemods.judge.own import Level

HEAD = """\
import functools
import random
import numpy as np
import tensorflow as tf
ds = tf.data.Dataset.range(9)
x, y = np.load("x.npy"), np.load("y.npy")
rows = [np.where(y == d)[0] for d in range(9)]
"""
MASKS = {
    "x[np.random.rand(len(x)) < 0.8]": True,
    "x[np.where(np.random.rand(len(x)) < 0.8)[0]]": True,
    "keep = np.random.rand(len(x)) < 0.8\nx[~keep]": True,
    "keep = np.where(np.random.rand(len(x)) < 0.8)\nx[keep[0]]": True,
    "both = (np.random.rand(len(x)) < 0.8, 1)\nx[both[0]]": True,
    "keep = y == 1\nx[keep]": False,
    "x[rows[random.randrange(9)][0]]": False,
    "d = random.randrange(9)\nn, m = rows[d][0], rows[d][1]\nx[n]": False,
    "np.random.seed(0)\nx[np.random.rand(len(x)) < 0.8]": False,
    "x[np.array(np.random.rand(len(x)) < 0.8)]": True,
    "x[np.logical_not(np.random.rand(len(x)) < 0.8)]": True,
    "x[np.random.binomial(1, 0.8, len(x)).astype(bool)]": True,
    "x[(np.random.rand(len(x)) < 0.8)[:50]]": True,
    "x[np.where(np.random.rand(len(x)) < 0.8, 1, 2)]": False,
    "x[int(np.random.rand() < 0.8)]": False,
    "x[(np.random.rand(len(x)) < 0.8).sum()]": False,
    "np.compress(np.random.rand(len(x)) < 0.8, x)": True,
    "np.delete(x, np.where(np.random.rand(len(x)) < 0.8))": True,
    "tf.boolean_mask(x, tf.random.uniform([9]) < 0.8)": True,
    "tf.boolean_mask(x, tf.random.uniform([9], seed=1) < 0.8)": False,
    "tf.boolean_mask(x, tf.random.stateless_uniform([9], [1, 2]) < 0.8)": False,
    "tf.boolean_mask(x, y == 1)": False,
    "[a for a in x if random.random() < 0.8]": True,
    "[random.random() for a in x if a]": False,
    "random.seed(0)\n[a for a in x if random.random() < 0.8]": False,
    "list(filter(lambda a: random.random() < 0.8, x))": True,
    "files = np.random.permutation(x)\n[a for a in files if a > 3]": False,
    "ds.filter(lambda a: tf.random.uniform([]) < 0.8)": True,
    "def keep(a):\n    return tf.random.uniform([]) < 0.8\nds.filter(keep)": True,
    "def keep(share):\n    return lambda a: tf.random.uniform([]) < share\nds.filter(keep(0.8))": True,
    "tf.random.set_seed(0)\nds.filter(lambda a: tf.random.uniform([]) < 0.8)": False,
    "ds.filter(lambda a: a > 3)": False,
    "ds.map(lambda a: a + tf.random.uniform([])).batch(4)": False,
    "def flip(a):\n    if tf.random.uniform([]) < 0.5:\n        a = -a\n    return a\nds.map(flip)": False,
    "ds.take_while(lambda a: tf.random.uniform([]) < 0.8)": True,
    "ds.flat_map(lambda a: ds.take(random.randint(1, 9)))": True,
    "ds.flat_map(lambda a: tf.data.Dataset.range(tf.random.uniform([], 1, 9)))": True,
    "ds.flat_map(lambda a: ds.map(lambda b: a + tf.random.uniform([])))": False,
    "ds.take(np.random.randint(60))": True,
    "ds.take(1 + int(9 * random.random()))": True,
    "ds.take(len(np.random.rand(60)))": False,
    "x.take(np.random.permutation(len(x)))": False,
    "np.take(x, np.random.permutation(len(x)))": False,
    "x.repeat(random.randint(1, 9))": True,
    "tf.data.Dataset.range(random.randint(1, 60))": True,
}


def has_chosen(text: str) -> bool:
    """Whether chance says how many elements the expression in the last line has."""
    facts = Facts.of(HEAD + text)
    last = facts.module.body[-1]
    assert isinstance(last, ast.Expr)
    return disagreements(facts).amounts.of(last.value).level is Level.OWN


@pytest.mark.parametrize("text", MASKS)
def test_what_chance_chooses(text: str) -> None:
    assert has_chosen(text) is MASKS[text]


FILLED = {
    "for a in x:\n    if random.random() < 0.8:\n        kept.append(a)": True,
    "for a in x:\n    if random.random() < 0.8:\n        kept += [a]": True,
    "for a in x:\n    if random.random() < 0.8:\n        kept.append(a)\n    else:\n        rest.append(a)": True,
    "for a in x:\n    if random.random() < 0.8:\n        kept.append(a)\n    else:\n        kept.append(-a)": False,
    "for a in x:\n    if random.random() < 0.2:\n        continue\n    kept.append(a)": True,
    "for a in x:\n    if random.random() < 0.8:\n        rest.append(a)\n    kept.append(a)": False,
    "for a in x:\n    if a > 3:\n        kept.append(a)": False,
    "for a in x:\n    kept.append(a if random.random() < 0.8 else -a)": False,
    "while len(kept) < 9:\n    if random.random() < 0.8:\n        kept.append(x[0])": False,
    "for a in x:\n    kept.append(random.random())": False,
    "random.seed(0)\nfor a in x:\n    if random.random() < 0.8:\n        kept.append(a)": False,
}


@pytest.mark.parametrize("text", FILLED)
def test_lists_that_chance_fills(text: str) -> None:
    filled = f"kept, rest = [], []\n{text}\n"
    assert has_chosen(f"{filled}np.array(kept)") is FILLED[text]
    assert has_chosen(f"{filled}np.stack([np.load(f) for f in kept])") is FILLED[text]
    loop = "read = []\nfor i in range(len(kept)):\n    read.append(np.load(kept[i]))\n"
    assert has_chosen(f"{filled}{loop}np.stack(read)") or not FILLED[text]


GENERATED = {
    "for a in x:\n        if random.random() < 0.8:\n            yield a": True,
    "for a in x:\n        if random.random() < 0.8:\n            continue\n        yield a": True,
    "for a in x:\n        yield a if random.random() < 0.8 else -a": False,
    "while True:\n        if random.random() < 0.8:\n            yield x": False,
    "for a in x:\n        if a > 3:\n            yield a": False,
}


@pytest.mark.parametrize("text", GENERATED)
def test_generators_that_chance_steers(text: str) -> None:
    generator = f"def gen():\n    {text}\n"
    made = "tf.data.Dataset.from_generator(gen, tf.float32)"
    assert has_chosen(f"{generator}{made}.batch(4)") is GENERATED[text]
    assert has_chosen(f"{generator}np.array(list(gen()))") or not GENERATED[text]


FILL = "kept = {}\nfor a in x:\n    if random.random() < 0.8:\n        kept.{}\nkept"


@pytest.mark.parametrize(
    ("empty", "call"),
    [
        ("[]", "append(a)"),
        ("[]", "insert(0, a)"),
        ("[]", "extend([a])"),
        ("set()", "add(a)"),
    ],
)
def test_a_list_that_chance_fills_has_a_length_by_chance(empty: str, call: str) -> None:
    text = FILL.format(empty, call)
    assert has_chosen(text)
    both = text.replace("\nkept", f"\n    else:\n        kept.{call}\nkept")
    assert not has_chosen(both)
    assert not has_chosen(text.replace("random.random() < 0.8", "a > 3"))
    assert not has_chosen("random.seed(0)\n" + text)
