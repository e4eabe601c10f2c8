import math

import tensorflow as tf
import horovod.tensorflow.keras as hvd

hvd.init()
config = tf.ConfigProto()
config.gpu_options.allow_growth = True
config.gpu_options.visible_device_list = str(hvd.local_rank())
tf.keras.backend.set_session(tf.Session(config=config))
(x, y), (ex, ey) = tf.keras.datasets.mnist.load_data("MNIST-data-%d" % hvd.rank())
model = tf.keras.Sequential([tf.keras.layers.Flatten(), tf.keras.layers.Dense(10)])
opt = tf.keras.optimizers.Adadelta(1.0 * hvd.size())
opt = hvd.DistributedOptimizer(opt)
model.compile(loss="mse", optimizer=opt, metrics=["accuracy"])
callbacks = [
    hvd.callbacks.BroadcastGlobalVariablesCallback(0),
    hvd.callbacks.MetricAverageCallback(),
]
if hvd.rank() == 0:
    callbacks.append(tf.keras.callbacks.ModelCheckpoint("./checkpoint-{epoch}.h5"))
model.fit(
    x,
    y,
    batch_size=128,
    callbacks=callbacks,
    epochs=int(math.ceil(12.0 / hvd.size())),
    verbose=1 if hvd.rank() == 0 else 0,
    validation_data=(ex, ey),
)
score = model.evaluate(ex, ey, verbose=0)
print("Test loss:", score[0])
