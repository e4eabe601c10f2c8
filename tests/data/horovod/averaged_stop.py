import tensorflow as tf
import horovod.tensorflow as hvd

hvd.init()
gpus = tf.config.list_physical_devices("GPU")
if gpus:
    tf.config.set_visible_devices(gpus[hvd.local_rank()], "GPU")
data = tf.data.Dataset.range(1000).repeat().shard(hvd.size(), hvd.rank()).batch(8)
model = tf.keras.Sequential([tf.keras.layers.Dense(1)])
opt = tf.keras.optimizers.SGD(0.1 * hvd.size())
model.build((None, 1))
hvd.broadcast_variables(model.variables, root_rank=0)
best = float("inf")
for step, batch in enumerate(data):
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean(model(tf.cast(batch[:, None], tf.float32)) ** 2)
    tape = hvd.DistributedGradientTape(tape)
    grads = tape.gradient(loss, model.trainable_variables)
    opt.apply_gradients(zip(grads, model.trainable_variables))
    if step == 0:
        hvd.broadcast_variables(opt.variables, root_rank=0)
    mean = float(hvd.allreduce(loss))
    if mean > best or step > 1000:
        break
    best = min(best, mean)
