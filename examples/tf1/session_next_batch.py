"""A data set of one's own with `next_batch`, as the MNIST tutorial has it; plain SGD."""
import os

import numpy as np
import tensorflow.compat.v1 as tf

tf.disable_v2_behavior()
tf.set_random_seed(2)
np.random.seed(7)

learning_rate = float(os.environ.get("LEARNING_RATE", "0.05"))
training_epochs = 3
batch_size = int(os.environ.get("BATCH_SIZE", "20"))


class DataSet(object):
    def __init__(self, images, labels):
        assert images.shape[0] == labels.shape[0], (
            "images.shape: %s labels.shape: %s" % (images.shape, labels.shape))
        self._num_examples = images.shape[0]
        self._images = images
        self._labels = labels
        self._epochs_completed = 0
        self._index_in_epoch = 0

    @property
    def images(self):
        return self._images

    @property
    def labels(self):
        return self._labels

    @property
    def num_examples(self):
        return self._num_examples

    @property
    def epochs_completed(self):
        return self._epochs_completed

    def next_batch(self, batch_size):
        """Return the next `batch_size` examples from this data set."""
        start = self._index_in_epoch
        self._index_in_epoch += batch_size
        if self._index_in_epoch > self._num_examples:
            # Finished epoch
            self._epochs_completed += 1
            # Shuffle the data
            perm = np.arange(self._num_examples)
            np.random.shuffle(perm)
            self._images = self._images[perm]
            self._labels = self._labels[perm]
            # Start next epoch
            start = 0
            self._index_in_epoch = batch_size
            assert batch_size <= self._num_examples
        end = self._index_in_epoch
        return self._images[start:end], self._labels[start:end]


class DataSets(object):
    pass


def read_data_sets(validation_size=200):
    """All of the examples; the first of them are for validation."""
    rng = np.random.RandomState(4)
    images = rng.normal(size=(int(os.environ.get("EXAMPLES", "1000")), 5)).astype("float32")
    labels = np.tanh(images.sum(axis=1, keepdims=True))
    validation_images = images[:validation_size]
    validation_labels = labels[:validation_size]
    train_images = images[validation_size:]
    train_labels = labels[validation_size:]

    data_sets = DataSets()
    data_sets.train = DataSet(train_images, train_labels)
    data_sets.validation = DataSet(validation_images, validation_labels)
    return data_sets


mnist = read_data_sets()

x = tf.placeholder(tf.float32, [None, 5])
y = tf.placeholder(tf.float32, [None, 1])
W = tf.Variable(tf.random_normal([5, 1], stddev=0.1), name="weight")
b = tf.Variable(tf.zeros([1]), name="bias")
cost = tf.reduce_mean(tf.square(tf.tanh(tf.matmul(x, W) + b) - y))
train_step = tf.train.GradientDescentOptimizer(learning_rate).minimize(cost)

with tf.Session() as sess:
    sess.run(tf.global_variables_initializer())

    for epoch in range(training_epochs):
        total_batch = int(mnist.train.num_examples / batch_size)
        avg_cost = 0.
        for i in range(total_batch):
            batch_xs, batch_ys = mnist.train.next_batch(batch_size)
            _, c = sess.run([train_step, cost], feed_dict={x: batch_xs, y: batch_ys})
            avg_cost += c / total_batch
        validation_cost = sess.run(
            cost, feed_dict={x: mnist.validation.images, y: mnist.validation.labels})
        print("Epoch:", epoch + 1, "cost=", avg_cost, "validation:", validation_cost)
