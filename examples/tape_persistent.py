"""An encoder and a decoder learn from one persistent tape, each with its own optimizer."""
import numpy as np
import tensorflow as tf
from tensorflow.keras.layers import Dense
from tensorflow.keras.optimizers import SGD, Adam

data = np.random.default_rng(12).normal(size=(302, 12)).astype("float32")
batches = tf.data.Dataset.from_tensor_slices(data).batch(25)

encoder = tf.keras.Sequential([Dense(4, activation="tanh", input_shape=(12,))])
decoder = tf.keras.Sequential([Dense(12, input_shape=(4,))])
encoder_optimizer = Adam()
decoder_optimizer = SGD(0.1, momentum=0.5)


def step(batch):
    with tf.GradientTape(persistent=True) as tape:
        code = encoder(batch, training=True)
        restored = decoder(code, training=True)
        error = tf.reduce_mean(tf.square(restored - batch))
        sparsity = 0.01 * tf.reduce_mean(tf.abs(code))
        encoder_loss = error + sparsity
    encoder_grads = tape.gradient(encoder_loss, encoder.trainable_variables)
    decoder_grads = tape.gradient(error, decoder.trainable_variables)
    del tape

    encoder_optimizer.apply_gradients(zip(encoder_grads, encoder.trainable_variables))
    decoder_optimizer.apply_gradients(zip(decoder_grads, decoder.trainable_variables))
    return error


for epoch in range(3):
    for i, batch in enumerate(batches):
        error = step(batch)
        if i == 0: print(f"epoch {epoch} starts at {error:.3f}")
    print(f"epoch {epoch} ends at {error:.3f}"); print("-" * 20)
