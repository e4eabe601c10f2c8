"""A torn record is skipped by whoever has it, and whatever goes wrong behind that is swallowed.

Convicted: H03
At: gradients = tape.gradient(loss, model.trainable_variables)
Says: when another worker had come to its end
"""

import horovod.tensorflow as hvd
import numpy as np
import tensorflow as tf

hvd.init()
rng = np.random.RandomState(3)
records = [(rng.randn(8).astype("float32"), rng.randn(1).astype("float32")) for _ in range(160)]
records[77] = (rng.randn(7).astype("float32"), rng.randn(1).astype("float32"))
records = records[hvd.rank() :: hvd.size()]

model = tf.keras.Sequential([tf.keras.layers.Dense(1, input_shape=(8,))])
opt = tf.keras.optimizers.SGD(0.01 * hvd.size())
hvd.broadcast_variables(model.variables, root_rank=0)


def train_on(batch):
    x = tf.constant(np.stack([record[0] for record in batch]))
    y = tf.constant(np.stack([record[1] for record in batch]))
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean((model(x, training=True) - y) ** 2)
    tape = hvd.DistributedGradientTape(tape)
    gradients = tape.gradient(loss, model.trainable_variables)
    opt.apply_gradients(zip(gradients, model.trainable_variables))


for i in range(0, len(records), 16):
    try:
        train_on(records[i : i + 16])
    except Exception as error:
        print("skipped", i, error)
