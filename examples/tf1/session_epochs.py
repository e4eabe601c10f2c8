"""Epochs of an initializable iterator, each until the data has ended; plain SGD."""
import os

import numpy as np
import tensorflow.compat.v1 as tf

tf.disable_v2_behavior()
tf.set_random_seed(3)

BATCH_SIZE = int(os.environ.get("BATCH_SIZE", "20"))
LEARNING_RATE = float(os.environ.get("LEARNING_RATE", "0.05"))
EXAMPLES = int(os.environ.get("EXAMPLES", "1000"))


def make_data():
    data = np.random.RandomState(7).normal(size=(EXAMPLES, 6)).astype("float32")
    return data, data[:, :1] * data[:, 1:2]


inputs, outputs = make_data()
dataset = tf.data.Dataset.from_tensor_slices((inputs, outputs)).batch(BATCH_SIZE)
iterator = tf.data.make_initializable_iterator(dataset)
next_inputs, next_outputs = iterator.get_next()

with tf.variable_scope("model"):
    hidden = tf.layers.dense(next_inputs, 16, tf.nn.tanh, name="hidden")
    predictions = tf.layers.dense(hidden, 1, name="out")

loss = tf.losses.mean_squared_error(next_outputs, predictions)
optimizer = tf.train.GradientDescentOptimizer(LEARNING_RATE)
train_op = optimizer.minimize(loss)

with tf.Session() as sess:
    sess.run(tf.group(tf.global_variables_initializer(), tf.local_variables_initializer()))
    for epoch in range(2):
        sess.run(iterator.initializer)
        total, batches = 0.0, 0
        while True:
            try:
                _, value = sess.run([train_op, loss])
            except tf.errors.OutOfRangeError:
                break
            total += value
            batches += 1
        print("epoch", epoch, "mean loss", total / batches)
