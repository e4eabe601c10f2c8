import os

import tensorflow as tf
import horovod.tensorflow.keras as hvd


def is_chief():
    return hvd.rank() == 0


def setup():
    hvd.init()
    gpus = tf.config.list_physical_devices("GPU")
    for gpu in gpus:
        tf.config.experimental.set_memory_growth(gpu, True)
    if gpus:
        tf.config.set_visible_devices(gpus[hvd.local_rank()], "GPU")


def make_callbacks(folder):
    callbacks = [
        hvd.callbacks.BroadcastGlobalVariablesCallback(0),
        hvd.callbacks.MetricAverageCallback(),
        hvd.callbacks.LearningRateWarmupCallback(initial_lr=1e-3 * hvd.size(), warmup_epochs=5),
    ]
    if is_chief():
        callbacks.append(tf.keras.callbacks.ModelCheckpoint(os.path.join(folder, "m.h5")))
        callbacks.append(tf.keras.callbacks.TensorBoard(folder))
    return callbacks


def make_data(batch):
    data = tf.data.TFRecordDataset(tf.io.gfile.glob("train-*"))
    return data.shard(hvd.size(), hvd.rank()).shuffle(1000).repeat().batch(batch)


def main():
    setup()
    model = tf.keras.applications.ResNet50(weights=None)
    opt = tf.keras.optimizers.SGD(1e-3 * hvd.size(), momentum=0.9)
    opt = hvd.DistributedOptimizer(opt, compression=hvd.Compression.fp16)
    model.compile(optimizer=opt, loss="sparse_categorical_crossentropy", metrics=["accuracy"])
    model.fit(
        make_data(32),
        steps_per_epoch=1281167 // (32 * hvd.size()),
        epochs=90,
        callbacks=make_callbacks("out"),
        verbose=1 if is_chief() else 0,
    )
    if is_chief():
        model.save("final")


if __name__ == "__main__":
    main()
