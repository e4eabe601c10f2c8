"""Keras 2 for TensorFlow 2.16 and later."""

from __future__ import annotations

import re

import pytest

from distify.codemods.migrate import migrate
from distify.codemods.model import ALREADY_HOROVOD, Migration, Options

TF = "import tensorflow as tf\n"
FIT = """
model = tf.keras.Sequential([tf.keras.layers.Dense(1)])
model.compile("sgd", "mse")
model.fit(x, y)
"""
LINE = 'os.environ.setdefault("TF_USE_LEGACY_KERAS", "1")\n'


def migrated(text: str, version: tuple[int, int] = (2, 18)) -> Migration:
    options = Options(select=frozenset({"D100"}), tensorflow=version, keras="legacy")
    return migrate(text, options._replace(unsound=True))


PLACES = {
    "os is there": (
        '"""Trains."""\nimport os\nimport sys\n\nimport numpy as np\n' + TF,
        '"""Trains."""\nimport os\nimport sys\n\n' + LINE + "\nimport numpy as np\n" + TF,
    ),
    "os is not there": (TF, "import os\n\n" + LINE + "\n" + TF),
    "os comes too late": (
        "import numpy as np\nimport os\n" + TF,
        "import os\n\n" + LINE + "\nimport numpy as np\n" + TF,
    ),
    "os has another name": (
        "import os as system\n" + TF,
        "import os as system\n\n" + LINE.replace("os.", "system.") + "\n" + TF,
    ),
    "other imports on the same line": (
        "import tensorflow as tf; import sys\n",
        "import os\n\n" + LINE + "\n" + TF + "import sys\n",
    ),
    # Once `import os` was moved up and the setting stayed between the two: no program, by D100 alone.
    "os comes too late, on the same line": (
        "import tensorflow as tf; import os\n",
        "import os\n\n" + LINE + "\n" + TF + "import os\n",
    ),
    "os and others come too late, on the same line": (
        "import tensorflow as tf; import os; import sys\n",
        "import os\n\n" + LINE + "\n" + TF + "import sys\n",
    ),
    "in a try": (
        "try:\n    " + TF + "except ImportError:\n    raise\n",
        "import os\n\n" + LINE + "\ntry:\n    " + TF + "except ImportError:\n    raise\n",
    ),
}


@pytest.mark.parametrize("name", PLACES)
def test_place(name: str) -> None:
    before, after = PLACES[name]
    assert migrated(before + FIT).after == after + FIT


def test_up_to_2_15_nothing_is_needed() -> None:
    assert migrated(TF + FIT, (2, 15)).after == TF + FIT


def test_what_is_set_already_is_not_set_again() -> None:
    text = 'import os\nos.environ["TF_USE_LEGACY_KERAS"] = "1"\n' + TF + FIT
    assert migrated(text).after == text


def test_the_import_of_horovod_stays_behind_the_setting() -> None:
    chosen = frozenset({"D100", "D101"})
    options = Options(unsound=True, select=chosen, tensorflow=(2, 18), keras="legacy")
    after = migrate("import numpy as np\n" + TF + FIT, options).after
    assert after.index(LINE) < after.index("import horovod") < after.index("import numpy")


@pytest.mark.parametrize("pinning", ["", 'os.environ["CUDA_VISIBLE_DEVICES"] = "0"\n'])
@pytest.mark.parametrize(
    "imports",
    [
        TF + "import os\n",  # beside which the other imports go
        TF + "import os\nimport sys\n",
        TF.rstrip() + "; import os\n",
        "import os\n" + TF,
        "import os as system\n" + TF,
    ],
)
def test_what_other_rules_need_stays(imports: str, pinning: str) -> None:
    name = "system" if "system" in imports else "os"
    text = imports + pinning.replace("os", name, 1) + FIT
    migration = migrate(text, Options(tensorflow=(2, 18), keras="legacy"))
    assert migration.after.count(LINE.replace("os", name, 1)) == 1
    assert f"import os as {name}\n" in migration.after or "import os\n" in migration.after
    assert "CUDA_VISIBLE_DEVICES" not in migration.after


