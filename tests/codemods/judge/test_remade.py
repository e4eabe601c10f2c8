"""What the wrapper of an optimizer makes anew from a config is what it got."""

from __future__ import annotations

import pytest

from distify.codemods.facts.questions import QUESTIONS
from distify.codemods.judge.case import Case
from distify.codemods.judge.remade import remade
from distify.codemods.migrate import migrate
from distify.codemods.model import Options

HEAD = """\
import horovod.tensorflow.keras as hvd
import tensorflow as tf
"""
MADE = "optimizer = Own(0.02, 2)\noptimizer = hvd.DistributedOptimizer(optimizer)\n"
CONFIG = """\
    def get_config(self):
        config = super().get_config()
        config.update({"passes": self.passes})
        return config
"""


def own(init: str, config: str = "", base: str = "tf.keras.optimizers.SGD") -> str:
    return f"{HEAD}class Own({base}):\n    def __init__{init}\n{config}{MADE}"


PLAIN = "(self, learning_rate=0.02, passes=4, **kwargs):\n        super().__init__(learning_rate=learning_rate, **kwargs)\n        self.passes = passes"
DIVIDED = PLAIN.replace("=learning_rate,", "=learning_rate / passes,")
OVER = "        self.rate = learning_rate"


def told(text: str, tensorflow: tuple[int, int] = (2, 15)) -> list[tuple[bool, str]]:
    """Whether it is certain, and what is lost: the last name of the sentence."""
    case = Case({"a.py": text}, {"a.py": ""}, "a.py", Options(tensorflow=tensorflow), QUESTIONS)
    return [(c.is_certain, sorted(c.why.split("`")[1::2])[-1]) for _, c in remade(case)]


SOUND = {
    "one of Keras": f"{HEAD}optimizer = hvd.DistributedOptimizer(tf.keras.optimizers.SGD(0.1))\n",
    "no constructor of its own": f"{HEAD}class Own(tf.keras.optimizers.SGD):\n    def apply_gradients(self, pairs, **kwargs):\n        return super().apply_gradients(pairs, **kwargs)\n{MADE.replace(', 2', '')}",
    "a parameter that is in the config": own(PLAIN, CONFIG),
    "the config by a display": own(PLAIN, "    def get_config(self):\n        return {**super().get_config(), 'passes': self.passes}\n"),
    "the config by an item": own(PLAIN, "    def get_config(self):\n        config = super(Own, self).get_config()\n        config['passes'] = int(self.passes)\n        return config\n"),
    "the config by a dictionary of names": own(PLAIN, "    def get_config(self):\n        return dict(super().get_config(), passes=self.passes)\n"),
    "the rate is told as it was given": own(DIVIDED + "\n" + OVER, CONFIG.replace('"passes"', '"learning_rate": self.rate, "passes"')),
    "nothing of its own": own("(self, learning_rate=0.02, momentum=0.0, **kwargs):\n        super().__init__(learning_rate, momentum, **kwargs)\n        self.seen = 0"),
    "kept by a name": own(
        "(self, learning_rate=0.02, passes=4, name='Own', **kwargs):\n        super().__init__(name, **kwargs)\n"
        "        self._set_hyper('learning_rate', kwargs.get('lr', learning_rate))\n        self.passes = passes or 1",
        CONFIG.replace('"passes"', '"learning_rate": self._serialize_hyperparameter("learning_rate"), "passes"'),
        "tf.keras.optimizers.legacy.Optimizer",
    ),
    "one of two": own(PLAIN, CONFIG) + "class Near(Own):\n    pass\nother = hvd.DistributedOptimizer(Near(0.1, 3))\n",
    "of TensorFlow 1": own(PLAIN, "", "tf.compat.v1.train.GradientDescentOptimizer"),
    "nobody wraps it": own(DIVIDED).replace("hvd.DistributedOptimizer(optimizer)", "optimizer"),
}  # fmt: skip
BAD = {
    "a parameter that nobody tells": (own(PLAIN), (True, "passes")),
    "one that is reckoned with": (own(DIVIDED), (True, "learning_rate")),
    "and is in the config": (own(DIVIDED, CONFIG), (True, "learning_rate")),
    "one that is bound anew": (
        own(PLAIN.replace("        super()", "        learning_rate = learning_rate / passes\n        super()"), CONFIG),
        (True, "learning_rate"),
    ),
    "another name for the rate": (own(PLAIN.replace("(self, learning_rate", "(self, rate").replace("=learning_rate,", "=rate,")), (True, "rate")),
    "what it holds is another number": (own(PLAIN.replace("= passes", "= passes * 2"), CONFIG), (True, "passes")),
    "what it tells is another number": (own(PLAIN, CONFIG.replace("self.passes}", "self.passes * 2}")), (True, "passes")),
    "taken out of the config": (own(PLAIN, CONFIG.replace('config.update({"passes": self.passes})', 'config["passes"] = self.passes\n        config.pop("learning_rate")')), (True, "learning_rate")),
    "nothing else is taken": (own(PLAIN.replace(", **kwargs", ""), CONFIG), (True, "Own")),
    "a rate of its own": (own("(self, passes=4, **kwargs):\n        super().__init__(learning_rate=0.1, **kwargs)\n        self.passes = passes", CONFIG), (True, "learning_rate")),
    "the class above": (own(DIVIDED) .replace(MADE, "class Near(Own):\n    pass\n" + MADE.replace("Own", "Near")), (True, "learning_rate")),
    "made by a function": (own(DIVIDED).replace("Own(0.02, 2)", "make()").replace("optimizer = make", "def make():\n    return Own(0.02, 2)\noptimizer = make"), (True, "learning_rate")),
    "a way of its own": (own(PLAIN, CONFIG + "    @classmethod\n    def from_config(cls, config):\n        return cls()\n"), (False, "Own")),
    "a constructor that asks for none": (own(PLAIN.replace("super().__init__(learning_rate=learning_rate, **kwargs)", "build(self, kwargs)"), CONFIG), (False, "Own")),
}  # fmt: skip


