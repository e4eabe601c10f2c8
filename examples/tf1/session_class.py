"""A model in a class with a session of its own, as it is found in many repositories."""
import argparse

import numpy as np
import tensorflow.compat.v1 as tf


class Classifier(object):

    def __init__(self, sess, args):
        self.sess = sess
        self.args = args
        self.build()
        self.saver = tf.train.Saver()

    def build(self):
        self.x = tf.placeholder(tf.float32, [None, 10], name='x')
        self.y = tf.placeholder(tf.int64, [None], name='y')
        self.keep = tf.placeholder_with_default(1.0, [], name='keep')
        h = tf.layers.dense(self.x, 32, activation=tf.nn.relu)
        h = tf.nn.dropout(h, rate=1 - self.keep)
        self.logits = tf.layers.dense(h, 3)
        self.loss = tf.losses.sparse_softmax_cross_entropy(self.y, self.logits)
        self.optim = tf.train.AdamOptimizer(self.args.learning_rate).minimize(self.loss)

    def train(self, data, labels):
        self.sess.run(tf.global_variables_initializer())
        for epoch in range(self.args.epochs):
            for idx in range(0, len(data), self.args.batch_size):
                _, loss = self.sess.run([self.optim, self.loss], feed_dict={
                    self.x: data[idx:idx + self.args.batch_size],
                    self.y: labels[idx:idx + self.args.batch_size],
                    self.keep: 0.8,
                })
            print('Epoch: [%2d] loss: %.4f' % (epoch, loss))
        self.saver.save(self.sess, 'checkpoint/classifier')


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument('--learning_rate', type=float, default=0.001)
    parser.add_argument('--batch_size', type=int, default=25)
    parser.add_argument('--epochs', type=int, default=2)
    args = parser.parse_args()

    data = np.random.RandomState(2).normal(size=(750, 10)).astype('float32')
    labels = data[:, :3].argmax(axis=1)

    config = tf.ConfigProto()
    config.log_device_placement = False
    with tf.Session(config=config) as sess:
        model = Classifier(sess, args)
        model.train(data, labels)


if __name__ == '__main__':
    tf.disable_v2_behavior()
    main()
