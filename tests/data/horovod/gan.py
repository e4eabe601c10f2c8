import tensorflow as tf
import horovod.tensorflow as hvd

hvd.init()
gpus = tf.config.list_physical_devices("GPU")
if gpus:
    tf.config.set_visible_devices(gpus[hvd.local_rank()], "GPU")
data = tf.data.Dataset.from_tensor_slices(tf.ones((1000, 4)))
data = data.shard(hvd.size(), hvd.rank()).repeat().batch(8)
gen = tf.keras.Sequential([tf.keras.layers.Dense(4)])
dis = tf.keras.Sequential([tf.keras.layers.Dense(1)])
g_opt = tf.keras.optimizers.Adam(1e-4 * hvd.size())
d_opt = tf.keras.optimizers.Adam(1e-4 * hvd.size())


@tf.function
def train_step(batch, first_batch):
    noise = tf.random.normal([8, 2])
    with tf.GradientTape() as g_tape, tf.GradientTape() as d_tape:
        fake = dis(gen(noise))
        real = dis(batch)
        g_loss, d_loss = tf.reduce_mean(fake), tf.reduce_mean(real - fake)
    g_tape = hvd.DistributedGradientTape(g_tape)
    d_tape = hvd.DistributedGradientTape(d_tape)
    g_grads = g_tape.gradient(g_loss, gen.trainable_variables)
    d_grads = d_tape.gradient(d_loss, dis.trainable_variables)
    g_opt.apply_gradients(zip(g_grads, gen.trainable_variables))
    d_opt.apply_gradients(zip(d_grads, dis.trainable_variables))
    if first_batch:
        hvd.broadcast_variables(gen.variables + dis.variables, root_rank=0)
        hvd.broadcast_variables(g_opt.variables, root_rank=0)
        hvd.broadcast_variables(d_opt.variables, root_rank=0)


for step, batch in enumerate(data.take(1000 // hvd.size())):
    train_step(batch, step == 0)
    if step % 100 == 0 and hvd.rank() == 0:
        gen.save_weights("gen.h5")
