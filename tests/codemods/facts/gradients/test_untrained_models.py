"""Which models and variables that nothing trains are broadcast beside what is, and by which name."""

from __future__ import annotations

import pytest

from distify.codemods.facts import Facts
from distify.codemods.facts.gradients.state_broadcasts import broadcasts
from distify.codemods.migrate import migrate
from distify.codemods.rewrites._broadcasts import lines

HEAD = """\
import tensorflow as tf
from tensorflow import keras
from tensorflow.keras import layers

def net():
    return keras.Sequential([layers.Dense(2, input_shape=(4,))])

opt = keras.optimizers.SGD(0.1)
model = net()
"""
STEP = """\
def step(x):
    with tf.GradientTape() as tape:
        loss = model(x) - {}
    opt.apply_gradients(zip(tape.gradient(loss, model.trainable_variables), model.trainable_variables))
"""
LOOP = "for x in data:\n    step(x)\n"
TARGET = "target = net()\n"
MODEL, OPTIMIZER = "model.variables", "opt.variables"


def broadcast(text: str) -> list[str]:
    """What each step broadcasts, or why it can't."""
    facts = Facts.of(HEAD + text)
    found = broadcasts(facts)
    code = "".join(lines(facts, one, "done") for one in (*found.batches, *found.applications))
    sent = [line.partition("variables(")[2].rpartition(", root")[0] for line in code.splitlines()]
    return [each for each in sent if each] + [problem.why for problem in found.problems]


