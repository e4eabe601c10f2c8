"""Two dense layers trained on slices of arrays that are fed to a session."""
import os

import numpy as np
import tensorflow.compat.v1 as tf

tf.disable_v2_behavior()

batch_size = int(os.environ.get("BATCH_SIZE", "20"))
learning_rate = float(os.environ.get("LEARNING_RATE", "0.05"))
examples = int(os.environ.get("EXAMPLES", "1000"))

tf.set_random_seed(1)

x_train = np.random.RandomState(5).uniform(-1, 1, size=(1001, 4)).astype("float32")
y_train = np.sin(3 * x_train.sum(axis=1, keepdims=True))
x_train, y_train = x_train[:examples], y_train[:examples]

x = tf.placeholder(tf.float32, [None, 4], name="x")
y = tf.placeholder(tf.float32, [None, 1], name="y")
hidden = tf.layers.dense(x, 10, activation=tf.nn.tanh)
prediction = tf.layers.dense(hidden, 1)
loss = tf.reduce_mean(tf.square(prediction - y))
train_op = tf.train.GradientDescentOptimizer(learning_rate).minimize(loss)

init = tf.global_variables_initializer()
saver = tf.train.Saver()

with tf.Session() as sess:
    sess.run(init)

    for epoch in range(2):
        for start in range(0, len(x_train), batch_size):
            batch = {x: x_train[start:start + batch_size], y: y_train[start:start + batch_size]}
            _, value = sess.run([train_op, loss], feed_dict=batch)
        print("epoch", epoch, "loss", value)  # of the last batch

    path = saver.save(sess, "model/arrays.ckpt")
    print("saved", path)
