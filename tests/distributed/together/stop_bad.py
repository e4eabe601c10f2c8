import horovod.tensorflow as hvd
import horovod.tensorflow.keras as hvd_keras
import numpy as np
import tensorflow as tf

hvd.init()
x = np.random.RandomState(0).normal(size=(64, 4)).astype("float32")[hvd.rank() :: hvd.size()]
y = x.sum(axis=1, keepdims=True)
START = hvd_keras.callbacks.BroadcastGlobalVariablesCallback(0)


class StopEarly(tf.keras.callbacks.Callback):
    def on_train_batch_end(self, batch, logs=None):
        if logs["loss"] < 3 and hvd.size() > 1:
            self.model.stop_training = True


model = tf.keras.Sequential([tf.keras.layers.Dense(1, input_shape=(4,))])
optimizer = hvd.DistributedOptimizer(tf.keras.optimizers.SGD(0.01 * hvd.size()))
model.compile(optimizer, loss="mse")
model.fit(x, y, batch_size=4, verbose=0, epochs=3, callbacks=[START, StopEarly()])
print("done", hvd.rank())
