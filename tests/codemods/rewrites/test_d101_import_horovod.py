"""One import of Horovod, the right one, where imports belong."""

from __future__ import annotations

import pytest

from distify.codemods.migrate import migrate
from distify.codemods.model import Options

FIT = """
model = keras.Sequential([keras.layers.Dense(1)])
model.compile("sgd", "mse")
model.fit(x, y)
"""
TF_FIT = FIT.replace("keras.", "tf.keras.")
TAPE = """
opt = tf.keras.optimizers.SGD(0.1)
with tf.GradientTape() as tape:
    loss = tf.reduce_sum(v)
opt.apply_gradients([(tape.gradient(loss, v), v)])
"""
TRAIN_STEP = """
class Net(tf.keras.Model):
    def train_step(self, data):
        with tf.GradientTape() as tape:
            loss = tf.reduce_sum(self(data))
        grads = tape.gradient(loss, self.trainable_variables)
        self.optimizer.apply_gradients(zip(grads, self.trainable_variables))
        return {"loss": loss}


model = Net()
model.compile("sgd")
model.fit(x)
"""
KERAS = "import horovod.tensorflow.keras as hvd\n"
PLAIN = "import horovod.tensorflow as hvd\n"


def head(before: str, rest: str) -> str:
    """The lines before the rest of the program, as they become."""
    after = migrate(before + rest, Options(unsound=True, select=frozenset({"D101"}))).after
    assert after.endswith(rest)
    return after[: -len(rest)]


PLACES = {
    "alone": ("import tensorflow as tf\n", KERAS + "import tensorflow as tf\n"),
    "sorted": (
        "import os\n\nimport h5py\nimport numpy as np\nimport tensorflow as tf\nfrom a import b\n",
        "import os\n\nimport h5py\n" + KERAS + "import numpy as np\nimport tensorflow as tf\n"
        "from a import b\n",
    ),
    "unsorted: behind the last one of TensorFlow": (
        "import tensorflow as tf\nimport numpy as np\nfrom tensorflow.keras import (\n"
        "    layers,\n)\n"
        "import matplotlib\n",
        "import tensorflow as tf\nimport numpy as np\nfrom tensorflow.keras import (\n"
        "    layers,\n)\n" + KERAS + "import matplotlib\n",
    ),
    "mixed with the standard library: behind": (
        "import os\nimport tensorflow as tf\nimport sys\n",
        "import os\nimport tensorflow as tf\n" + KERAS + "import sys\n",
    ),
    "several names in one import": (
        "import os, tensorflow as tf\n",
        "import os, tensorflow as tf\n" + KERAS,
    ),
    "two imports on a line": (
        "import numpy as np; import tensorflow as tf; import time\n",
        "import numpy as np\nimport tensorflow as tf\nimport time\n" + KERAS,
    ),
    "a docstring, a future and a comment": (
        '"""Trains."""\nfrom __future__ import annotations\n\n# TensorFlow\n'
        "import tensorflow as tf  # 2\n",
        '"""Trains."""\nfrom __future__ import annotations\n\n# TensorFlow\n'
        "import tensorflow as tf  # 2\n" + KERAS,
    ),
    "settings between the imports": (
        "import os\nos.environ['A'] = 'b'\nimport tensorflow as tf\nimport warnings\n"
        "warnings.filterwarnings('ignore')\nfrom tensorflow.keras import layers\nimport numpy\n",
        "import os\nos.environ['A'] = 'b'\nimport tensorflow as tf\nimport warnings\n"
        "warnings.filterwarnings('ignore')\nfrom tensorflow.keras import layers\n"
        + KERAS
        + "import numpy\n",
    ),
    "behind a function": (
        "def f():\n    pass\n\n\nimport tensorflow as tf\n",
        "def f():\n    pass\n\n\n" + KERAS + "import tensorflow as tf\n",
    ),
    "a fallback": (
        "import tensorflow as tf\ntry:\n    from tensorflow import keras\n"
        "except ImportError:\n    from tensorflow.compat.v2 import keras\n",
        KERAS + "import tensorflow as tf\ntry:\n    from tensorflow import keras\n"
        "except ImportError:\n    from tensorflow.compat.v2 import keras\n",
    ),
    "only in a fallback": (
        "try:\n    import tensorflow as tf\nexcept ImportError:\n    raise SystemExit('no tf')\n",
        "try:\n    import tensorflow as tf\nexcept ImportError:\n    raise SystemExit('no tf')\n"
        + KERAS,
    ),
}


@pytest.mark.parametrize("name", PLACES)
def test_place(name: str) -> None:
    before, after = PLACES[name]
    assert head(before, TF_FIT) == after


def test_late_imports_of_tensorflow_stay_where_they_are() -> None:
    text = "import tensorflow as tf\n" + TF_FIT + "from tensorflow.keras import backend\n"
    after = migrate(text, Options(unsound=True, select=frozenset({"D101"}))).after
    assert after == KERAS + text


KINDS = {
    "fit": ("import tensorflow as tf\n", TF_FIT, KERAS),
    "keras alone": ("import keras\n", FIT, KERAS),
    "keras from tensorflow": ("from tensorflow import keras\n", FIT, KERAS),
    "a loop": ("import tensorflow as tf\n", TAPE, PLAIN),
    "fit with a train_step": (
        "import tensorflow as tf\n",
        TRAIN_STEP,
        "import horovod.tensorflow as hvd_tf\n" + KERAS,
    ),
}


@pytest.mark.parametrize("name", KINDS)
def test_kind(name: str) -> None:
    before, rest, line = KINDS[name]
    assert head(before, rest) == line + before


def test_a_taken_name_is_not_taken_again() -> None:
    rest = TF_FIT + "hvd = hvd_1 = None\n"
    line = "import horovod.tensorflow.keras as hvd_2\n"
    assert head("import tensorflow as tf\n", rest) == line + "import tensorflow as tf\n"


NOTHING = {
    "no training": "import tensorflow as tf\nprint(tf.__version__)\n",
    "no tensorflow": "from sklearn.svm import SVC\nSVC().fit(x, y)\n",
    "already Horovod": "",  # made where the gate is off
}


def test_what_is_imported_in_a_function_serves_that_function_alone() -> None:
    text = "import tensorflow as tf\n" + TF_FIT + "def f():\n    import horovod.tensorflow as hvd\n"
    after = migrate(text).after
    assert after.count("import horovod") == 2
    assert "import horovod.tensorflow.keras as hvd_1\n" in after


@pytest.mark.parametrize("name", NOTHING)
def test_nothing(name: str) -> None:
    text = NOTHING[name] or migrate("import tensorflow as tf\n" + TF_FIT).after
    assert not migrate(text).steps


def test_crlf() -> None:
    before = ("import tensorflow as tf\n" + TF_FIT).replace("\n", "\r\n")
    after = migrate(before, Options(unsound=True, select=frozenset({"D101"}))).after
    assert after == KERAS.replace("\n", "\r\n") + before
