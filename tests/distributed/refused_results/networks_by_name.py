"""Obligation: start. Networks lie in a dictionary, and one flag stands for all of them."""

import tensorflow as tf

x = tf.random.stateless_normal([64, 4], seed=[1, 2])
data = tf.data.Dataset.from_tensor_slices((x, tf.reduce_sum(x, axis=1, keepdims=True))).batch(8)
networks = {name: tf.keras.Sequential([tf.keras.layers.Dense(1)]) for name in ("near", "far")}
optimizers = {name: tf.keras.optimizers.SGD(0.01, momentum=0.9) for name in networks}


def step(name, x, y):
    model, optimizer = networks[name], optimizers[name]
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean((model(x) - y) ** 2)
    gradients = tape.gradient(loss, model.trainable_variables)
    optimizer.apply_gradients(zip(gradients, model.trainable_variables))


for x, y in data:
    for name in networks:
        step(name, x, y)
