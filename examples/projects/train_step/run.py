"""Train the autoencoder by `fit`, whose step stands in its base class."""

from tensorflow import keras

from autoencoder import Autoencoder
from inputs import noisy

FEATURES = 6


def main():
    x, y = noisy(160, FEATURES)
    model = Autoencoder(FEATURES, code=3, clip=0.5)
    model.compile(optimizer=keras.optimizers.RMSprop(learning_rate=2e-3))
    history = model.fit(x, y, batch_size=16, epochs=2)
    print("loss:", history.history["loss"][-1])
    model.save_weights("autoencoder.weights.h5")


if __name__ == "__main__":
    main()
