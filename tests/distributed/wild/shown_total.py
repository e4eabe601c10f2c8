"""Shows how far it is: a worker that takes its share of the steps gets to the end of them."""

import tensorflow as tf

model = tf.keras.Sequential([tf.keras.layers.Dense(1, input_shape=(2,))])
optimizer = tf.keras.optimizers.SGD(0.1)
data = tf.data.Dataset.from_tensor_slices(tf.ones([16, 2])).shuffle(16).repeat().batch(2)
steps = 8
shown = []
for step, batch in enumerate(data.take(steps)):
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean(model(batch) ** 2)
    gradients = tape.gradient(loss, model.trainable_variables)
    optimizer.apply_gradients(zip(gradients, model.trainable_variables))
    shown.append(f"{step + 1}/{steps}")
