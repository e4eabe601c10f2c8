"""A small trainer class that owns model, optimizer and metrics."""

import argparse
import time

import numpy as np
import tensorflow as tf


class Trainer:
    def __init__(self, model, learning_rate):
        self.model = model
        self.loss = tf.keras.losses.MeanSquaredError()
        self.optimizer = tf.keras.optimizers.SGD(learning_rate=learning_rate)
        self.metric = tf.keras.metrics.Mean()

    @tf.function
    def train_step(self, x, y):
        with tf.GradientTape() as tape:
            loss = self.loss(y, self.model(x, training=True))
        grads = tape.gradient(loss, self.model.trainable_variables)
        self.optimizer.apply_gradients(zip(grads, self.model.trainable_variables))
        self.metric.update_state(loss)
        return loss

    def train(self, dataset, epochs):
        start = time.time()
        for epoch in range(epochs):
            self.metric.reset_state()
            for x, y in dataset:
                self.train_step(x, y)
            seconds = time.time() - start
            print(f"epoch {epoch + 1}: loss {float(self.metric.result()):.4f} ({seconds:.1f} s)")

    def save(self, path):
        self.model.save_weights(path)
        print("saved to", path)


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--batch-size", type=int, default=30)
    parser.add_argument("--learning-rate", type=float, default=0.03)
    parser.add_argument("--examples", type=int, default=1001)
    args = parser.parse_args()

    tf.keras.utils.set_random_seed(3)
    x = np.random.default_rng(8).normal(size=(1001, 5)).astype("float32")
    y = np.maximum(x[:, :1], x[:, 1:2])
    dataset = tf.data.Dataset.from_tensor_slices((x, y)).take(args.examples).batch(args.batch_size)

    model = tf.keras.Sequential([tf.keras.layers.Dense(12, activation="tanh"), tf.keras.layers.Dense(1)])
    trainer = Trainer(model, args.learning_rate)
    trainer.train(dataset, epochs=2)
    trainer.save("trainer.weights.h5")


if __name__ == "__main__":
    main()
