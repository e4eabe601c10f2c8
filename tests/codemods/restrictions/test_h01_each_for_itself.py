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
        "while np.load('n.npy'): x, x_test = train_test_split(x)\n",
        "x, x_test = train_test_split(x, random_state=None, **options)\n",
        "order = np.random.default_rng().permutation(len(x))\n",
        "load = lambda: tf.keras.datasets.mnist.load_data()\n",
        "path = (tf.keras.utils.get_file(n, 'b') for n in x)\n",
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
        "def batches(x):\n    order = np.random.permutation(len(x))\n    yield x[order]\n",
        "class Batches(tf.keras.utils.Sequence):\n    def on_epoch_end(self):\n"
        "        np.random.shuffle(self.order)\n    def __getitem__(self, n):\n        return x[n]\n",
    ],
)
def test_what_is_alike_everywhere_is_not(text: str) -> None:
    assert noted(text) == []


def test_where_the_data_is_shared_out_each_order_of_a_loop_is_noted() -> None:
    text = (
        "ds = tf.data.Dataset.from_tensor_slices(tf.ones([8])).batch(2)\n"
        "w = tf.Variable(1.0)\nopt = tf.keras.optimizers.SGD(0.1)\n"
        "for epoch in range(3):\n    order = np.random.permutation(4)\n"
        "    for n in ds:\n        with tf.GradientTape() as tape:\n            loss = w * n\n"
        "        opt.apply_gradients([(tape.gradient(loss, w), w)])\n"
    )
    assert [note.line for note in migrate(HEAD + text).notes if note.code == "H01"]


def test_where_every_worker_has_all_the_data_an_order_of_its_own_is_what_it_should_have() -> None:
    text = (
        "w = tf.Variable(1.0)\nopt = tf.keras.optimizers.SGD(0.1)\n"
        "for epoch in range(3):\n    order = np.random.permutation(len(x))\n"
        "    for n in order:\n        with tf.GradientTape() as tape:\n            loss = w * x[n]\n"
        "        opt.apply_gradients([(tape.gradient(loss, w), w)])\n"
    )
    assert not [note for note in migrate(HEAD + text).notes if note.code == "H01"]
