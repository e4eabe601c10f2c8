"""Forms of training in eager code and functions, one after the other; each is an optimizer."""

import sys

import horovod.tensorflow.keras as hvd
import numpy as np
import tensorflow as tf

K = tf.keras
FORMS = sys.argv[1:]
hvd.init()
K.utils.set_random_seed(3)
x = np.random.rand(64, 4).astype("f4")
y = x.sum(1, keepdims=True)


def network():
    return K.Sequential([K.layers.Dense(3, input_shape=(4,)), K.layers.Dense(1)])


def fit(optimizer, batch_size=16, callbacks=(), **options):
    model = network()
    model.compile(optimizer, "mse", **options)
    start = hvd.callbacks.BroadcastGlobalVariablesCallback(0)
    model.fit(x, y, batch_size=batch_size, verbose=0, callbacks=[start, *callbacks])


def new():
    fit(hvd.DistributedOptimizer(K.optimizers.SGD(0.01)))


def legacy():
    decay = K.optimizers.schedules.ExponentialDecay(0.01, 1, 0.5)
    fit(hvd.DistributedOptimizer(K.optimizers.legacy.Adam(decay)))


def schedule():
    fit(
        hvd.DistributedOptimizer(
            K.optimizers.Adam(K.optimizers.schedules.ExponentialDecay(0.01, 1, 0.5))
        )
    )


def schedule_set_later():
    optimizer = hvd.DistributedOptimizer(K.optimizers.Adam(0.3))
    optimizer.learning_rate = K.optimizers.schedules.ExponentialDecay(0.01, 1, 0.5)
    fit(optimizer)


def compiled_by_xla():
    fit(K.optimizers.SGD(0.01), jit_compile=True)


def several_steps_a_call():
    fit(K.optimizers.SGD(0.01), batch_size=8, steps_per_execution=4)


def run_eagerly():
    fit(K.optimizers.SGD(0.01, momentum=0.9), run_eagerly=True)


def mixed_precision():
    K.mixed_precision.set_global_policy("mixed_float16")
    inner = hvd.DistributedOptimizer(K.optimizers.SGD(0.01))
    fit(K.mixed_precision.LossScaleOptimizer(inner, initial_scale=1024.0))
    K.mixed_precision.set_global_policy("float32")


def accumulated():
    fit(hvd.DistributedOptimizer(K.optimizers.SGD(0.01), backward_passes_per_step=2), batch_size=8)


def on_batches():
    model = network()
    model.compile(K.optimizers.RMSprop(0.01), "mse")
    for _ in range(4):
        model.train_on_batch(x[:8], y[:8])


def loop_in_a_function():
    model, optimizer = network(), K.optimizers.SGD(0.1)

    @tf.function
    def loop():
        for _ in tf.range(7):
            with tf.GradientTape() as tape:
                loss = tf.reduce_mean((model(x) - y) ** 2)
            gradients = tape.gradient(loss, model.trainable_variables)
            optimizer.apply_gradients(zip(gradients, model.trainable_variables))

    loop()


def in_turns():
    a, b = tf.Variable(1.0), tf.Variable(2.0)
    of_a, of_b = K.optimizers.SGD(0.1), K.optimizers.SGD(0.2)
    for _ in range(3):
        with tf.GradientTape() as tape:
            loss = (a - 1) ** 2
        of_a.apply_gradients([(tape.gradient(loss, a), a)])
        with tf.GradientTape() as tape:
            loss = (a * b - 1) ** 2
        of_b.apply_gradients([(tape.gradient(loss, b), b)])


def of_tf1():
    a = tf.Variable([1.0, 2.0])
    optimizer = tf.compat.v1.train.AdamOptimizer(0.1)
    for _ in range(3):
        with tf.GradientTape() as tape:
            loss = tf.reduce_sum((a - 1) ** 2)
        optimizer.apply_gradients([(tape.gradient(loss, a), a)])


def by_hand():
    a = tf.Variable(0.5)
    for _ in range(3):
        with tf.GradientTape() as tape:
            loss = (a - 2) ** 2
        a.assign_sub(0.1 * tape.gradient(loss, a))


def by_hand_in_a_function():
    w, b = tf.Variable([1.0, 2.0]), tf.Variable(0.0)

    @tf.function
    def step():
        with tf.GradientTape() as tape:
            loss = tf.reduce_sum((w - 1) ** 2) + b**2
        of_w, of_b = tape.gradient(loss, [w, b])
        w.assign_sub(0.1 * of_w)
        b.assign_sub(0.1 * of_b)

    for _ in range(5):
        step()


def made_in_a_function():
    class Square(tf.Module):
        w = None

        @tf.function
        def __call__(self):
            if self.w is None:
                self.w = tf.Variable(tf.ones([2, 2]), name="lifted")
            return tf.reduce_sum(self.w**2)

    square, optimizer = Square(), K.optimizers.SGD(0.1)
    for _ in range(3):
        with tf.GradientTape() as tape:
            loss = square()
        optimizer.apply_gradients([(tape.gradient(loss, square.w), square.w)])


def clipped_and_decayed_by_hand():
    w, optimizer = tf.Variable([1.0, 2.0]), K.optimizers.SGD(0.1)

    @tf.function
    def step():
        with tf.GradientTape() as tape:
            loss = tf.reduce_sum(w**2)
        gradient = tape.gradient(loss, w)
        w.assign_sub(0.01 * w)
        optimizer.apply_gradients([(gradient, w)])
        w.assign(tf.clip_by_value(w, -1.0, 1.0))

    for _ in range(3):
        step()


def starts():
    """Prints how far variables of all kinds start from where the program put them."""

    def away(variable, value):
        print(
            "AWAY",
            hvd.rank(),
            f"{float(np.mean(variable.numpy() - value)):.3f}",
            variable.dtype.name,
        )

    away(tf.Variable(np.zeros(2, "f8")), 0)
    away(tf.Variable([0.0, 0.0], shape=tf.TensorShape([None])), 0)
    away(tf.Variable(lambda: tf.zeros([2], tf.float16)), 0)
    away(tf.Variable(tf.zeros([2]), trainable=False), 0)
    away(tf.Variable([0, 0]), 0)
    away(tf.Variable(0.1), 0.1)
    first = tf.Variable([0.0, 1.0])
    away(tf.Variable(first), first.numpy())
    import copy

    away(copy.deepcopy(first), first.numpy())
    layer = K.layers.BatchNormalization()
    layer.build([None, 3])
    away(layer.gamma, 1)
    away(layer.moving_mean, 0)
    trained, beside, told = (tf.Variable([0.0, 0.0]) for _ in range(3))
    told.assign([0.0, 0.0])
    with tf.GradientTape() as tape:
        loss = tf.reduce_sum(trained + told)
    tape.gradient(loss, [trained, told])
    away(trained, 0)
    away(beside, 0)
    away(told, 0)


for form in FORMS:
    print("FORM", form, flush=True)
    globals()[form]()
