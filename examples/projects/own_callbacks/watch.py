"""What looks on while the model trains."""

import csv
import time

from tensorflow.keras.callbacks import Callback, EarlyStopping, ModelCheckpoint


class Stopwatch(Callback):
    """Tells how long each epoch took."""

    def on_epoch_begin(self, epoch, logs=None):
        self.begun = time.perf_counter()

    def on_epoch_end(self, epoch, logs=None):
        print(f"epoch {epoch} took {time.perf_counter() - self.begun:.1f} s")


class Diary(Callback):
    """Writes the loss of each epoch into a table."""

    def __init__(self, path):
        super().__init__()
        self.path = path

    def on_epoch_end(self, epoch, logs=None):
        with open(self.path, "a", newline="") as table:
            csv.writer(table).writerow([epoch, logs["loss"]])


def make_callbacks(name):
    return [
        Stopwatch(),
        Diary(name + ".csv"),
        EarlyStopping(monitor="val_loss", patience=2),
        ModelCheckpoint(name + ".keras", save_best_only=True),  # the best by val_loss
    ]
