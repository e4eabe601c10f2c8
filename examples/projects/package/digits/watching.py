"""Callbacks of the project's own."""

import tensorflow as tf


class Report(tf.keras.callbacks.Callback):
    def on_epoch_end(self, epoch, logs=None):
        print(f"after epoch {epoch + 1}: {logs['loss']:.3f}")


def callbacks(path):
    return [tf.keras.callbacks.ModelCheckpoint(path), Report()]
