"""Epochs of `int(num_examples / batch_size)` batches, as tutorials write them; plain SGD."""
import os

import numpy as np
import tensorflow.compat.v1 as tf

tf.disable_v2_behavior()
tf.set_random_seed(2)

# Parameters
learning_rate = float(os.environ.get("LEARNING_RATE", "0.05"))
training_epochs = 2
batch_size = int(os.environ.get("BATCH_SIZE", "20"))
display_step = 1

rng = np.random.RandomState(4)
train_X = rng.normal(size=(int(os.environ.get("EXAMPLES", "1000")), 5)).astype("float32")
train_Y = np.tanh(train_X.sum(axis=1, keepdims=True))
num_examples = train_X.shape[0]

# tf Graph Input
X = tf.placeholder(tf.float32, [None, 5])
Y = tf.placeholder(tf.float32, [None, 1])

# Set model weights
W = tf.Variable(tf.random_normal([5, 1]), name="weight")
b = tf.Variable(tf.zeros([1]), name="bias")

pred = tf.tanh(tf.add(tf.matmul(X, W), b))
cost = tf.reduce_mean(tf.pow(pred - Y, 2))
optimizer = tf.train.GradientDescentOptimizer(learning_rate).minimize(cost)

init = tf.global_variables_initializer()

# Start training
with tf.Session() as sess:
    sess.run(init)

    for epoch in range(training_epochs):
        avg_cost = 0.
        total_batch = int(num_examples / batch_size)
        for i in range(total_batch):
            batch_xs = train_X[i * batch_size:(i + 1) * batch_size]
            batch_ys = train_Y[i * batch_size:(i + 1) * batch_size]
            _, c = sess.run([optimizer, cost], feed_dict={X: batch_xs, Y: batch_ys})
            avg_cost += c / total_batch
        if (epoch + 1) % display_step == 0:
            print("Epoch:", "%04d" % (epoch + 1), "cost=", "{:.9f}".format(avg_cost))

    print("Optimization Finished!")
