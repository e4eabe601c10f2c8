"""An optimizer that `compile` gets without a name is named, scaled and wrapped."""

from __future__ import annotations

import textwrap

import pytest

from distify.codemods.migrate import migrate
from distify.codemods.model import Migration, Options

HEAD = """\
import sys

import tensorflow as tf
from tensorflow import keras
from tensorflow.keras.optimizers import SGD, Adam, schedules

model = keras.Sequential([keras.layers.Dense(1)])
# head
"""


def outcome(snippet: str, head: str = HEAD) -> Migration:
    """The migration of the snippet as a part of a Keras program."""
    text = head + textwrap.dedent(snippet).strip("\n ") + "\nmodel.fit([[1.0]], [[2.0]])\n"
    return migrate(text, Options(unsound=True, select=frozenset({"D301"})))


def compiled(snippet: str, head: str = HEAD) -> str:
    """What becomes of the snippet."""
    found = outcome(snippet, head)
    assert not found.blocked
    body = found.after.partition("# head\n")[2]
    return body[: body.rindex("\nmodel.fit(")]


CASES = {
    "a string": (
        'model.compile("sgd", loss="mse")',
        """
        optimizer = SGD(learning_rate=0.01 * hvd.size())
        optimizer = hvd.DistributedOptimizer(optimizer)
        model.compile(optimizer, loss="mse")
        """,
    ),
    "a string in another case": (
        'model.compile(optimizer="RMSProp")',
        """
        optimizer = keras.optimizers.RMSprop(learning_rate=0.001 * hvd.size())
        optimizer = hvd.DistributedOptimizer(optimizer)
        model.compile(optimizer=optimizer)
        """,
    ),
    "a string under a name": (
        """
        name = "adam"
        model.compile(optimizer=name)
        """,
        """
        name = "adam"
        optimizer = Adam(learning_rate=0.001 * hvd.size())
        optimizer = hvd.DistributedOptimizer(optimizer)
        model.compile(optimizer=optimizer)
        """,
    ),
    "nothing": (
        'model.compile(loss="mse")',
        """
        optimizer = keras.optimizers.RMSprop(learning_rate=0.001 * hvd.size())
        optimizer = hvd.DistributedOptimizer(optimizer)
        model.compile(loss="mse", optimizer=optimizer)
        """,
    ),
    "a call": (
        "model.compile(Adam(0.1))",
        """
        optimizer = Adam(0.1 * hvd.size())
        optimizer = hvd.DistributedOptimizer(optimizer)
        model.compile(optimizer)
        """,
    ),
    "a call of several lines": (
        """
        model.compile(
            loss="mse",
            optimizer=Adam(
                0.1,
                beta_1=0.5,
            ),  # tuned
        )
        """,
        """
        optimizer = Adam(
            0.1 * hvd.size(),
            beta_1=0.5,
        )  # tuned
        optimizer = hvd.DistributedOptimizer(optimizer)
        model.compile(
            loss="mse",
            optimizer=optimizer,
        )
        """,
    ),
    "a choice of calls": (
        "model.compile(Adam(0.1) if sys.argv else SGD(0.1))",
        """
        optimizer = Adam(0.1 * hvd.size()) if sys.argv else SGD(0.1 * hvd.size())
        optimizer = hvd.DistributedOptimizer(optimizer)
        model.compile(optimizer)
        """,
    ),
    "with a schedule": (
        "model.compile(Adam(schedules.CosineDecay(0.1, 9)))",
        """
        optimizer = Adam(schedules.CosineDecay(0.1 * hvd.size(), 9))
        optimizer = hvd.DistributedOptimizer(optimizer)
        model.compile(optimizer)
        """,
    ),
    "in a function": (
        """
        def build():
            built = keras.Sequential()
            built.compile("sgd")
            return built
        model = build()
        """,
        """
        def build():
            built = keras.Sequential()
            optimizer = SGD(learning_rate=0.01 * hvd.size())
            optimizer = hvd.DistributedOptimizer(optimizer)
            built.compile(optimizer)
            return built
        model = build()
        """,
    ),
    "on one line": (
        'if sys.argv: model.compile("sgd")',
        """
        if sys.argv:
            optimizer = SGD(learning_rate=0.01 * hvd.size())
            optimizer = hvd.DistributedOptimizer(optimizer)
            model.compile(optimizer)
        """,
    ),
    "where no statement can go before": (
        """
        f = lambda: model.compile("sgd")
        f()
        """,
        """
        f = lambda: model.compile(hvd.DistributedOptimizer(SGD(learning_rate=0.01 * hvd.size())))
        f()
        """,
    ),
    "where the name is taken": (
        """
        optimizer = "sgd"
        model.compile(optimizer)
        """,
        """
        optimizer = "sgd"
        opt = SGD(learning_rate=0.01 * hvd.size())
        opt = hvd.DistributedOptimizer(opt)
        model.compile(opt)
        """,
    ),
    "with a train_step of its own: scaled only": (
        """
        class Mine(keras.Model):
            def train_step(self, data):
                with tf.GradientTape() as tape:
                    loss = self.compiled_loss(data[1], self(data[0]))
                grads = tape.gradient(loss, self.trainable_variables)
                self.optimizer.apply_gradients(zip(grads, self.trainable_variables))
                return {"loss": loss}
        model = Mine()
        model.compile("sgd", "mse")
        """,
        """
        class Mine(keras.Model):
            def train_step(self, data):
                with tf.GradientTape() as tape:
                    loss = self.compiled_loss(data[1], self(data[0]))
                grads = tape.gradient(loss, self.trainable_variables)
                self.optimizer.apply_gradients(zip(grads, self.trainable_variables))
                return {"loss": loss}
        model = Mine()
        model.compile(SGD(learning_rate=0.01 * hvd.size()), "mse")
        """,
    ),
}


