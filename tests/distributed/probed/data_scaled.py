"""What the options of a baseline change: prints rates, batches, order and random numbers."""

import random

import numpy as np
import tensorflow as tf

numbers = tf.data.Dataset.range(12)
sgd, legacy = tf.keras.optimizers.SGD, tf.keras.optimizers.legacy.SGD
schedule = tf.keras.optimizers.schedules.ExponentialDecay(0.25, 10, 0.5)
model = tf.keras.Sequential([tf.keras.layers.Dense(1, input_shape=(2,))])
told = {
    "random": [random.random(), np.random.rand(), float(tf.random.normal([]))],
    "initial": model.get_weights()[0].ravel().tolist(),
    "batch": len(next(iter(numbers.batch(3)))),
    "unbatched": len(list(numbers.batch(5, drop_remainder=True).unbatch())),
    "order": list(numbers.shuffle(12).as_numpy_iterator()) == list(range(12)),
    "rate": float(sgd(0.25).learning_rate),
    "legacy": float(legacy(0.25).learning_rate),
    "tf1": tf.compat.v1.train.GradientDescentOptimizer(0.25)._learning_rate,
    "schedule": float(sgd(schedule)._learning_rate(0)),
    "shared": float(legacy(schedule).learning_rate(0)),
    "copied": float(sgd.from_config(sgd(0.25).get_config()).learning_rate),
}
model.compile("sgd", "mse")
told["named"] = float(model.optimizer.learning_rate) / 0.01


class Count(tf.keras.callbacks.Callback):
    def on_epoch_end(self, epoch, logs=None):
        told.setdefault("steps", []).append(self.params["steps"])


arrays = np.ones((128, 2)), np.ones((128, 1))
model.fit(*arrays, verbose=0, callbacks=[Count()])
model.fit(*arrays, 16, verbose=0, callbacks=[Count()])
print("TOLD", told)
