"""Every fold begins with copies of the variables that were made before the first."""

import tensorflow as tf

model = tf.keras.Sequential([tf.keras.layers.Dense(1, input_shape=(2,))])
optimizer = tf.keras.optimizers.SGD(0.1)
initial = [tf.identity(variable) for variable in model.variables]

for _fold in range(2):
    tf.nest.map_structure(lambda v, value: v.assign(value), model.variables, initial)
    for _ in range(2):
        x = tf.random.normal([4, 2])
        with tf.GradientTape() as tape:
            loss = tf.reduce_mean(model(x) ** 2)
        gradients = tape.gradient(loss, model.trainable_variables)
        optimizer.apply_gradients(zip(gradients, model.trainable_variables))
