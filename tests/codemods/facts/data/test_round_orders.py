"""Texts of a set are sorted where their order counts: each process hashes them in its own way."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest

from distify.codemods.migrate import migrate

HEAD = 'import numpy as np\nimport tensorflow as tf\n\ntext = open("a.txt").read()\n'
TAIL = """\
model = tf.keras.Sequential([tf.keras.layers.Dense(1)])
model.compile("sgd", "mse")
model.fit(np.load("x.npy"), np.load("y.npy"))
"""
SORTED = {
    "words = list(set(text))\n": "words = sorted(set(text))\n",
    "words = list(set(text.split()) - {'a'})\n": "words = sorted(set(text.split()) - {'a'})\n",
    "words = set()\nfor line in text:\n    words = words.union(line.split())\nwords = list(words)\n": (
        "words = set()\nfor line in text:\n    words = words.union(line.split())\n"
        "words = sorted(words)\n"
    ),
    "words = tuple(set(text))\n": "words = tuple(sorted(set(text)))\n",
    "index = {w: i for i, w in enumerate(set(text))}\n": (
        "index = {w: i for i, w in enumerate(sorted(set(text)))}\n"
    ),
    "vocab = set(text)\nindex = {w: i for i, w in enumerate(vocab)}\n": (
        "vocab = set(text)\nindex = {w: i for i, w in enumerate(sorted(vocab))}\n"
    ),
    "index = dict(zip(set(text), range(99)))\n": "index = dict(zip(sorted(set(text)), range(99)))\n",
    "words = [w for w in {c.lower() for c in text}]\n": (
        "words = [w for w in sorted({c.lower() for c in text})]\n"
    ),
    "index = {}\nfor w in set(text):\n    index[w] = len(index)\n": (
        "index = {}\nfor w in sorted(set(text)):\n    index[w] = len(index)\n"
    ),
}
KEPT = (
    "words = sorted(set(text))\n",
    "words = sorted(list(set(text)))\n",
    "words = list(set(text))\nwords.sort()\n",
    "size = len(set(text))\n",
    "is_there = 'a' in set(text)\n",
    "numbers = list(set(range(9)))\n",
    "numbers = list({1, 2, 3} | {4})\n",
    "words = list(text)\n",
    "for w in set(text):\n    print(w)\n",
    "count = {w: text.count(w) for w in set(text)}\n",
)


@pytest.mark.parametrize(("before", "after"), SORTED.items())
def test_texts_of_a_set_are_sorted_where_their_order_counts(before: str, after: str) -> None:
    found = migrate(HEAD + before + TAIL)
    assert found.blocked == ()
    assert after in found.after


@pytest.mark.parametrize("line", KEPT)
def test_nothing_is_sorted_that_is_in_order_or_needs_none(line: str) -> None:
    found = migrate(HEAD + line + TAIL)
    assert line.rpartition("    ")[2] in found.after
    assert found.after.count("sorted(") == line.count("sorted(")


def test_a_program_that_averages_already_is_told() -> None:
    text = HEAD.replace("import t", "import horovod.tensorflow.keras as hvd\nimport t")
    begun = text + "hvd.init()\nwords = list(set(text))\n"
    assert "words = sorted(set(text))\n" in migrate(begun + TAIL).after
    wrapped = "hvd.DistributedOptimizer(tf.keras.optimizers.SGD(0.1))"
    found = migrate(begun + f"model_optimizer = {wrapped}\n" + TAIL)
    told = [each.message for each in found.notes if each.code == "H01"]
    assert any("another order in each process" in message for message in told)


def test_two_processes_do_order_them_differently() -> None:
    """The hazard itself, with the rewritten form beside it."""
    words = "a b c d e f g h i j k l m n o p"
    said = {
        form: {
            subprocess.run(
                [sys.executable, "-c", f"print({form})"],
                env={**os.environ, "PYTHONHASHSEED": seed},
                capture_output=True,
                text=True,
                check=True,
            ).stdout
            for seed in ("1", "2", "3")
        }
        for form in (f"list(set({words!r}.split()))", f"sorted(set({words!r}.split()))")
    }
    assert [len(each) > 1 for each in said.values()] == [True, False]
