"""Points on a ring."""

import numpy as np
import tensorflow as tf


def ring(samples, seed=11):
    angles = np.random.default_rng(seed).uniform(0, 2 * np.pi, samples)
    return np.stack([np.cos(angles), np.sin(angles)], axis=1).astype("float32")


def make_dataset(batch_size, samples=192):
    points = ring(samples)
    dataset = tf.data.Dataset.from_tensor_slices(points)
    return dataset.shuffle(samples, seed=2).batch(batch_size, drop_remainder=True)
