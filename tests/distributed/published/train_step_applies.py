"""Published: the optimizer is wrapped, but its apply_gradients averages nothing.

Convicted: D201.
"""

import horovod.tensorflow.keras as hvd
import tensorflow as tf

hvd.init()


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
optimizer = tf.keras.optimizers.SGD(0.1 * hvd.size())
optimizer = hvd.DistributedOptimizer(optimizer)
model.compile(optimizer=optimizer)
x, y = tf.random.normal([8, 2]).numpy(), tf.ones([8, 1]).numpy()
callbacks = [hvd.callbacks.BroadcastGlobalVariablesCallback(0)]
model.fit(x, y, batch_size=2, verbose=0, callbacks=callbacks)
