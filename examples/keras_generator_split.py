"""A generator feeds the dataset; the first part is for training, the rest for testing."""
import numpy as np
import tensorflow as tf
from tensorflow.keras.layers import Dense, Input
from tensorflow.keras.models import Model
from tensorflow.keras.optimizers.legacy import SGD

TRAIN = 400


def examples():
    rng = np.random.default_rng(21)
    for _ in range(TRAIN + 101):
        x = rng.normal(size=5)
        yield x, x[0] * x[1]


signature = (tf.TensorSpec([5], tf.float32), tf.TensorSpec([], tf.float32))
dataset = tf.data.Dataset.from_generator(examples, output_signature=signature)

train_data = dataset.take(TRAIN).cache().shuffle(TRAIN).batch(24)
test_data = dataset.skip(TRAIN).batch(24)

inputs = Input((5,))
outputs = Dense(1)(Dense(20, activation='relu')(inputs))
model = Model(inputs, outputs)
model.compile(SGD(lr=0.01, momentum=0.9, nesterov=True), 'mse')
model.fit(train_data, epochs=2, validation_data=test_data)

print('test loss:', model.evaluate(test_data))
for batch, _ in test_data.take(1):
    print(model.predict(batch, verbose=0)[:3])
