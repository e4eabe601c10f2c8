"""Programs that tf.distribute distributes already are left alone."""

from __future__ import annotations

import pytest

from distify.codemods.migrate import migrate
from distify.codemods.model import Options

TRAIN = "model = tf.keras.Sequential([])\nmodel.compile('sgd')\nmodel.fit(tf.ones([4, 2]), tf.ones(4))\n"


def codes(text: str) -> list[tuple[str, int]]:
    """What blocks the program, with lines."""
    return [(f.code, f.line) for f in migrate(text).blocked]


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("import tensorflow as tf\nstrategy = tf.distribute.MirroredStrategy()\n" + TRAIN, 2),
        (
            "import tensorflow as tf\nfrom tensorflow.distribute import MirroredStrategy as M\ns = M()\n"
            + TRAIN,
            3,
        ),
        (
            "import tensorflow as tf\nfrom official.common import distribute_utils\ndistribute_utils.get()\n"
            + TRAIN,
            3,
        ),
        (
            "import tensorflow as tf\nfrom setup import strategy\nwith strategy.scope():\n    pass\n"
            + TRAIN,
            3,
        ),
        (
            "import tensorflow as tf\nfrom s import strategy\nds = strategy.experimental_distribute_dataset(3)\n"
            + TRAIN,
            3,
        ),
    ],
)
def test_a_strategy_is_named_once(text: str, line: int) -> None:
    assert codes(text) == [("N01", line)]


KERAS_3 = "import tensorflow as tf\nimport keras\nds = keras.distribution.list_devices()\n"
SETS = "d = keras.distribution.DataParallel(devices=ds)\nkeras.distribution.set_distribution(d)\n"


def test_that_of_keras_3_is_one() -> None:
    newest = Options(tensorflow=(2, 20))
    blocked = migrate(KERAS_3 + SETS + TRAIN, newest).blocked
    assert [(f.code, f.line) for f in blocked] == [("N01", 4)]
    assert migrate(KERAS_3 + TRAIN, newest).blocked == ()  # it only looks


@pytest.mark.parametrize(
    "text",
    [
        "import tensorflow as tf\n" + TRAIN,
        "import tensorflow as tf\nimport tensorflow_probability as tfp\nprior = tfp.distributions.Normal(0, 1)\n"
        + TRAIN,
        "import tensorflow as tf\nscope = registry.scope()\n" + TRAIN,
        "import tensorflow as tf\n# strategy = tf.distribute.MirroredStrategy()\n" + TRAIN,
    ],
)
def test_what_only_sounds_like_one_is_migrated(text: str) -> None:
    migration = migrate(text)
    assert migration.blocked == ()
    assert migration.steps
