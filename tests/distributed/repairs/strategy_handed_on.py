"""A strategy that a function gives and a class keeps.

Repair: A00.
"""

import tensorflow as tf


def get_strategy(gpus):
    if gpus > 1:
        return tf.distribute.MirroredStrategy()
    return tf.distribute.OneDeviceStrategy("/gpu:0")


class Trainer:
    def __init__(self, strategy, rate):
        self.strategy = strategy
        with self.strategy.scope():
            self.model = tf.keras.Sequential([tf.keras.layers.Dense(1)])
            self.optimizer = tf.keras.optimizers.SGD(rate)

    def step(self, x):
        with tf.GradientTape() as tape:
            loss = tf.reduce_mean(self.model(x) ** 2)
        grads = tape.gradient(loss, self.model.trainable_variables)
        self.optimizer.apply_gradients(zip(grads, self.model.trainable_variables))
        return loss

    def train(self, data):
        for x in self.strategy.experimental_distribute_dataset(data):
            losses = self.strategy.run(self.step, args=(x,))
            print(self.strategy.reduce(tf.distribute.ReduceOp.MEAN, losses, axis=None))


def main():
    strategy = get_strategy(2)
    data = tf.data.Dataset.from_tensor_slices(tf.ones((64, 4)))
    data = data.batch(4 * strategy.num_replicas_in_sync)
    Trainer(strategy, rate=0.1).train(data)


main()
