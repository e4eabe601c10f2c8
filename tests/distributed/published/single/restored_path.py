"""The best checkpoint is read again by the path that its save gave."""

import tensorflow as tf

model = tf.keras.Sequential([tf.keras.layers.Dense(1, input_shape=(2,))])
optimizer = tf.keras.optimizers.SGD(0.1)
checkpoint = tf.train.Checkpoint(model=model)
best = None

for step in range(4):
    x = tf.random.normal([4, 2])
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean(model(x) ** 2)
    gradients = tape.gradient(loss, model.trainable_variables)
    optimizer.apply_gradients(zip(gradients, model.trainable_variables))
    if step == 1:
        best = checkpoint.save("best")
    if step == 2:
        checkpoint.restore(best)
