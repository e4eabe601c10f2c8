"""Batches by a generator of one's own, as the text classification of the web has it; Adam."""
import os

import numpy as np
import tensorflow.compat.v1 as tf

tf.disable_v2_behavior()
tf.set_random_seed(2)

tf.flags.DEFINE_integer("batch_size", 20, "Batch Size")
tf.flags.DEFINE_integer("num_epochs", 2, "Number of training epochs")
tf.flags.DEFINE_integer("evaluate_every", 20, "Evaluate model on dev set after this many steps")
FLAGS = tf.flags.FLAGS


def batch_iter(data, batch_size, num_epochs, shuffle=True):
    """
    Generates a batch iterator for a dataset.
    """
    data = np.array(data, dtype=object)
    data_size = len(data)
    num_batches_per_epoch = int((len(data)-1)/batch_size) + 1
    for epoch in range(num_epochs):
        # Shuffle the data at each epoch
        if shuffle:
            shuffle_indices = np.random.permutation(np.arange(data_size))
            shuffled_data = data[shuffle_indices]
        else:
            shuffled_data = data
        for batch_num in range(num_batches_per_epoch):
            start_index = batch_num * batch_size
            end_index = min((batch_num + 1) * batch_size, data_size)
            yield shuffled_data[start_index:end_index]


def load_data():
    rng = np.random.RandomState(4)
    x = rng.randint(0, 50, size=(int(os.environ.get("EXAMPLES", "1000")), 8))
    y = np.eye(2)[(x.sum(axis=1) > 200).astype(int)]
    return x, y


x, y = load_data()

# Randomly shuffle data
np.random.seed(10)
shuffle_indices = np.random.permutation(np.arange(len(y)))
x_shuffled = x[shuffle_indices]
y_shuffled = y[shuffle_indices]

# Split train/test set
dev_sample_index = -1 * int(.1 * float(len(y)))
x_train, x_dev = x_shuffled[:dev_sample_index], x_shuffled[dev_sample_index:]
y_train, y_dev = y_shuffled[:dev_sample_index], y_shuffled[dev_sample_index:]

with tf.Graph().as_default():
    sess = tf.Session()
    with sess.as_default():
        input_x = tf.placeholder(tf.int32, [None, 8], name="input_x")
        input_y = tf.placeholder(tf.float32, [None, 2], name="input_y")
        embedding = tf.Variable(tf.random_uniform([50, 4], -1.0, 1.0), name="W")
        h = tf.reduce_mean(tf.nn.embedding_lookup(embedding, input_x), axis=1)
        scores = tf.layers.dense(h, 2, name="scores")
        losses = tf.nn.softmax_cross_entropy_with_logits_v2(logits=scores, labels=input_y)
        loss = tf.reduce_mean(losses)
        correct = tf.equal(tf.argmax(scores, 1), tf.argmax(input_y, 1))
        accuracy = tf.reduce_mean(tf.cast(correct, "float"), name="accuracy")

        # Define Training procedure
        global_step = tf.Variable(0, name="global_step", trainable=False)
        optimizer = tf.train.AdamOptimizer(1e-3)
        grads_and_vars = optimizer.compute_gradients(loss)
        train_op = optimizer.apply_gradients(grads_and_vars, global_step=global_step)

        # Initialize all variables
        sess.run(tf.global_variables_initializer())

        def train_step(x_batch, y_batch):
            """
            A single training step
            """
            feed_dict = {input_x: x_batch, input_y: y_batch}
            _, step, train_loss, train_accuracy = sess.run(
                [train_op, global_step, loss, accuracy], feed_dict)
            print("step {}, loss {:g}, acc {:g}".format(step, train_loss, train_accuracy))

        def dev_step(x_batch, y_batch):
            """
            Evaluates model on a dev set
            """
            feed_dict = {input_x: x_batch, input_y: y_batch}
            step, dev_loss, dev_accuracy = sess.run([global_step, loss, accuracy], feed_dict)
            print("dev step {}, loss {:g}, acc {:g}".format(step, dev_loss, dev_accuracy))

        # Generate batches
        batches = batch_iter(
            list(zip(x_train, y_train)), FLAGS.batch_size, FLAGS.num_epochs)
        # Training loop. For each batch...
        for batch in batches:
            x_batch, y_batch = zip(*batch)
            train_step(x_batch, y_batch)
            current_step = tf.train.global_step(sess, global_step)
            if current_step % FLAGS.evaluate_every == 0:
                dev_step(x_dev, y_dev)
