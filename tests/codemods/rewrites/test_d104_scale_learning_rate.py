"""Every rate that is set becomes a multiple of what it was, once."""

from __future__ import annotations

import textwrap

import pytest

from distify.codemods.migrate import migrate
from distify.codemods.model import Migration, Options

HEAD = """\
import math
import sys

import tensorflow as tf
from tensorflow import keras
from tensorflow.keras import backend as K
from tensorflow.keras.callbacks import LearningRateScheduler
from tensorflow.keras.optimizers import SGD, Adam, schedules

rate = 0.1
args = sys.argv
model = keras.Sequential([keras.layers.Dense(1)])
# head
"""
TAIL = """\
model.fit([[1.0]], [[2.0]])
"""


def outcome(snippet: str, **options: object) -> Migration:
    """The migration of the snippet as a part of a Keras program."""
    text = HEAD + textwrap.dedent(snippet).strip("\n ") + "\nmodel.compile('sgd')\n" + TAIL
    return migrate(text, Options(unsound=True, width=120, select=frozenset({"D104"}), **options))  # type: ignore[arg-type]


def scaled(snippet: str) -> str:
    """What becomes of the snippet."""
    found = outcome(snippet)
    assert not found.blocked
    body = found.after.partition("# head\n")[2]
    return body[: body.rindex("\nmodel.compile(")]


