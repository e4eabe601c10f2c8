"""Named inputs, named outputs, two spaces of indentation and positional arguments."""
import numpy as np
import tensorflow as tf

tfk = tf.keras
tfkl = tf.keras.layers


def build(vocabulary, length):
  tokens = tfkl.Input([length], dtype=tf.int32, name="tokens")
  lengths = tfkl.Input([1], name="lengths")
  x = tfkl.Embedding(vocabulary, 8)(tokens)
  x = tfkl.GlobalAveragePooling1D()(x)
  x = tfkl.Concatenate()([x, lengths])
  return tfk.Model(
    {"tokens": tokens, "lengths": lengths},
    {
      "topic": tfkl.Dense(3, activation="softmax", name="topic")(x),
      "score": tfkl.Dense(1, name="score")(x),
    },
  )


def main():
  rng = np.random.default_rng(9)
  n = 333
  inputs = {
    "tokens": rng.integers(0, 50, size=(n, 7)).astype("int32"),
    "lengths": rng.uniform(size=(n, 1)).astype("float32"),
  }
  targets = {
    "topic": (inputs["tokens"].sum(axis=1) % 3).astype("int64"),
    "score": inputs["lengths"] * 2,
  }

  model = build(vocabulary=50, length=7)
  optimizer = tfk.optimizers.Nadam(5e-3 / 2)
  model.compile(
    optimizer,
    {"topic": "sparse_categorical_crossentropy", "score": "mse"},
    loss_weights={"topic": 1.0, "score": 0.5},
  )
  stop = tfk.callbacks.EarlyStopping("loss", patience=2)
  model.fit(inputs, targets, 37, 2, 2, [stop])

  # the names of the outputs come back as keys
  predicted = model.predict(inputs, 64)
  print({name: values.shape for name, values in predicted.items()})


if __name__ == "__main__":
  main()
