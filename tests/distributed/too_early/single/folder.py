"""The texts are made where they are not there yet, and read from their folder."""

import os
import time

import tensorflow as tf

folder = "texts"
if not os.path.isdir(folder):
    os.makedirs(folder)
    for label in ("bad", "good"):
        os.makedirs(os.path.join(folder, label))
        for number in range(16):
            time.sleep(0.1)
            with open(os.path.join(folder, label, f"{number}.txt"), "w") as file:
                file.write(label * (number + 1))

data = tf.keras.utils.text_dataset_from_directory(folder, batch_size=4, shuffle=False)
lengths = data.map(
    lambda text, label: (tf.cast(tf.strings.length(text), "float32")[:, None], label)
)
model = tf.keras.Sequential([tf.keras.layers.Dense(1, input_shape=(1,))])
model.compile(tf.keras.optimizers.SGD(1e-5), loss="mse")
model.fit(lengths, epochs=2, verbose=0)
