"""Gradients of an Nth of a batch on each worker, averaged, beside those of the whole batch.

Each form of a loss that `batch = "global"` refuses (L03), and the mean that it doesn't.
Prints, as JSON, how far the gradients are apart, for the length of those of the whole batch.
"""

from __future__ import annotations

import json
import sys

BATCH = 8
# `p`: predictions, `b`: labels, `a`: inputs.
FORMS = {
    "mean": "tf.reduce_mean(tf.square(p - b))",
    "weights": "keras(b, p, sample_weight=a[:, 0]) + 0.1 * tf.nn.l2_loss(model.weights[0])",
    "sum": "tf.reduce_sum(tf.square(p - b))",
    "sum of Keras": "added(b, p)",
    "divided by the batch": "tf.reduce_sum(tf.square(p - b)) / BATCH",
    "divided by its mask": "tf.reduce_sum(tf.square(p - b) * a[:, :1]) / tf.reduce_sum(a[:, :1])",
    "contrastive": "tf.reduce_mean(tf.exp(-tf.square(p - tf.transpose(p))))",
    "dice": "1 - 2 * tf.reduce_sum(p * b) / (tf.reduce_sum(p * p) + tf.reduce_sum(b * b))",
    "ranking": "tf.reduce_mean(tf.nn.relu(tf.reduce_max(p, axis=0) - p))",
    "semi-hard": (
        "tf.reduce_mean(tf.nn.relu(0.1 + tf.reduce_max(tf.square(p - tf.transpose(p)), axis=1)"
        " - tf.reduce_min(tf.square(p - tf.transpose(p) + tf.eye(tf.shape(p)[0])), axis=1)))"
    ),
    "a mean of its weights": "tf.reduce_sum(keras_each(b, p) * a[:, 0]) / tf.reduce_sum(a[:, 0])",
    "root": "tf.sqrt(tf.reduce_mean(tf.square(p - b)))",
    "softmax over rows": "tf.reduce_mean(tf.nn.softmax(p, axis=0) * b)",
}
RIGHT = ("mean",)
CAUTIOUS = ("weights",)  # right, and refused: what weights do hangs on the version of Keras
CLIPPED, MASKED = "clipped before the average", "masked by a layer"


def main() -> None:
    import horovod.tensorflow as hvd
    import numpy as np
    import tensorflow as tf

    hvd.init()
    rng = np.random.default_rng(5)
    inputs = np.abs(rng.normal(size=(BATCH, 3))).astype("float32")
    labels = rng.normal(size=(BATCH, 1)).astype("float32")
    words = np.array([[1, 2, 3], [1, 0, 0]] * (BATCH // 2)) + np.eye(BATCH, 3, dtype=int)
    model = tf.keras.Sequential([tf.keras.layers.Dense(1)])
    model.build((None, 3))
    model.set_weights([rng.normal(size=(3, 1)), np.zeros(1)])
    masked = tf.keras.Sequential(
        [tf.keras.layers.Embedding(9, 2, mask_zero=True), tf.keras.layers.Dense(1)]
    )
    masked.compile("sgd", "mse")
    masked(words)
    masked.set_weights([rng.normal(size=w.shape) for w in masked.weights])
    targets = rng.normal(size=(BATCH, 3, 1)).astype("float32")
    given = {
        "tf": tf,
        "model": model,
        "BATCH": BATCH,
        "keras": tf.keras.losses.MeanSquaredError(),
        "keras_each": tf.keras.losses.MeanSquaredError(reduction="none"),
        "added": tf.keras.losses.MeanSquaredError(reduction="sum"),
    }

    def gradients(net, loss):
        with tf.GradientTape() as tape:
            value = loss()
        return [tf.convert_to_tensor(g) for g in tape.gradient(value, net.trainable_variables)]

    def of(form, rows):
        a, b = inputs[rows], labels[rows]
        return gradients(model, lambda: eval(form, {**given, "a": a, "b": b, "p": model(a)}))

    def of_masked(rows):
        x, y = tf.constant(words[rows]), tf.constant(targets[rows])
        return gradients(masked, lambda: masked.compute_loss(x, y, masked(x)))

    def clipped(found):
        return tf.clip_by_global_norm(found, 0.5)[0]

    def apart(whole, own):
        flat = [tf.concat([tf.reshape(g, [-1]) for g in each], 0) for each in (whole, own)]
        mean = hvd.allreduce(flat[1])
        return float(tf.norm(mean - flat[0]) / tf.norm(flat[0]))

    every, own = slice(None), slice(hvd.rank(), None, hvd.size())
    found = {name: apart(of(form, every), of(form, own)) for name, form in FORMS.items()}
    mean = FORMS["mean"]
    found[CLIPPED] = apart(clipped(of(mean, every)), clipped(of(mean, own)))
    found[MASKED] = apart(of_masked(every), of_masked(own))
    if hvd.rank() == 0:
        with open(sys.argv[1], "w", encoding="utf-8") as file:
            json.dump(found, file)


if __name__ == "__main__":
    main()
