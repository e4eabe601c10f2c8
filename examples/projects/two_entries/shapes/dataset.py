import numpy as np
import tensorflow as tf

BATCH = 16


def _pictures(count, seed):
    rng = np.random.default_rng(seed)
    labels = rng.integers(0, 2, count)
    pictures = rng.random((count, 6, 6, 1), dtype="float32") + labels[:, None, None, None]
    return pictures.astype("float32"), labels


def training_set():
    pictures, labels = _pictures(160, seed=1)
    return tf.data.Dataset.from_tensor_slices((pictures, labels)).shuffle(160, seed=4).batch(BATCH)


def test_set():
    pictures, labels = _pictures(48, seed=2)
    return tf.data.Dataset.from_tensor_slices((pictures, labels)).batch(BATCH)
