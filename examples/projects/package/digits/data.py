import numpy as np
import tensorflow as tf

from . import settings


def images(count=128):
    rng = np.random.default_rng(5)
    x = rng.random((count, settings.SIDE, settings.SIDE, 1), dtype="float32")
    y = rng.integers(0, settings.CLASSES, count)
    dataset = tf.data.Dataset.from_tensor_slices((x, y))
    return dataset.shuffle(count, seed=1).batch(settings.BATCH, drop_remainder=True)
