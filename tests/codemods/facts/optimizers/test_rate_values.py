"""Whether a rate is a number to multiply, or something that carries its scale already."""

from __future__ import annotations

import ast

import pytest

from distify.codemods.facts import Facts
from distify.codemods.facts.optimizers.rate_carriers import absolute, is_own_rate, is_relative
from distify.codemods.facts.optimizers.rate_values import Nature, branches, nature
from distify.codemods.migrate import migrate

# -- rate values ---------------------------------------------------------------------------------
# Whether a rate is a number to multiply, or something that carries its scale already.

HEAD = """\
import json, math, os, random, yaml
import numpy as np
import tensorflow as tf
from tensorflow import keras
from settings import RATE, DECAY_RATE

schedule = keras.optimizers.schedules.CosineDecay(0.1, 9)
opt = keras.optimizers.SGD(0.1)
"""


def asked(text: str) -> tuple[Facts, ast.expr]:
    """The facts of a text and the argument of its last call `ask(…)`."""
    facts = Facts.of(HEAD + text)
    calls = [c for c in facts.index.calls if getattr(c.func, "id", "") == "ask"]
    return facts, max(calls, key=lambda call: call.lineno).args[0]


NATURES = {
    "ask(0.1)": Nature.NUMBER,
    "ask(1)": Nature.NUMBER,
    "ask('0.1')": Nature.UNKNOWN,
    "ask(None)": Nature.NOTHING,
    "ask(a * 2)": Nature.NUMBER,
    "ask(-a)": Nature.NUMBER,
    "ask(a < b)": Nature.NUMBER,
    "ask(schedule)": Nature.SCHEDULE,
    "ask(tf.Variable(0.1))": Nature.VARIABLE,
    "ask(lambda: 0.1)": Nature.CALLABLE,
    "def f():\n    pass\n\n\nask(f)": Nature.CALLABLE,
    "ask(args.lr)": Nature.NUMBER,
    "ask(config['lr'])": Nature.NUMBER,
    "ask(RATE)": Nature.NUMBER,
    "ask(DECAY_RATE)": Nature.UNKNOWN,
    "ask(args.schedule)": Nature.UNKNOWN,
    "ask(config['Sched'])": Nature.UNKNOWN,
    "ask(config.get('lr'))": Nature.NUMBER,
    "ask(make.decay('lr'))": Nature.UNKNOWN,
    "ask(make('lr'))": Nature.UNKNOWN,
    "ask([0.1])": Nature.UNKNOWN,
    **{
        f"ask({call})": Nature.NUMBER
        for call in (
            "float(a)",
            "np.exp(a)",
            "math.sqrt(a)",
            "tf.constant(0.1)",
            "random.random()",
            "json.loads(a)",
            "yaml.safe_load(a)",
            "os.getenv(a)",
        )
    },
    "ask(config['schedules']['first']['rate'])": Nature.NUMBER,
    "ask(config.decay.initial)": Nature.NUMBER,
    "ask(config['rates']['schedule'])": Nature.UNKNOWN,
    "ask(config.decay[name])": Nature.UNKNOWN,
    "import scipy\nask(scipy.rate())": Nature.UNKNOWN,
    "ask(tf.decayed(a))": Nature.UNKNOWN,
    "a, b = f()\nask(a)": Nature.NUMBER,
    "ask(0.1 if a else schedule)": Nature.EITHER,
    "ask(0.1 if a else 0.2)": Nature.NUMBER,
    "ask(0.1 if a else None)": Nature.NUMBER,
    "ask(schedule if a else None)": Nature.SCHEDULE,
    "ask(0.1 if a else tf.Variable(1.0))": Nature.VARIABLE,
    "ask(0.1 if a else (lambda: 1))": Nature.CALLABLE,
    "ask(0.1 if a else make())": Nature.UNKNOWN,
    "def f(lr):\n    ask(lr)": Nature.UNKNOWN,
    "def f(lr: float):\n    ask(lr)": Nature.NUMBER,
    "def f(lr: int):\n    ask(lr)": Nature.NUMBER,
    "def f(lr: Optional[float] = None):\n    ask(lr)": Nature.NUMBER,
    "def f(lr: Rate):\n    ask(lr)": Nature.UNKNOWN,
    "def f(lr=0.1):\n    ask(lr)": Nature.NUMBER,
    "def f(a, lr=0.1, *, b=None):\n    ask(lr)": Nature.NUMBER,
    "def f(a='x', lr=None):\n    ask(lr)": Nature.UNKNOWN,
    "def f(*, a, lr=0.1):\n    ask(lr)": Nature.NUMBER,
    "def f(*, lr, a=0.1):\n    ask(lr)": Nature.UNKNOWN,
    "def f(lr='x'):\n    ask(lr)": Nature.UNKNOWN,
}