CASES = {
    "a number": ("Adam(0.1)", "Adam(0.1 * hvd.size())"),
    "a name": ("Adam(rate)", "Adam(rate * hvd.size())"),
    "the first of a schedule's numbers": (
        "Adam(math.np.array(args.lr_schedule)[0].astype('f'))",
        "Adam(math.np.array(args.lr_schedule)[0].astype('f') * hvd.size())",
    ),
    "none at the end": (
        "SGD(schedules.PiecewiseConstantDecay([5], [0.1, 0.0]))",
        "SGD(schedules.PiecewiseConstantDecay([5], [0.1 * hvd.size(), 0.0]))",
    ),
    "by keyword": ("SGD(learning_rate=0.1)", "SGD(learning_rate=0.1 * hvd.size())"),
    "the old keyword": (
        "keras.optimizers.legacy.SGD(lr=0.1)",
        "keras.optimizers.legacy.SGD(lr=0.1 * hvd.size())",
    ),
    "the default of the class": ("Adam()", "Adam(learning_rate=0.001 * hvd.size())"),
    "the default of another class": (
        "SGD(momentum=0.9)",
        "SGD(momentum=0.9, learning_rate=0.01 * hvd.size())",
    ),
    "a class with a default of its own": (
        "tf.keras.optimizers.Lion()",
        "tf.keras.optimizers.Lion(learning_rate=0.0001 * hvd.size())",
    ),
    "tf.optimizers": ("tf.optimizers.Adam(0.1)", "tf.optimizers.Adam(0.1 * hvd.size())"),
    "experimental": (
        "tf.keras.optimizers.experimental.SGD(0.1)",
        "tf.keras.optimizers.experimental.SGD(0.1 * hvd.size())",
    ),
    "TensorFlow 1's classes in eager code": (
        "tf.compat.v1.train.AdamOptimizer(0.1)",
        "tf.compat.v1.train.AdamOptimizer(0.1 * hvd.size())",
    ),
    "a sum gets parentheses": ("Adam(rate + 0.1)", "Adam((rate + 0.1) * hvd.size())"),
    "a product needs none": ("Adam(rate / 2)", "Adam(rate / 2 * hvd.size())"),
    "a choice gets parentheses": (
        "Adam(0.1 if args else 0.2)",
        "Adam((0.1 if args else 0.2) * hvd.size())",
    ),
    "a setting": ("Adam(args.lr)", "Adam(args.lr * hvd.size())"),
    "a setting in a dictionary": ('Adam(args["lr"])', 'Adam(args["lr"] * hvd.size())'),
    "a call": ("Adam(float(args[1]))", "Adam(float(args[1]) * hvd.size())"),
    "a parameter with a number for default": (
        """
        def make(lr=0.1):
            return Adam(lr)
        """,
        """
        def make(lr=0.1):
            return Adam(lr * hvd.size())
        """,
    ),
    "a rate of two optimizers": (
        """
        one = Adam(rate)
        two = SGD(rate)
        """,
        """
        one = Adam(rate * hvd.size())
        two = SGD(rate * hvd.size())
        """,
    ),
    "an exponential decay, not its optimizer": (
        """
        decay = schedules.ExponentialDecay(rate, decay_steps=100, decay_rate=0.9)
        opt = SGD(decay)
        """,
        """
        decay = schedules.ExponentialDecay(rate * hvd.size(), decay_steps=100, decay_rate=0.9)
        opt = SGD(decay)
        """,
    ),
    "a decay inside of its optimizer": (
        "SGD(learning_rate=schedules.InverseTimeDecay(0.1, 100, 0.5))",
        "SGD(learning_rate=schedules.InverseTimeDecay(0.1 * hvd.size(), 100, 0.5))",
    ),
    "a decay of two optimizers": (
        """
        decay = schedules.CosineDecay(0.1, 100)
        one, two = SGD(decay), Adam(decay)
        """,
        """
        decay = schedules.CosineDecay(0.1 * hvd.size(), 100)
        one, two = SGD(decay), Adam(decay)
        """,
    ),
    "the peak after a warmup, but no fraction of it": (
        "SGD(schedules.CosineDecay(0.0, 9, alpha=0.1, warmup_target=0.2, warmup_steps=3))",
        "SGD(schedules.CosineDecay(0.0, 9, alpha=0.1, "
        "warmup_target=0.2 * hvd.size(), warmup_steps=3))",
    ),
    "both ends of a polynomial": (
        "SGD(schedules.PolynomialDecay(0.1, 9, 0.01, power=2))",
        "SGD(schedules.PolynomialDecay(0.1 * hvd.size(), 9, 0.01 * hvd.size(), power=2))",
    ),
    "the end that a polynomial has by default": (
        "SGD(schedules.PolynomialDecay(0.1, 9))",
        "SGD(schedules.PolynomialDecay("
        "0.1 * hvd.size(), 9, end_learning_rate=0.0001 * hvd.size()))",
    ),
    "each value of a piecewise constant": (
        "SGD(schedules.PiecewiseConstantDecay([3], [0.1, rate]))",
        "SGD(schedules.PiecewiseConstantDecay([3], [0.1 * hvd.size(), rate * hvd.size()]))",
    ),
    "values made elsewhere": (
        """
        rates = [0.1, 0.2]
        own = schedules.PiecewiseConstantDecay([3], values=rates)
        """,
        """
        rates = [0.1, 0.2]
        own = schedules.PiecewiseConstantDecay([3], values=[value * hvd.size() for value in rates])
        """,
    ),
    "a number in one case, a decay in the other": (
        "SGD(0.1 if args else schedules.CosineDecay(0.1, 9))",
        "SGD(0.1 * hvd.size() if args else schedules.CosineDecay(0.1 * hvd.size(), 9))",
    ),
    "a decay from a function": (
        """
        def decay():
            return schedules.CosineDecay(0.1, 9)
        opt = SGD(decay())
        """,
        """
        def decay():
            return schedules.CosineDecay(0.1 * hvd.size(), 9)
        opt = SGD(decay())
        """,
    ),
    "a schedule of one's own": (
        """
        class Warmup(schedules.LearningRateSchedule):
            def __init__(self, rate):
                self.rate = rate
            def __call__(self, step):
                if step < 10:
                    return self.rate * step / 10
                return self.rate
        opt = Adam(Warmup(0.1))
        """,
        """
        class Warmup(schedules.LearningRateSchedule):
            def __init__(self, rate):
                self.rate = rate
            def __call__(self, step):
                if step < 10:
                    return self.rate * step / 10 * hvd.size()
                return self.rate * hvd.size()
        opt = Adam(Warmup(0.1))
        """,
    ),
    "a schedule around another one is scaled outside only": (
        """
        class Warmup(schedules.LearningRateSchedule):
            def __init__(self, after):
                self.after = after
                self.first = schedules.PolynomialDecay(0.0, 9, 0.1)
            def __call__(self, step):
                return tf.where(step < 9, self.first(step), self.after(step))
        opt = Adam(Warmup(schedules.CosineDecay(0.1, 9)))
        """,
        """
        class Warmup(schedules.LearningRateSchedule):
            def __init__(self, after):
                self.after = after
                self.first = schedules.PolynomialDecay(0.0, 9, 0.1)
            def __call__(self, step):
                return tf.where(step < 9, self.first(step), self.after(step)) * hvd.size()
        opt = Adam(Warmup(schedules.CosineDecay(0.1, 9)))
        """,
    ),
    "an optimizer of one's own, where it is made": (
        """
        class Mine(SGD):
            def __init__(self, learning_rate=0.5, **kwargs):
                super().__init__(learning_rate, **kwargs)
        opt = Mine()
        """,
        """
        class Mine(SGD):
            def __init__(self, learning_rate=0.5, **kwargs):
                super().__init__(learning_rate, **kwargs)
        opt = Mine(learning_rate=0.5 * hvd.size())
        """,
    ),
    "an optimizer of one's own, where it asks its base": (
        """
        class Mine(SGD):
            def __init__(self):
                super().__init__(0.5)
        opt = Mine()
        """,
        """
        class Mine(SGD):
            def __init__(self):
                super().__init__(0.5 * hvd.size())
        opt = Mine()
        """,
    ),
    "a function for LearningRateScheduler": (
        """
        def schedule(epoch):
            lr = 0.1
            if epoch > 3:
                lr *= 0.1
            return lr
        callback = LearningRateScheduler(schedule)
        """,
        """
        def schedule(epoch):
            lr = 0.1
            if epoch > 3:
                lr *= 0.1
            return lr * hvd.size()
        callback = LearningRateScheduler(schedule)
        """,
    ),
    "one that sets the rate it was given": (
        """
        def schedule(epoch, lr):
            if epoch == 3:
                lr = 0.01
            return lr
        callback = LearningRateScheduler(schedule)
        """,
        """
        def schedule(epoch, lr):
            if epoch == 3:
                lr = 0.01 * hvd.size()
            return lr
        callback = LearningRateScheduler(schedule)
        """,
    ),
    "a lambda, where it is absolute": (
        "LearningRateScheduler(lambda epoch, lr: lr * 0.9 if epoch else 0.1)",
        "LearningRateScheduler(lambda epoch, lr: lr * 0.9 if epoch else 0.1 * hvd.size())",
    ),
    "a rate that is set": (
        """
        opt = SGD(0.1)
        opt.learning_rate = 0.01
        opt.lr.assign(0.01 * 0.5)
        K.set_value(opt.learning_rate, rate)
        K.set_value(model.optimizer.lr, 0.01)
        """,
        """
        opt = SGD(0.1 * hvd.size())
        opt.learning_rate = 0.01 * hvd.size()
        opt.lr.assign(0.01 * 0.5 * hvd.size())
        K.set_value(opt.learning_rate, rate * hvd.size())
        K.set_value(model.optimizer.lr, 0.01 * hvd.size())
        """,
    ),
    "a rate that is set under another name": (
        """
        opt = SGD(0.1)
        setattr(opt, "learning_rate", 0.01)
        opt.__setattr__("lr", 0.01)
        name = "lr"
        setattr(model.optimizer, name, 0.01)
        getattr(model, "optimizer").lr = 0.01
        rate = opt.learning_rate
        rate.assign(value=0.01)
        getattr(opt, "lr").assign(0.01)
        K.set_value(x=rate, value=0.01)
        K.update(rate, 0.01)
        """,
        """
        opt = SGD(0.1 * hvd.size())
        setattr(opt, "learning_rate", 0.01 * hvd.size())
        opt.__setattr__("lr", 0.01 * hvd.size())
        name = "lr"
        setattr(model.optimizer, name, 0.01 * hvd.size())
        getattr(model, "optimizer").lr = 0.01 * hvd.size()
        rate = opt.learning_rate
        rate.assign(value=0.01 * hvd.size())
        getattr(opt, "lr").assign(0.01 * hvd.size())
        K.set_value(x=rate, value=0.01 * hvd.size())
        K.update(rate, 0.01 * hvd.size())
        """,
    ),
    "what is added to a rate": (
        """
        opt = SGD(0.1)
        opt.lr -= 0.01
        opt.lr.assign_sub(0.01)
        opt.lr = opt.lr * 0.9 + 0.01
        opt.lr = 0.9 * (opt.lr - 0.01)
        """,
        """
        opt = SGD(0.1 * hvd.size())
        opt.lr -= 0.01 * hvd.size()
        opt.lr.assign_sub(0.01 * hvd.size())
        opt.lr = opt.lr * 0.9 + 0.01 * hvd.size()
        opt.lr = 0.9 * (opt.lr - 0.01 * hvd.size())
        """,
    ),
    "a factor of a rate": (
        """
        opt = SGD(0.1)
        opt.lr *= 0.5
        opt.lr /= 2
        opt.lr = opt.lr * 0.5
        setattr(opt, "beta_1", 0.5)
        setattr(other, "lr", 0.5)
        """,
        """
        opt = SGD(0.1 * hvd.size())
        opt.lr *= 0.5
        opt.lr /= 2
        opt.lr = opt.lr * 0.5
        setattr(opt, "beta_1", 0.5)
        setattr(other, "lr", 0.5)
        """,
    ),
    "a rate that is bound anew and multiplied": (
        """
        def schedule(epoch, lr):
            if epoch == 0:
                lr = 0.1
            return lr * 0.9
        callback = LearningRateScheduler(schedule)
        """,
        """
        def schedule(epoch, lr):
            if epoch == 0:
                lr = 0.1 * hvd.size()
            return lr * 0.9
        callback = LearningRateScheduler(schedule)
        """,
    ),
    "a comment and a layout": (
        """
        opt = Adam(
            rate,  # found by hand
            beta_1=0.5,
        )
        """,
        """
        opt = Adam(
            rate * hvd.size(),  # found by hand
            beta_1=0.5,
        )
        """,
    ),
    "a default in a call of several lines": (
        """
        opt = Adam(
            beta_1=0.5,
        )
        """,
        """
        opt = Adam(
            beta_1=0.5,
            learning_rate=0.001 * hvd.size(),
        )
        """,
    ),
}


