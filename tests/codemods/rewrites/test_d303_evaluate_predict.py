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


BOUND = "verbose = 1 if hvd.rank() == 0 else 0\n"
MODEL = (
    "import tensorflow as tf\n\n"
    'model = tf.keras.Sequential([tf.keras.layers.Dense(1)])\nmodel.compile("sgd", "mse")\n'
)


@pytest.mark.parametrize(
    ("text", "uses"),
    [
        ("model.fit(x, y)\nmodel.evaluate(x, y)\n", 2),
        ("model.fit(x, y, verbose=0)\nmodel.evaluate(x, y)\nmodel.predict(x, verbose=1)\n", 2),
        ("def test():\n    return model.evaluate(x, y)\n\n\nmodel.fit(x, y)\ntest()\n", 2),
        ("model.fit(x, y, 32, 3, 2)\nmodel.evaluate(x, y)\nmodel.predict(x)\n", 2),
        ("model.fit(x, y)\nmodel.evaluate(x, y, verbose=2)\n", 0),
        ("model.fit(x, y)\nmodel.evaluate(x, y, verbose=0)\n", 0),
        ("for v in (1, 2):\n    model.fit(x, y, verbose=v)\n    model.evaluate(x, y, verbose=v)\n", 0),
    ],
    ids=[
        "twice",
        "a quiet fit",
        "in a function",
        "two levels",
        "two levels once each",
        "once",
        "a level of the program's own",
    ],
)  # fmt: skip
def test_a_level_is_bound_from_the_second_use_on(text: str, uses: int) -> None:
    after = migrate(MODEL + text).after
    assert after.count(BOUND) == bool(uses)
    assert after.count("verbose=verbose") == uses
    assert migrate(after).after == after


def test_a_bound_level_is_a_paragraph_behind_the_start() -> None:
    after = migrate(MODEL + "model.fit(x, y)\nmodel.evaluate(x, y)\n").after
    assert f'], "GPU")\n\n{BOUND}\nmodel = ' in after


def test_a_level_gets_another_name_where_the_program_means_something_else_by_it() -> None:
    text = "def fit(verbose):\n    model.fit(x, y)\n\n\nfit(2)\nmodel.evaluate(x, y)\n"
    after = migrate(MODEL + text).after
    assert "verbosity = 1 if hvd.rank() == 0 else 0\n" in after
    assert after.count("verbose=verbosity") == 2


@pytest.mark.parametrize("code", ["D302", "D303"])
def test_each_rule_binds_for_itself_where_the_other_one_is_left_out(code: str) -> None:
    text = "model.fit(x, y)\nmodel.fit(x, y)\nmodel.evaluate(x, y)\nmodel.predict(x)\n"
    after = migrate(MODEL + text, Options(select=frozenset({code}), unsound=True)).after
    assert after.count(BOUND) == 1
    assert after.count("verbose=verbose") == 2


def test_a_program_that_starts_horovod_itself_binds_nothing() -> None:
    text = "import horovod.tensorflow.keras as hvd\nhvd.init()\n" + MODEL
    after = migrate(text + "model.fit(x, y)\nmodel.evaluate(x, y)\n").after
    assert after.count("verbose=1 if hvd.rank() == 0 else 0") == 2


def test_a_level_is_bound_behind_all_that_rules_import_there() -> None:
    text = "import tensorflow as tf\nimport argparse\n" + MODEL.partition("\n\n")[2]
    text += 'log = open("a.txt", "w")\nlog.write("a")\nmodel.fit(x, y)\nmodel.evaluate(x, y)\n'
    assert f'], "GPU")\n\n{BOUND}\nmodel = ' in migrate(text).after


def test_two_levels_that_are_used_twice_have_two_names() -> None:
    text = "model.fit(x, y, verbose=2)\nmodel.evaluate(x, y)\nmodel.predict(x)\n"
    after = migrate(MODEL + text + "model.fit(x, y, verbose=2)\nmodel.evaluate(y, x)\n").after
    assert f"\n{BOUND}verbose_2 = 2 if hvd.rank() == 0 else 0\n" in after
    assert (after.count("verbose=verbose_2,"), after.count("verbose=verbose)")) == (2, 3)
    assert migrate(after).after == after


CALLBACKS = "from tensorflow.keras.callbacks import EarlyStopping, ReduceLROnPlateau, Callback\n"


@pytest.mark.parametrize(
    ("made", "becomes"),
    [
        ("EarlyStopping('loss', 0, 3, 1)", "EarlyStopping('loss', 0, 3, verbose)"),
        ("ReduceLROnPlateau(verbose=True)", "ReduceLROnPlateau(verbose=verbose)"),
        ("ReduceLROnPlateau(verbose=2)", "ReduceLROnPlateau(verbose=2 if hvd.rank() == 0 else 0)"),
        ("EarlyStopping()", "EarlyStopping()"),
        ("EarlyStopping(verbose=0)", "EarlyStopping(verbose=0)"),
        ("EarlyStopping(verbose=level)", "EarlyStopping(verbose=level)"),
    ],
)
def test_what_callbacks_print_of_themselves_is_printed_once(made: str, becomes: str) -> None:
    text = CALLBACKS + MODEL + f"stop = {made}\nmodel.fit(x, y, callbacks=[stop])\n"
    assert f"stop = {becomes}\n" in migrate(text).after


def test_what_rank_zero_alone_asks_for_a_picture_tells_as_before() -> None:
    """A level by the rank would be one more in there, and a second run would guard its lines."""
    text = (
        "import matplotlib.pyplot as plt\nimport numpy as np\nimport tensorflow as tf\n\n"
        "x, y = np.load('x.npy'), np.load('y.npy')\n"
        "model = tf.keras.Sequential([tf.keras.layers.Dense(1)])\nmodel.compile('adam', 'mse')\n\n\n"
        "def draw(epoch):\n    pred = model.predict(x[:100])\n    plt.plot(pred)\n"
        "    plt.savefig('fig%d.png' % epoch)\n\n\nmodel.fit(x, y, verbose=0)\ndraw(1)\n"
    )
    found = migrate(text)
    assert not found.blocked
    assert "pred = model.predict(x[:100])\n" in found.after
    assert "if hvd.rank() == 0:\n    draw(1)\n" in found.after
    assert migrate(found.after).after == found.after


def test_what_rank_0_asks_alone_stays_as_loud_as_it_was() -> None:
    text = (
        HEAD.replace("model.fit(x, y)", "x = tf.ones((8, 4))\nmodel.fit(x, x)")
        + "print(model.predict(x))\n"
    )
    after = migrate(text).after
    assert "    print(model.predict(x))\n" in after
    assert migrate(after).after == after
    alone = migrate(text, Options(ignore=frozenset({"D203", "D204", "D205"}), unsound=True)).after
    assert "print(model.predict(x, verbose=" in alone
