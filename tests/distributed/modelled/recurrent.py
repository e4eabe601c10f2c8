"""A recurrent model by `tf.while_loop`, which reads its weights in each turn. Model: safe"""

import horovod.tensorflow as hvd
import numpy as np
import tensorflow as tf

hvd.init()
random = np.random.RandomState(hvd.rank())
kernel = tf.Variable(tf.ones([4, 4]))
recurrent = tf.Variable(tf.ones([4, 4]))
output = tf.Variable(tf.ones([4, 1]))
weights = [kernel, recurrent, output]
optimizer = tf.keras.optimizers.RMSprop(0.01 * hvd.size())


@tf.function
def step(x, y):
    with tf.GradientTape() as tape:
        states = tf.TensorArray(tf.float32, size=5)

        def turn(t, state, states):
            state = tf.tanh(x[t] @ kernel + state @ recurrent)
            return t + 1, state, states.write(t, state)

        first = (0, tf.zeros([8, 4]), states)
        _, last, states = tf.while_loop(lambda t, *_: t < 5, turn, first)
        loss = tf.reduce_mean((last @ output - y) ** 2) + tf.reduce_mean(states.stack() ** 2)
    tape = hvd.DistributedGradientTape(tape)
    gradients, _ = tf.clip_by_global_norm(tape.gradient(loss, weights), 1.0)
    optimizer.apply_gradients(zip(gradients, weights))
    return loss


for number in range(4):
    x = tf.constant(random.rand(5, 8, 4), tf.float32)
    step(x, tf.constant(random.rand(8, 1), tf.float32))
    if number == 0:
        hvd.broadcast_variables([*weights, *optimizer.variables], root_rank=0)
