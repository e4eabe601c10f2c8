"""Gradients of `tf.gradients`, clipped, and a rate that is assigned anew in each epoch."""
import numpy as np
import tensorflow.compat.v1 as tf

tf.disable_v2_behavior()

SEQ_LENGTH = 6
BATCH_SIZE = 20
NUM_EPOCHS = 3
LEARNING_RATE = 0.05
DECAY_RATE = 0.9


class Model():
    def __init__(self, grad_clip=5.0):
        self.input_data = tf.placeholder(tf.float32, [None, SEQ_LENGTH, 3])
        self.targets = tf.placeholder(tf.float32, [None, 1])
        cell = tf.nn.rnn_cell.BasicRNNCell(8)
        outputs, last_state = tf.nn.dynamic_rnn(cell, self.input_data, dtype=tf.float32)
        self.cost = tf.reduce_mean(tf.square(tf.layers.dense(last_state, 1) - self.targets))

        self.lr = tf.Variable(0.0, trainable=False)
        tvars = tf.trainable_variables()
        grads, _ = tf.clip_by_global_norm(tf.gradients(self.cost, tvars), grad_clip)
        with tf.name_scope('optimizer'):
            optimizer = tf.train.GradientDescentOptimizer(self.lr)
        self.train_op = optimizer.apply_gradients(zip(grads, tvars))


sequences = np.random.RandomState(5).normal(size=(600, SEQ_LENGTH, 3))
sums = sequences.sum(axis=(1, 2)).reshape(-1, 1)

model = Model()
with tf.Session() as sess:
    sess.run(tf.global_variables_initializer())
    num_batches = len(sequences) // BATCH_SIZE
    for e in range(NUM_EPOCHS):
        sess.run(tf.assign(model.lr, LEARNING_RATE * (DECAY_RATE ** e)))
        for b in range(num_batches):
            start = b * BATCH_SIZE
            feed = {model.input_data: sequences[start:start + BATCH_SIZE],
                    model.targets: sums[start:start + BATCH_SIZE]}
            train_loss, _ = sess.run([model.cost, model.train_op], feed)
        print('epoch {}, train_loss = {:.3f}'.format(e, train_loss))
