"""The pages of T07, K04 and J06 have the table of sinks that the code has."""

from __future__ import annotations

from pathlib import Path

import pytest

from distify import codemods
from distify.codemods.judge import sinks
from distify.codemods.migrate import migrate

PAGES = Path(codemods.__path__[0]) / "pages"
KINDS = (
    *("chance", "clock", "person", "hash", "order", "file", "batch", "near", "weights", "found"),
    "rank",
)


def rows(code: str = "") -> str:
    """The table, a row a sink: of those of one code, or of all."""
    head = ["| where it gets to | then | " + " | ".join(KINDS) + " |"]
    head.append("|---|---|" + "---|" * len(KINDS))
    for sink in (each for each in sinks.SINKS if code in ("", each.code)):
        counts = ["x" if kind in sink.kinds else "" for kind in KINDS]
        head.append(f"| {sink.subject} | {sink.harm} | {' | '.join(counts)} |".replace("  |", " |"))
    return "\n".join(head)


@pytest.mark.parametrize(
    ("page", "code"), [("J06", ""), ("T07", "T07"), ("K04", "K04"), ("H12", "H12")]
)
def test_the_page_has_the_table_of_the_code(page: str, code: str) -> None:
    assert rows(code) in (PAGES / f"{page}.md").read_text("utf-8"), rows(code)


def test_every_kind_counts_somewhere() -> None:
    of_batches = {"model", "data"}  # as `batch` does, under one heading
    assert set().union(*(sink.kinds for sink in sinks.SINKS)) == {*KINDS, *of_batches}


PICKS = """\
import random
import sys
import time

import numpy as np
import tensorflow as tf


def small():
    return tf.keras.Sequential([tf.keras.layers.Dense(1)])


def large():
    return tf.keras.Sequential([tf.keras.layers.Dense(9), tf.keras.layers.Dense(1)])


class Own(tf.keras.Model):
    def __init__(self):
        super().__init__()
        self.out = tf.keras.layers.Dense(1)

    def call(self, x):
        return self.out(x)


x, y = np.ones((64, 4)), np.ones((64, 1))
"""
ENDS = 'model.compile("sgd", "mse")\nmodel.fit(x, y)\n'
TABLE = "NETS = {'small': small, 'large': large, 'own': Own}\n"


@pytest.mark.parametrize(
    ("made", "is_refused"),
    [
        (f"{TABLE}model = NETS[input('net: ')]()\n", True),
        (f"{TABLE}model = NETS[random.choice(['small', 'own'])]()\n", True),
        (f"{TABLE}model = NETS[sys.argv[1]]()\n", False),
        (f"{TABLE}make = NETS.get(input('net: '))\nmodel = make()\n", True),
        ("model = (small if time.time() % 2 else large)()\n", True),
        ("model = (small if len(sys.argv) > 1 else large)()\n", False),
        ("model = [small(), large()][random.randint(0, 1)]\n", True),
        ("models = {'a': small(), 'b': large()}\nmodel = models[input('net: ')]\n", True),
        ("models = {'a': small(), 'b': large()}\nmodel = models[sys.argv[1]]\n", False),
    ],
)
def test_which_model_trains_is_for_all_workers_to_agree(made: str, is_refused: bool) -> None:
    found = migrate(PICKS + made + ENDS)
    assert {each.code for each in found.blocked} == ({"T07"} if is_refused else set())
