"""
Convolutional-free VAE on tiny "digits" (after the TensorFlow tutorial on CVAEs).

The pictures at the end of each epoch are reconstructions of the last batch.
"""

import glob
import os
import time

import numpy as np
import tensorflow as tf


class VAE(tf.keras.Model):
    """Variational autoencoder."""

    def __init__(self, latent_dim):
        super(VAE, self).__init__()
        self.latent_dim = latent_dim
        self.encoder = tf.keras.Sequential(
            [
                tf.keras.layers.InputLayer(input_shape=(64,)),
                tf.keras.layers.Dense(48, activation="relu"),
                # No activation
                tf.keras.layers.Dense(latent_dim + latent_dim),
            ]
        )
        self.decoder = tf.keras.Sequential(
            [
                tf.keras.layers.InputLayer(input_shape=(latent_dim,)),
                tf.keras.layers.Dense(48, activation="relu"),
                # No activation
                tf.keras.layers.Dense(64),
            ]
        )

    @tf.function
    def sample(self, eps=None):
        if eps is None:
            eps = tf.random.normal(shape=(100, self.latent_dim))
        return self.decode(eps, apply_sigmoid=True)

    def encode(self, x):
        mean, logvar = tf.split(self.encoder(x), num_or_size_splits=2, axis=1)
        return mean, logvar

    def reparameterize(self, mean, logvar):
        eps = tf.random.normal(shape=tf.shape(mean))
        return eps * tf.exp(logvar * .5) + mean

    def decode(self, z, apply_sigmoid=False):
        logits = self.decoder(z)
        if apply_sigmoid:
            return tf.sigmoid(logits)
        return logits


def digits(n, seed):
    """Bars and rings of 8 x 8 pixels."""
    rng = np.random.RandomState(seed)
    images = np.zeros((n, 8, 8), np.float32)
    for image in images:
        if rng.rand() < 0.5:
            image[:, rng.randint(1, 7)] = 1.0
        else:
            a = rng.randint(0, 3)
            image[a:a + 5, a:a + 5] = 1.0
            image[a + 1:a + 4, a + 1:a + 4] = 0.0
    noise = 0.1 * rng.rand(n, 8, 8)
    return np.abs(images - noise).reshape(n, 64).astype("float32")


train_size = 600
test_size = 120
batch_size = 32
epochs = 3
# set the dimensionality of the latent space to a plane for visualization later
latent_dim = 2
num_examples_to_generate = 16

train_dataset = tf.data.Dataset.from_tensor_slices(digits(train_size, 0)).shuffle(train_size).batch(batch_size)
test_dataset = tf.data.Dataset.from_tensor_slices(digits(test_size, 1)).batch(batch_size)

optimizer = tf.keras.optimizers.Adam(1e-3)
model = VAE(latent_dim)


def log_normal_pdf(sample, mean, logvar, raxis=1):
    log2pi = tf.math.log(2. * np.pi)
    return tf.reduce_sum(
        -.5 * ((sample - mean) ** 2. * tf.exp(-logvar) + logvar + log2pi),
        axis=raxis)


def compute_loss(model, x):
    mean, logvar = model.encode(x)
    z = model.reparameterize(mean, logvar)
    x_logit = model.decode(z)
    cross_ent = tf.nn.sigmoid_cross_entropy_with_logits(logits=x_logit, labels=x)
    logpx_z = -tf.reduce_sum(cross_ent, axis=1)
    logpz = log_normal_pdf(z, 0., 0.)
    logqz_x = log_normal_pdf(z, mean, logvar)
    return -tf.reduce_mean(logpx_z + logpz - logqz_x)


@tf.function
def train_step(model, x, optimizer):
    """Executes one training step and returns the loss."""
    with tf.GradientTape() as tape:
        loss = compute_loss(model, x)
    gradients = tape.gradient(loss, model.trainable_variables)
    optimizer.apply_gradients(zip(gradients, model.trainable_variables))
    return loss


def save_images(model, epoch, x):
    mean, logvar = model.encode(x)
    predictions = model.decode(model.reparameterize(mean, logvar), apply_sigmoid=True)
    pairs = np.concatenate([x[:num_examples_to_generate], predictions[:num_examples_to_generate]], axis=1)
    np.savetxt("vae_images/epoch_{:04d}.csv".format(epoch), pairs, fmt="%.3f", delimiter=",")


if not os.path.exists("vae_images"):
    os.makedirs("vae_images")

for epoch in range(1, epochs + 1):
    start_time = time.time()
    for train_x in train_dataset:
        train_loss = train_step(model, train_x, optimizer)
    end_time = time.time()

    loss = tf.keras.metrics.Mean()
    for test_x in test_dataset:
        loss(compute_loss(model, test_x))
    elbo = -loss.result()
    print('Epoch: {}, Test set ELBO: {}, time elapse for current epoch: {}'
          .format(epoch, elbo, end_time - start_time))
    print("  loss of the last training batch of", train_x.shape[0], "images:", float(train_loss))
    save_images(model, epoch, test_x)

print("wrote", sorted(glob.glob("vae_images/*.csv")))

# where the last batch lies in the plane
z_mean, _ = model.encode(test_x)
print("mean position", np.mean(z_mean, axis=0))
model.save_weights("vae.weights.h5")
