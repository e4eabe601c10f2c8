"""What save() returns is used later on."""

import tensorflow as tf

weight = tf.Variable(tf.random.normal([2]))
optimizer = tf.keras.optimizers.SGD(0.1)
checkpoint = tf.train.Checkpoint(weight=weight)
with tf.GradientTape() as tape:
    loss = tf.reduce_sum(weight**2)
gradients = tape.gradient(loss, [weight])
optimizer.apply_gradients(zip(gradients, [weight]))
path = checkpoint.save("guarded_assignment/ckpt")
saved = path is not None
