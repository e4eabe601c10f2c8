"""What the summary says of N workers."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest

from distify.assistant.report.many_workers import meaning
from distify.codemods.migrate import migrate
from distify.codemods.model import KEPT, ROOT, Migration, Options
from distify.codemods.project.migrate import migrate_project
from distify.codemods.project.texts import Project

FIT = """\
import numpy as np
import tensorflow as tf

SIZE = 16
x, y = np.ones((64, 2)), np.ones((64, 1))
model = tf.keras.Sequential([tf.keras.layers.Dense(1)])
model.compile("sgd", "mse")
model.fit(x, y, {})
"""


PARTS = {
    "data.py": """\
import numpy as np
import tensorflow as tf


def load():
    return tf.data.Dataset.from_tensor_slices((np.ones((64, 2)), np.ones((64, 1)))).batch(16)
""",
    "net.py": """\
import tensorflow as tf


def build():
    model = tf.keras.Sequential([tf.keras.layers.Dense(1)])
    model.compile(tf.keras.optimizers.SGD(0.1), "mse")
    return model
""",
    "train.py": "from data import load\nfrom net import build\n\nbuild().fit(load(), epochs=2)\n",
}


def told(text: str, options: Options | None = None) -> list[str]:
    """The lines, each after its heading."""
    return of(migrate(text, options or Options()))


def of(migration: Migration | None) -> list[str]:
    """The lines that are said of a migration, each after its heading."""
    outcome: Any = SimpleNamespace(migration=migration)
    lines = ["".join(span.text for span in line) for line in meaning(outcome)]
    assert lines[:2] == ["", "With N workers"]
    return [line[9:] for line in lines[2:]]


@pytest.mark.parametrize(
    ("arguments", "batch"),
    [
        ("batch_size=32", "N x 32 examples a step (256 on 8 workers), 32 at a time on each"),
        ("batch_size=SIZE", "N x 16 examples a step (128 on 8 workers), 16 at a time on each"),
        ("batch_size=size()", "a step takes N batches, one on each worker at a time"),
        ("epochs=3", "a step takes N batches, one on each worker at a time"),
    ],
)
def test_a_step_takes_a_batch_of_each_worker(arguments: str, batch: str) -> None:
    assert told(FIT.format(arguments))[0] == batch


@pytest.mark.parametrize(
    ("arguments", "batch"),
    [
        ("batch_size=SIZE", "16 examples a step, as on one process: 16 / N on each worker"),
        ("epochs=3", "a step takes one batch, an Nth of its rows on each worker"),
    ],
)
def test_all_workers_take_one_batch_where_that_is_asked_for(arguments: str, batch: str) -> None:
    assert told(FIT.format(arguments), Options(batch="global")) == [
        batch,
        "as before",
        "as many as before in each epoch, each for an Nth of the rows",
    ]


@pytest.mark.parametrize(
    ("options", "rate"),
    [
        (Options(), "N times that of one worker"),
        (Options(learning_rate=ROOT), "the root of N times that of one worker"),
        (Options(learning_rate=KEPT), "as before"),
        (Options(warmup=5), "N times that of one worker, which it grows to in the first epochs"),
    ],
)
def test_the_rate_grows_as_was_chosen(options: Options, rate: str) -> None:
    assert told(FIT.format("batch_size=32"), options)[1] == rate


def test_batches_that_are_added_up_count() -> None:
    batch, rate, _ = told(FIT.format("batch_size=32"), Options(passes=4, learning_rate=ROOT))
    assert batch.startswith("N x 4 x 32 examples a step (1024 on 8 workers), 32 at a time")
    assert rate == "the root of N times that of one worker"


@pytest.mark.parametrize(
    ("options", "steps"),
    [(Options(), "an Nth of those"), (Options(shard=False), "as many as before")],
)
def test_an_epoch_is_shorter_where_data_is_shared_out(options: Options, steps: str) -> None:
    assert told(FIT.format("batch_size=32"), options)[2].startswith(steps)


@pytest.mark.parametrize("text", ["print(1)\n", "import tensorflow as tf\nprint(tf)\n"])
def test_nothing_is_said_of_what_is_no_job(text: str) -> None:
    outcome: Any = SimpleNamespace(migration=migrate(text))
    assert list(meaning(outcome)) == []


@pytest.mark.parametrize(
    ("options", "rate"),
    [(Options(), "N times"), (Options(learning_rate=ROOT), "the root of N times")],
)
def test_what_changes_in_other_files_of_a_project_counts(options: Options, rate: str) -> None:
    assert of(migrate_project(Project("train.py", PARTS), options, "train.py")) == [
        "N x 16 examples a step (128 on 8 workers), 16 at a time on each",
        f"{rate} that of one worker",
        "an Nth of those of before in each epoch: every worker trains on its share",
    ]
