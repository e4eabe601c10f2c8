"""Which datasets of batches are shared out, and which are left to every worker as they are."""

from __future__ import annotations

import pytest

from distify.codemods.migrate import migrate
from distify.codemods.model import ALREADY_HOROVOD, Options

KERAS_3 = Options(tensorflow=(2, 20))
PROGRAM = """\
import keras
import numpy as np
import random


class Batches(keras.utils.PyDataset):
    def __init__(self, x, y, size=16):
        super().__init__()
        self.x, self.y, self.size = x, y, size
        self.order = np.arange(len(x))
        self.on_epoch_end()

    def __len__(self):
        return len(self.x) // self.size

    def __getitem__(self, index):
        chosen = self.order[index * self.size : (index + 1) * self.size]
        return self.x[chosen], self.y[chosen]

    def on_epoch_end(self):
        np.random.shuffle(self.order)


x, y = np.load("x.npy"), np.load("y.npy")
train = Batches(x, y)
model = keras.Sequential([keras.layers.Dense(1)])
model.compile(keras.optimizers.Adam(), "mse")
model.fit(train, epochs=2)
"""
SHUFFLES = "        np.random.shuffle(self.order)\n"
WHOLE = "every worker trains on all of this data"


def whole(text: str, options: Options = KERAS_3) -> bool:
    """Whether it is left to every worker, which is told."""
    found = migrate(text, options)
    assert found.blocked == ()
    is_told = any(WHOLE in note.message for note in found.notes)
    assert is_told == ("class Share" not in found.after)
    return is_told


def test_each_worker_takes_other_batches_of_the_order_that_rank_0_has_drawn() -> None:
    after = migrate(PROGRAM, KERAS_3).after
    assert "model.fit(\n    Share(train),\n" in after
    assert (
        f"{SHUFFLES}        self.order[:] = hvd.broadcast_object(self.order, root_rank=0)\n"
        in after
    )
    share = after[after.index("class Share(keras.utils.PyDataset):") :]
    assert "        return self.dataset[index * self.size + self.rank]\n" in share
    assert "    def on_epoch_end(self):\n        self.dataset.on_epoch_end()\n" in share
    assert migrate(after, KERAS_3).skipped == ALREADY_HOROVOD


def test_what_draws_nothing_is_told_nothing() -> None:
    text = PROGRAM.replace(SHUFFLES, "        print(len(self))\n")
    assert "broadcast_object" not in migrate(text, KERAS_3).after
    text = text.replace("    def on_epoch_end(self):\n        print(len(self))\n", "")
    after = migrate(text.replace("        self.on_epoch_end()\n", ""), KERAS_3).after
    assert "class Share" in after
    assert "on_epoch_end(self):" not in after.split("class AverageMetrics")[0].split("class Share")[1].split("class BroadcastState")[0]  # fmt: skip


ORDERS = {
    "random.shuffle(self.order)": "self.order[:] = hvd.broadcast_object(self.order, root_rank=0)",
    "self.order = np.random.permutation(len(self.x))": (
        "self.order = hvd.broadcast_object(np.random.permutation(len(self.x)), root_rank=0)"
    ),
    "self.order = random.sample(range(9), 9)": (
        "self.order = hvd.broadcast_object(random.sample(range(9), 9), root_rank=0)"
    ),
}


@pytest.mark.parametrize("order", ORDERS)
def test_every_kind_of_order_is_told_by_rank_0(order: str) -> None:
    after = migrate(PROGRAM.replace(SHUFFLES.strip(), order), KERAS_3).after
    assert ORDERS[order] in " ".join(after.split()).replace("( ", "(").replace(" )", ")")


def test_an_order_with_a_seed_is_the_same_anyway() -> None:
    after = migrate(PROGRAM.replace("x, y = np", "np.random.seed(3)\nx, y = np"), KERAS_3).after
    assert "Share(train)" in after
    assert "broadcast_object" not in after


