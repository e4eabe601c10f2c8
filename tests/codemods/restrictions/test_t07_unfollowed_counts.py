"""A number of rounds that each worker may draw for itself is refused or named, however it comes."""

from __future__ import annotations

import pytest

from distify.codemods.migrate import migrate
from flows.more_spellings import UNFOLLOWED

HEAD = """import collections, contextlib, dataclasses, functools, random, sys, types, typing
import tensorflow as tf
x = sys.argv
model = tf.keras.Sequential([tf.keras.layers.Dense(1)])
model.compile("sgd", "mse")
"""
LOOP = "for i in range(int(9 * {})):\n    model.fit(tf.ones((8, 2)), tf.ones((8, 1)))\n"
OVER = LOOP.replace("range(int(9 * {}))", "{}")
COUNT = "from somewhere import load\ncount = load()\n"


def said(text: str) -> set[str]:
    migration = migrate(HEAD + text)
    return {finding.code for finding in (*migration.blocked, *migration.notes)}


@pytest.mark.parametrize("spelling", UNFOLLOWED)
def test_a_drawn_count_is_never_fine(spelling: str) -> None:
    setup, use = UNFOLLOWED[spelling].text("random.random()")
    assert "T07" in said(setup + LOOP.format(use))


@pytest.mark.parametrize(
    "text",
    [
        COUNT + LOOP.format("count"),  # code outside gives all the same
        "a = random.random()\n" + COUNT + LOOP.format("count"),
        "random.seed(1)\na = random.random()\n" + COUNT + LOOP.format("count"),
        "a = random.random()\n" + LOOP.format("len(x)"),
        "a = random.random()\n" + LOOP.format("1"),
        "a = random.random()\nimport argparse\np = argparse.ArgumentParser()\n"
        "count = p.parse_args().count\n" + LOOP.format("count"),
        "a = random.random()\n" + OVER.format("[1e-1, 1e-2]"),  # a grid of rates
        "a = random.random()\n" + OVER.format("enumerate((16, 32))"),
        "a = random.random()\n" + OVER.format("{'sgd': 1, 'adam': 2}.items()"),
    ],
)
def test_what_is_shared_or_not_drawn_needs_no_word(text: str) -> None:
    assert "T07" not in said(text)


@pytest.mark.parametrize(
    ("count", "is_told"),
    [
        ("[3, 5][random.randint(0, 1)]", True),
        ("{'a': 3, 'b': 5}.get(random.choice('ab'))", True),
        ("{'a': 3, 'b': 5}[random.choice('ab')]", True),
        ("[3, 5][1]", False),
        ("{'a': 3, 'b': 5}[key]", False),
        ("{'a': 3, 'b': 5}.get(key)", False),
    ],
)
def test_a_key_decides_which_count_is_read(count: str, is_told: bool) -> None:
    text = (
        "import random\nimport tensorflow as tf\n\nw = tf.Variable(1.0)\nkey = 'a'\n"
        f"opt = tf.keras.optimizers.SGD(0.1)\nfor i in range({count}):\n"
        "    with tf.GradientTape() as tape:\n        loss = w**2\n"
        "    opt.apply_gradients(zip(tape.gradient(loss, [w]), [w]))\n"
    )
    assert ("T07" in [finding.code for finding in migrate(text).blocked]) is is_told


def test_where_rank_zero_tells_the_count_it_needs_no_word() -> None:
    """D205 writes the broadcast that the remark would ask for."""
    start = (
        "a = random.random()\n"
        "manager = tf.train.CheckpointManager(tf.train.Checkpoint(model=model), 'kept', 3)\n"
        "start = int(manager.latest_checkpoint.split('-')[-1])\n"
    )
    loop = "for i in range(start, 9):\n    model.fit(tf.ones((8, 2)), tf.ones((8, 1)))\n"
    migration = migrate(HEAD + start + loop)
    assert "range(int(hvd.broadcast(start, root_rank=0)), 9)" in migration.after
    assert "T07" not in {each.code for each in migration.notes}
