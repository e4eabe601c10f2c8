import horovod.tensorflow as hvd
import horovod.tensorflow.keras as hvd_keras
import numpy as np
import tensorflow as tf

hvd.init()
x = np.random.RandomState(0).normal(size=(64, 4)).astype("float32")[hvd.rank() :: hvd.size()]
y = x.sum(axis=1, keepdims=True)
START = hvd_keras.callbacks.BroadcastGlobalVariablesCallback(0)


class JobMean(tf.keras.metrics.Mean):
    """The mean of all workers."""

    def result(self):
        return hvd.allreduce(super().result(), name="job_mean")


optimizer = hvd.DistributedOptimizer(tf.keras.optimizers.SGD(0.01 * hvd.size()))


class Net(tf.keras.Model):
    def __init__(self):
        super().__init__()
        self.layer = tf.keras.layers.Dense(1)
        self.seen = JobMean()

    def call(self, rows, training=False):
        return self.layer(rows)

    def test_step(self, data):
        rows, targets = data
        self.seen.update_state((self(rows) - targets) ** 2)
        return {"seen": self.seen.result()}


net = Net()
net.compile(optimizer, loss="mse")
net.fit(x, y, batch_size=4, verbose=0, callbacks=[START])
found = net.evaluate(x, y, verbose=0)
if hvd.rank() == 0:
    print(found)
print("done", hvd.rank())
