"""A rate grows in the first epochs of a loop, where that is asked for."""

from __future__ import annotations

from pathlib import Path

import pytest

from distify.codemods.migrate import migrate
from distify.codemods.model import ALREADY_HOROVOD, KEPT, Options

EXAMPLES = Path(__file__).resolve().parents[3] / "examples"
HEAD = """\
import numpy as np
import tensorflow as tf

x = np.ones((64, 2), "float32")
data = tf.data.Dataset.from_tensor_slices(x).batch(8)
model = tf.keras.Sequential([tf.keras.layers.Dense(1)])
opt = tf.keras.optimizers.SGD(0.1)


def step(batch):
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean(model(batch) ** 2)
    grads = tape.gradient(loss, model.trainable_variables)
    opt.apply_gradients(zip(grads, model.trainable_variables))


"""
LOOP = "for epoch in range(9):\n    for batch in data:\n        step(batch)\n"
TRAIN = "def train():\n    " + LOOP.replace("\n", "\n    ").rstrip() + "\n\n\n"
PART = "warm_up = (1 + (hvd.size() - 1) * min({} / 5, 1)) / hvd.size()"
ASKED = Options(warmup=5)


def migrated(text: str, options: Options = ASKED) -> str:
    found = migrate(text, options)
    assert not found.blocked, found.blocked
    assert migrate(found.after, options).skipped == ALREADY_HOROVOD
    return found.after


CASES = {
    "a global name": (HEAD + LOOP, "opt", "epoch"),
    "from one on": (HEAD + LOOP.replace("(9)", "(1, 10)"), "opt", "(epoch - 1)"),
    "from where another run ended": (HEAD + LOOP.replace("(9)", "(start, 10)"), "opt", "epoch"),
    "a parameter": (
        HEAD.replace("step(batch)", "step(batch, o)").replace("opt.apply", "o.apply")
        + LOOP.replace("(batch)", "(batch, opt)"),
        "opt",
        "epoch",
    ),
    "a parameter by its name": (
        HEAD.replace("step(batch)", "step(batch, *, o)").replace("opt.apply", "o.apply")
        + LOOP.replace("(batch)", "(batch, o=opt)"),
        "opt",
        "epoch",
    ),
    "a loop over the data in a function of its own": (
        HEAD
        + "def train():\n    for batch in data:\n        step(batch)\n\n\n"
        + "for epoch in range(9):\n    train()\n",
        "opt",
        "epoch",
    ),
    "a loop in a function": (HEAD + TRAIN + "train()\n", "opt", "epoch"),
    "a bar around the count": (
        "from tqdm import tqdm\n" + HEAD + LOOP.replace("range(9)", "tqdm(range(9))"),
        "opt",
        "epoch",
    ),
    "rounds that each make an optimizer": (
        HEAD[: HEAD.index("opt = ")]
        + "for fold in range(3):\n    opt = tf.keras.optimizers.SGD(0.1)\n"
        + "    for epoch in range(9):\n        for batch in data:\n"
        + "            with tf.GradientTape() as tape:\n"
        + "                loss = tf.reduce_mean(model(batch) ** 2)\n"
        + "            grads = tape.gradient(loss, model.trainable_variables)\n"
        + "            opt.apply_gradients(zip(grads, model.trainable_variables))\n",
        "opt",
        "epoch",
    ),
}


@pytest.mark.parametrize(("text", "optimizer", "epoch"), CASES.values(), ids=CASES)
def test_the_head_of_the_loop_sets_the_rate(text: str, optimizer: str, epoch: str) -> None:
    lines = [line.strip() for line in migrated(text).splitlines()]
    at = lines.index(PART.format(epoch))
    assert lines[at - 2] == f"whole_rate = float({optimizer}.learning_rate)"
    assert lines[at - 1].startswith("for epoch in ")
    assert lines[at + 1] == f"{optimizer}.learning_rate = whole_rate * warm_up"


