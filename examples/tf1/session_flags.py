"""Flags, batch normalization and its update operations, a loop that counts by `while`."""
import numpy as np
import tensorflow.compat.v1 as tf

tf.disable_eager_execution()

tf.app.flags.DEFINE_float("learning_rate", 0.002, "Initial learning rate.")
tf.app.flags.DEFINE_integer("max_steps", 80, "Number of steps to run trainer.")
tf.app.flags.DEFINE_integer("batch_size", 32, "Batch size.")
FLAGS = tf.app.flags.FLAGS


def make_batch(x_data, y_data, size):
    chosen = np.random.randint(0, len(x_data), size)
    return x_data[chosen], y_data[chosen]


def run_training():
    x_data = np.random.RandomState(4).normal(size=(400, 6)).astype("float32")
    y_data = x_data.sum(axis=1, keepdims=True)

    x = tf.placeholder(tf.float32, [None, 6])
    y = tf.placeholder(tf.float32, [None, 1])
    is_training = tf.placeholder(tf.bool, [])
    net = tf.layers.batch_normalization(tf.layers.dense(x, 12), training=is_training)
    loss = tf.reduce_mean(tf.abs(tf.layers.dense(tf.nn.relu(net), 1) - y))

    update_ops = tf.get_collection(tf.GraphKeys.UPDATE_OPS)
    with tf.control_dependencies(update_ops):
        train_op = tf.train.AdamOptimizer(FLAGS.learning_rate).minimize(loss)

    with tf.Session() as sess:
        sess.run(tf.global_variables_initializer())
        step = 0
        while step < FLAGS.max_steps:
            batch_x, batch_y = make_batch(x_data, y_data, FLAGS.batch_size)
            _, value = sess.run([train_op, loss], {x: batch_x, y: batch_y, is_training: True})
            if step % 20 == 0:
                print("Step %d: loss = %.3f" % (step, value))
            step += 1


def main(_):
    run_training()


if __name__ == "__main__":
    tf.app.run()
