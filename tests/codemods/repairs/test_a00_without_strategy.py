"""`tf.distribute` is taken out where all uses of it are known, and nothing is touched elsewhere."""

from __future__ import annotations

import pytest

from distify.codemods.migrate import migrate
from distify.codemods.model import Migration, Options

HEAD = """import tensorflow as tf

strategy = tf.distribute.MirroredStrategy()
with strategy.scope():
    model = tf.keras.Sequential([tf.keras.layers.Dense(1)])
    model.compile("sgd", "mse")
x = tf.ones((8, 4))
"""
END = "model.fit(x, x[:, :1])\n"
TAKEN: dict[str, tuple[str, str]] = {
    "a global batch size": ("n = 4 * strategy.num_replicas_in_sync\n", "n = 4\n"),
    "the other way round": ("n = strategy.num_replicas_in_sync * 4\n", "n = 4\n"),
    "a batch size of one replica": ("n = 64 // strategy.num_replicas_in_sync\n", "n = 64\n"),
    "a count by itself": ("n = strategy.num_replicas_in_sync\n", "n = 1\n"),
    "a count in a text": ("n = f'{strategy.num_replicas_in_sync} GPUs'\n", "n = f'{1} GPUs'\n"),
    "a distributed dataset": ("d = strategy.experimental_distribute_dataset(x)\n", "d = x\n"),
    "a call": (
        "def f(a, b):\n    return a\n\n\nn = strategy.run(f, args=(x, 1))\n",
        "n = f(x, 1)\n",
    ),
    "a call by its older name": ("n = strategy.experimental_run_v2(abs, (x,))\n", "n = abs(x)\n"),
    "a call of what is in a list": ("n = strategy.run(max, args=x)\n", "n = max(*x)\n"),
    "a call of nothing": ("n = strategy.run(dict)\n", "n = dict()\n"),
    "a sum": ('n = strategy.reduce("SUM", x, axis=None)\n', "n = x\n"),
    "a mean over examples": (
        'n = strategy.reduce("MEAN", x, axis=0)\n',
        "n = tf.reduce_mean(x, axis=0)\n",
    ),
    "a sum over examples": (
        "n = strategy.reduce(tf.distribute.ReduceOp.SUM, x, axis=1)\n",
        "n = tf.reduce_sum(x, axis=1)\n",
    ),
    "keywords of a call": ("n = strategy.run(dict, kwargs={'a': 1})\n", "n = dict(**{'a': 1})\n"),
    "a sum of a call": (
        'n = strategy.reduce("SUM", strategy.run(abs, args=(x,)), axis=None)\n',
        "n = abs(x)\n",
    ),
    "local results": ("n = strategy.experimental_local_results(x)\n", "n = (x,)\n"),
    "a scope in a scope": (
        "with strategy.scope():\n    with strategy.scope():\n        # inner\n        n = 1\n",
        "# inner\nn = 1\n",
    ),
    "one of two": (
        "if n:\n    strategy = tf.distribute.get_strategy()\n".replace("n:", "x is None:"),
        "if x is None:\n    pass\n",
    ),
}
LEFT = {
    "a replica asks for itself": "n = tf.distribute.get_replica_context()\n",
    "it goes to a function": "print(strategy)\n",
    "an operation that nobody knows": "n = strategy.reduce(n, x, axis=0)\n",
    "a function that nobody sees": "n = strategy.run(*x)\n",
    "it is asked for": "if strategy:\n    n = 1\n",
    "a TPU, if there is one": "try:\n    strategy = tf.distribute.TPUStrategy(x)\n"
    "except ValueError:\n    strategy = tf.distribute.get_strategy()\n",
    "a scope among others": "with strategy.scope(), open('a') as f:\n    n = 1\n",
    "a scope with a name": "with strategy.scope() as s:\n    n = 1\n",
    "a dataset for each pipeline": "n = strategy.distribute_datasets_from_function(print)\n",
    "a list of strategies": "n = [tf.distribute.OneDeviceStrategy('GPU:0')]\n",
    "its extended interface": "n = strategy.extended\n",
}


def repaired(text: str) -> Migration:
    return migrate(text, Options(repair=frozenset({"A00"})))