@pytest.mark.parametrize("text", NATURES)
def test_the_nature_of_a_rate(text: str) -> None:
    assert nature(*asked(text)) is NATURES[text]


@pytest.mark.parametrize(
    ("text", "parts"),
    [
        ("0.1", ["0.1"]),
        ("0.1 if a else 0.2", ["0.1 if a else 0.2"]),
        ("0.1 if a else schedule", ["0.1", "schedule"]),
        ("0.1 if a else schedule if b else 0.2", ["0.1", "schedule", "0.2"]),
    ],
)
def test_sides_that_differ_are_looked_at_one_by_one(text: str, parts: list[str]) -> None:
    assert [ast.unparse(part) for part in branches(*asked(f"ask({text})"))] == parts


RELATIVE = [
    "ask(opt.lr)",
    "ask(opt.learning_rate)",
    "ask(opt._lr)",
    "ask(opt._learning_rate)",
    "ask(self.model.optimizer.lr)",
    "ask(opt.lr * 0.5)",
    "ask(float(opt.lr.numpy()))",
    "ask(schedule(step))",
    "ask(0.1 if a else opt.lr)",
    "rate = opt.lr\nask(rate)",
    "rate = opt.lr\nrate *= 0.5\nask(rate)",
    "rate = 1\nrate *= opt.lr\nask(rate)",
    "def f(epoch):\n    return 0.1\n\n\nkeras.callbacks.LearningRateScheduler(f)\nask(f(0))",
    "class C(keras.callbacks.Callback):\n    def a(self):\n        self.base = self.model.optimizer.lr\n\n"
    "    def b(self):\n        ask(self.base)",
]
ABSOLUTE = [
    "ask(0.1)",
    "ask(lr)",
    "ask(opt.momentum)",
    "ask(thing.lr)",
    "ask(make(step))",
    "rate = 0.1\nask(rate)",
    "def f(epoch):\n    return 0.1\n\n\nask(f(0))",
    "class C(keras.callbacks.Callback):\n    def a(self):\n        self.base = 0.1\n\n"
    "    def b(self):\n        ask(self.base)",
    "class C(keras.callbacks.Callback):\n    def a(self):\n        self.base = opt.lr\n\n"
    "    def b(self, other):\n        ask(other.base)",
    "rate = rate\nask(rate)",
]


@pytest.mark.parametrize(
    ("text", "expected"), [*((t, True) for t in RELATIVE), *((t, False) for t in ABSOLUTE)]
)
def test_whether_a_rate_comes_from_one_that_is_multiplied(text: str, expected: bool) -> None:
    assert is_relative(*asked(text)) is expected


@pytest.mark.parametrize(
    ("text", "parts"),
    [
        ("ask(0.1)", ["0.1"]),
        ("ask(opt.lr)", []),
        ("ask(opt.lr if a else 0.1)", ["0.1"]),
        ("ask(0.1 if a else opt.lr)", ["0.1"]),
        ("ask(opt.lr if a else opt.lr / 2)", []),
        ("rate = opt.lr\nif a:\n    rate = 0.1\nask(rate)", ["0.1"]),
        ("rate = opt.lr\nif a:\n    rate, b = f()\nask(rate)", []),
        ("def f(epoch, lr):\n    ask(lr)", []),
        ("def f(epoch, lr):\n    ask(lr * 0.5 if epoch else 0.1)", ["0.1"]),
        ("def f(epoch, lr):\n    ask(epoch)", ["epoch"]),
        ("def f(epoch, lr):\n    if epoch < 3:\n        lr = 0.1\n    ask(lr)", ["0.1"]),
    ],
)
def test_the_parts_to_multiply(text: str, parts: list[str]) -> None:
    facts, expr = asked(text)
    assert [ast.unparse(part) for part in absolute(facts, expr, "lr")] == parts


def test_the_rate_of_something_else_is_no_optimizers() -> None:
    assert is_own_rate(*asked("ask(opt.lr)"))
    assert not is_own_rate(*asked("ask(opt)"))
    assert not is_own_rate(*asked("ask(schedule.lr)"))


