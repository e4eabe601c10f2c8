"""The training step is made by a function that is given a model and an optimizer."""
import numpy as np
import tensorflow as tf
from tensorflow import keras


def make_train_step(model, optimizer, loss_fn):
    @tf.function
    def train_step(x, y):
        with tf.GradientTape() as tape:
            loss = loss_fn(y, model(x, training=True))
            if model.losses:
                loss += tf.add_n(model.losses)
        variables = model.trainable_variables
        grads = tape.gradient(loss, variables)
        grads, norm = tf.clip_by_global_norm(grads, 1.0)
        optimizer.apply_gradients(zip(grads, variables))
        return loss, norm

    return train_step


def train(model, optimizer, dataset, epochs):
    step = make_train_step(model, optimizer, keras.losses.Huber())
    for epoch in range(epochs):
        losses = []
        for x, y in dataset:
            loss, norm = step(x, y)
            losses.append(loss)
        tf.print("epoch", epoch, "loss", tf.reduce_mean(losses), "norm", norm)


def main():
    rng = np.random.default_rng(17)
    x = rng.normal(size=(411, 9)).astype("float32")
    y = np.abs(x[:, :1])

    options = tf.data.Options()
    options.deterministic = True
    dataset = tf.data.Dataset.from_tensor_slices((x, y))
    dataset = dataset.cache()
    dataset = dataset.shuffle(len(x), seed=1)
    dataset = dataset.batch(30, drop_remainder=True)
    dataset = dataset.with_options(options)

    model = keras.Sequential(
        [
            keras.layers.Dense(16, activation="relu", kernel_regularizer="l2"),
            keras.layers.Dense(1),
        ]
    )
    optimizer = keras.optimizers.Adam(learning_rate=0.005, beta_1=0.5)
    train(model, optimizer, dataset, epochs=2)


if __name__ == "__main__":
    main()
