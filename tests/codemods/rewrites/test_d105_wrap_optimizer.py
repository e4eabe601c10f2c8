"""Every optimizer that Keras trains with is wrapped, exactly once, where it is made."""

from __future__ import annotations

import re
import textwrap

import pytest

from distify.codemods.migrate import migrate
from distify.codemods.model import Migration, Options

HEAD = """\
import sys

import tensorflow as tf
from tensorflow import keras
from tensorflow.keras.optimizers import SGD, Adam, schedules

args = sys.argv
model = keras.Sequential([keras.layers.Dense(1)])
# head
"""


def outcome(snippet: str, last: str = "model.fit([[1.0]], [[2.0]])\n") -> Migration:
    """The migration of the snippet as a part of a Keras program."""
    text = HEAD + textwrap.dedent(snippet).strip("\n ") + "\n" + last
    return migrate(text, Options(unsound=True, width=120, select=frozenset({"D105"})))


def wrapped(snippet: str) -> str:
    """What becomes of the snippet."""
    found = outcome(snippet)
    assert not found.blocked
    body = found.after.partition("# head\n")[2]
    return body[: body.rindex("\nmodel.fit(")]


CASES = {
    "after its statement": (
        """
        opt = Adam(0.1)  # tuned
        model.compile(opt)
        """,
        """
        opt = Adam(0.1)  # tuned
        opt = hvd.DistributedOptimizer(opt)
        model.compile(opt)
        """,
    ),
    "an alias gets the wrapped one": (
        """
        opt = Adam(0.1)
        same = opt
        model.compile(same)
        """,
        """
        opt = Adam(0.1)
        opt = hvd.DistributedOptimizer(opt)
        same = opt
        model.compile(same)
        """,
    ),
    "two names at once": (
        """
        opt = same = Adam(0.1)
        model.compile(same)
        """,
        """
        opt = same = hvd.DistributedOptimizer(Adam(0.1))
        model.compile(same)
        """,
    ),
    "a pair": (
        """
        rate, opt = 0.1, Adam(0.1)
        model.compile(opt)
        """,
        """
        rate, opt = 0.1, hvd.DistributedOptimizer(Adam(0.1))
        model.compile(opt)
        """,
    ),
    "each branch": (
        """
        if args:
            opt = Adam(0.1)
        else:
            opt = SGD(0.1)
        model.compile(opt)
        """,
        """
        if args:
            opt = Adam(0.1)
            opt = hvd.DistributedOptimizer(opt)
        else:
            opt = SGD(0.1)
            opt = hvd.DistributedOptimizer(opt)
        model.compile(opt)
        """,
    ),
    "one line": (
        "if args: opt = Adam(0.1); model.compile(opt)",
        """
        if args:
            opt = Adam(0.1)
            opt = hvd.DistributedOptimizer(opt)
            model.compile(opt)
        """,
    ),
    "each side of a choice": (
        """
        opt = Adam(0.1) if args else SGD(0.1)
        model.compile(opt)
        """,
        """
        opt = hvd.DistributedOptimizer(Adam(0.1)) if args else hvd.DistributedOptimizer(SGD(0.1))
        model.compile(opt)
        """,
    ),
    "what a function returns": (
        """
        def make():
            return Adam(0.1)
        model.compile(make())
        """,
        """
        def make():
            return hvd.DistributedOptimizer(Adam(0.1))
        model.compile(make())
        """,
    ),
    "what a function is given": (
        """
        def prepare(opt):
            model.compile(opt)
        prepare(Adam(0.1))
        """,
        """
        def prepare(opt):
            model.compile(opt)
        prepare(hvd.DistributedOptimizer(Adam(0.1)))
        """,
    ),
    "each one of a choice": (
        """
        opts = {"a": Adam(0.1), "s": SGD(0.1)}
        opt = opts[args[1]]
        model.compile(opt)
        """,
        """
        opts = {"a": hvd.DistributedOptimizer(Adam(0.1)), "s": hvd.DistributedOptimizer(SGD(0.1))}
        opt = opts[args[1]]
        model.compile(opt)
        """,
    ),
    "an attribute": (
        """
        class Trainer:
            def __init__(self):
                self.opt = Adam(0.1)
            def prepare(self):
                model.compile(optimizer=self.opt)
        Trainer().prepare()
        """,
        """
        class Trainer:
            def __init__(self):
                self.opt = Adam(0.1)
                self.opt = hvd.DistributedOptimizer(self.opt)
            def prepare(self):
                model.compile(optimizer=self.opt)
        Trainer().prepare()
        """,
    ),
    "one for two models": (
        """
        opt = Adam(0.1)
        other = keras.Sequential()
        other.compile(opt)
        model.compile(opt)
        """,
        """
        opt = Adam(0.1)
        opt = hvd.DistributedOptimizer(opt)
        other = keras.Sequential()
        other.compile(opt)
        model.compile(opt)
        """,
    ),
    "inside of a loss scale": (
        """
        opt = keras.mixed_precision.LossScaleOptimizer(Adam(0.1))
        model.compile(opt)
        """,
        """
        opt = keras.mixed_precision.LossScaleOptimizer(hvd.DistributedOptimizer(Adam(0.1)))
        model.compile(opt)
        """,
    ),
    "before a loss scale": (
        """
        opt = Adam(0.1)
        opt = keras.mixed_precision.LossScaleOptimizer(opt)
        model.compile(opt)
        """,
        """
        opt = Adam(0.1)
        opt = hvd.DistributedOptimizer(opt)
        opt = keras.mixed_precision.LossScaleOptimizer(opt)
        model.compile(opt)
        """,
    ),
    "inside of a loss scale inside of compile": (
        "model.compile(keras.mixed_precision.LossScaleOptimizer(Adam(0.1)))",
        "model.compile(keras.mixed_precision.LossScaleOptimizer(hvd.DistributedOptimizer(Adam(0.1))))",
    ),
    "with a schedule of Keras": (
        """
        opt = Adam(schedules.CosineDecay(0.1, 9))
        model.compile(opt)
        """,
        """
        opt = Adam(schedules.CosineDecay(0.1, 9))
        opt = hvd.DistributedOptimizer(opt)
        model.compile(opt)
        """,
    ),
    "with a schedule of one's own, set afterwards": (
        """
        class Mine(schedules.LearningRateSchedule):
            def __call__(self, step):
                return 0.1
        opt = Adam(Mine(), beta_1=0.8)
        model.compile(opt)
        """,
        """
        class Mine(schedules.LearningRateSchedule):
            def __call__(self, step):
                return 0.1
        opt = Adam(0.001, beta_1=0.8)
        opt = hvd.DistributedOptimizer(opt)
        opt.learning_rate = Mine()  # a schedule of one's own can't be rebuilt from a config
        model.compile(opt)
        """,
    ),
    "with a schedule of one's own, returned": (
        """
        class S(schedules.LearningRateSchedule):
            def __call__(self, step):
                return 0.1
        def make():
            return Adam(learning_rate=S())
        model.compile(make())
        """,
        """
        class S(schedules.LearningRateSchedule):
            def __call__(self, step):
                return 0.1
        def make():
            optimizer = Adam(learning_rate=0.001)
            optimizer = hvd.DistributedOptimizer(optimizer)
            optimizer.learning_rate = S()  # a schedule of one's own can't be rebuilt from a config
            return optimizer
        model.compile(make())
        """,
    ),
    "one whose own train_step asks Keras": (
        """
        class Mine(keras.Model):
            def train_step(self, data):
                return super().train_step(data)
        opt = Adam(0.1)
        mine = Mine()
        mine.compile(opt)
        mine.fit([[1.0]], [[2.0]])
        model.compile(opt)
        """,
        """
        class Mine(keras.Model):
            def train_step(self, data):
                return super().train_step(data)
        opt = Adam(0.1)
        opt = hvd.DistributedOptimizer(opt)
        mine = Mine()
        mine.compile(opt)
        mine.fit([[1.0]], [[2.0]])
        model.compile(opt)
        """,
    ),
}