IN_BRANCHES = """\
def build(name, rate, decay):
    if decay:
        lr = keras.optimizers.schedules.CosineDecay(rate, 9)
    else:
        lr = rate
    {other}
    if name:
        return keras.optimizers.SGD(learning_rate=lr)
    ask(lr)
    return keras.optimizers.Adam(lr)
"""


@pytest.mark.parametrize(
    ("other", "is_told_apart"),
    [
        ("pass", True),
        ("keras.optimizers.Adam(0.1, lr)", False),
        ("print(lr)", False),
        ("lr *= 2", False),
        ("lr, other = lr, 1", False),
        ("def f():\n        return lr", False),
    ],
)
def test_a_name_that_only_optimizers_read_is_scaled_where_it_is_bound(
    other: str, is_told_apart: bool
) -> None:
    text = IN_BRANCHES.replace("    ask(lr)\n", "").format(other=other) + "\nbuild(a, 0.1, b)\n"
    facts = Facts.of(HEAD + text)
    adams = [c for c in facts.index.calls if ast.unparse(c.func).endswith(".Adam")]
    given = max(adams, key=lambda call: call.lineno)
    found = [ast.unparse(part) for part in branches(facts, given.args[-1])]
    parts = ["keras.optimizers.schedules.CosineDecay(rate, 9)", "rate"]
    assert found == (parts if is_told_apart else ["lr"])


SETTINGS = """\
import dataclasses


@dataclasses.dataclass
class Config{base}:
    lr: float = 0.1
    schedule: object = None

    @classmethod
    def read(cls, path):
        return cls(**json.load(open(path)))


def main(config):
    ask(config{of})


main({made})
"""


@pytest.mark.parametrize("made", ["Config()", "Config(lr=0.2)", "Config.read('a')", "Config(**a)"])
def test_what_a_class_of_settings_has_is_a_number(made: str) -> None:
    """If it were a schedule, the multiple of it would stop the program at once."""
    facts, expr = asked(SETTINGS.format(base="", of=".lr", made=made))
    assert nature(facts, expr) is Nature.NUMBER


@pytest.mark.parametrize(
    ("base", "of"),
    [
        ("", ".schedule"),
        ("(keras.optimizers.schedules.LearningRateSchedule)", ""),
        ("(get_base())", ""),
    ],
)
def test_what_may_be_a_schedule_all_the_same_is_unknown(base: str, of: str) -> None:
    facts, expr = asked(SETTINGS.format(base=base, of=of, made="Config.read('a')"))
    assert nature(facts, expr) is not Nature.NUMBER


# -- passed rates --------------------------------------------------------------------------------
# A rate that a function is called with: what carries the scale already is not multiplied again.

HEAD_OF_PASSED_RATES = """\
import numpy as np
import tensorflow as tf

model = tf.keras.Sequential([tf.keras.layers.Dense(1)])
opt = tf.keras.optimizers.SGD(0.1)
model.compile(opt, "mse")


def set_rate(value):
    opt.learning_rate.assign(value)


"""
FIT = "model.fit(np.ones((8, 4)), np.ones((8, 1)))\n"
OWN, NUMBER = "set_rate(opt.learning_rate * 0.5)\n", "set_rate(0.01)\n"


@pytest.mark.parametrize(
    ("calls", "scaled"),
    [
        (OWN, []),
        (NUMBER, ["assign(value * hvd.size())"]),
        (OWN + NUMBER, ["set_rate(0.01 * hvd.size())"]),
        ("rate = opt.learning_rate * 0.5\nset_rate(rate)\n", []),
        ("rate = 0.01\nset_rate(rate)\n", ["assign(value * hvd.size())"]),
        ("rate = 0.2\nrate = opt.learning_rate * 0.5\nset_rate(rate)\n", []),
    ],
)
def test_what_is_multiplied(calls: str, scaled: list[str]) -> None:
    migration = migrate(HEAD_OF_PASSED_RATES + calls + FIT)
    assert migration.steps
    assert not migration.blocked
    wanted = ["SGD(0.1 * hvd.size())", *scaled]
    assert migration.after.count("* hvd.size()") == len(wanted)
    assert all(text in migration.after for text in wanted)
    assert migrate(migration.after).skipped == "already Horovod"
