'''WGAN-GP: the critic takes n_critic steps for every step of the generator.'''
import argparse
import os

import numpy as np
import tensorflow as tf
from tensorflow.keras import Model, Sequential
from tensorflow.keras.layers import Dense, LeakyReLU

ap = argparse.ArgumentParser()
ap.add_argument('--iterations', type=int, default=12)
ap.add_argument('--n_critic', type=int, default=5)
ap.add_argument('--batch_size', type=int, default=32)
ap.add_argument('--z_dim', type=int, default=8)
ap.add_argument('--gp_weight', type=float, default=10.0)
ap.add_argument('--g_lr', type=float, default=1e-4)
ap.add_argument('--c_lr', type=float, default=1e-4)
ap.add_argument('--log_dir', default='wgan_logs')


def swiss_roll(n):
    t = np.random.uniform(1.5, 4.5, n) * np.pi
    points = np.stack([t * np.cos(t), t * np.sin(t)], axis=1) / 14
    return (points + np.random.normal(0, 0.02, points.shape)).astype('float32')


class Generator(Model):
    def __init__(self):
        super().__init__()
        self.net = Sequential([Dense(32, activation='relu'), Dense(32, activation='relu'), Dense(2)])

    def call(self, z, training=False):
        return self.net(z, training=training)


class Critic(Model):
    def __init__(self):
        super().__init__()
        self.hidden1 = Dense(32)
        self.hidden2 = Dense(32)
        self.act = LeakyReLU(0.2)
        self.out = Dense(1)  # no sigmoid: a score, not a probability

    def call(self, x, training=False):
        x = self.act(self.hidden1(x))
        x = self.act(self.hidden2(x))
        return self.out(x)


class WGANGP:
    def __init__(self, args):
        self.args = args
        self.generator = Generator()
        self.critic = Critic()
        self.g_optimizer = tf.keras.optimizers.Adam(args.g_lr, beta_1=0.0, beta_2=0.9)
        self.c_optimizer = tf.keras.optimizers.Adam(args.c_lr, beta_1=0.0, beta_2=0.9)
        self.fixed_noise = tf.random.normal([64, args.z_dim], seed=1)

    def gradient_penalty(self, real, fake):
        alpha = tf.random.uniform([tf.shape(real)[0], 1])
        mixed = alpha * real + (1 - alpha) * fake
        with tf.GradientTape() as t:
            t.watch(mixed)
            score = self.critic(mixed, training=True)
        grads = t.gradient(score, mixed)
        norm = tf.sqrt(tf.reduce_sum(tf.square(grads), axis=1) + 1e-12)
        return tf.reduce_mean((norm - 1.0) ** 2)

    @tf.function
    def critic_step(self, real):
        z = tf.random.normal([tf.shape(real)[0], self.args.z_dim])
        with tf.GradientTape() as tape:
            fake = self.generator(z, training=True)
            w_distance = tf.reduce_mean(self.critic(real, training=True)) \
                - tf.reduce_mean(self.critic(fake, training=True))
            gp = self.gradient_penalty(real, fake)
            loss = -w_distance + self.args.gp_weight * gp
        grads = tape.gradient(loss, self.critic.trainable_variables)
        self.c_optimizer.apply_gradients(zip(grads, self.critic.trainable_variables))
        return w_distance, gp

    @tf.function
    def generator_step(self, batch_size):
        z = tf.random.normal([batch_size, self.args.z_dim])
        with tf.GradientTape() as tape:
            loss = -tf.reduce_mean(self.critic(self.generator(z, training=True), training=True))
        grads = tape.gradient(loss, self.generator.trainable_variables)
        self.g_optimizer.apply_gradients(zip(grads, self.generator.trainable_variables))
        return loss

    def train(self, dataset):
        args = self.args
        writer = tf.summary.create_file_writer(args.log_dir)
        batches = iter(dataset)
        for it in range(args.iterations):
            # the critic first, several times
            for _ in range(args.n_critic):
                w_distance, gp = self.critic_step(next(batches))
            g_loss = self.generator_step(args.batch_size)

            with writer.as_default():
                tf.summary.scalar('w_distance', w_distance, step=it)
                tf.summary.scalar('g_loss', g_loss, step=it)
            if it % 4 == 0:
                print('[%3d] W %.4f  gp %.4f  g %.4f' % (it, w_distance, gp, g_loss))
                samples = self.generator(self.fixed_noise)
                np.save(os.path.join(args.log_dir, 'samples_%03d.npy' % it), samples.numpy())


def main():
    args = ap.parse_args()
    print(args)
    os.makedirs(args.log_dir, exist_ok=True)
    data = swiss_roll(512)
    dataset = (tf.data.Dataset.from_tensor_slices(data)
               .shuffle(512)
               .repeat()
               .batch(args.batch_size, drop_remainder=True))
    gan = WGANGP(args)
    gan.train(dataset)
    gan.generator.save_weights(os.path.join(args.log_dir, 'generator.weights.h5'))
    print('done')


if __name__ == '__main__':
    main()