@pytest.mark.parametrize(("before", "after"), CASES.values(), ids=CASES.keys())
def test_it_is_wrapped(before: str, after: str) -> None:
    assert wrapped(before) == textwrap.dedent(after).strip("\n ")


SAME = {
    "given as a string": 'model.compile("adam")',
    "made in the compile call": "model.compile(Adam(0.1))",
    "trains nothing": """
        opt = Adam(0.1)
        model.compile("sgd")
        """,
    "compiles a pattern": """
        import re
        opt = Adam(0.1)
        pattern = re.compile(opt.name)
        model.compile("sgd")
        """,
    "of a model with a train_step of its own": """
        class Mine(keras.Model):
            def train_step(self, data):
                with tf.GradientTape() as tape:
                    loss = self.compiled_loss(data[1], self(data[0]))
                grads = tape.gradient(loss, self.trainable_variables)
                self.optimizer.apply_gradients(zip(grads, self.trainable_variables))
                return {"loss": loss}
        opt = Adam(0.1)
        mine = Mine()
        mine.compile(opt)
        mine.fit([[1.0]], [[2.0]])
        model.compile("sgd")
        """,
}


@pytest.mark.parametrize("text", SAME.values(), ids=SAME.keys())
def test_an_optimizer_stays_plain(text: str) -> None:
    assert "D105" not in [step.code for step in outcome(text).steps]


