"""Models that `fit` doesn't train but learns by, and layers that hold models of their own."""

from __future__ import annotations

import pytest

from distify.codemods.migrate import migrate

HEAD = """\
import keras
import numpy as np
from keras import layers

x = np.ones((64, 4), "float32")


class Block(layers.Layer):
    def __init__(self):
        super().__init__()
        self.inner = keras.Sequential([layers.Dense(4), layers.Dense(4)])

    def call(self, x):
        return x + self.inner(x)


inputs = keras.Input((4,))
"""
END = """
model = keras.Model(inputs, outputs)
model.compile("adam", "mse")
model.fit({}, x)
"""
OUTER = """
class Outer(layers.Layer):
    def __init__(self):
        super().__init__()
        self.blocks = [Block() for _ in range(2)]

    def call(self, x):
        for block in self.blocks:
            x = block(x)
        return x


"""
MEMBERS = """
class Member(keras.Model):
    def __init__(self):
        super().__init__()
        self.out = layers.Dense(1)

    def call(self, x):
        return self.out(x)


class Ensemble(layers.Layer):
    def __init__(self):
        super().__init__()
        self.members = []
        for _ in range(3):
            self.members.append(Member())

    def call(self, x):
        total = 0.0
        {}
            total += member(x)
        return total


outputs = Ensemble()(inputs)
"""
TRAINED = {
    "called at once": "outputs = Block()(inputs)",
    "by a name": "block = Block()\nhidden = layers.Dense(4)(inputs)\noutputs = block(hidden)",
    "in a function": "def net(x):\n    return layers.Dense(1)(Block()(x))\noutputs = net(inputs)",
    "in another layer": OUTER + "outputs = Outer()(inputs)",
    "models in a list": MEMBERS.format("for member in self.members:"),
    "models by number": MEMBERS.format("for i, member in enumerate(self.members[1:]):"),
    "models by index": MEMBERS.format("for i in range(3):\n            member = self.members[i]"),
    "by a function, in an attribute": """
def block():
    start = keras.Input((4,))
    inner = keras.Sequential([layers.Dense(4)])
    return keras.Model(start, layers.Add()([inner(start), start]))


class Net(keras.Model):
    def __init__(self):
        super().__init__()
        self.block = block()

    def call(self, x):
        return self.block(x)


outputs = Net()(inputs)
""",
    "one that is only composed": """
code = keras.Input((2,))
decoder = keras.Model(code, layers.Dense(4)(code))
auto = keras.Model(inputs, decoder(layers.Dense(2)(inputs)))
auto.summary()
outputs = layers.Dense(1)(inputs)
""",
}


@pytest.mark.parametrize("name", TRAINED)
def test_a_model_in_a_layer_of_the_trained_one_is_trained(name: str) -> None:
    assert not migrate(HEAD + TRAINED[name] + END.format("x")).blocked


@pytest.mark.parametrize(
    "target",
    [
        "target = keras.Sequential([layers.Dense(4)])\n",
        "target = keras.models.clone_model(keras.Sequential([layers.Dense(4)]))\n",
        "target = keras.Model(inputs, keras.Sequential([layers.Dense(4)])(inputs))\n",
        "class Holder:\n    def __init__(self):\n        self.nets = [keras.Sequential([layers.Dense(4)])]\n"
        "holder = Holder()\nfor target in holder.nets:\n    target.predict(x)\n",
    ],
)
def test_one_that_data_are_made_by_is_refused(target: str) -> None:
    text = HEAD + "outputs = layers.Dense(1)(inputs)\n" + target + END.format("target.predict(x)")
    assert [each.code for each in migrate(text).blocked] == ["T07"]


def test_a_model_in_a_layer_that_nothing_trains_is_refused() -> None:
    text = HEAD + "outputs = layers.Dense(1)(inputs)\nx = Block()(x)\n" + END.format("x")
    assert "T07" in [each.code for each in migrate(text).blocked]
