"""One optimizer for `fit` and for a tape: what A11 and A12 choose between."""

from __future__ import annotations

FIT = "model.fit(x, y)  # quick\n"
LOOP = """\
def step():
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean((model(x) - y) ** 2)
    gradients = tape.gradient(loss, model.trainable_variables)
    optimizer.apply_gradients(zip(gradients, model.trainable_variables))


for _ in range(9):
    step()
"""
BEFORE = f"""\
import tensorflow as tf

x, y = tf.ones((8, 4)), tf.ones((8, 1))
model = tf.keras.Sequential([tf.keras.layers.Dense(1)])
optimizer = tf.keras.optimizers.SGD(0.1)
model.compile(optimizer, "mse")
{FIT}

{LOOP}model.save("model.keras")
"""
NEEDED = (  # what one of them gives is needed
    "import tensorflow as tf\n\nx, y = tf.ones((8, 4)), tf.ones((8, 1))\n"
    "model = tf.keras.Sequential([tf.keras.layers.Dense(1)])\n"
    "optimizer = tf.keras.optimizers.SGD(0.1)\n"
    'model.compile(optimizer, "mse")\nhistory = model.fit(x, y)\nrate = history.epoch\n'
    "with tf.GradientTape() as tape:\n"
    "    loss = tf.reduce_mean((model(x) - y) ** 2)\n"
    "gradients = tape.gradient(loss, model.trainable_variables)\n"
    "done = optimizer.apply_gradients(zip(gradients, model.trainable_variables))\n"
    "print(done)\n"
)
