"""The program's own choice of a GPU goes, the choice of no GPU stays."""

from __future__ import annotations

import textwrap

import pytest

from distify.codemods.migrate import migrate
from distify.codemods.model import Options

TF = "import tensorflow as tf\n"
FIT = """
model = tf.keras.Sequential([tf.keras.layers.Dense(1)])
model.compile("sgd", "mse")
model.fit(x, y)
"""
LAST_OF_INIT = 'tf.config.set_visible_devices(gpus[hvd.local_rank()], "GPU")\n\n'


def migrated(text: str) -> str:
    return migrate(text, Options(unsound=True, select=frozenset({"D103"}))).after


def rest(lines: str) -> str:
    """What becomes of lines between the imports and the training."""
    before = TF + textwrap.dedent(lines).lstrip("\n") + FIT
    after = migrated(before).replace("'", '"')
    assert after.endswith(FIT)
    return after[after.index(LAST_OF_INIT) + len(LAST_OF_INIT) : -len(FIT)]


GONE = {
    "visible devices": """
        gpus = tf.config.list_physical_devices("GPU")
        tf.config.set_visible_devices(gpus[0], "GPU")
        """,
    "the experimental one, by keyword, without a kind": """
        tf.config.experimental.set_visible_devices(devices=tf.config.list_physical_devices("GPU")[:1])
        """,
    "the usual block": """
        gpus = tf.config.experimental.list_physical_devices("GPU")
        if gpus:
            try:
                tf.config.experimental.set_visible_devices(gpus[0], "GPU")
                for gpu in gpus:
                    tf.config.experimental.set_memory_growth(gpu, True)
            except RuntimeError as e:
                print(e)
        """,
    "the comment above": """
        # The big one.
        # It is fast.
        tf.config.set_visible_devices(tf.config.list_physical_devices("GPU")[1], "GPU")
        """,
    "comments in a block": """
        # GPUs
        gpus = tf.config.list_physical_devices("GPU")  # all
        if gpus:  # any
            # the
            tf.config.set_visible_devices(  # big
                gpus[1],
                "GPU",  # one
            )  # only
        """,
    "memory growth alone": """
        devices = tf.config.list_physical_devices("GPU")
        if len(devices) > 0:
            tf.config.experimental.set_memory_growth(devices[0], True)
        """,
}


@pytest.mark.parametrize("name", GONE)
def test_it_goes_with_what_served_nothing_else(name: str) -> None:
    assert rest(GONE[name]) == ""


@pytest.mark.parametrize("name", GONE)
def test_the_other_rules_leave_alone_what_goes(name: str) -> None:
    """`print(e)` of the usual block was guarded after it had gone."""
    before = TF + textwrap.dedent(GONE[name]) + FIT
    assert migrate(before).after == migrate(TF + FIT).after


KEPT = {
    "what else is done in the block": (
        """
        gpus = tf.config.list_physical_devices("GPU")
        if gpus:
            # Only one of them.
            try:
                tf.config.set_visible_devices(gpus[0], "GPU")
                logical = tf.config.list_logical_devices("GPU")
                print(len(gpus), len(logical))
            except RuntimeError as e:
                print(e)
        """,
        """
        gpus = tf.config.list_physical_devices("GPU")
        if gpus:
            # Only one of them.
            try:
                logical = tf.config.list_logical_devices("GPU")
                print(len(gpus), len(logical))
            except RuntimeError as e:
                print(e)
        """,
    ),
    "an else that says something": (
        """
        gpus = tf.config.list_physical_devices("GPU")
        if gpus:
            tf.config.set_visible_devices(gpus[0], "GPU")
        else:
            print("no GPU")
        """,
        """
        gpus = tf.config.list_physical_devices("GPU")
        if gpus:
            pass
        else:
            print("no GPU")
        """,
    ),
    "a comment that speaks of what follows, too": (
        """
        # settings
        tf.config.set_visible_devices(tf.config.list_physical_devices("GPU")[1], "GPU")
        size = 3
        """,
        """
        # settings
        size = 3
        """,
    ),
    "a comment that stands for itself": (
        """
        # Now the GPUs.

        tf.config.set_visible_devices(tf.config.list_physical_devices("GPU")[1], "GPU")
        """,
        """
        # Now the GPUs.

        """,
    ),
    "a comment for a tool": (
        """
        size = 3
        # %% the second cell
        # The big one.
        tf.config.set_visible_devices(tf.config.list_physical_devices("GPU")[1], "GPU")

        size = 4
        """,
        """
        size = 3
        # %% the second cell

        size = 4
        """,
    ),
}


