"""A library that gets the optimizer, or the model, may train by it: that is no "no training"."""

from __future__ import annotations

import pytest

from distify.codemods.migrate import migrate
from distify.codemods.model import NO_TRAINING

HEAD = """\
import tensorflow as tf
from elsewhere import Agent, fit_all, look, Wrapper
import elsewhere

model = tf.keras.Sequential([tf.keras.layers.Dense(1)])
opt = tf.keras.optimizers.Adam(1e-3)


def build():
    net = tf.keras.Sequential([tf.keras.layers.Dense(1)])
    net.compile("adam", "mse")
    return net


"""
FIRST = HEAD.count("\n") + 1
LOOP = """\
for x, y in data:
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean((model(x) - y) ** 2)
    opt.apply_gradients(zip(tape.gradient(loss, model.trainable_variables), model.trainable_variables))
"""

TRAINS = {
    "an optimizer": "Agent(opt).step()\n",
    "an optimizer by keyword": "Agent(optimizer=opt)\n",
    "an optimizer of a module": "elsewhere.run(model, opt)\n",
    "one in a dictionary": "elsewhere.run(options={'model': model, 'opt': opt})\n",
    "one in options by name": "options = {'opt': opt}\nelsewhere.run(**options)\n",
    "one in a list": "elsewhere.run([opt, 3])\n",
    "one in a tuple under a name": "pair = (model, opt)\nelsewhere.run(*pair)\n",
    "one that is made there": "Agent(tf.keras.optimizers.SGD(0.1))\n",
    "one that an object holds": (
        "class Run:\n    def __init__(self):\n        self.opt = opt\n        self.agent = Agent(self.opt)\n"
    ),
    "one in a loss scale": "Agent(tf.keras.mixed_precision.LossScaleOptimizer(opt))\n",
    "one for a method of an agent": "agent = Agent()\nagent.start(opt)\n",
    "a model that is trained": "fit_all(model)\n",
    "a model that an object trains": "agent = Agent(model)\nagent.train(3)\n",
    "a function that makes models": "tuner = Agent(build)\ntuner.search(3)\n",
    "a lambda that makes models": "tuner = Agent(lambda: build())\ntuner.search(3)\n",
    "one in the hands of another library": (
        "from sklearn.model_selection import GridSearchCV\n"
        "grid = GridSearchCV(estimator=Wrapper(build), cv=3)\ngrid.fit([1], [2])\n"
    ),
    "Keras' own wrapper": (
        "from sklearn.model_selection import cross_val_score\n"
        "from tensorflow.keras.wrappers.scikit_learn import KerasClassifier\n"
        "cross_val_score(KerasClassifier(build_fn=build), [1], [2])\n"
    ),
}
HARMLESS = {
    "nothing": "",
    "a model that is looked at": "look(model)\nprint(model)\n",
    "a model and another one's training": (
        "from sklearn.svm import SVC\nlook(model)\nclf = SVC()\nclf.fit(model.predict([1]), [2])\n"
    ),
    "a checkpoint": "tf.train.Checkpoint(model=model, optimizer=opt)\n",
    "printing": "print(opt, opt.get_config(), isinstance(opt, int))\n",
    "a list and a dictionary": "them = []\nthem.append(opt)\nby_name = {}\nby_name.update(a=opt)\n",
    "a function of the file": "def show(o):\n    print(o)\nshow(opt)\n",
    "a class of the file": "class Box:\n    def __init__(self, o):\n        self.o = o\nBox(opt)\n",
    "a compile": "model.compile(opt, 'mse')\n",
    "a copy": "import copy\ncopy.copy(opt)\n",
}


@pytest.mark.parametrize("text", TRAINS.values(), ids=TRAINS)
def test_what_may_train_is_named(text: str) -> None:
    found = migrate(HEAD + text)
    assert found.skipped is None
    assert [each.code for each in found.blocked] == ["T01"]
    assert found.blocked[0].line >= FIRST
    assert found.after == HEAD + text


@pytest.mark.parametrize("text", HARMLESS.values(), ids=HARMLESS)
def test_what_trains_nothing_is_left_alone(text: str) -> None:
    found = migrate(HEAD + text)
    assert (found.skipped, found.blocked) == (NO_TRAINING, ())


@pytest.mark.parametrize(
    ("text", "is_named"),
    [
        ("Agent(tf.keras.optimizers.SGD(0.1)).step()\n", True),
        ("Agent(opt).step()\n", False),  # the loop's own
        ("fit_all(model)\n", False),
    ],
)
def test_beside_a_loop_only_an_optimizer_of_no_loop_counts(text: str, is_named: bool) -> None:
    found = migrate(HEAD + "data = [(tf.ones((8, 3)), tf.ones((8, 1)))]\n" + LOOP + text)
    assert [each.code for each in found.blocked] == (["T01"] if is_named else [])


def test_what_unknown_code_wraps_is_applied_by_the_loop() -> None:
    text = HEAD.replace("opt = tf", "own = tf") + "opt = Agent(own)\n" + LOOP.replace("data", "[]")
    assert all(each.code != "T01" for each in migrate(text).blocked)


def test_the_trials_of_a_tuner_are_what_workers_share_out() -> None:
    text = "import keras_tuner\ntuner = keras_tuner.RandomSearch(build, objective='val_loss')\n"
    (found,) = migrate(HEAD + text + "tuner.search(1, 2)\n").blocked
    assert "trains many models, one in each trial" in found.message
    assert "KERASTUNER_ORACLE_IP" in found.fix
