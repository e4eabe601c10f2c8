"""After some steps the weights go back half the way, as Reptile does: what they were is kept."""

import tensorflow as tf

net = tf.keras.Sequential([tf.keras.layers.Dense(2, input_shape=(4,))])
weights, learner = net.trainable_variables, net
optimizer = tf.keras.optimizers.SGD(0.1)

for _ in range(2):
    old = learner.get_weights()
    for _ in range(2):
        batch = tf.random.normal([8, 4])
        with tf.GradientTape() as tape:
            loss = tf.reduce_mean(net(batch) ** 2)
        optimizer.apply_gradients(zip(tape.gradient(loss, weights), weights))
    new = learner.get_weights()
    for number in range(len(new)):
        new[number] = old[number] + 0.5 * (new[number] - old[number])
    learner.set_weights(new)
