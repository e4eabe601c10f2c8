"""Numbers of a file by which a loop is left: the advice is code, and what comes of it migrates."""

from __future__ import annotations

import re

import pytest

from distify.codemods.migrate import migrate

PROGRAM = """\
import json
import random
import tensorflow as tf
cfg = json.load(open("settings.json"))
model = tf.keras.Sequential([tf.keras.layers.Dense(1)])
opt = tf.keras.optimizers.SGD(0.1)
data = tf.data.Dataset.from_tensor_slices(x).batch(8)
for epoch in range(9):
    for a in data:
        with tf.GradientTape() as tape:
            loss = tf.reduce_mean(model(a))
        opt.apply_gradients(zip(tape.gradient(loss, model.weights), model.weights))
    if {test}:
        break
json.dump(cfg, open("settings.json", "w"))
"""
TOLD = ['epoch == cfg["stop"]', 'cfg["stop"] <= epoch', 'cfg["the end"]', 'not epoch < cfg["stop"]']
NOT = {
    "drawn": 'epoch == cfg["stop"] * random.random()',
    "a loss beside it": 'loss < cfg["stop"]',
    "two": 'cfg["a"] < cfg["b"]',
}


def advice(text: str) -> str:
    found = migrate(text)
    assert [f.code for f in found.blocked] == ["T07"]
    return found.blocked[0].fix


def followed(text: str, fix: str) -> str:
    """The text once the advice is done literally."""
    code = re.findall(r"`([^`]*)`", fix)
    assert code[0] == "import horovod.tensorflow as hvd"
    before = int(re.findall(r"before line (\d+)", fix)[0])
    lines = text.splitlines()
    lines = [line.replace(code[3].replace("'", '"'), code[2]) for line in lines]
    lines.insert(before - 1, code[1])
    return "\n".join([code[0], *lines, ""])


@pytest.mark.parametrize("test", TOLD)
def test_rank_0_tells_what_its_file_says(test: str) -> None:
    text = PROGRAM.format(test=test)
    fix = advice(text)
    assert "hvd.broadcast_object(cfg['" in fix
    done = migrate(followed(text, fix))
    assert not done.blocked
    assert done.steps


@pytest.mark.parametrize("test", NOT.values(), ids=NOT)
def test_more_than_a_file_is_not_mended_so(test: str) -> None:
    found = migrate(PROGRAM.format(test=test))
    assert not any("broadcast_object" in f.fix for f in found.blocked)
