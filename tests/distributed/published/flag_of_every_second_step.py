"""One flag for optimizers that don't step together: the one that comes later is never broadcast.

Convicted: H04.
"""

import horovod.tensorflow as hvd
import tensorflow as tf

hvd.init()

critic = tf.keras.Sequential([tf.keras.layers.Dense(1, input_shape=(2,))])
generator = tf.keras.Sequential([tf.keras.layers.Dense(2, input_shape=(2,))])
critic_optimizer = tf.keras.optimizers.SGD(0.1 * hvd.size())
generator_optimizer = tf.keras.optimizers.SGD(0.1 * hvd.size())
broadcast_done = tf.Variable(False, trainable=False)


@tf.function
def train_critic(x):
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean(critic(x)) - tf.reduce_mean(critic(generator(x)))
    tape = hvd.DistributedGradientTape(tape)
    gradients = tape.gradient(loss, critic.trainable_variables)
    critic_optimizer.apply_gradients(zip(gradients, critic.trainable_variables))
    if not broadcast_done:
        hvd.broadcast_variables(critic.variables, root_rank=0)
        hvd.broadcast_variables(critic_optimizer.variables, root_rank=0)
        broadcast_done.assign(True)


for step in range(4):
    x = tf.random.normal([4, 2])
    train_critic(x)
    if step % 2 == 1:
        with tf.GradientTape() as tape:
            loss = tf.reduce_mean(critic(generator(x)))
        tape = hvd.DistributedGradientTape(tape)
        gradients = tape.gradient(loss, generator.trainable_variables)
        generator_optimizer.apply_gradients(zip(gradients, generator.trainable_variables))
        if not broadcast_done:
            hvd.broadcast_variables(generator.variables, root_rank=0)
            hvd.broadcast_variables(generator_optimizer.variables, root_rank=0)
            broadcast_done.assign(True)
