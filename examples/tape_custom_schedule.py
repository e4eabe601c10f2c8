"""Warm up, then decay with the square root of the step; write summaries on the way."""
import datetime

import numpy as np
import tensorflow as tf


class CustomSchedule(tf.keras.optimizers.schedules.LearningRateSchedule):
    def __init__(self, d_model, warmup_steps=40):
        super().__init__()

        self.d_model = tf.cast(d_model, tf.float32)
        self.warmup_steps = warmup_steps

    def __call__(self, step):
        step = tf.cast(step, dtype=tf.float32)
        arg1 = tf.math.rsqrt(step + 1)
        arg2 = step * (self.warmup_steps**-1.5)

        return tf.math.rsqrt(self.d_model) * tf.math.minimum(arg1, arg2)


class Attention(tf.keras.layers.Layer):
    def __init__(self, width):
        super().__init__()
        self.query = tf.keras.layers.Dense(width)
        self.value = tf.keras.layers.Dense(width)

    def call(self, x):
        weights = tf.nn.softmax(tf.matmul(self.query(x), x, transpose_b=True))
        return tf.matmul(weights, self.value(x))


tokens = np.random.default_rng(14).integers(0, 20, size=(253, 6))
reverse = tokens[:, ::-1].copy()
dataset = tf.data.Dataset.from_tensor_slices((tokens, reverse))
train = dataset.shuffle(253, reshuffle_each_iteration=False).batch(22).take(10)

d_model = 16
transformer = tf.keras.Sequential(
    [tf.keras.layers.Embedding(20, d_model), Attention(d_model), tf.keras.layers.Dense(20)]
)
optimizer = tf.keras.optimizers.Adam(CustomSchedule(d_model), beta_1=0.9, beta_2=0.98, epsilon=1e-9)
writer = tf.summary.create_file_writer("logs/" + datetime.datetime.now().strftime("%Y%m%d-%H%M%S"))


@tf.function(input_signature=[tf.TensorSpec([None, 6], tf.int64)] * 2)
def train_step(source, target):
    with tf.GradientTape() as tape:
        logits = transformer(source, training=True)
        loss = tf.reduce_mean(tf.nn.sparse_softmax_cross_entropy_with_logits(target, logits))
    gradients = tape.gradient(loss, transformer.trainable_variables)
    gradients = [tf.clip_by_norm(g, 1.0) for g in gradients]
    optimizer.apply_gradients(zip(gradients, transformer.trainable_variables))
    return loss


for epoch in range(2):
    for source, target in train:
        loss = train_step(source, target)
        with writer.as_default():
            tf.summary.scalar("loss", loss, step=optimizer.iterations)
    print(f"Epoch {epoch + 1} Loss {loss:.4f}")
    transformer.save_weights("transformer_weights")
