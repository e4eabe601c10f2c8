"""The same regression from a tf.data pipeline, in a fixed order."""

import argparse

import numpy as np
import tensorflow as tf


def make_dataset(examples, batch_size):
    x = np.random.default_rng(0).normal(size=(1001, 8)).astype("float32")
    y = np.tanh(x @ np.linspace(-1, 1, 8)).astype("float32")
    dataset = tf.data.Dataset.from_tensor_slices((x[:examples], y[:examples]))
    dataset = dataset.map(lambda x, y: (x * 0.5, y))
    dataset = dataset.batch(batch_size)
    return dataset.prefetch(tf.data.AUTOTUNE)


class Regressor(tf.keras.Model):
    def __init__(self, units):
        super().__init__()
        self.hidden = tf.keras.layers.Dense(units, activation="tanh")
        self.head = tf.keras.layers.Dense(1)

    def call(self, inputs):
        return self.head(self.hidden(inputs))


def main(args):
    tf.keras.utils.set_random_seed(42)

    model = Regressor(units=16)
    model.compile(
        optimizer=tf.keras.optimizers.SGD(args.learning_rate), loss=tf.keras.losses.MeanSquaredError()
    )
    dataset = make_dataset(args.examples, args.batch_size)
    model.fit(dataset, epochs=args.epochs)
    model.save_weights("regressor.weights.h5")


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("--batch-size", type=int, default=25)
    parser.add_argument("--learning-rate", type=float, default=0.02)
    parser.add_argument("--examples", type=int, default=1001)
    parser.add_argument("--epochs", type=int, default=2)
    main(parser.parse_args())
