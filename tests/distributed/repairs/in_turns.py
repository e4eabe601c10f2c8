"""An Estimator that trains and is evaluated in turns.

Repair: A22.
"""

import numpy as np
import tensorflow.compat.v1 as tf


def data():
    x = np.random.RandomState(1).normal(size=(64, 4)).astype("float32")
    return tf.data.Dataset.from_tensor_slices(({"x": x}, x[:, :1])).repeat().batch(4)


def tests():
    return tf.data.Dataset.from_tensor_slices(({"x": tf.ones((8, 4))}, tf.ones((8, 1)))).batch(4)


def model(features, labels, mode):
    loss = tf.losses.mean_squared_error(labels, tf.layers.dense(features["x"], 1))
    optimizer = tf.train.GradientDescentOptimizer(0.01)
    train = optimizer.minimize(loss, tf.train.get_or_create_global_step())
    return tf.estimator.EstimatorSpec(mode, loss=loss, train_op=train)


estimator = tf.estimator.Estimator(model)
train_spec = tf.estimator.TrainSpec(data, max_steps=16)
eval_spec = tf.estimator.EvalSpec(tests, steps=2, throttle_secs=60)
tf.estimator.train_and_evaluate(estimator, train_spec, eval_spec)
