"""A pipeline that chance makes longer on one worker is refused, however it gets to `fit`."""

from __future__ import annotations

import pytest

from distify.codemods.migrate import migrate
from flows.more_spellings import UNFOLLOWED
from flows.spellings import EQUAL

HEAD = """import collections, contextlib, dataclasses, functools, sys, types, typing
import tensorflow as tf
x = sys.argv
model = tf.keras.Sequential([tf.keras.layers.Dense(1)])
model.compile("sgd", "mse")
"""
DATA = "tf.data.Dataset.range(67).map(lambda e: (e, e)){}.batch(4)"
BY_CHANCE = ".filter(lambda a, b: tf.random.uniform([]) < 0.5)"
BY_VALUE = ".filter(lambda a, b: a > 9)"


def refused(setup: str, use: str) -> set[str]:
    return {finding.code for finding in migrate(f"{HEAD}{setup}model.fit({use})\n").blocked}


@pytest.mark.parametrize("spelling", [*EQUAL, *UNFOLLOWED])
def test_what_chance_sifts_is_refused(spelling: str) -> None:
    way = {**EQUAL, **UNFOLLOWED}[spelling]
    assert refused(*way.text(DATA.format(BY_CHANCE))) == {"K04"}
    assert refused(*way.text(DATA.format(BY_VALUE))) == set()


# What `__dict__` was given is followed to where `__getattr__` takes it out.
@pytest.mark.parametrize("spelling", [each for each in UNFOLLOWED if each != "any attribute"])
def test_data_that_is_not_followed_is_named(spelling: str) -> None:
    setup, use = UNFOLLOWED[spelling].text(DATA.format(""))
    migration = migrate(f"{HEAD}{setup}model.fit({use})\n")
    assert "D107" in {note.code for note in migration.notes}