@pytest.mark.parametrize("name", SOUND)
def test_nothing_is_told_of_what_comes_back(name: str) -> None:
    assert told(SOUND[name]) == []


@pytest.mark.parametrize("name", BAD)
def test_what_is_lost_is_told(name: str) -> None:
    text, expected = BAD[name]
    assert told(text) == [expected]


def test_a_base_of_old_takes_a_name_alone() -> None:
    init = "(self, learning_rate, passes=1, name='Own'):\n        super().__init__(name)\n        self._set_hyper('learning_rate', learning_rate)\n        self.passes = passes"
    config = CONFIG.replace(
        '"passes"',
        '"learning_rate": self._serialize_hyperparameter("learning_rate"), "passes"',
    )
    text = own(init, config, "tf.keras.optimizers.Optimizer")
    assert told(text, (2, 10)) == []
    assert told(text, (2, 15)) == [(True, "Own")]


FIT = """\
import numpy as np
import tensorflow as tf

x = np.load("x.npy")
class Own(tf.keras.optimizers.SGD):
    def __init__{init}
{config}
model = tf.keras.Sequential([tf.keras.layers.Dense(1)])
model.compile(Own(0.02, 2), loss="mse")
model.fit(x, x, batch_size=16, epochs=2)
"""


def test_a_result_with_an_optimizer_that_is_lost_is_refused_where_it_is_made() -> None:
    seen = migrate(FIT.format(init=DIVIDED, config=""))
    assert [(f.line, f.obligation) for f in seen.blocked] == [(11, "same")]
    assert migrate(FIT.format(init=PLAIN, config=CONFIG)).after.count("hvd.DistributedOpt") == 1


def test_keras_3_keeps_the_object() -> None:
    seen = migrate(FIT.format(init=DIVIDED, config=""), Options(tensorflow=(2, 20)))
    assert not seen.blocked
    assert "average_gradients(model)" in seen.after
