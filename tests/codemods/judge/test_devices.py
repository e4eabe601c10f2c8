"""A worker's own GPU is chosen before TensorFlow has taken all of them."""

from __future__ import annotations

import pytest

from distify.codemods.facts.questions import QUESTIONS
from distify.codemods.judge.case import Case
from distify.codemods.judge.devices import taken_before
from distify.codemods.migrate import migrate
from distify.codemods.model import Options

PIN = """\
hvd.init()
gpus = tf.config.list_physical_devices("GPU")
for gpu in gpus:
    tf.config.experimental.set_memory_growth(gpu, True)
if gpus:
    tf.config.set_visible_devices(gpus[hvd.local_rank()], "GPU")
"""
IMPORTS = "import argparse\nimport logging\nimport os\nimport numpy as np\nimport horovod.tensorflow as hvd\nimport tensorflow as tf\n"
FIT = "model.compile('adam', 'mse')\nmodel.fit(x, y)\n"


def inside(text: str) -> str:
    return "def main():\n" + "".join(f"    {line}\n" for line in text.splitlines()) + "main()\n"


def told(text: str) -> list[str]:
    """What has taken the GPUs when they are chosen."""
    case = Case({"a.py": text}, {"a.py": "pass\n"}, "a.py", Options(), QUESTIONS)
    return [why.split("`")[1] for _, why in taken_before(case)]


SOUND = {
    "below the imports": IMPORTS + PIN + "x = tf.constant(1)\n",
    "settings above": IMPORTS
    + "os.environ['A'] = '1'\nlogging.basicConfig()\ntf.get_logger().setLevel('ERROR')\n"
    "tf.random.set_seed(0)\ntf.keras.backend.set_floatx('float32')\ntf.config.run_functions_eagerly(False)\n"
    + PIN,
    "options above": IMPORTS + "parser = argparse.ArgumentParser()\nargs = parser.parse_args()\n" + PIN,
    "arrays above": IMPORTS + "x = np.zeros(3)\n(a, b), _ = tf.keras.datasets.mnist.load_data()\n" + PIN,
    "definitions above": IMPORTS + "def f():\n    return tf.constant(1)\n@tf.function\ndef g(x):\n    return tf.zeros(x)\nclass C:\n    def h(self):\n        return tf.ones(1)\nk = lambda: tf.ones(1)\n" + PIN + "f()\n",
    "a tokenizer": "import transformers\n" + IMPORTS + "t = transformers.AutoTokenizer.from_pretrained('t')\n" + PIN,
    "in a function": IMPORTS + inside(PIN + "x = tf.constant(1)"),
    "a library that makes no model": "import table\n" + IMPORTS + "x, y = table.load()\n" + PIN + "model = tf.keras.Sequential()\n" + FIT,
    "in another branch": IMPORTS + "import sys\nif len(sys.argv) > 1:\n    x = 1\nelse:\n" + "".join(f"    {line}\n" for line in PIN.splitlines()),
    "no choice": IMPORTS + "x = tf.constant(1)\n",
}  # fmt: skip
BAD = {
    "a tensor": (IMPORTS + "x = tf.constant(1)\n" + PIN, "tf.constant"),
    "a data set": (IMPORTS + "d = tf.data.Dataset.range(3)\n" + PIN, "tf.data.Dataset.range"),
    "a model of another library": ("from transformers import TFBert\nmodel = TFBert.from_pretrained('t')\n" + IMPORTS + PIN, "TFBert.from_pretrained"),
    "a hub": ("import tensorflow_hub as hub\nlayer = hub.KerasLayer('h')\n" + IMPORTS + PIN, "hub.KerasLayer"),
    "a model of a library that nobody knows": ("import zoo\nmodel = zoo.build()\n" + IMPORTS + PIN + FIT, "zoo.build"),
    "Keras before TensorFlow": ("import keras\nmodel = keras.Sequential([keras.Input((3,))])\n" + IMPORTS + PIN + FIT, "keras.Input"),
    "in a function that runs above": (IMPORTS + "def f():\n    return tf.constant(1)\nx = f()\n" + PIN, "f"),
    "above the call of its function": (IMPORTS + "x = tf.constant(1)\n" + inside(PIN), "tf.constant"),
    "above a branch": (IMPORTS + "x = tf.zeros(3)\nif True:\n" + "".join(f"    {line}\n" for line in PIN.splitlines()), "tf.zeros"),
}  # fmt: skip


@pytest.mark.parametrize("name", SOUND)
def test_nothing_is_told_where_it_comes_first(name: str) -> None:
    assert told(SOUND[name]) == []


@pytest.mark.parametrize("name", BAD)
def test_what_takes_them_first_is_told(name: str) -> None:
    text, expected = BAD[name]
    assert expected in told(text) or (expected == "keras.Input" and told(text))


LATE = """\
import numpy as np
from transformers import TFAutoModel
{0}model = TFAutoModel.from_pretrained("tiny")
x = np.zeros((64, 8), "int32")
{1}model.compile(optimizer=tf.keras.optimizers.Adam(5e-5))
model.fit(x, x, epochs=1)
"""


def test_a_result_that_chooses_too_late_is_refused() -> None:
    tensorflow = "import tensorflow as tf\n"
    seen = migrate(LATE.format("", tensorflow))
    assert [(f.line, f.obligation, f.code) for f in seen.blocked] == [(3, "same", "H13")]
    assert "set_visible_devices" in migrate(LATE.format(tensorflow, "")).after
