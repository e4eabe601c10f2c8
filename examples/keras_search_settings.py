"""A small grid search: `fit` in a loop over settings, the best ones are trained again at the end."""

import itertools
import json
import time

import numpy as np
import tensorflow as tf

GRID = {
    "units": [8, 16],
    "learning_rate": [1e-2],
    "optimizer": ["adam", "sgd"],
}
SEARCH_EPOCHS = 2
FINAL_EPOCHS = 3
BATCH_SIZE = 32


def get_data():
    rng = np.random.default_rng(13)
    x = rng.uniform(-1, 1, size=(640, 6)).astype(np.float32)
    y = (np.sin(3 * x[:, 0]) + x[:, 1] * x[:, 2] + 0.05 * rng.normal(size=640)).astype(np.float32)
    return (x[:512], y[:512]), (x[512:], y[512:])


def make_optimizer(name, learning_rate):
    if name == "adam":
        return tf.keras.optimizers.Adam(learning_rate=learning_rate)
    elif name == "sgd":
        return tf.keras.optimizers.SGD(learning_rate=learning_rate, momentum=0.9)
    raise ValueError(f"unknown optimizer {name}")


def make_model(units):
    return tf.keras.Sequential(
        [
            tf.keras.layers.Dense(units, activation="tanh", input_shape=(6,)),
            tf.keras.layers.Dense(units, activation="tanh"),
            tf.keras.layers.Dense(1),
        ]
    )


def train(params, train_data, val_data, epochs, verbose=0):
    """Train one model; returns it and its best validation loss."""
    tf.keras.backend.clear_session()
    model = make_model(params["units"])
    model.compile(
        optimizer=make_optimizer(params["optimizer"], params["learning_rate"]),
        loss="mse",
    )
    history = model.fit(
        *train_data,
        batch_size=BATCH_SIZE,
        epochs=epochs,
        validation_data=val_data,
        verbose=verbose,
    )
    return model, min(history.history["val_loss"])


def main():
    train_data, val_data = get_data()
    results = []

    keys = list(GRID)
    for values in itertools.product(*GRID.values()):
        params = dict(zip(keys, values))
        t0 = time.time()
        _, score = train(params, train_data, val_data, SEARCH_EPOCHS)
        print(f"{params}  val_loss={score:.4f}  ({time.time() - t0:.1f} s)")
        results.append((score, params))

    results.sort(key=lambda r: r[0])
    best_score, best_params = results[0]
    print("\nBest settings:", best_params, "with", round(best_score, 4))

    model, score = train(best_params, train_data, val_data, FINAL_EPOCHS, verbose=2)
    model.save("best_model.h5")
    with open("search.json", "w") as f:
        json.dump([{"score": s, **p} for s, p in results], f, indent=2)
    print("Final val_loss:", score)


if __name__ == "__main__":
    main()
