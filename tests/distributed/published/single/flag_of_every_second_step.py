"""A critic that steps each time, a generator that steps every second time."""

import tensorflow as tf

critic = tf.keras.Sequential([tf.keras.layers.Dense(1, input_shape=(2,))])
generator = tf.keras.Sequential([tf.keras.layers.Dense(2, input_shape=(2,))])
critic_optimizer = tf.keras.optimizers.SGD(0.1)
generator_optimizer = tf.keras.optimizers.SGD(0.1)


@tf.function
def train_critic(x):
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean(critic(x)) - tf.reduce_mean(critic(generator(x)))
    gradients = tape.gradient(loss, critic.trainable_variables)
    critic_optimizer.apply_gradients(zip(gradients, critic.trainable_variables))


for step in range(4):
    x = tf.random.normal([4, 2])
    train_critic(x)
    if step % 2 == 1:
        with tf.GradientTape() as tape:
            loss = tf.reduce_mean(critic(generator(x)))
        gradients = tape.gradient(loss, generator.trainable_variables)
        generator_optimizer.apply_gradients(zip(gradients, generator.trainable_variables))
