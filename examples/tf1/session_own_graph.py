"""A graph of its own and TensorFlow 1 through attributes of TensorFlow 2."""
import numpy as np
import tensorflow as tf

WIDTH = 5


def train(data):
    graph = tf.Graph()
    with graph.as_default():
        tf.compat.v1.set_random_seed(11)
        inputs = tf.compat.v1.placeholder(tf.float32, [None, WIDTH])
        encoder = tf.compat.v1.get_variable("encoder", [WIDTH, 2])
        decoder = tf.compat.v1.get_variable("decoder", [2, WIDTH])
        code = tf.tanh(tf.matmul(inputs, encoder))
        error = tf.reduce_mean(tf.square(tf.matmul(code, decoder) - inputs))
        penalty = 0.01 * (tf.nn.l2_loss(encoder) + tf.nn.l2_loss(decoder))
        step = tf.compat.v1.train.get_or_create_global_step()
        rate = tf.compat.v1.train.piecewise_constant(step, [30, 60], [0.1, 0.05, 0.01])
        optimizer = tf.compat.v1.train.AdagradOptimizer(learning_rate=rate)
        update = optimizer.minimize(error + penalty, global_step=step)
        initialize = tf.compat.v1.global_variables_initializer()

    with tf.compat.v1.Session(graph=graph) as session:
        session.run(initialize)
        for epoch in range(4):
            for begin in range(0, data.shape[0], 24):
                session.run(update, feed_dict={inputs: data[begin : begin + 24]})
            print("epoch", epoch, "steps", session.run(step))


train(np.random.default_rng(6).normal(size=(480, WIDTH)).astype("float32"))