def test_keras_3_itself_blocks_the_file() -> None:
    text = "import keras\n" + TF + FIT
    assert [finding.code for finding in migrated(text).blocked] == ["N02"]
    assert not migrated(text, (2, 15)).blocked
    assert not migrated("from tensorflow import keras\n" + TF + FIT).blocked


SESSION = """
import tensorflow.compat.v1 as tf
tf.disable_v2_behavior()
w = tf.Variable(1.0)
train = tf.train.GradientDescentOptimizer(0.1).minimize((w - 1.0) ** 2)
with tf.Session() as session:
    session.run(tf.global_variables_initializer())
    for step in range(9):
        session.run(train)
"""
RATE = "LearningRateScheduleCallback(initial_lr=0.1, multiplier=0.5)"
WHOLE = """
hvd.init()
gpus = tf.config.list_physical_devices("GPU")
if gpus:
    tf.config.set_visible_devices(gpus[hvd.local_rank()], "GPU")
model = tf.keras.Sequential([layers.Dense(1)])
model.compile(hvd.DistributedOptimizer(tf.keras.optimizers.SGD(0.1 * hvd.size())), "mse")
start = hvd.callbacks.BroadcastGlobalVariablesCallback(0)
model.fit(x, y, callbacks=[start, hvd.callbacks.{}], verbose=0)
"""


@pytest.mark.parametrize("minor", [16, 18, 20])
def test_metrics_are_averaged_without_horovods_callback(minor: int) -> None:
    """That one takes `constant` from `keras.backend`, which is Keras 3's and has none."""
    options = Options(tensorflow=(2, minor), keras="legacy")
    after = migrate(TF + FIT, options).after
    assert "class AverageMetrics(tf.keras.callbacks.Callback):" in after
    assert "MetricAverageCallback" not in after
    assert re.search(r"BroadcastGlobalVariablesCallback\(0\),\s+AverageMetrics\(\),?", after)
    assert migrate(after, options).skipped == ALREADY_HOROVOD
    warm = migrate(TF + FIT, options._replace(warmup=3)).after
    assert "class WarmUpRate(" in warm
    assert "LearningRateWarmupCallback" not in warm
    assert "MetricAverageCallback" in migrate(TF + FIT, options._replace(tensorflow=(2, 15))).after


@pytest.mark.parametrize("made", ["MetricAverageCallback()", RATE])
def test_a_program_of_horovod_is_told_where_it_has_such_a_callback(made: str) -> None:
    setting = "import os\n" + LINE + "from tf_keras import layers\n"
    text = setting + "import horovod.tensorflow.keras as hvd\n" + TF + WHOLE.format(made)
    options = Options(tensorflow=(2, 18))
    (found,) = migrate(text, options).blocked
    assert (found.code, made.partition("(")[0] in found.message) == ("N02", True)
    text = text.replace(f"hvd.callbacks.{made}", "mean")
    assert not migrate(text, options).blocked


def test_a_graph_has_no_callbacks() -> None:
    found = migrate(SESSION, Options(tensorflow=(2, 20)))
    assert not found.blocked
    assert LINE in found.after


@pytest.mark.parametrize("minor", [16, 17])
def test_that_tf_keras_is_needed_is_said(minor: int) -> None:
    """In the version of TensorFlow: a later one would bring a later TensorFlow."""
    install = f"pip install 'tf_keras~=2.{minor}.0'"
    notes = migrated(TF + FIT, (2, minor)).notes
    assert any(note.fix == install for note in notes)
    (blocked,) = migrated("import keras\n" + TF + FIT, (2, minor)).blocked
    assert blocked.fix.startswith(f"`{install}` ")
