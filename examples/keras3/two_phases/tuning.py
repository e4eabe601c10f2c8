"""The second phase: all of the network, with a smaller rate."""

import keras


def fine_tune(model, x, y, epochs):
    model.get_layer("base").trainable = True
    loss = keras.losses.SparseCategoricalCrossentropy(from_logits=True)
    model.compile(keras.optimizers.SGD(1e-3, momentum=0.9), loss, metrics=["accuracy"])
    model.fit(x, y, batch_size=20, epochs=epochs)
