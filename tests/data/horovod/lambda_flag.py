import tensorflow as tf
import horovod.tensorflow as hvd

hvd.init()
gpus = tf.config.list_physical_devices("GPU")
if gpus:
    tf.config.set_visible_devices(gpus[hvd.local_rank()], "GPU")
is_master = hvd.rank() == 0
writer = tf.summary.create_file_writer("logs") if is_master else tf.summary.create_noop_writer()
data = tf.data.Dataset.range(1000).shard(hvd.size(), hvd.rank()).repeat().shuffle(100).batch(8)
model = tf.keras.Sequential([tf.keras.layers.Dense(1)])
schedule = tf.keras.optimizers.schedules.ExponentialDecay(0.1 * hvd.size(), 1000 // hvd.size(), 0.9)
opt = tf.keras.optimizers.SGD(schedule)
broadcast_done = False
for step, batch in enumerate(data.take(5000 // hvd.size())):
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean(model(tf.cast(batch[:, None], tf.float32)) ** 2)
    tape = hvd.DistributedGradientTape(tape)
    grads = tape.gradient(loss, model.trainable_variables)
    grads, norm = tf.clip_by_global_norm(grads, 1.0)
    opt.apply_gradients(zip(grads, model.trainable_variables))
    if not broadcast_done:
        hvd.broadcast_variables(model.variables, root_rank=0)
        hvd.broadcast_variables(opt.variables, root_rank=0)
        broadcast_done = True
    if step % 100 == 0:
        loss = hvd.allreduce(loss)
        with writer.as_default():
            tf.summary.scalar("loss", loss, step=step)
