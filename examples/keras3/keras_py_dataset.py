"""A PyDataset that gives batches by number, and shuffles its examples after each epoch."""

import math

import keras
import numpy as np


class Waves(keras.utils.PyDataset):
    """Noisy sine waves, and which of two frequencies each of them has."""

    def __init__(self, signals, labels, batch_size, shuffle=True, **kwargs):
        super().__init__(**kwargs)
        self.signals, self.labels = signals, labels
        self.batch_size = batch_size
        self.shuffle = shuffle
        self.on_epoch_end()

    def __len__(self):
        return math.ceil(len(self.signals) / self.batch_size)

    def __getitem__(self, index):
        chosen = self.order[index * self.batch_size : (index + 1) * self.batch_size]
        return self.signals[chosen], self.labels[chosen]

    def on_epoch_end(self):
        self.order = np.arange(len(self.signals))
        if self.shuffle:
            np.random.shuffle(self.order)


rng = np.random.default_rng(5)
labels = rng.integers(0, 2, size=480)
times = np.linspace(0, 6, 32)
signals = np.sin(times * (1 + labels[:, None])) + rng.normal(scale=0.3, size=(480, 32))
signals = signals.astype("float32")[..., None]

train = Waves(signals[:400], labels[:400], batch_size=20, workers=2)
test = Waves(signals[400:], labels[400:], batch_size=20, shuffle=False)

model = keras.Sequential(
    [
        keras.Input((32, 1)),
        keras.layers.Conv1D(8, 5, activation="relu"),
        keras.layers.GlobalAveragePooling1D(),
        keras.layers.Dense(2),
    ]
)
model.compile(
    optimizer=keras.optimizers.Adam(1e-2),
    loss=keras.losses.SparseCategoricalCrossentropy(from_logits=True),
    metrics=["accuracy"],
)
model.fit(train, validation_data=test, epochs=2)