def test_an_object_calls_its_optimizer_as_it_does() -> None:
    text = HEAD + (
        "class Trainer:\n"
        "    def __init__(self, opt):\n        self.opt = opt\n\n"
        "    def step(self, batch):\n"
        "        with tf.GradientTape() as tape:\n"
        "            loss = tf.reduce_mean(model(batch) ** 2)\n"
        "        grads = tape.gradient(loss, model.trainable_variables)\n"
        "        self.opt.apply_gradients(zip(grads, model.trainable_variables))\n\n\n"
        "trainer = Trainer(opt)\n" + LOOP.replace("step(", "trainer.step(")
    )
    text = text.replace(HEAD[HEAD.index("def step") :], "", 1)
    after = migrated(text)
    assert "whole_rate = float(trainer.opt.learning_rate)\nfor epoch" in after
    assert "    trainer.opt.learning_rate = whole_rate * warm_up\n" in after


def test_names_that_are_taken_are_left() -> None:
    after = migrated(HEAD + "whole_rate = warm_up = 3\n" + LOOP)
    assert "whole_rate_1 = float(opt.learning_rate)\n" in after
    assert "opt.learning_rate = whole_rate_1 * warm_up_1\n" in after


@pytest.mark.parametrize(
    "options",
    [
        Options(),
        Options(warmup=5, learning_rate=KEPT),
        Options(warmup=5, ignore=frozenset({"D208"})),
    ],
)
def test_nothing_is_written_that_nobody_asked_for(options: Options) -> None:
    assert "warm_up" not in migrated(HEAD + LOOP, options)


def test_a_program_that_is_horovod_already_is_left_alone() -> None:
    plain = migrated(HEAD + LOOP, Options())
    assert migrate(plain, ASKED).skipped == ALREADY_HOROVOD


REFUSED = {
    "no epochs": HEAD + "for batch in data:\n    step(batch)\n",
    "epochs that nobody counts": HEAD
    + "while True:\n    for batch in data:\n        step(batch)\n    break\n",
    "two loops call the step": HEAD + LOOP + LOOP,
    "one optimizer for several rounds": HEAD
    + "for fold in range(3):\n    for epoch in range(9):\n        for batch in data:\n            step(batch)\n",
    "a name of the step alone": HEAD.replace("    grads", "    o = opt\n    grads").replace(
        "opt.apply", "o.apply"
    )
    + LOOP,
    "a loop in a graph": HEAD + "@tf.function\n" + TRAIN + "train()\n",
    "a loop that is compiled": HEAD + TRAIN + "tf.function(train)()\n",
    "a loop that a graph calls": HEAD
    + TRAIN
    + "@tf.function\ndef main():\n    train()\n\n\nmain()\n",
    "a schedule": HEAD.replace(
        "SGD(0.1)", "SGD(tf.keras.optimizers.schedules.ExponentialDecay(0.1, 9, 0.9))"
    )
    + LOOP,
    "a rate of its own": HEAD + LOOP + "    opt.learning_rate = 0.1 / (epoch + 1)\n",
    "a checkpoint": HEAD + "c = tf.train.Checkpoint(model=model, opt=opt)\nc.restore('c')\n" + LOOP,
    "a session": (EXAMPLES / "tf1" / "session_batches.py").read_text(encoding="utf-8"),
}


@pytest.mark.parametrize("text", REFUSED.values(), ids=REFUSED)
def test_what_has_no_form_is_refused_by_name(text: str) -> None:
    found = migrate(text, ASKED)
    assert [each for each in found.blocked if each.code == "L02" and each.fix]
    assert not migrate(text, Options()).blocked


@pytest.mark.parametrize("text", REFUSED.values(), ids=REFUSED)
def test_who_takes_that_on_them_gets_the_rest(text: str) -> None:
    found = migrate(text, Options(warmup=5, suppressed=frozenset({"L02"})))
    assert found.steps
    assert not found.blocked
    assert found.after == migrate(text, Options()).after