@pytest.mark.parametrize(("before", "after"), CASES.values(), ids=CASES.keys())
def test_it_gets_a_name(before: str, after: str) -> None:
    assert compiled(before) == textwrap.dedent(after).strip("\n ")


SPELLINGS = {
    "import tensorflow as tf": "tf.keras.optimizers.Adam(",
    "import tensorflow": "tensorflow.keras.optimizers.Adam(",
    "from tensorflow import keras": "keras.optimizers.Adam(",
    "import tensorflow.keras as k": "k.optimizers.Adam(",
    "from tensorflow.keras import optimizers": "optimizers.Adam(",
    "from tensorflow.keras.optimizers import Adam as A": "A(",
}


@pytest.mark.parametrize(("imports", "spelled"), SPELLINGS.items())
def test_keras_is_spelled_as_the_file_spells_it(imports: str, spelled: str) -> None:
    head = f"{imports}\nfrom tensorflow.keras import Sequential\n\nmodel = Sequential()\n# head\n"
    assert f"optimizer = {spelled}learning_rate=" in compiled('model.compile("adam")', head)


SAME = {
    "a name": """
        opt = Adam(0.1)
        model.compile(opt)
        """,
    "a loss scale": "model.compile(keras.mixed_precision.LossScaleOptimizer(Adam(0.1)))",
    "a compile of something else": """
        import re
        pattern = re.compile("adam")
        opt = Adam(0.1)
        model.compile(opt)
        """,
    "a compile of one's own": """
        class Mine(keras.Model):
            def compile(self, generator, critic):
                super().compile()
                self.generator, self.critic = generator, critic
            def train_step(self, data):
                with tf.GradientTape() as tape:
                    loss = self(data)
                grads = tape.gradient(loss, self.trainable_variables)
                self.critic.apply_gradients(zip(grads, self.trainable_variables))
                return {"loss": loss}
        model = Mine()
        model.compile(Adam(0.1), Adam(0.2))
        """,
}


@pytest.mark.parametrize("text", SAME.values(), ids=SAME.keys())
def test_it_keeps_what_it_has(text: str) -> None:
    found = outcome(text)
    assert not found.blocked
    assert "D301" not in [step.code for step in found.steps]


@pytest.mark.parametrize("unit", ["\t", "  ", "    "], ids=["tabs", "two", "four"])
def test_a_named_optimizer_keeps_the_depth_of_its_lines(unit: str) -> None:
    lines = (
        "def main():",
        ">model = tf.keras.Sequential([tf.keras.layers.Dense(1)])",
        ">model.compile(",
        ">>tf.keras.optimizers.Adam(",
        ">>>learning_rate=tf.keras.optimizers.schedules.CosineDecay(",
        ">>>>initial_learning_rate=0.1,",
        ">>>>decay_steps=9,",
        ">>>),",
        ">>)",
        ">)",
        ">model.fit(tf.ones((8, 4)), tf.ones((8, 1)))",
        "main()",
    )
    text = "import tensorflow as tf\n" + "\n".join(lines).replace(">", unit)
    after = migrate(text).after
    assert f"\n{unit}optimizer = tf.keras.optimizers.Adam(\n{unit * 2}learning_rate=tf.k" in after
    assert f"\n{unit * 3}initial_learning_rate=0.1 * hvd.size(),\n" in after
    assert f"\n{unit * 2}),\n{unit})\n{unit}optimizer = hvd.Distr" in after


def test_the_call_is_not_broken_for_what_leaves_it() -> None:
    """D104 made the line too long, before D301 gave the optimizer a name."""
    call = 'model.compile(optimizer={}, loss="mse", metrics=["mae"])\n'
    before = (
        "import tensorflow as tf\n\nmodel = tf.keras.Sequential([tf.keras.layers.Dense(1)])\n"
        + call.format("tf.keras.optimizers.Adam(learning_rate=0.0001)")
        + "model.fit([[1.0]], [[2.0]])\n"
    )
    after = migrate(before, Options(width=100)).after
    assert "optimizer = tf.keras.optimizers.Adam(learning_rate=0.0001 * hvd.size())\n" in after
    assert call.format("optimizer") in after
