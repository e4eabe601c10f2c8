"""One model in each form that trains TF 1 graphs; prints all that a probe could change."""

import os
import sys

import horovod.tensorflow as hvd
import numpy as np
import tensorflow as tf

v1 = tf.compat.v1
FORM, FOLDER, STEPS = sys.argv[1], sys.argv[2], 12
hvd.init()
random = np.random.RandomState(hvd.rank())


def told(values):
    """Bits, names, and the draws that follow: none may depend on who is watching."""
    if hvd.rank() == 0:
        print("TOLD", *(np.asarray(value).tobytes().hex() for value in values), flush=True)


def network(features, labels, training=True):
    first = v1.get_variable("first", [3, 4])
    second = v1.get_variable("second", [4, 1])
    hidden = tf.nn.relu(features @ first)
    hidden = tf.nn.dropout(hidden, 0.5) if training else hidden
    return tf.reduce_mean((hidden @ second - labels) ** 2)


def training(loss, **options):
    step = v1.train.get_or_create_global_step()
    rate = v1.train.exponential_decay(0.01 * hvd.size(), step, 5, 0.9)
    optimizer = hvd.DistributedOptimizer(v1.train.AdamOptimizer(rate), **options)
    return optimizer.minimize(loss, global_step=step)


def batch():
    return random.rand(8, 3).astype("float32"), random.rand(8, 1).astype("float32")


def placeholders():
    return v1.placeholder(tf.float32, [None, 3]), v1.placeholder(tf.float32, [None, 1])


class Broadcast(v1.train.SessionRunHook):
    """Horovod's own hook is there only where TensorFlow has Estimators (up to 2.15)."""

    def begin(self):
        self.operation = hvd.broadcast_global_variables(0)

    def after_create_session(self, session, coord):
        session.run(self.operation)


def broadcast():
    return getattr(hvd, "BroadcastGlobalVariablesHook", lambda root: Broadcast())(0)


def session():
    v1.disable_v2_behavior()
    v1.set_random_seed(1)
    x, y = placeholders()
    loss = network(x, y)
    train = training(loss)
    start = v1.global_variables_initializer()
    with v1.Session() as running:
        running.run(start)
        running.run(hvd.broadcast_global_variables(0))
        for number in range(STEPS):
            running.run([train, loss] if number % 3 else train, dict(zip((x, y), batch())))
        late = tf.random.uniform([2])  # its seed comes from the number of operations before it
        told(running.run([*v1.trainable_variables(), late]))


def pruned_loss():
    """The gradient needs neither the noise nor the offset of the loss: neither is computed."""
    v1.disable_v2_behavior()
    v1.set_random_seed(1)
    x, y = placeholders()
    noise, offset = tf.random.uniform([]), v1.placeholder(tf.float32, [])
    train = training(network(x, y) + noise + offset)
    start = v1.global_variables_initializer()
    with v1.Session() as running:
        running.run(start)
        running.run(hvd.broadcast_global_variables(0))
        for _ in range(STEPS):
            running.run(train, dict(zip((x, y), batch())))
        told(running.run([*v1.trainable_variables(), noise]))  # the first draw, not the 13th


def callable_of_session():
    v1.disable_v2_behavior()
    v1.set_random_seed(1)
    x, y = placeholders()
    train = training(network(x, y), backward_passes_per_step=2)
    start = [v1.global_variables_initializer(), v1.local_variables_initializer()]
    with v1.Session() as running:
        running.run(start)
        running.run(hvd.broadcast_global_variables(0))
        call = running.make_callable(train, [x, y])
        for _ in range(STEPS):
            call(*batch())
        told(running.run(v1.trainable_variables()))


def monitored():
    v1.disable_eager_execution()
    v1.set_random_seed(1)
    x, y = placeholders()
    loss = network(x, y)
    train = training(loss)
    v1.summary.scalar("loss", loss)
    hooks = [v1.train.StopAtStepHook(last_step=STEPS), broadcast()]
    hooks.append(v1.train.NanTensorHook(loss))
    folder = FOLDER if hvd.rank() == 0 else None
    arguments = {"save_checkpoint_steps": 4, "save_summaries_steps": 3}
    with v1.train.MonitoredTrainingSession(
        checkpoint_dir=folder, hooks=hooks, **arguments
    ) as running:
        while not running.should_stop():
            running.run(train, dict(zip((x, y), batch())))
    if folder:
        saved = tf.train.load_checkpoint(folder)
        names = sorted(saved.get_variable_to_shape_map())
        files = sorted(name for name in os.listdir(folder) if not name.startswith("events"))
        told([str(names), str(files), *map(saved.get_tensor, names)])


def estimator():
    def model(features, labels, mode):
        loss = network(features, labels, mode == "train")
        train = training(loss) if mode == "train" else None
        return tf.estimator.EstimatorSpec(mode, loss=loss, train_op=train)

    def batches():
        data = [np.concatenate(each) for each in zip(*(batch() for _ in range(4)))]
        return tf.data.Dataset.from_tensor_slices(tuple(data)).shuffle(32, 3).repeat(3).batch(8)

    config = tf.estimator.RunConfig(FOLDER if hvd.rank() == 0 else None, tf_random_seed=5)
    trained = tf.estimator.Estimator(model, config=config)
    for _ in range(2):
        trained.train(batches, steps=STEPS // 2, hooks=[broadcast()])
    if hvd.rank() == 0:
        told([trained.evaluate(batches, steps=1)["loss"]])
        told(map(trained.get_variable_value, sorted(trained.get_variable_names())))


def keras():
    v1.disable_eager_execution()
    tf.keras.utils.set_random_seed(1)  # Keras draws the seeds of its layers from Python's
    layers = tf.keras.layers
    model = tf.keras.Sequential([layers.Dense(4, activation="relu", input_shape=(3,))])
    for layer in (layers.BatchNormalization(), layers.Dropout(0.5), layers.Dense(1)):
        model.add(layer)
    import horovod.tensorflow.keras as hvd_keras

    sgd = tf.keras.optimizers.legacy.SGD(0.01 * hvd.size(), momentum=0.9)
    model.compile(hvd_keras.DistributedOptimizer(sgd), "mse")
    model._make_train_function()
    running = v1.keras.backend.get_session()
    running.run(hvd.broadcast_global_variables(0))  # Horovod's callback fails in graph mode
    x, y = (np.concatenate(each) for each in zip(*(batch() for _ in range(STEPS))))
    callbacks = [tf.keras.callbacks.TerminateOnNaN()]
    model.fit(x, y, batch_size=8, shuffle=False, verbose=0, callbacks=callbacks)
    model.evaluate(x, y, verbose=0)
    told(model.get_weights())


globals()[FORM]()
