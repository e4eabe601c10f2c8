import numpy as np
import tensorflow as tf
import horovod.tensorflow as hvd

hvd.init()
gpus = tf.config.list_physical_devices("GPU")
if gpus:
    tf.config.set_visible_devices(gpus[hvd.local_rank()], "GPU")
x, y = np.ones((1024, 4), "float32"), np.ones((1024, 1), "float32")
model = tf.keras.Sequential([tf.keras.layers.Dense(1)])
opt = tf.keras.optimizers.SGD(0.1 * hvd.size())
first = True
for epoch in range(3):
    for i in range(hvd.rank(), 128, hvd.size()):
        with tf.GradientTape() as tape:
            loss = tf.reduce_mean((model(x[8 * i : 8 * i + 8]) - y[8 * i : 8 * i + 8]) ** 2)
        tape = hvd.DistributedGradientTape(tape)
        grads = tape.gradient(loss, model.trainable_variables)
        opt.apply_gradients(zip(grads, model.trainable_variables))
        if first:
            hvd.broadcast_variables(model.variables, root_rank=0)
            hvd.broadcast_variables(opt.variables, root_rank=0)
            first = False
    if hvd.rank() == 0:
        print(epoch, float(loss))
