"""Forecast a noisy seasonal series from sliding windows (LSTM against a naive baseline)."""
import os
os.environ['TF_CPP_MIN_LOG_LEVEL'] = '2'

import numpy as np
import tensorflow as tf

# constants
SPLIT_TIME = 900
WINDOW_SIZE = 24
BATCH_SIZE = 32
SHUFFLE_BUFFER = 1000
EPOCHS = 3

tf.random.set_seed(51)
np.random.seed(51)


def trend(time, slope=0.0):
    return slope * time

def seasonal_pattern(season_time):
    """Just an arbitrary pattern, you can change it if you wish"""
    return np.where(season_time < 0.4,
                    np.cos(season_time * 2 * np.pi),
                    1 / np.exp(3 * season_time))

def seasonality(time, period, amplitude=1, phase=0):
    season_time = ((time + phase) % period) / period
    return amplitude * seasonal_pattern(season_time)

def noise(time, noise_level=1, seed=None):
    rnd = np.random.RandomState(seed)
    return rnd.randn(len(time)) * noise_level


time = np.arange(1200, dtype='float32')
series = 10 + trend(time, 0.01)
series += seasonality(time, period=48, amplitude=8)
series += noise(time, noise_level=1, seed=42)
series = series.astype('float32')

x_train, x_valid = series[:SPLIT_TIME], series[SPLIT_TIME:]
time_valid = time[SPLIT_TIME:]

# normalize with what is known of the past only
mean, std = x_train.mean(), x_train.std()
x_train = (x_train - mean) / std
x_valid = (x_valid - mean) / std


def windowed_dataset(series, window_size, batch_size, shuffle_buffer=None):
    """Windows of `window_size` values, labelled with the value that follows."""
    ds = tf.data.Dataset.from_tensor_slices(series)
    ds = ds.window(window_size + 1, shift=1, drop_remainder=True)
    ds = ds.flat_map(lambda w: w.batch(window_size + 1))
    if shuffle_buffer:
        ds = ds.shuffle(shuffle_buffer)
    ds = ds.map(lambda w: (w[:-1], w[-1:]))
    return ds.batch(batch_size).prefetch(1)


train_set = windowed_dataset(x_train, WINDOW_SIZE, BATCH_SIZE, SHUFFLE_BUFFER)
valid_set = windowed_dataset(x_valid, WINDOW_SIZE, BATCH_SIZE)

for window, label in train_set.take(1):
    print('one batch:', window.shape, label.shape)

model = tf.keras.models.Sequential([
    tf.keras.layers.Lambda(lambda x: tf.expand_dims(x, axis=-1), input_shape=[WINDOW_SIZE]),
    tf.keras.layers.Conv1D(filters=8, kernel_size=5, strides=1, padding='causal', activation='relu'),
    tf.keras.layers.LSTM(16),
    tf.keras.layers.Dense(1),
])

# the rate falls by a tenth with every epoch
lr_schedule = tf.keras.callbacks.LearningRateScheduler(lambda epoch: 1e-2 * 0.9 ** epoch)

optimizer = tf.keras.optimizers.SGD(learning_rate=1e-2, momentum=0.9)
model.compile(loss=tf.keras.losses.Huber(),
              optimizer=optimizer,
              metrics=['mae'])

history = model.fit(train_set,
                    epochs=EPOCHS,
                    validation_data=valid_set,
                    callbacks=[lr_schedule],
                    verbose=2)


def model_forecast(model, series, window_size):
    ds = tf.data.Dataset.from_tensor_slices(series)
    ds = ds.window(window_size, shift=1, drop_remainder=True)
    ds = ds.flat_map(lambda w: w.batch(window_size))
    ds = ds.batch(32).prefetch(1)
    return model.predict(ds, verbose=0)


forecast = model_forecast(model, x_valid, WINDOW_SIZE)[:-1, 0]
actual = x_valid[WINDOW_SIZE:]
naive = x_valid[WINDOW_SIZE - 1:-1]

print('MAE of the model: ', np.mean(np.abs(forecast - actual)) * std)
print('MAE of yesterday: ', np.mean(np.abs(naive - actual)) * std)
model.save('forecast.keras')
