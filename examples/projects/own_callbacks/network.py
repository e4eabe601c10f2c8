from tensorflow import keras

from schedules import WarmUp


def build(width, rate):
    model = keras.Sequential(
        [keras.Input((5,)), keras.layers.Dense(width, "relu"), keras.layers.Dense(1)]
    )
    schedule = WarmUp(rate, steps=40.0)
    model.compile(optimizer=keras.optimizers.Adam(schedule), loss="mse", metrics=["mae"])
    return model
