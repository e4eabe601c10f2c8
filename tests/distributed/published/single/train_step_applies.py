"""fit() with a training step of one's own."""

import tensorflow as tf


class Model(tf.keras.Model):
    def __init__(self):
        super().__init__()
        self.dense = tf.keras.layers.Dense(1)

    def call(self, x):
        return self.dense(x)

    def train_step(self, data):
        x, y = data
        with tf.GradientTape() as tape:
            loss = tf.reduce_mean((self(x, training=True) - y) ** 2)
        gradients = tape.gradient(loss, self.trainable_variables)
        self.optimizer.apply_gradients(zip(gradients, self.trainable_variables))
        return {"loss": loss}


model = Model()
model.compile(optimizer=tf.keras.optimizers.SGD(0.1))
x, y = tf.random.normal([8, 2]).numpy(), tf.ones([8, 1]).numpy()
model.fit(x, y, batch_size=2, verbose=0)
