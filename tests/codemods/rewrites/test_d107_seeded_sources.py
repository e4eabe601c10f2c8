"""Sources that shuffle names get one seed where they are shared out; no order that is no order."""

from __future__ import annotations

import pytest

from distify.codemods.migrate import migrate
from distify.codemods.model import Options

HEAD = """\
import tensorflow as tf
from tensorflow.keras.utils import image_dataset_from_directory


def read(name):
    return tf.io.decode_png(tf.io.read_file(name)), tf.strings.length(name)


model = tf.keras.Sequential([tf.keras.layers.Dense(1)])
model.compile("sgd", "mse")
"""
SHARE = ".shard(hvd.size(), hvd.rank())"


def becomes(text: str, **options: bool) -> tuple[str, list[str]]:
    """The program without its line breaks, and what is said of its data."""
    found = migrate(HEAD + text, Options(**options))  # type: ignore[arg-type]
    assert not found.blocked
    after = " ".join(found.after.split()).replace("( ", "(").replace(" )", ")")
    return after, [n.message for n in found.notes if n.code in ("D107", "H01")]


@pytest.mark.parametrize(
    ("text", "seeded"),
    [
        (
            "model.fit(image_dataset_from_directory('d', batch_size=8))\n",
            "image_dataset_from_directory('d', batch_size=8, seed=0)",
        ),
        (
            "train = tf.keras.utils.image_dataset_from_directory('d', shuffle=True)\n"
            "names = train.class_names\nmodel.fit(train.prefetch(1))\n",
            "image_dataset_from_directory('d', shuffle=True, seed=0)",
        ),
        (
            "model.fit(tf.data.Dataset.list_files('*.png').map(read).batch(8))\n",
            "tf.data.Dataset.list_files('*.png', seed=0)",
        ),
        (
            "def load(d):\n    return image_dataset_from_directory(d)\n"
            "model.fit(load('a'), validation_data=load('b'))\n",
            "image_dataset_from_directory(d, seed=0)",
        ),
        (
            "import tensorflow_datasets as tfds\ndata = tfds.load('a', split='train', "
            "shuffle_files=True)\nmodel.fit(data.batch(8))\n",
            "shuffle_files=True, read_config=tfds.ReadConfig(shuffle_seed=0)",
        ),
        (
            "import tensorflow_datasets as tfds\n(train, test), info = tfds.load('a', with_info=True, "
            "split=['train', 'test'], shuffle_files=True)\nmodel.fit(train.shuffle(9).batch(8))\n",
            "read_config=tfds.ReadConfig(shuffle_seed=0)",
        ),
    ],
)
def test_a_source_that_shuffles_names_is_seeded_and_shared_out(text: str, seeded: str) -> None:
    after, said = becomes(text)
    assert seeded in after
    assert after.count("seed=0") == 1
    assert (SHARE in after, said) == (True, [])


def test_each_of_the_sources_that_are_joined_gets_a_seed() -> None:
    """Each is cut by itself: of two orders, the shares would overlap."""
    after, said = becomes(
        "def files(d):\n    return tf.data.Dataset.list_files(d).map(read).shuffle(9).batch(8)\n"
        "other = tf.data.Dataset.list_files('c').map(read).batch(8)\n"
        "model.fit(tf.data.Dataset.zip((files('a'), files('b'), other)))\n"
    )
    assert "list_files(d, seed=0)" in after
    assert "list_files('c', seed=0)" in after
    assert (after.count("seed=0"), after.count(SHARE), said) == (2, 2, [])


@pytest.mark.parametrize(
    "text",
    [
        "model.fit(image_dataset_from_directory('d', shuffle=False))\n",
        "model.fit(image_dataset_from_directory('d', seed=7))\n",
        "model.fit(tf.data.Dataset.list_files('*.png', shuffle=False).map(read).batch(8))\n",
        # tested only: every worker sees all of it
        "model.fit(tf.ones((8, 2)), tf.ones(8))\nmodel.evaluate(image_dataset_from_directory('d'))\n",
        # in each round the same order would come
        "for k in range(3):\n    model.fit(image_dataset_from_directory('d'))\n",
        "import tensorflow_datasets as tfds\ndata = tfds.load('a', split='train')\n"
        "model.fit(data.batch(8))\n",
        "from tensorflow_datasets import load\nmodel.fit(load('a', shuffle_files=True).batch(8))\n",
        "kw = dict(batch_size=8)\nmodel.fit(image_dataset_from_directory('d', **kw))\n",
    ],
)
def test_nothing_else_is_seeded(text: str) -> None:
    assert "seed=0" not in becomes(text)[0]


def test_nothing_is_seeded_where_nothing_is_shared_out() -> None:
    assert "seed=0" not in becomes("model.fit(image_dataset_from_directory('d'))\n", shard=False)[0]


LOOSE = """\
options = tf.data.Options()
options.{} = False
data = tf.data.TFRecordDataset(['a', 'b']{})
data = data.with_options(options).map(tf.io.parse_tensor{})
model.fit(data.batch(8))
"""


@pytest.mark.parametrize("setting", ["deterministic", "experimental_deterministic"])
@pytest.mark.parametrize(
    ("reads", "calls"), [(", num_parallel_reads=2", ""), ("", ", num_parallel_calls=2")]
)
def test_what_comes_in_no_fixed_order_is_not_shared_out(
    setting: str, reads: str, calls: str
) -> None:
    after, said = becomes(LOOSE.format(setting, reads, calls))
    if reads:
        assert SHARE not in after
        assert "its options give the elements in no fixed order" in said[0]
    else:  # before the threads of `map`
        assert (SHARE in after, said) == (True, [])


@pytest.mark.parametrize("text", [LOOSE.format("threading", ", num_parallel_reads=2", "")])
def test_other_options_leave_the_order_alone(text: str) -> None:
    after, said = becomes(text)
    assert (SHARE in after, said) == (True, [])