def test_a_loop_of_its_own_needs_no_wrapped_optimizer() -> None:
    loop = """
        opt = SGD(0.1)
        w = tf.Variable(1.0)
        with tf.GradientTape() as tape:
            loss = w * w
        opt.apply_gradients(zip(tape.gradient(loss, [w]), [w]))
        """
    found = outcome(loop, last="")
    assert not found.blocked
    assert "D105" not in [step.code for step in found.steps]


def test_minimize_takes_its_gradients_from_a_wrapped_optimizer() -> None:
    loop = """
        opt = SGD(0.1)
        w = tf.Variable(1.0)
        opt.minimize(lambda: w * w, [w])
        """
    assert "opt = hvd.DistributedOptimizer(opt)\n" in outcome(loop, last="").after


BLOCKED = {
    "from a setting": "model.compile(args.optimizer)",
    "from a dictionary that changes": """
        opts = {"adam": Adam(0.1)}
        opts["sgd"] = args.sgd
        model.compile(opts[args.name])
        """,
    "a string from a setting": 'model.compile(optimizer="ad" + args.name)',
    "an unknown string": 'model.compile("adamant")',
    "hidden behind **": "model.compile(**args)",
    "with parameters that are lost": """
        class Mine(SGD):
            def __init__(self, learning_rate=0.1, extra=1.0):
                super().__init__(learning_rate)
                self.extra = extra
        opt = Mine(0.1, extra=2.0)
        model.compile(opt)
        """,
    "of a model from a file": """
        model = keras.models.load_model("model.h5")
        """,
    "of a model that nothing here compiles": "",
}


@pytest.mark.parametrize("text", BLOCKED.values(), ids=BLOCKED.keys())
def test_an_optimizer_out_of_sight_blocks_the_file(text: str) -> None:
    found = outcome(text)
    assert "R05" in [finding.code for finding in found.blocked]
    assert found.after == found.before


