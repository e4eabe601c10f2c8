# Two inputs, one output: the price of a flat from its size and its street.
import argparse

import numpy
from tensorflow import keras
from tensorflow.keras import layers


def make_data(n):
    rng = numpy.random.RandomState(7)
    rooms = rng.normal(size=(n, 5)).astype('float32')
    street = rng.normal(size=(n, 3)).astype('float32')
    price = rooms.sum(axis=1) + street[:, 0] * street[:, 1]
    weight = rng.uniform(0.5, 1.5, size=n).astype('float32')
    return rooms, street, price, weight


def build_model():
    rooms = keras.Input(shape=(5,), name='rooms')
    street = keras.Input(shape=(3,), name='street')
    joined = layers.concatenate([rooms, street])
    hidden = layers.Dense(16, activation='tanh')(joined)
    hidden = layers.BatchNormalization()(hidden)
    return keras.Model(inputs=[rooms, street], outputs=layers.Dense(1)(hidden))


def main():
    parser = argparse.ArgumentParser(description='Train on two inputs.')
    parser.add_argument('--epochs', type=int, default=2)
    parser.add_argument('--batch-size', type=int, default=50)
    args = parser.parse_args()

    rooms, street, price, weight = make_data(1001)

    model = build_model()
    model.compile(optimizer='sgd', loss='mse', weighted_metrics=['mae'])
    history = model.fit(
        [rooms, street],
        price,
        sample_weight=weight,
        batch_size=args.batch_size,
        epochs=args.epochs,
        validation_split=0.2,
        verbose=2,  # one line per epoch
    )
    print('losses:', [round(float(v), 3) for v in history.history['loss']])
    print('validation:', [round(float(v), 3) for v in history.history['val_loss']])


if __name__ == '__main__':
    main()