@pytest.mark.parametrize(("before", "after"), CASES.values(), ids=CASES.keys())
def test_it_is_scaled(before: str, after: str) -> None:
    assert scaled(before) == textwrap.dedent(after).strip("\n ")


SAME = {
    "not an optimizer": "math.pow(0.1, 2)",
    "a normal distribution": "tf.random.normal([2], 0.1, 0.2)",
    "a layer": "keras.layers.Dense(1)",
    "a relative function for LearningRateScheduler": """
        def schedule(epoch, lr):
            if epoch < 10:
                return lr
            return lr * tf.math.exp(-0.1)
        callback = LearningRateScheduler(schedule)
        """,
    "a lambda over the rate before": "LearningRateScheduler(lambda epoch, lr: lr * 0.9)",
    "a fraction of the optimizer's own rate": """
        def halve(callback):
            callback.model.optimizer.lr = callback.model.optimizer.lr * 0.5
            old = K.get_value(callback.model.optimizer.lr)
            new = old / 2
            K.set_value(callback.model.optimizer.lr, new)
        """,
    "a rate stored from the optimizer": """
        class Warmup(keras.callbacks.Callback):
            def on_train_begin(self, logs=None):
                self.base = float(K.get_value(self.model.optimizer.lr))
            def on_epoch_begin(self, epoch, logs=None):
                K.set_value(self.model.optimizer.lr, self.base * epoch)
        """,
    "a learning rate of something else": """
        class Options:
            learning_rate = 0.1
        options = Options()
        options.learning_rate = 0.2
        """,
    "what multiplies": "keras.callbacks.ReduceLROnPlateau(factor=0.2, min_lr=0.001)",
    "a rate that is logged": """
        def show(optimizer):
            print(optimizer.learning_rate)
        """,
}


