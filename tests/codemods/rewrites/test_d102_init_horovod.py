"""Horovod starts before any device is used and behind the imports."""

from __future__ import annotations

import pytest

from distify.codemods.migrate import migrate
from distify.codemods.model import Options

INIT = """\
hvd.init()
gpus = tf.config.list_physical_devices("GPU")
for gpu in gpus:
    tf.config.experimental.set_memory_growth(gpu, True)
if gpus:
    tf.config.set_visible_devices(gpus[hvd.local_rank()], "GPU")
"""
FIT = """\
model = tf.keras.Sequential([tf.keras.layers.Dense(1)])
model.compile("sgd", "mse")
model.fit(x, y)
"""
TF = "import tensorflow as tf\n"
HVD = "import horovod.tensorflow.keras as hvd\n"


def migrated(text: str) -> str:
    return migrate(text, Options(unsound=True, select=frozenset({"D102"}))).after


PLACES = {
    "behind the imports": (
        TF + "import numpy as np\n\n" + FIT,
        TF + HVD + "import numpy as np\n\n" + INIT + "\n" + FIT,
    ),
    "with blank lines where there were none": (
        TF + FIT,
        HVD + TF + "\n" + INIT + "\n" + FIT,
    ),
    "before a function, which keeps its distance": (
        TF + "\n\ndef f():\n    pass\n\n\n" + FIT,
        HVD + TF + "\n" + INIT + "\n\ndef f():\n    pass\n\n\n" + FIT,
    ),
    "behind settings and fallbacks between imports": (
        TF + 'import os\nos.environ["A"] = "1"\ntry:\n    import a\n'
        "except ImportError:\n    a = None\n"
        "import b\n\nSIZE = 3\n" + FIT,
        TF + HVD + 'import os\nos.environ["A"] = "1"\ntry:\n    import a\nexcept ImportError:\n'
        "    a = None\nimport b\n\n" + INIT + "\nSIZE = 3\n" + FIT,
    ),
    "before a use of TensorFlow between imports": (
        TF + "tf.config.run_functions_eagerly(True)\nimport numpy as np\n" + FIT,
        HVD + TF + "\n" + INIT + "\ntf.config.run_functions_eagerly(True)\n"
        "import numpy as np\n" + FIT,
    ),
    "behind seeds and loggers between imports": (
        TF + "tf.get_logger().setLevel('ERROR')\nimport numpy as np\nnp.random.seed(1)\n"
        "import a\n" + FIT,
        HVD + TF + "tf.get_logger().setLevel('ERROR')\nimport numpy as np\n"
        "np.random.seed(1)\nimport a\n\n" + INIT + "\n" + FIT,
    ),
    "behind a setting that follows the imports": (
        "import os\n\n" + TF + '\nSEED = 1\nos.environ["CUDA_VISIBLE_DEVICES"] = "-1"\n' + FIT,
        "import os\n\n"
        + HVD
        + TF
        + '\nSEED = 1\nos.environ["CUDA_VISIBLE_DEVICES"] = "-1"\n\n'
        + INIT
        + "\n"
        + FIT,
    ),
    "before a print between imports, which would come once a worker": (
        TF + "print(tf.__version__)\nimport numpy as np\n" + FIT,
        HVD + TF + "\n" + INIT + "\nprint(tf.__version__)\nimport numpy as np\n" + FIT,
    ),
    "not behind imports at the end": (
        TF + FIT + "import matplotlib\n",
        HVD + TF + "\n" + INIT + "\n" + FIT + "import matplotlib\n",
    ),
    "not inside of the main block": (
        TF + "if __name__ == '__main__':\n    import a\n" + FIT,
        HVD + TF + "\n" + INIT + "\nif __name__ == '__main__':\n    import a\n" + FIT,
    ),
}


@pytest.mark.parametrize("name", PLACES)
def test_place(name: str) -> None:
    before, after = PLACES[name]
    assert migrated(before) == after


KERAS_FIT = FIT.replace("tf.keras.", "keras.")
MISSING = {
    "from tensorflow import keras\n": HVD + TF + "from tensorflow import keras\n",
    "import keras\n": HVD + "import keras\n" + TF,
    "import numpy\nfrom tensorflow import keras\n": HVD
    + "import numpy\n"
    + TF
    + "from tensorflow import keras\n",
}


@pytest.mark.parametrize("before", MISSING)
def test_tensorflow_is_imported_where_it_is_missing(before: str) -> None:
    after = MISSING[before] + "\n" + INIT + "\n" + KERAS_FIT
    assert migrated(before + "\n" + KERAS_FIT) == after


def test_it_is_called_as_the_program_calls_it() -> None:
    text = TF.replace("tf", "flow") + FIT.replace("tf.", "flow.")
    assert "flow.config.set_visible_devices" in migrated(text)
    assert "tf." not in migrated(text)


def test_names_that_mean_something_else_are_left_to_the_program() -> None:
    after = migrated(TF + "from machine import gpus\ngpu = 3\n" + FIT)
    assert 'gpus_1 = tf.config.list_physical_devices("GPU")\nfor gpu_1 in gpus_1:\n' in after


def test_names_that_mean_the_same_are_used() -> None:
    own = 'gpus = tf.config.experimental.list_physical_devices("GPU")\nprint(gpus)\n'
    assert INIT in migrated(TF + own + FIT)


def test_tabs_and_quotes_are_those_of_the_file() -> None:
    text = TF + "\ndef f():\n\treturn 'a', 'b', 'c'\n\n" + FIT
    assert "for gpu in gpus:\n\ttf.config" in migrated(text)
    assert "list_physical_devices('GPU')" in migrated(text)


NOTHING = {
    "no training": TF + "print(tf.__version__)\n",
    "a module of a program": TF
    + "def train(x):\n"
    + "".join(f"    {s}\n" for s in FIT.splitlines()),
    "already started": "",  # made where the gate is off
}


@pytest.mark.parametrize("name", NOTHING)
def test_nothing(name: str) -> None:
    text = NOTHING[name] or migrate(TF + FIT).after
    assert migrated(text) == text
