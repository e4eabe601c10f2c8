"""Read TFRecord files whose length nobody knows, for a fixed number of steps per epoch."""

import glob
import os
import tempfile

import numpy as np
import tensorflow as tf

STEPS_PER_EPOCH = 12
VALIDATION_STEPS = 4
FEATURES = {
    "x": tf.io.FixedLenFeature([6], tf.float32),
    "y": tf.io.FixedLenFeature([1], tf.float32),
}


def write_records(folder):
    rng = np.random.default_rng(0)
    for shard in range(2):
        with tf.io.TFRecordWriter(os.path.join(folder, f"part-{shard}.tfrecord")) as records:
            for _ in range(173):
                x = rng.normal(size=6)
                feature = {
                    "x": tf.train.Feature(float_list=tf.train.FloatList(value=x)),
                    "y": tf.train.Feature(float_list=tf.train.FloatList(value=[x.max()])),
                }
                example = tf.train.Example(features=tf.train.Features(feature=feature))
                records.write(example.SerializeToString())


def parse(record):
    example = tf.io.parse_single_example(record, FEATURES)
    return example["x"], example["y"]


folder = tempfile.mkdtemp()
write_records(folder)

files = sorted(glob.glob(os.path.join(folder, "*.tfrecord")))
train = tf.data.TFRecordDataset(files).map(parse).shuffle(100).repeat().batch(16)
validation = tf.data.TFRecordDataset(files[:1]).map(parse).batch(16)

model = tf.keras.Sequential(
    [tf.keras.layers.Dense(12, activation="relu", input_shape=(6,)), tf.keras.layers.Dense(1)]
)
lr_schedule = tf.keras.optimizers.schedules.ExponentialDecay(
    initial_learning_rate=1e-2,
    decay_steps=STEPS_PER_EPOCH,
    decay_rate=0.9,
)
model.compile(loss="mse", optimizer=tf.keras.optimizers.Adam(lr_schedule))
model.fit(
    train,
    epochs=2,
    steps_per_epoch=STEPS_PER_EPOCH,
    validation_data=validation,
    validation_steps=VALIDATION_STEPS,
)
