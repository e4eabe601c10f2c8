"""Trains, and leaves weights to `evaluate.py`."""

import tensorflow as tf

from shapes import create_model, training_set
from shapes.model import WEIGHTS

model = create_model()
model.compile(
    optimizer=tf.keras.optimizers.SGD(0.05, momentum=0.9),
    loss=tf.keras.losses.SparseCategoricalCrossentropy(from_logits=True),
)
model.fit(training_set(), epochs=2)
model.save_weights(WEIGHTS)
