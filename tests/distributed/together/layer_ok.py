import horovod.tensorflow as hvd
import numpy as np
import tensorflow as tf

hvd.init()
x = np.random.RandomState(0).normal(size=(64, 4)).astype("float32")[hvd.rank() :: hvd.size()]
y = x.sum(axis=1, keepdims=True)


class Gated(tf.keras.Model):
    def __init__(self):
        super().__init__()
        self.one, self.other = tf.keras.layers.Dense(1), tf.keras.layers.Dense(1)

    def call(self, rows):
        if float(tf.reduce_mean(rows)) > 0:
            rows = 2 * rows
        return self.other(rows)


model = Gated()
model.one.build((None, 4))
model.other.build((None, 4))
optimizer = tf.keras.optimizers.SGD(0.01 * hvd.size())
optimizer.build(model.trainable_variables)
hvd.broadcast_variables(model.variables, root_rank=0)
for i in range(0, 32, 4):
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean((model(x[i : i + 4]) - y[i : i + 4]) ** 2)
    tape = hvd.DistributedGradientTape(tape)
    gradients = tape.gradient(loss, model.trainable_variables)
    pairs = zip(gradients, model.trainable_variables)
    optimizer.apply_gradients((g, v) for g, v in pairs if g is not None)
print("sum", hvd.rank(), [round(float(tf.reduce_sum(v)), 4) for v in model.variables])
