"""A program inside a package: `python -m digits.train`."""

import tensorflow as tf

from . import settings as cfg
from .data import images
from .models import classifier
from .watching import callbacks


def main():
    model = classifier()
    model.compile(
        optimizer=tf.keras.optimizers.Adam(cfg.RATE),
        loss=tf.keras.losses.SparseCategoricalCrossentropy(from_logits=True),
        metrics=["accuracy"],
    )
    model.fit(images(), epochs=cfg.EPOCHS, callbacks=callbacks("digits.keras"))


if __name__ == "__main__":
    main()
