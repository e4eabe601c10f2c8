import horovod.tensorflow as hvd

hvd.init()
gpus = tf.config.list_physical_devices("GPU")
for gpu in gpus:
    tf.config.experimental.set_memory_growth(gpu, True)
if gpus:
    tf.config.set_visible_devices(gpus[hvd.local_rank()], "GPU")

import tensorflow as tf

w = tf.Variable(1.0)
opt = tf.keras.optimizers.SGD(0.01 * hvd.size())
broadcast_done = tf.Variable(False, trainable=False)
for x in tf.data.Dataset.range(64).shard(hvd.size(), hvd.rank()).batch(8):
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean((w * tf.cast(x, tf.float32) / 64 - 1) ** 2)
    tape = hvd.DistributedGradientTape(tape)
    opt.apply_gradients([(tape.gradient(loss, [w])[0], w)])
    if not broadcast_done:
        hvd.broadcast_variables([w], root_rank=0)
        hvd.broadcast_variables(opt.variables, root_rank=0)
        broadcast_done.assign(True)
