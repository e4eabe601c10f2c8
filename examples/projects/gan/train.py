"""Two networks against each other, each in its own optimizer's hands."""

import os

import tensorflow as tf

import config
from data import make_dataset
from losses import discriminator_loss, generator_loss
from networks import make_discriminator, make_generator


class GAN:
    def __init__(self, args):
        self.noise = args.noise
        self.generator = make_generator(args.noise)
        self.discriminator = make_discriminator()
        self.g_optimizer = tf.keras.optimizers.Adam(args.lr, beta_1=0.5)
        self.d_optimizer = tf.keras.optimizers.Adam(args.lr, beta_1=0.5)
        # both networks, so that a run can go on where it stopped
        self.checkpoint = tf.train.Checkpoint(
            generator=self.generator, discriminator=self.discriminator
        )

    @tf.function
    def train_step(self, real):
        noise = tf.random.normal([tf.shape(real)[0], self.noise])
        with tf.GradientTape() as g_tape, tf.GradientTape() as d_tape:
            fake = self.generator(noise, training=True)
            real_score = self.discriminator(real, training=True)
            fake_score = self.discriminator(fake, training=True)
            g_loss = generator_loss(fake_score)
            d_loss = discriminator_loss(real_score, fake_score)

        g_grads = g_tape.gradient(g_loss, self.generator.trainable_variables)
        d_grads = d_tape.gradient(d_loss, self.discriminator.trainable_variables)
        self.g_optimizer.apply_gradients(zip(g_grads, self.generator.trainable_variables))
        self.d_optimizer.apply_gradients(zip(d_grads, self.discriminator.trainable_variables))
        return g_loss, d_loss

    def fit(self, dataset, epochs):
        for epoch in range(epochs):
            for real in dataset:
                g_loss, d_loss = self.train_step(real)
            print("epoch %d: generator %.3f, discriminator %.3f" % (epoch, g_loss, d_loss))
        self.checkpoint.save(os.path.join("checkpoints", "gan"))


if __name__ == "__main__":
    args = config.parse_args()
    GAN(args).fit(make_dataset(args.batch_size), args.epochs)