@pytest.mark.parametrize("case", TAKEN)
def test_it_is_taken_out(case: str) -> None:
    line, expected = TAKEN[case]
    found = repaired(HEAD + line + END)
    assert found.steps[0].code == "A00"
    assert expected in found.steps[0].text
    assert "strategy" not in found.after
    assert "tf.distribute" not in found.after
    assert not found.blocked


@pytest.mark.parametrize("case", LEFT)
def test_it_is_left_where_one_use_is_unknown(case: str) -> None:
    text = HEAD + LEFT[case] + END
    found = repaired(text)
    assert [finding.code for finding in found.blocked] == ["N01"]
    assert not migrate(text).repairs
    assert found.after == text or found.blocked


@pytest.mark.parametrize(
    "strategy", ["TPUStrategy()", "experimental.ParameterServerStrategy(r)", "Strategy(None)"]
)
def test_another_kind_is_left(strategy: str) -> None:
    text = HEAD.replace("MirroredStrategy()", strategy) + END
    assert not migrate(text).repairs


def test_all_uses_of_an_attribute_are_found() -> None:
    text = """import tensorflow as tf


class Trainer:
    def __init__(self):
        self.strategy = tf.distribute.MirroredStrategy()
        with self.strategy.scope():
            self.model = tf.keras.Sequential([tf.keras.layers.Dense(1)])
            self.model.compile("sgd", "mse")

    def train(self, x):
        self.model.fit(x, x, batch_size=2 * self.strategy.num_replicas_in_sync)


Trainer().train(tf.ones((8, 1)))
"""
    found = repaired(text)
    assert not found.blocked
    assert "strategy" not in found.after
    assert "batch_size=2)" in found.steps[0].text


HANDED_ON = """import tensorflow as tf


def choose(gpus):
    if gpus > 1:
        return tf.distribute.MirroredStrategy()
    return tf.distribute.OneDeviceStrategy("/gpu:0")


class Trainer:
    def __init__(self, where, units):
        self.where = where
        with self.where.scope():
            self.model = tf.keras.Sequential([tf.keras.layers.Dense(units)])
            self.model.compile("sgd", "mse")

    def train(self, x):
        self.model.fit(x, x, batch_size=2 * self.where.num_replicas_in_sync)


strategy = choose(2)
Trainer(strategy, units=1).train(tf.ones((8, 1)))
"""


def test_it_is_followed_to_functions_and_objects() -> None:
    found = repaired(HANDED_ON)
    assert not found.blocked
    text = found.steps[0].text
    assert "tf.distribute" not in text
    assert "scope" not in text
    assert text.count("return None") == 2
    assert "batch_size=2)" in text


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Trainer(strategy,", "print(strategy)\nTrainer(strategy,"),
        ("        self.where = where", "        self.where = [where]"),
        ("choose(2)", "[choose(2)][0]"),
        ("        self.where = where", "        self.where = where\n        print(where.extended)"),
    ],
)
def test_it_is_left_where_it_goes_where_nobody_sees(one: str, other: str) -> None:
    assert repaired(HANDED_ON.replace(one, other)).blocked
    assert not migrate(HANDED_ON.replace(one, other)).repairs


def test_comments_and_indentation_stay() -> None:
    text = HEAD.replace("    model =", "    # layers\n    model =") + END
    after = repaired(text).steps[0].text
    assert "\n# layers\nmodel = tf.keras" in after


def test_a_scope_on_one_line_behind_another_one_is_taken_out() -> None:
    found = repaired(HEAD + "with strategy.scope(): " + END)
    assert not found.blocked
    assert found.steps[0].text.endswith("\nmodel.fit(x, x[:, :1])\n")


def test_what_blocks_behind_it_is_told() -> None:
    text = HEAD.replace('"mse")', '"mse", jit_compile=True)') + END
    found = repaired(text)
    assert [finding.code for finding in found.blocked] == ["G02"]
    assert found.blocked[0].line == 6
    assert [offer.code for offer in found.repairs] == ["A04"]
    both = migrate(text, Options(repair=frozenset({"A00", "A04"})))
    assert not both.blocked
    assert [step.code for step in both.steps][:2] == ["A00", "A04"]