@pytest.mark.parametrize("text", SAME.values(), ids=SAME.keys())
def test_it_stays_as_it_is(text: str) -> None:
    assert scaled(text) == textwrap.dedent(text).strip("\n ")


def test_rates_that_are_set_beside_something_else_are_scaled() -> None:
    after = scaled(
        """
        opt = SGD(0.1)
        opt.learning_rate, patience = 0.01, 3
        patience, (opt.lr, [name]) = 4, (0.02, "x")
        opt.lr, *rest = 0.03, 2, 3
        """
    )
    assert "opt.learning_rate, patience = 0.01 * hvd.size(), 3\n" in after
    assert 'patience, (opt.lr, [name]) = 4, (0.02 * hvd.size(), "x")' in after
    assert "opt.lr, *rest = 0.03 * hvd.size(), 2, 3" in after


@pytest.mark.parametrize(
    "line",
    [
        "opt.learning_rate, patience = read()",
        "*rest, opt.lr = 2, 3, 0.1",
        "opt.lr, patience = *read(), 2",
        "for opt.lr in (0.1, 0.2): pass",
    ],
)
def test_a_rate_that_is_set_from_within_what_is_not_written_down_is_refused(line: str) -> None:
    assert [found.code for found in outcome(f"opt = SGD(0.1)\n{line}").blocked] == ["L01"]
    assert not outcome(f"opt = SGD(0.1)\n{line.replace('opt.', 'options.')}").blocked
    assert not outcome("opt = SGD(0.1)\nopt.lr *= 0.5").blocked


