"""Keras 2 for TensorFlow 2.16 and later."""

from __future__ import annotations

import pytest

from distify.codemods.migrate import migrate
from distify.codemods.model import Migration, Options

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


@pytest.mark.parametrize("minor", [16, 17])
def test_that_tf_keras_is_needed_is_said(minor: int) -> None:
    """In the version of TensorFlow: a later one would bring a later TensorFlow."""
    install = f"pip install 'tf_keras~=2.{minor}.0'"
    notes = migrated(TF + FIT, (2, minor)).notes
    assert any(note.fix == install for note in notes)
    (blocked,) = migrated("import keras\n" + TF + FIT, (2, minor)).blocked
    assert blocked.fix.startswith(f"`{install}` ")
