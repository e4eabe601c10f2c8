"""Notes on random splits and downloads that every worker makes for itself."""

from __future__ import annotations

import pytest

from distify.codemods.migrate import migrate

HEAD = (
    "import numpy as np\nimport tensorflow as tf\nfrom sklearn.model_selection import train_test_split\n"
    "x, y = np.load('x.npy'), np.load('y.npy')\n"
)
FIT = "m = tf.keras.Sequential([])\nm.compile('sgd')\nm.fit(x, y)\n"


def noted(text: str) -> list[int]:
    """The lines of the notes; nothing may be blocked."""
    migration = migrate(HEAD + text + FIT)
    assert not migration.blocked
    assert migration.steps
    return [note.line for note in migration.notes if note.code == "H01"]


@pytest.mark.parametrize(
    "text",
    [
        "x, x_test = train_test_split(x)\n",
        "x, x_test = train_test_split(x, random_state=None)\n",
        "order = np.random.permutation(len(x))\n",
        "(x, y), _ = tf.keras.datasets.mnist.load_data()\n",
        "path = tf.keras.utils.get_file('a', 'b')\n",
    ],
)
def test_what_each_worker_does_for_itself_is_noted(text: str) -> None:
    assert noted(text) == [5]


@pytest.mark.parametrize(
    "text",
    [
        "x, x_test = train_test_split(x, random_state=0)\n",
        "np.random.seed(1)\norder = np.random.permutation(len(x))\n",
        "def train_test_sp(x):\n    return x\nx = train_test_sp(x)\n",
        "data = registry.load_data()\n",
        "",
    ],
)
def test_what_is_alike_everywhere_is_not(text: str) -> None:
    assert noted(text) == []
