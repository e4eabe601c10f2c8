"""A factor beside a network is trained, and one broadcast of one list brings both."""

import tensorflow as tf

x = tf.random.stateless_normal([64, 4], seed=[1, 2])
data = tf.data.Dataset.from_tensor_slices((x, tf.reduce_sum(x, axis=1, keepdims=True))).batch(8)
model = tf.keras.Sequential([tf.keras.layers.Dense(1)])
factor = tf.Variable(tf.random.normal([1]))
opt = tf.keras.optimizers.SGD(0.01)
for x, y in data:
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean((factor * model(x) - y) ** 2)
    variables = [*model.trainable_variables, factor]
    opt.apply_gradients(zip(tape.gradient(loss, variables), variables))
