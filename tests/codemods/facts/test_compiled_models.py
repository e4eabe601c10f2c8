"""What a library makes is a model of Keras where it is compiled as one, and unknown elsewhere."""

from __future__ import annotations

import pytest

from distify.codemods.migrate import migrate

PROGRAM = """\
import numpy as np
import tensorflow as tf
import {library} as lib

x, y = np.load("x.npy"), np.load("y.npy")
model = {made}
model.compile({compiled})
model.fit(x, y, epochs=3)
"""
ADAM = "optimizer=tf.keras.optimizers.Adam(0.001)"
LOSS = 'loss="mse"'


def codes(compiled: str, library: str = "medical", made: str = "lib.nets.Dense3D(4)") -> list[str]:
    text = PROGRAM.format(library=library, made=made, compiled=compiled)
    return [finding.code for finding in migrate(text).blocked]


@pytest.mark.parametrize(
    "compiled",
    [f"{ADAM}, {LOSS}", f"tf.keras.optimizers.SGD(0.1), {LOSS}", f"{ADAM}, loss=lib.dice"],
)
def test_it_is_compiled_as_a_model(compiled: str) -> None:
    assert codes(compiled) == []


@pytest.mark.parametrize(
    "compiled",
    [
        ADAM,  # an agent of keras-rl
        'optimizer="adam", loss="mse"',  # whoever takes such words
        f"optimizer=lib.Adam(), {LOSS}",
        f"**lib.options, {LOSS}",
    ],
)
def test_nothing_proves_that_it_is_a_model(compiled: str) -> None:
    assert "T01" in codes(compiled)


def test_who_is_compiled_may_be_one_of_two() -> None:
    made = "lib.nets.Dense3D(4) if x.any() else lib.nets.Agent()"
    assert "T01" in codes(f"{ADAM}, {LOSS}", made=made)


def test_its_optimizer_is_wrapped_and_its_rate_scaled() -> None:
    text = PROGRAM.format(library="nets", made="lib.build()", compiled=f"{ADAM}, {LOSS}")
    after = migrate(text).after
    assert "tf.keras.optimizers.Adam(0.001 * hvd.size())" in after
    assert "hvd.DistributedOptimizer(" in after
    assert "BroadcastGlobalVariablesCallback(0)" in after