GRAPH = """\
import numpy as np
import tensorflow.compat.v1 as tf

w = tf.get_variable("w", [])
noise = tf.placeholder(tf.float32, [])
optimizer = tf.train.GradientDescentOptimizer(0.1)
{}
with tf.Session() as sess:
    sess.run(tf.global_variables_initializer())
    for step in range(9):
        sess.run(train, {{noise: np.random.rand()}})
"""
CLIPPED = """\
grads, _ = tf.clip_by_global_norm(tf.gradients(w * noise, [w]), 5.0)
train = optimizer.apply_gradients(zip(grads, [w]))"""
MEAN = "gradients = [None if grad is None else hvd.allreduce(grad) for grad in gradients]"


def joined(text: str) -> str:
    """Without the line ends that a call of many arguments gets."""
    return re.sub(r"(?<=[(\[])\s+", "", " ".join(text.split()))


@pytest.mark.parametrize(
    ("before", "after"),
    [
        (CLIPPED, "[grad for grad, _ in optimizer.compute_gradients(w * noise, [w])]"),
        (
            CLIPPED.replace("[w])", "[w], aggregation_method=2)", 1),
            f"gradients = tf.gradients(w * noise, [w], aggregation_method=2) {MEAN} grads, _ = "
            "tf.clip_by_global_norm(gradients, 5.0)",
        ),
        (
            "found = tf.gradients(w * noise, [w], gate_gradients=True)\n"
            "train = optimizer.apply_gradients(zip(found, [w]))",
            f"gate_gradients=True) {MEAN.replace('gradients', 'found')} train = ",
        ),
        ("grad = 1\n" + CLIPPED, "[grad for grad, _ in optimizer.comp"),
        (
            "grad = w\n" + CLIPPED.replace("[w])", "[grad])"),
            "[grad_1 for grad_1, _ in optimizer.comp",
        ),
    ],
    ids=["by the optimizer", "with more", "under its name", "a name elsewhere", "a name there"],
)
def test_gradients_of_a_graph_are_averaged(before: str, after: str) -> None:
    found = migrate(GRAPH.format(before))
    assert found.blocked == (), found.blocked
    assert after in joined(found.after), found.after


INLINE = {
    "in a dictionary": (
        "made = {'sgd': tf.train.GradientDescentOptimizer(0.1), 'adam': tf.train.AdamOptimizer()}\n"
        "train = made[input()].minimize(w * noise)",
        "'sgd': opt, 'adam': opt_2",
    ),
    "in a group": (
        "train = tf.group(tf.train.AdamOptimizer(0.1).minimize(w * noise),\n"
        "                 tf.train.GradientDescentOptimizer(0.2).minimize(w - noise))",
        "tf.group(opt.minimize(w * noise), opt_2.minimize(w - noise))",
    ),
}


@pytest.mark.parametrize(("before", "after"), INLINE.values(), ids=INLINE.keys())
def test_each_optimizer_of_a_statement_has_a_name_of_its_own(before: str, after: str) -> None:
    found = migrate(GRAPH.format(before))
    assert found.blocked == (), found.blocked
    assert after in joined(found.after), found.after
    assert "opt = hvd.DistributedOptimizer(opt)\n" in found.after
    assert "opt_2 = hvd.DistributedOptimizer(opt_2)\n" in found.after


def test_they_are_averaged_by_themselves_where_the_optimizer_comes_later() -> None:
    made = "optimizer = tf.train.GradientDescentOptimizer(0.1)\n"
    text = GRAPH.replace(made, "").format(CLIPPED.replace("train =", made + "train ="))
    found = migrate(text)
    assert found.blocked == (), found.blocked
    assert "hvd.allreduce(grad)" in found.after
    assert "0.1 * hvd.size()" in found.after
    assert "DistributedOptimizer" not in found.after


def test_gradients_that_no_optimizer_applies_are_left() -> None:
    text = GRAPH.format(
        "s = tf.gradients(w ** 2, [w])[0]\ntrain = optimizer.minimize(w ** 2 + s ** 2)"
    )
    found = migrate(text)
    assert "tf.gradients(w ** 2, [w])[0]" in found.after
