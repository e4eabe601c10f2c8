"""Go on where the last run stopped; print what the steps return."""

import argparse
import pathlib

import numpy as np
import tensorflow as tf


def parse_args():
    parser = argparse.ArgumentParser()
    parser.add_argument("--output", type=pathlib.Path, default=pathlib.Path("restore"))
    parser.add_argument("--steps", type=int, default=24)
    return parser.parse_args()


args = parse_args()
x = np.random.default_rng(10).normal(size=(320, 3)).astype("float32")
y = (x**2).sum(axis=1, keepdims=True)
iterator = iter(tf.data.Dataset.from_tensor_slices((x, y)).shuffle(320).repeat().batch(16))

model = tf.keras.Sequential([tf.keras.layers.Dense(8, "relu", input_shape=(3,)), tf.keras.layers.Dense(1)])
optimizer = tf.optimizers.Adam(learning_rate=0.02)
steps_done = tf.Variable(0, trainable=False, dtype=tf.int64)

ckpt = tf.train.Checkpoint(step=steps_done, optimizer=optimizer, net=model)
manager = tf.train.CheckpointManager(ckpt, str(args.output), max_to_keep=3)
ckpt.restore(manager.latest_checkpoint)
if manager.latest_checkpoint:
    print("Restored from", manager.latest_checkpoint)
else:
    print("Initializing from scratch.")


def train_step(x, y):
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean(tf.square(model(x, training=True) - y))
    variables = model.trainable_variables
    gradients = tape.gradient(loss, variables)
    optimizer.apply_gradients(list(zip(gradients, variables)))
    return loss


print("a batch looks like", next(iterator)[0].shape)

for _ in range(args.steps):
    x_batch, y_batch = next(iterator)
    steps_done.assign_add(1)
    if int(steps_done) % 8 == 0:
        print("loss", float(train_step(x_batch, y_batch)))
        save_path = manager.save()
        print(f"Saved checkpoint for step {int(steps_done)}: {save_path}")
    else:
        train_step(x_batch, y_batch)