LEFT = {
    "a number of steps of its own": ("epochs=2", "epochs=2, steps_per_epoch=9"),
    "draws where batches are made": ("chosen = ", "self.on_epoch_end()\n        chosen = "),
    "all examples are shuffled": (
        SHUFFLES.strip(), "self.x, self.y = sklearn.utils.shuffle(self.x, self.y)"),
    "what is shuffled has no name": (SHUFFLES.strip(), "np.random.shuffle(self.order[:9])"),
    "a helper that draws": (SHUFFLES.strip(), "draw(self.order)"),
    "files in no order": ("super().__init__()", "super().__init__()\n        self.n = os.scandir('.')"),
    "batches that are counted otherwise": ("__len__", "num_batches"),
    "a base that nobody knows": ("class Batches(keras", "class Batches(elsewhere.Base, keras"),
    "one of two that nobody knows": ("train = Batches(x, y)", "train = Batches(x, y) if 1 else other()"),
    "a model with a state": ("Dense(1)", "LSTM(1, stateful=True)"),
}  # fmt: skip


@pytest.mark.parametrize("name", LEFT)
def test_what_cannot_be_shared_out_is_left_to_every_worker(name: str) -> None:
    old, new = LEFT[name]
    head = "import os\nimport sklearn.utils\nimport elsewhere\nfrom elsewhere import other\n"
    helper = "def draw(order):\n    np.random.shuffle(order)\n\n\nclass Batches"
    text = head + PROGRAM.replace("class Batches", helper, 1)
    assert old in text
    assert not whole(text)
    assert whole(text.replace(old, new, 1))


KERAS_2 = PROGRAM.replace("PyDataset", "Sequence").replace(
    "import keras\n", "from tensorflow import keras\n"
)


def test_the_sequence_of_keras_2_has_no_threads_of_its_own() -> None:
    after = migrate(KERAS_2, Options()).after
    assert "class Share(keras.utils.Sequence):" in after
    assert "super().__init__(dataset" not in after
    assert "    Share(train),\n" in after
    assert "self.order[:] = hvd_tf.broadcast_object(self.order, root_rank=0)\n" in after
    assert "import horovod.tensorflow as hvd_tf\n" in after


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("super().__init__()", "super().__init__()\n        self.n = os.listdir('.')"),
        ("train = Batches(x, y)", "train = Batches([np.load(f) for f in os.listdir('.')], y)"),
        ("train = Batches(x, y)", "train = Batches(Files('.'), y)"),
    ],
)
def test_names_in_no_order_are_sorted(old: str, new: str) -> None:
    """Also those that an object keeps which the dataset takes its examples from."""
    files = """
class Files:
    def __init__(self, folder):
        self.names = os.listdir(folder)

    def __getitem__(self, index):
        return np.load(self.names[index])


class Batches"""
    for program, options in ((PROGRAM, KERAS_3), (KERAS_2, Options())):
        text = program.replace("class Batches", f"import os\n\n{files}", 1)
        assert old in text
        after = migrate(text.replace(old, new), options).after
        assert "sorted(os.listdir(" in after
        assert "Share(train)" in after


def test_a_number_of_steps_of_keras_2_is_one_of_each_share() -> None:
    """Its epochs begin anew; those of Keras 3 go on where the last one has ended."""
    steps = "epochs=2, steps_per_epoch=len(train)"
    after = migrate(KERAS_2.replace("epochs=2", steps), Options()).after
    assert "Share(train)" in after
    assert "steps_per_epoch=max(1, len(train) // hvd.size())" in after
    assert whole(PROGRAM.replace("epochs=2", "epochs=2, steps_per_epoch=9"))


def test_an_order_that_threads_draw_is_told_by_nobody() -> None:
    threads = KERAS_2.replace("epochs=2", "epochs=2, workers=2")
    assert "class Share" not in migrate(threads, Options()).after
    ordered = migrate(threads.replace(SHUFFLES, "        pass\n"), Options()).after
    assert "class Share(keras.utils.Sequence):" in ordered


def test_programs_without_shares_keep_theirs() -> None:
    assert "class Share" not in migrate(PROGRAM, KERAS_3._replace(shard=False)).after


def test_a_class_that_asks_for_its_worker_is_left_alone() -> None:
    after = migrate(PROGRAM, KERAS_3).after
    own = after.replace("Share(train)", "train").replace(
        "return len(self.x) //",
        "return len(self.x) // hvd.size() if hvd.rank() else len(self.x) //",
    )
    found = migrate(own, KERAS_3)
    assert "Share(train)" not in found.after
