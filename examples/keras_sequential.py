"""Classify points by which of four rings they lie in, with a Sequential model."""

import numpy as np
import tensorflow as tf

EXAMPLES = 1001  # an odd number on purpose: data seldom comes in round ones
CLASSES = 4
BATCH_SIZE = 32


def load_data(n=EXAMPLES, seed=0):
    rng = np.random.default_rng(seed)
    x = rng.normal(size=(n, 6)).astype("float32")
    radius = np.sqrt((x**2).sum(axis=1))
    y = np.digitize(radius, [1.8, 2.3, 2.8])
    return x, y


x_train, y_train = load_data()
x_test, y_test = load_data(n=200, seed=1)

model = tf.keras.Sequential(
    [
        tf.keras.layers.Dense(32, activation="relu", input_shape=(6,)),
        tf.keras.layers.Dropout(0.1),
        tf.keras.layers.Dense(CLASSES),
    ]
)
model.summary()

# Adam's defaults are good enough here.
model.compile(
    "adam",
    loss=tf.keras.losses.SparseCategoricalCrossentropy(from_logits=True),
    metrics=["accuracy"],
)
model.fit(x_train, y_train, batch_size=BATCH_SIZE, epochs=3)

loss, accuracy = model.evaluate(x_test, y_test, verbose=2)
print(f"test loss {loss:.3f}, accuracy {accuracy:.3f}")

probabilities = tf.nn.softmax(model.predict(x_test[:5]))
print("first classes:", np.argmax(probabilities, axis=1), "expected", y_test[:5])

model.save("sequential.keras")
