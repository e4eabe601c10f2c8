"""A Sequential model that compile gets its optimizer for by name, on 1,001 examples."""

import keras
import numpy as np
from keras import layers

rng = np.random.default_rng(0)
x = rng.normal(size=(1001, 16)).astype("float32")
y = (x[:, :4].sum(axis=1) > 0).astype("int32")
x_test, y_test = x[:100], y[:100]

model = keras.Sequential(
    [
        keras.Input((16,)),
        layers.Dense(32, activation="relu"),
        layers.Dropout(0.2),
        layers.Dense(2),
    ]
)
model.compile(
    "adam",
    loss=keras.losses.SparseCategoricalCrossentropy(from_logits=True),
    metrics=["accuracy"],
)
model.summary()
model.fit(x, y, batch_size=50, epochs=2, validation_data=(x_test, y_test))
loss, accuracy = model.evaluate(x_test, y_test, verbose=0)
print(f"loss {loss:.3f}, accuracy {accuracy:.3f}")
model.save("keras_sequential.keras")
