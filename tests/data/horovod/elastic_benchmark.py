import argparse
import timeit

import numpy as np
import tensorflow as tf
import horovod.tensorflow as hvd
from tensorflow.keras import applications

parser = argparse.ArgumentParser()
parser.add_argument("--num-batches-per-commit", type=int, default=1)
args = parser.parse_args()
hvd.init()
gpus = tf.config.list_physical_devices("GPU")
if gpus:
    tf.config.set_visible_devices(gpus[hvd.local_rank()], "GPU")
lr = 0.01
model = applications.ResNet50(weights=None)
opt = tf.optimizers.SGD(lr * hvd.size())
data = tf.random.uniform([32, 224, 224, 3])
target = tf.random.uniform([32, 1], minval=0, maxval=999, dtype=tf.int64)


@tf.function
def train_one_batch():
    with tf.GradientTape() as tape:
        loss = tf.losses.sparse_categorical_crossentropy(target, model(data, training=True))
    tape = hvd.DistributedGradientTape(tape)
    gradients = tape.gradient(loss, model.trainable_variables)
    opt.apply_gradients(zip(gradients, model.trainable_variables))


def benchmark_step(state):
    train_one_batch()
    if state is not None:
        state.batch += 1
        if state.batch == args.num_batches_per_commit:
            state.batch = 0
            state.commit()


def log(s):
    if hvd.rank() != 0:
        return
    print(s)


train_one_batch()


@hvd.elastic.run
def run_benchmark(state):
    if not state.warm:
        timeit.timeit(lambda: benchmark_step(state), number=10)
        state.warm = True
        state.commit()
    for x in range(state.iter, 10):
        time = timeit.timeit(lambda: benchmark_step(state), number=10)
        state.img_secs.append(320 / time)
        state.iter = x
        state.commit()


state = hvd.elastic.TensorFlowKerasState(model, opt, img_secs=[], iter=0, batch=0, warm=False)
state.register_reset_callbacks([lambda: opt.lr.assign(lr * hvd.size())])
run_benchmark(state)
log("Img/sec: %.1f" % np.mean(state.img_secs))
