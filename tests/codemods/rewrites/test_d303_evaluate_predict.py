"""Every worker tests and predicts; only rank 0 draws the progress bar."""

from __future__ import annotations

import pytest

from distify.codemods.migrate import migrate
from distify.codemods.model import Options

HEAD = """\
import tensorflow as tf

model = tf.keras.Sequential([tf.keras.layers.Dense(1)])
model.compile("sgd", "mse")
model.fit(x, y)
# head
"""


def silenced(snippet: str) -> str:
    """What becomes of the snippet."""
    found = migrate(
        f"{HEAD}{snippet}\n", Options(unsound=True, width=88, select=frozenset({"D303"}))
    )
    return found.after.partition("# head\n")[2].rstrip("\n")


CASES = {
    "left out": (
        "model.evaluate(x, y)",
        "model.evaluate(x, y, verbose=1 if hvd.rank() == 0 else 0)",
    ),
    "by position": (
        "loss = model.evaluate(x, y, 32, 2)",
        "loss = model.evaluate(x, y, 32, 2 if hvd.rank() == 0 else 0)",
    ),
    "predict by position": (
        "model.predict(x, 32, 1)[0]",
        "model.predict(x, 32, 1 if hvd.rank() == 0 else 0)[0]",
    ),
    "a choice": (
        "model.predict(x, verbose=1 if loud else 2)",
        "model.predict(x, verbose=(1 if loud else 2) if hvd.rank() == 0 else 0)",
    ),
    "one argument a line": (
        "model.evaluate(\n    x,\n    y,\n)",
        "model.evaluate(\n    x,\n    y,\n    verbose=1 if hvd.rank() == 0 else 0,\n)",
    ),
    "in a longer line": (
        "print('what the model makes of it:', model.predict(x_test_of_the_last_month))",
        "print(\n"
        "    'what the model makes of it:',\n"
        "    model.predict(x_test_of_the_last_month, verbose=1 if hvd.rank() == 0 else 0),\n"
        ")",
    ),
    "a loud generator": (
        "model.evaluate_generator(x, verbose=1)",
        "model.evaluate_generator(x, verbose=1 if hvd.rank() == 0 else 0)",
    ),
}


@pytest.mark.parametrize(("before", "after"), CASES.values(), ids=list(CASES))
def test_the_level_is_kept_on_rank_zero(before: str, after: str) -> None:
    assert silenced(before) == after


UNTOUCHED = {
    "silent": "model.evaluate(x, y, verbose=0)",
    "silent by position": "model.predict(x, 32, 0)",
    "a generator is silent by default": "model.predict_generator(x)",
    "hidden arguments": "model.evaluate(x, y, **options)",
    "no Keras model": "from sklearn import svm\n\nsvm.SVC().predict(x)",
    "a method of the program's own class": (
        "class Judge:\n    def evaluate(self, x):\n        return x\n\n\nJudge().evaluate(x)"
    ),
    "unknown": "judge.predict(x)",
}


@pytest.mark.parametrize("text", UNTOUCHED.values(), ids=list(UNTOUCHED))
def test_what_draws_nothing_stays(text: str) -> None:
    assert silenced(text) == text