def test_a_decay_called_in_a_function_is_scaled_once() -> None:
    after = scaled(
        """
        decay = schedules.CosineDecay(0.1, 9)
        callback = LearningRateScheduler(lambda epoch: float(decay(epoch)))
        opt = SGD(decay(0))
        opt.learning_rate = decay(1)
        """
    )
    assert after.count("hvd.size()") == 1


def test_a_rate_from_a_scaled_function_is_scaled_once() -> None:
    after = scaled(
        """
        def schedule(epoch):
            return 0.1
        opt = Adam(learning_rate=schedule(0))
        callback = LearningRateScheduler(schedule)
        """
    )
    assert after.count("hvd.size()") == 1
    assert "return 0.1 * hvd.size()" in after


BLOCKED = {
    "hidden behind **": ("Adam(**args)", "hands on here"),
    "a number or a schedule": (
        """
        if args:
            lr = 0.1
        else:
            lr = schedules.CosineDecay(0.1, 9)
        print(lr)
        opt = Adam(lr)
        """,
        "a number in some cases",
    ),
    "a parameter that nobody passes": (
        """
        def make(lr):
            return Adam(lr)
        """,
        "number or a schedule",
    ),
    "a variable": ("Adam(tf.Variable(0.1))", "tf.Variable"),
    "a function": ("Adam(lambda: 0.1)", "function"),
    "a function from elsewhere": ("LearningRateScheduler(args.schedule)", "can't be seen"),
    "an optimizer from its configuration": ("Adam.from_config(args)", "can't be seen"),
}


@pytest.mark.parametrize(("text", "why"), BLOCKED.values(), ids=BLOCKED.keys())
def test_what_cannot_be_told_blocks_the_file(text: str, why: str) -> None:
    found = outcome(text)
    assert why in " ".join(finding.message for finding in found.blocked)
    assert found.after == found.before


def test_the_rate_that_keras_ignores_is_noted() -> None:
    assert [note.code for note in outcome("opt = Adam(lr=0.1)").notes if note.code == "L01"]
    assert not [
        n for n in outcome("opt = Adam(lr=0.1)\n", tensorflow=(2, 10)).notes if n.code == "L01"
    ]


@pytest.mark.parametrize(
    ("made", "target", "written"),
    [
        ("Adam(lr=0.1)", (2, 15), "Adam(learning_rate=0.1 * hvd.size())"),
        ("Adam( lr = rate)", (2, 11), "Adam( learning_rate = rate * hvd.size())"),
        ("Adam(lr=0.1)", (2, 10), "Adam(lr=0.1 * hvd.size())"),
        ("legacy.Adam(lr=0.1)", (2, 15), "legacy.Adam(lr=0.1 * hvd.size())"),
        ("Adam(0.1)", (2, 15), "Adam(0.1 * hvd.size())"),
    ],
)
def test_a_keyword_that_is_ignored_becomes_the_one_that_counts(
    made: str, target: tuple[int, int], written: str
) -> None:
    text = (
        "import tensorflow as tf\nrate = 0.1\nmodel = tf.keras.Sequential([])\n"
        f"opt = tf.keras.optimizers.{made}\nmodel.compile(opt, 'mse')\nmodel.fit(tf.ones([8, 1]))\n"
    )
    found = migrate(text, Options(tensorflow=target))
    assert f"opt = tf.keras.optimizers.{written}\n" in found.after
    assert any(note.code == "L01" for note in found.notes) is ("learning_rate" in written)
