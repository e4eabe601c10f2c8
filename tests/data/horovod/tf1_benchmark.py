import argparse
import timeit

import numpy as np
import tensorflow as tf
import horovod.tensorflow as hvd
from tensorflow.keras import applications

parser = argparse.ArgumentParser()
parser.add_argument("--fp16-allreduce", action="store_true", default=False)
parser.add_argument("--eager", action="store_true", default=False)
parser.add_argument("--no-cuda", action="store_true", default=False)
args = parser.parse_args()
args.cuda = not args.no_cuda
hvd.init()
config = tf.ConfigProto()
if args.cuda:
    config.gpu_options.allow_growth = True
    config.gpu_options.visible_device_list = str(hvd.local_rank())
else:
    config.gpu_options.visible_device_list = ""
if args.eager:
    tf.enable_eager_execution(config)
model = applications.ResNet50(weights=None)
opt = tf.train.GradientDescentOptimizer(0.01)
compression = hvd.Compression.fp16 if args.fp16_allreduce else hvd.Compression.none
opt = hvd.DistributedOptimizer(opt, compression=compression)
init = tf.global_variables_initializer()
bcast_op = hvd.broadcast_global_variables(0)
data = tf.random_uniform([32, 224, 224, 3])
target = tf.random_uniform([32, 1], minval=0, maxval=999, dtype=tf.int64)


def loss_function():
    logits = model(data, training=True)
    return tf.losses.sparse_softmax_cross_entropy(target, logits)


def log(s, nl=True):
    if hvd.rank() != 0:
        return
    print(s, end="\n" if nl else "")


def run(benchmark_step):
    log("Running warmup...")
    timeit.timeit(benchmark_step, number=10)
    img_secs = []
    for x in range(10):
        time = timeit.timeit(benchmark_step, number=10)
        img_secs.append(32 * 10 / time)
    log("Img/sec: %.1f" % np.mean(img_secs))


if tf.executing_eagerly():
    run(lambda: opt.minimize(loss_function))
else:
    with tf.Session(config=config) as session:
        init.run()
        bcast_op.run()
        loss = loss_function()
        train_opt = opt.minimize(loss)
        run(lambda: session.run(train_opt))
