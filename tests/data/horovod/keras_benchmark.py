import argparse

import numpy as np
import tensorflow as tf
import horovod.tensorflow.keras as hvd
from tensorflow.keras import applications
from timeit import default_timer as timer

parser = argparse.ArgumentParser()
parser.add_argument("--model", type=str, default="ResNet50")
parser.add_argument("--batch-size", type=int, default=32)
parser.add_argument("--num-iters", type=int, default=10)
args = parser.parse_args()
hvd.init()
gpus = tf.config.experimental.list_physical_devices("GPU")
for gpu in gpus:
    tf.config.experimental.set_memory_growth(gpu, True)
if gpus:
    tf.config.experimental.set_visible_devices(gpus[hvd.local_rank()], "GPU")
model = getattr(applications, args.model)(weights=None)
opt = tf.optimizers.SGD(0.01)
opt = hvd.DistributedOptimizer(opt)
model.compile(
    loss=tf.keras.losses.SparseCategoricalCrossentropy(),
    optimizer=opt,
    experimental_run_tf_function=False,
)
data = tf.random.uniform([args.batch_size, 224, 224, 3])
target = tf.random.uniform([args.batch_size, 1], minval=0, maxval=999, dtype=tf.int64)
dataset = tf.data.Dataset.from_tensor_slices((data, target)).cache().repeat().batch(args.batch_size)


class TimingCallback(tf.keras.callbacks.Callback):
    def on_train_begin(self, logs=None):
        self.img_secs = []

    def on_epoch_begin(self, epoch, logs=None):
        self.starttime = timer()

    def on_epoch_end(self, epoch, logs=None):
        time = timer() - self.starttime
        img_sec = args.batch_size * 10 / time
        print("Iter #%d: %.1f img/sec" % (epoch, img_sec))
        if epoch > 0:
            self.img_secs.append(img_sec)

    def on_train_end(self, logs=None):
        print("Img/sec: %.1f" % np.mean(self.img_secs))


callbacks = [hvd.callbacks.BroadcastGlobalVariablesCallback(0)]
if hvd.rank() == 0:
    timing = TimingCallback()
    callbacks.append(timing)
model.fit(
    dataset,
    batch_size=args.batch_size,
    steps_per_epoch=10,
    callbacks=callbacks,
    epochs=args.num_iters,
    verbose=0,
)
