"""A random projection, and a list of copies that follow the weights, without a model of theirs."""

import tensorflow as tf

model = tf.keras.Sequential([tf.keras.layers.Dense(2, input_shape=(4,))])
projection = tf.Variable(tf.random.normal([4, 2]), trainable=False)
shadows = [tf.Variable(weight, trainable=False) for weight in model.trainable_variables]
optimizer = tf.keras.optimizers.SGD(0.1)


@tf.function
def learn(batch):
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean((model(batch) - batch @ projection) ** 2)
    gradients = tape.gradient(loss, model.trainable_variables)
    optimizer.apply_gradients(zip(gradients, model.trainable_variables))
    for shadow, weight in zip(shadows, model.trainable_variables):
        shadow.assign(0.9 * shadow + 0.1 * weight)


for _ in range(2):
    learn(tf.random.normal([8, 4]))