@pytest.mark.parametrize("name", KEPT)
def test_the_rest_stays(name: str) -> None:
    before, after = KEPT[name]
    assert rest(before) == textwrap.dedent(after).lstrip("\n")


STAYS = {
    "CPU": 'tf.config.set_visible_devices(tf.config.list_physical_devices("CPU"), "CPU")\n',
    "no GPU": 'tf.config.set_visible_devices([], "GPU")\n',
    "no growth": "tf.config.experimental.set_memory_growth(device, False)\n",
    "another thing of that name": "machine.set_visible_devices(gpus[0])\n",
}


@pytest.mark.parametrize("name", STAYS)
def test_it_stays(name: str) -> None:
    assert rest(STAYS[name]) == STAYS[name]


VARIABLE = {
    'os.environ["CUDA_VISIBLE_DEVICES"] = "0"': True,
    'os.environ["CUDA_VISIBLE_DEVICES"] = str(gpu)': True,
    'os.environ.setdefault("CUDA_VISIBLE_DEVICES", "0,1")': True,
    'os.environ.update(CUDA_VISIBLE_DEVICES="0")': True,
    'os.environ.update({"CUDA_VISIBLE_DEVICES": "0"})': True,
    'os.putenv("CUDA_VISIBLE_DEVICES", "0")': True,
    'os.environ["CUDA_VISIBLE_DEVICES"] = "-1"': False,
    'os.environ["CUDA_VISIBLE_DEVICES"] = ""': False,
    'os.environ["CUDA_VISIBLE_DEVICES"] = "-1" if cpu else "0"': False,
    'os.environ["CUDA_DEVICE_ORDER"] = "PCI_BUS_ID"': False,
    'os.environ.update(CUDA_VISIBLE_DEVICES="0", OMP_NUM_THREADS="4")': False,
    'settings["CUDA_VISIBLE_DEVICES"] = "0"': False,
    "del os.environ['CUDA_VISIBLE_DEVICES']": False,
}


@pytest.mark.parametrize("line", VARIABLE)
def test_the_variable(line: str) -> None:
    after = migrated(f"import os\n\nprint(os.name)\n{line}\n{TF}{FIT}")
    assert (line not in after) == VARIABLE[line]


def test_an_import_that_nothing_else_uses_goes_too() -> None:
    line = 'os.environ["CUDA_VISIBLE_DEVICES"] = "0"\n'
    assert "import os" not in migrated(f"import os\n{TF}{line}{FIT}")
    assert "import sys\n" in migrated(f"import os, sys\n{TF}{line}{FIT}")
    after = migrated(f"from os import environ, path\n{TF}{line[3:]}{FIT}print(path)\n")
    assert "from os import path\n" in after


def test_the_imports_of_the_choice_itself_go_too() -> None:
    line = 'os.environ["CUDA_VISIBLE_DEVICES"] = sys.argv[1]\n'
    after = migrated(f"import os, sys\n\n{TF}{line}{FIT}")
    assert "import os" not in after
    assert "sys" not in after


def test_tensorflow_stays_imported() -> None:
    after = migrated(
        "import tensorflow as tf\nfrom tensorflow.keras import Sequential, layers\n"
        "tf.config.set_visible_devices(tf.config.list_physical_devices('GPU')[0], 'GPU')\n"
        "model = Sequential([layers.Dense(1)])\nmodel.compile('sgd', 'mse')\nmodel.fit(x, y)\n"
    )
    assert "import tensorflow as tf\n" in after


def test_an_import_that_something_else_uses_stays() -> None:
    line = 'os.environ["CUDA_VISIBLE_DEVICES"] = "0"\n'
    after = migrated(f"import os\n{TF}{line}{FIT}print(os.getcwd())\n")
    assert after.startswith("import os\n")
    assert "CUDA" not in after


def test_what_goes_is_not_taken_for_another_if() -> None:
    lines = GONE["memory growth alone"] + "x = 1\n        if x:\n            use(x)\n"
    assert "\nx = 1\nif x:\n    use(x)\n" in migrated(TF + textwrap.dedent(lines) + FIT)
