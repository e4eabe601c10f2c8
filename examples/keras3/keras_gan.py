"""Two networks and two optimizers in one training step under fit."""

import keras
import numpy as np
import tensorflow as tf
from keras import layers

LATENT = 4


class GAN(keras.Model):
    def __init__(self, discriminator, generator):
        super().__init__()
        self.discriminator = discriminator
        self.generator = generator

    def compile(self, d_optimizer, g_optimizer, loss_fn):
        super().compile()
        self.d_optimizer = d_optimizer
        self.g_optimizer = g_optimizer
        self.loss_fn = loss_fn

    def train_step(self, real):
        count = tf.shape(real)[0]
        noise = tf.random.normal((count, LATENT))

        with tf.GradientTape() as tape:
            on_real = self.discriminator(real)
            on_fake = self.discriminator(self.generator(noise))
            d_loss = self.loss_fn(tf.ones_like(on_real), on_real)
            d_loss += self.loss_fn(tf.zeros_like(on_fake), on_fake)
        grads = tape.gradient(d_loss, self.discriminator.trainable_weights)
        self.d_optimizer.apply_gradients(zip(grads, self.discriminator.trainable_weights))

        with tf.GradientTape() as tape:
            on_fake = self.discriminator(self.generator(noise))
            g_loss = self.loss_fn(tf.ones_like(on_fake), on_fake)
        grads = tape.gradient(g_loss, self.generator.trainable_weights)
        self.g_optimizer.apply_gradients(zip(grads, self.generator.trainable_weights))
        return {"d_loss": d_loss, "g_loss": g_loss}


discriminator = keras.Sequential([layers.Dense(16, activation="relu"), layers.Dense(1)])
generator = keras.Sequential([layers.Dense(16, activation="relu"), layers.Dense(8)])

images = np.random.default_rng(4).normal(size=(320, 8)).astype("float32")
dataset = tf.data.Dataset.from_tensor_slices(images).shuffle(320).batch(16, drop_remainder=True)

gan = GAN(discriminator, generator)
gan.compile(
    d_optimizer=keras.optimizers.Adam(learning_rate=0.0003),
    g_optimizer=keras.optimizers.Adam(learning_rate=0.0003),
    loss_fn=keras.losses.BinaryCrossentropy(from_logits=True),
)
gan.fit(dataset, epochs=2)
