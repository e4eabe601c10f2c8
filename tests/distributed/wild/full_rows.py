import numpy as np
import tensorflow as tf

tf.keras.utils.set_random_seed(1)
x = np.random.rand(32, 4).astype("float32")
y = x.sum(1, keepdims=True)

model = tf.keras.Sequential([tf.keras.layers.Dense(1, input_shape=(4,))])
optimizer = tf.keras.optimizers.SGD(0.1)


@tf.function
def step(a, b):
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean((model(a) - b) ** 2)
    gradients = tape.gradient(loss, model.trainable_variables)
    optimizer.apply_gradients(zip(gradients, model.trainable_variables))


for _ in range(4):
    step(x, y)
