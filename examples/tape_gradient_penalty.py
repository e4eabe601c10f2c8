"""A critic whose slope is held near one: the penalty needs the gradient of the inputs."""

import argparse

import numpy as np
import tensorflow as tf


def gradient_penalty(critic, real, fake):
    alpha = tf.random.uniform([tf.shape(real)[0], 1])
    mixed = alpha * real + (1 - alpha) * fake
    with tf.GradientTape() as gp_tape:
        gp_tape.watch(mixed)
        scores = critic(mixed, training=True)
    slopes = gp_tape.gradient(scores, mixed)
    norm = tf.sqrt(tf.reduce_sum(slopes**2, axis=1) + 1e-12)
    return tf.reduce_mean((norm - 1.0) ** 2)


@tf.function
def train_critic(critic, optimizer, real, weight):
    fake = tf.random.normal(tf.shape(real))
    with tf.GradientTape() as tape:
        distance = tf.reduce_mean(critic(fake, training=True)) - tf.reduce_mean(critic(real, training=True))
        loss = distance + weight * gradient_penalty(critic, real, fake)
    gradients = tape.gradient(loss, critic.trainable_variables)
    optimizer.apply_gradients(zip(gradients, critic.trainable_variables))
    return loss


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--batch-size", default=32, type=int)
    parser.add_argument("--weight", default=10.0, type=float)
    args = parser.parse_args()

    real = np.random.default_rng(1).normal(loc=3.0, size=(500, 4)).astype("float32")
    dataset = tf.data.Dataset.from_tensor_slices(real).shuffle(500).batch(args.batch_size, drop_remainder=True)

    critic = tf.keras.Sequential(
        [
            tf.keras.layers.Dense(16, activation="tanh", input_shape=(4,)),
            tf.keras.layers.Dense(1),
        ]
    )
    optimizer = tf.keras.optimizers.RMSprop(1e-3)

    for epoch in range(2):
        for batch in dataset:
            loss = train_critic(critic, optimizer, batch, args.weight)
        print(f"epoch {epoch}: {loss.numpy():.3f}")

    critic.save("critic.keras")


if __name__ == "__main__":
    main()