SENT = {
    "made by a function that names it": (
        "def named():\n    made = keras.Sequential([layers.Dense(2, input_shape=(4,))])\n"
        "    return made\n\n\nmodel = named()\ntarget = named()\n"
        + STEP.format("target(x)")
        + LOOP,
        "target.variables",
    ),
    "a deep copy": (
        "import copy\ntarget = copy.deepcopy(model)\n" + STEP.format("target(x)") + LOOP,
        "target.variables",
    ),
    "asked by a helper": (
        TARGET + "def ask(x):\n    return target(x)\n" + STEP.format("ask(x)") + LOOP,
        "target.variables",
    ),
    "asked before the step": (
        TARGET + STEP.format("y") + "for x in data:\n    y = target.predict(x)\n    step(x)\n",
        "target.variables",
    ),
    "a moving mean": (
        TARGET
        + STEP.format("1")
        + LOOP
        + "    for a, b in zip(target.variables, model.variables):\n"
        "        a.assign(0.9 * a + 0.1 * b)\n",
        "target.variables",
    ),
    "a list of weights": (
        TARGET
        + "def follow(to, by):\n    pass\n"
        + STEP.format("target(x)")
        + LOOP
        + "    follow(target.weights, model.weights)\n",
        "target.variables",
    ),
    "two in one statement": (
        "a, b = net(), net()\n" + STEP.format("a(x)").replace("model", "b") + LOOP,
        "a.variables",
    ),
    "a copy": (
        "target = keras.models.clone_model(model)\n" + STEP.format("target(x)") + LOOP,
        "target.variables",
    ),
    "random weights of a known form": (
        "target = keras.applications.VGG16(weights=None)\n" + STEP.format("target(x)") + LOOP,
        "target.variables",
    ),
    "a known one with a layer of its own": (
        "vgg = keras.applications.VGG16()\n"
        "target = keras.Model(vgg.input, layers.Dense(2)(vgg.output))\n"
        + STEP.format("target(x)")
        + LOOP,
        "target.variables",
    ),
    "in an object": (
        "class Distance:\n    def __init__(self):\n        self.inner = net()\n"
        "    def __call__(self, x):\n        return self.inner(x)\n"
        "distance = Distance()\n" + STEP.format("distance(x)") + LOOP,
        "distance.inner.variables",
    ),
    "a published network without its weights": (
        "import transformers\ntarget = transformers.TFBertModel(c)\n"
        + STEP.format("target(x)")
        + LOOP,
        "target.variables",
    ),
    "a drawn variable": (
        "w = tf.Variable(tf.random.normal([4]))\n" + STEP.format("w") + LOOP,
        "[w]",
    ),
    "a layer by itself": (
        "head = layers.Dense(3)\n" + STEP.format("head(x)") + LOOP,
        "head.variables",
    ),
    "a layer of the program": (
        "class Head(layers.Layer):\n    def build(self, shape):\n        self.w = self.add_weight()\n"
        "head = Head()\n" + STEP.format("head(x)") + LOOP,
        "head.variables",
    ),
    "a layer of the object that trains": (
        "class Trainer:\n    def __init__(self):\n        self.net = net()\n"
        "        self.head = layers.Dense(3)\n    def step(self, x):\n"
        "        with tf.GradientTape() as tape:\n            loss = self.head(model(x))\n"
        "        opt.apply_gradients(zip(tape.gradient(loss, model.trainable_variables), "
        "model.trainable_variables))\n"
        "trainer = Trainer()\nfor x in data:\n    trainer.step(x)\n",
        "self.head.variables",
    ),
    "copied variables": (
        "ws = [tf.Variable(v) for v in model.variables]\n" + STEP.format("ws[0]") + LOOP,
        "ws",
    ),
}
ALONE = {
    "nothing else": STEP.format("1") + LOOP,
    "a model of a file": "known = keras.models.load_model('a')\n" + STEP.format("known(x)") + LOOP,
    "published weights": (
        "import transformers\nknown = transformers.TFBertModel.from_pretrained('a')\n"
        + STEP.format("known(x)") + LOOP
    ),
    "known weights": "known = keras.applications.VGG16()\n" + STEP.format("known(x)") + LOOP,
    "layers of a known one": (
        "vgg = keras.applications.VGG16()\n"
        "known = keras.Model(vgg.input, vgg.get_layer('a').output)\n"
        + STEP.format("known(x)")
        + LOOP
    ),
    "asked behind the last step": TARGET + STEP.format("1") + LOOP + "print(target(x))\n",
    "what changes pictures": (
        "crop = keras.Sequential([layers.RandomFlip(), layers.Rescaling(2)])\n"
        + STEP.format("crop(x)") + LOOP
    ),
    "a part of the trained one": (
        "model = keras.Model(i, o)\npart = keras.Model(model.input, model.layers[1].output)\n"
        + STEP.format("part(x)") + LOOP
    ),
    "a layer that changes pictures": "flip = layers.RandomFlip()\n" + STEP.format("flip(x)") + LOOP,
    "a layer of the trained model": (
        "head = layers.Dense(3)\nmodel = keras.Sequential([head])\n" + STEP.format("head(x)") + LOOP
    ),
    "a layer of the functions of the trained model": (
        "head = layers.Dense(3)\ni = keras.Input((4,))\nmodel = keras.Model(i, head(i))\n"
        + STEP.format("head(x)") + LOOP
    ),
    "a layer of the trained model's own class": (
        "class Net(keras.Model):\n    def __init__(self):\n        super().__init__()\n"
        "        self.head = layers.Dense(3)\n    def call(self, x):\n"
        "        with tf.GradientTape() as tape:\n            return self.head(x)\n"
        "model = Net()\n" + STEP.format("1") + LOOP
    ),
    "layers that are not watched": (
        "head = layers.Dense(3)\n" + STEP.format("1") + LOOP + "    head(x)\n"
    ),
    "each layer that a function is given": (
        "def ask(layer, x):\n    with tf.GradientTape() as tape:\n        return layer(x)\n"
        + STEP.format("1") + LOOP + "    ask(layers.Dense(3), x)\n"
    ),
    "a constant": "w = tf.Variable(1.0)\n" + STEP.format("w") + LOOP,
    "a drawn variable that is asked later": (
        "w = tf.Variable(tf.random.normal([4]))\n" + STEP.format("1") + LOOP + "print(w)\n"
    ),
    "a list for the report": (
        TARGET + "every = model.trainable_variables + target.trainable_variables\n"
        + STEP.format("1") + LOOP
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", ALONE)
def test_what_all_workers_have_is_not_broadcast(name: str) -> None:
    assert broadcast(ALONE[name]) == [MODEL, OPTIMIZER]


@pytest.mark.parametrize("name", SENT)
def test_what_each_worker_would_have_of_its_own_is_broadcast(name: str) -> None:
    text, sent = SENT[name]
    trained = "b.variables" if "b.t" in text else MODEL
    assert broadcast(text) == [trained, sent, OPTIMIZER]


def test_a_target_in_the_object_that_trains_is_named_by_it() -> None:
    text = """\
class Agent:
    def __init__(self):
        self.model, self.target = net(), net()
        self.opt = keras.optimizers.Adam()

    def wanted(self, x):
        return self.target(x)

    def train(self, x):
        y = self.wanted(x)
        with tf.GradientTape() as tape:
            loss = self.model(x) - y
        g = tape.gradient(loss, self.model.trainable_variables)
        self.opt.apply_gradients(zip(g, self.model.trainable_variables))


agent = Agent()
for x in data:
    agent.train(x)
"""
    assert broadcast(text)[:2] == ["self.model.variables", "self.target.variables"]


def test_a_batch_towards_a_target_broadcasts_it() -> None:
    text = TARGET + "model.compile('sgd', 'mse')\n"
    text += "for x in data:\n    model.train_on_batch(x, target.predict(x))\n"
    assert broadcast(text)[:2] == [MODEL, "target.variables"]


def test_a_model_in_one_of_several_objects_is_refused() -> None:
    text, _ = SENT["in an object"]
    text = text.replace("distance = Distance()\n", "distance = Distance()\nmore = Distance()\n")
    assert "nothing trains `self.inner`" in broadcast(text)[-1]


HIDDEN = """\
def main():
    target = net()
    for x in data:
        step(x, target(x))
main()
"""


def test_a_model_that_the_step_is_given_has_the_name_of_its_parameter() -> None:
    text = STEP.format("y").replace("(x):", "(x, other, y):")
    text += HIDDEN.replace("step(x, ", "step(x, target, ")
    assert broadcast(text) == [MODEL, "other.variables", OPTIMIZER]


def test_a_model_that_the_step_cannot_name_is_refused() -> None:
    text = STEP.format("y").replace("(x):", "(x, y):") + HIDDEN
    assert "nothing trains `target`: each worker" in broadcast(text)[-1]


def test_a_model_without_weights_at_the_first_step_is_refused() -> None:
    text = "class Net(keras.Model):\n    pass\ntarget = Net()\n" + STEP.format("1") + LOOP
    assert "may have no weights yet" in broadcast(text + "    print(target(x))\n")[-1]


FITTED = """\
import numpy as np
import tensorflow as tf

x = np.ones((64, 4))
{seed}model = tf.keras.Sequential([tf.keras.layers.Dense(4, input_shape=(4,))])
{other}
model.compile("sgd", loss="mse")
model.fit(x, {wanted})
"""
OTHER = "other = tf.keras.Sequential([tf.keras.layers.Dense(4, input_shape=(4,))])"
WITHIN = (
    "class Taught(tf.keras.Model):\n    def __init__(self):\n        super().__init__()\n"
    "        self.own = tf.keras.Sequential([tf.keras.layers.Dense(1)])\n"
    "    def call(self, x):\n        return self.own(x)\n"
)
BELOW = (  # the step stands in a class above the one that it asks
    "class Above(tf.keras.Model):\n    def train_step(self, data):\n        x, y = data\n"
    "        with tf.GradientTape() as tape:\n            loss = self.cost(x, y)\n"
    "        g = tape.gradient(loss, self.trainable_variables)\n"
    "        self.optimizer.apply_gradients(zip(g, self.trainable_variables))\n"
    "        return {'loss': loss}\n"
    "class Below(Above):\n    def __init__(self):\n        super().__init__()\n"
    "        self.own = tf.keras.layers.Dense(4)\n"
    "    def call(self, x):\n        return self.own(x)\n"
    "    def cost(self, x, y):\n        return tf.reduce_mean(self(x) - y)\n"
)
FITTED_ALIKE = [
    FITTED.format(seed="", other=BELOW, wanted="x").replace("model = ", "first = ").replace(
        "model.compile", "model = Below()\nmodel.compile"
    ),
    FITTED.format(seed="", other="", wanted="x"),
    FITTED.format(seed="tf.keras.utils.set_random_seed(0)\n", other=OTHER, wanted="other.predict(x)"),
    FITTED.format(seed="", other="other = tf.keras.models.load_model('a')", wanted="other(x)"),
    FITTED.format(seed="", other=OTHER, wanted="x") + "print(other.predict(x))\n",
    FITTED.format(seed="", other=WITHIN, wanted="x").replace("model = ", "first = ").replace(
        "model.compile", "model = Taught()\nmodel.compile"
    ),
]  # fmt: skip


@pytest.mark.parametrize("text", FITTED_ALIKE)
def test_a_fit_that_learns_by_nothing_else_is_migrated(text: str) -> None:
    assert not [f for f in migrate(text).blocked if "nobody trains" in f.message]


@pytest.mark.parametrize("wanted", ["other.predict(x)", "other(x)"])
def test_a_fit_that_learns_by_a_random_model_is_refused(wanted: str) -> None:
    (found,) = migrate(FITTED.format(seed="", other=OTHER, wanted=wanted)).blocked
    assert found.code == "T07"
    assert "`other` begins with weights of each worker's own" in found.message


def test_what_another_object_keeps_of_a_trained_model_is_that_model() -> None:
    text = """\
class Log:
    def start(self, model):
        self.kept = model

    def error(self, x):
        return self.kept(x)


log = Log()
log.start(model)
"""
    loop = "for x in data:\n    step(x)\n    print(log.error(x))\n"
    assert broadcast(text + STEP.format("1") + loop) == [MODEL, OPTIMIZER]
    other = text.replace("log.start(model)", "target = net()\nlog.start(target)")
    assert broadcast(other + STEP.format("1") + loop) != [MODEL, OPTIMIZER]


BLOCKS = """\
class Block(keras.Model):
    def __init__(self, out):
        super().__init__()
        self.shortcut = keras.Sequential([layers.Dense(out)])

    def call(self, x):
        return self.shortcut(x)


class Other(keras.Model):
    def __init__(self):
        super().__init__()
        self.inner = keras.Sequential([layers.Dense(2)])

    def call(self, x):
        return self.inner(x)


class Net(keras.Model):
    def __init__(self, block):
        super().__init__()
        self.body = self._made(block)

    def _made(self, block):
        return keras.Sequential([block(2) for _ in range(3)])

    def call(self, x):
        return self.body(x)


model = Net(Block)
"""


def test_blocks_of_a_class_that_is_handed_over_are_trained() -> None:
    """`BuildResNet(BasicBlock, …)`: R08 refused what each block holds as trained by nothing."""
    assert broadcast(BLOCKS + STEP.format("y") + LOOP) == [MODEL, OPTIMIZER]


def test_a_class_that_is_not_handed_over_is_not() -> None:
    text = BLOCKS + "other = Other()\n" + STEP.format("other(x)") + LOOP
    assert "other.variables" in "".join(broadcast(text))


IDLE = """\
class Other(keras.Model):
    def __init__(self):
        super().__init__()
        self.inner = keras.Sequential([layers.Dense(2)])

    def call(self, x):
        return self.inner(x)


"""


def test_a_class_of_which_nothing_is_made_keeps_no_weights() -> None:
    """Files of several models of which one is trained were refused (R08)."""
    assert broadcast(IDLE + STEP.format("y") + LOOP) == [MODEL, OPTIMIZER]


@pytest.mark.parametrize(
    "made",
    [
        "other = Other()\n",
        "kinds = [Other]\nother = kinds[0]()\n",
        "other = globals()[name]()\n",
        "class More(Other):\n    pass\n\n\nother = More()\n",
    ],
)
def test_a_class_that_may_be_made_somehow_keeps_some(made: str) -> None:
    found = broadcast(IDLE + made + STEP.format("other(x)") + LOOP)
    assert found != [MODEL, OPTIMIZER]


def test_a_class_that_a_decorator_gets_may_be_made() -> None:
    text = "@register\n" + IDLE + STEP.format("make(x)") + LOOP
    assert "self.inner" in broadcast(text)[-1]
