"""The optimizer that the flags ask for."""

import tensorflow as tf
from absl import flags

FLAGS = flags.FLAGS

flags.DEFINE_float("learning_rate", 0.01, "The rate at the beginning.")
flags.DEFINE_float("decay_rate", 0.9, "What it is multiplied by, now and then.")


def create_optimizer():
    schedule = tf.keras.optimizers.schedules.ExponentialDecay(
        FLAGS.learning_rate, decay_steps=50, decay_rate=FLAGS.decay_rate
    )
    return tf.keras.optimizers.Adam(learning_rate=schedule)
