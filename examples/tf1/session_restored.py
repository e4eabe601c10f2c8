"""A class that goes on from its last checkpoint where there is one, and tells whether it did."""
import os

import numpy as np
import tensorflow.compat.v1 as tf

flags = tf.app.flags
flags.DEFINE_integer('epoch', 2, 'Epochs to train')
flags.DEFINE_float('learning_rate', 0.002, 'Learning rate of adam')
flags.DEFINE_integer('batch_size', 20, 'The size of batch')
flags.DEFINE_string('checkpoint_dir', 'checkpoint', 'Directory name to save the checkpoints')
FLAGS = flags.FLAGS


class Autoencoder(object):

    def __init__(self, sess, checkpoint_dir):
        self.sess = sess
        self.checkpoint_dir = checkpoint_dir
        self.build_model()

    def build_model(self):
        self.inputs = tf.placeholder(tf.float32, [None, 8], name='inputs')
        h = tf.layers.dense(self.inputs, 4, activation=tf.nn.tanh)
        self.loss = tf.losses.mean_squared_error(self.inputs, tf.layers.dense(h, 8))
        self.loss_sum = tf.summary.scalar('loss', self.loss)
        self.saver = tf.train.Saver()

    def train(self, config):
        optim = tf.train.AdamOptimizer(config.learning_rate, beta1=0.5) \
            .minimize(self.loss)
        tf.global_variables_initializer().run()
        self.writer = tf.summary.FileWriter('./logs', self.sess.graph)

        counter = 1
        could_load, checkpoint_counter = self.load(self.checkpoint_dir)
        if could_load:
            counter = checkpoint_counter
            print(' [*] Load SUCCESS')
        else:
            print(' [!] Load failed...')

        data = np.random.RandomState(4).normal(size=(600, 8)).astype('float32')
        for epoch in range(config.epoch):
            for idx in range(0, len(data), config.batch_size):
                batch = data[idx:idx + config.batch_size]
                _, loss, summary = self.sess.run([optim, self.loss, self.loss_sum],
                                                 feed_dict={self.inputs: batch})
                self.writer.add_summary(summary, counter)
                counter += 1
            print('Epoch: [%2d/%2d] loss: %.6f' % (epoch, config.epoch, loss))
            self.save(self.checkpoint_dir, counter)

    def save(self, checkpoint_dir, step):
        if not os.path.exists(checkpoint_dir):
            os.makedirs(checkpoint_dir)
        self.saver.save(self.sess, os.path.join(checkpoint_dir, 'model'), global_step=step)

    def load(self, checkpoint_dir):
        print(' [*] Reading checkpoints...')
        ckpt = tf.train.get_checkpoint_state(checkpoint_dir)
        if ckpt and ckpt.model_checkpoint_path:
            ckpt_name = os.path.basename(ckpt.model_checkpoint_path)
            self.saver.restore(self.sess, os.path.join(checkpoint_dir, ckpt_name))
            return True, int(ckpt_name.split('-')[-1])
        else:
            return False, 0


def main(_):
    with tf.Session() as sess:
        model = Autoencoder(sess, FLAGS.checkpoint_dir)
        model.train(FLAGS)


if __name__ == '__main__':
    tf.disable_v2_behavior()
    tf.app.run()
