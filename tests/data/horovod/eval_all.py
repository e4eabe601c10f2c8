import tensorflow as tf
import horovod.tensorflow.keras as hvd

hvd.init()
gpus = tf.config.list_physical_devices("GPU")
if gpus:
    tf.config.set_visible_devices(gpus[hvd.local_rank()], "GPU")
data = tf.data.Dataset.range(1000).shard(hvd.size(), hvd.rank()).repeat().batch(8)
test = tf.data.Dataset.range(100).shard(hvd.size(), hvd.rank()).batch(8)
model = tf.keras.Sequential([tf.keras.layers.Dense(1)])
model.compile(hvd.DistributedOptimizer(tf.keras.optimizers.SGD(0.1 * hvd.size())), "mse")
first = [hvd.callbacks.BroadcastGlobalVariablesCallback(0)]
rest = [hvd.callbacks.MetricAverageCallback()]
chief = [tf.keras.callbacks.ModelCheckpoint("m.h5")] if hvd.rank() == 0 else []
model.fit(
    data,
    steps_per_epoch=100 // hvd.size(),
    callbacks=first + rest + chief,
    verbose=1 if not hvd.rank() else 0,
)
scores = model.evaluate(test, verbose=0)
scores = hvd.allreduce(scores)
if hvd.rank() == 0:
    print(scores)
    model.save_weights("w.h5")
