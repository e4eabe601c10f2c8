"""Every way in which 24 examples reach 3 training steps, each begun by writing `<form>.mark`.

Prints a hash of all that was trained, so that a run with the probe can be compared with one
without. Each form trains on the same examples; those of validation are others.
"""

import hashlib
from pathlib import Path

import numpy as np
import tensorflow as tf

tf.keras.utils.set_random_seed(1)
random = np.random.RandomState(0)
X, Y = random.rand(24, 5).astype("float32"), random.rand(24, 1).astype("float32")
OTHER = random.rand(24, 5).astype("float32")
STARTS = (0, 8, 16)
BATCHES = [slice(start, start + 8) for start in STARTS]

dataset = tf.data.Dataset.from_tensor_slices((X, Y))
batches = dataset.batch(8)
other = tf.data.Dataset.from_tensor_slices((OTHER, Y)).batch(8)


def begin(form):
    Path(f"{form}.mark").write_text(form)


def dense():
    layers = [tf.keras.layers.Dense(4, input_shape=(5,)), tf.keras.layers.Dropout(0.5)]
    return tf.keras.Sequential([*layers, tf.keras.layers.Dense(1)])


def compiled(**options):
    fresh = dense()
    fresh.compile(tf.keras.optimizers.SGD(0.01), "mse", **options)
    return fresh


models = []


def fit(form, *args, options=None, **kwargs):
    begin(form)
    models.append(compiled(**(options or {})))
    models[-1].fit(*args, verbose=0, **kwargs)


held_out = {"batch_size": 8, "validation_data": (OTHER, Y)}
fit("fit_arrays", X, Y, **held_out)
fit("fit_dataset", batches, validation_data=other)
fit("fit_three_steps_at_once", X, Y, options={"steps_per_execution": 3}, batch_size=8)
fit("fit_eagerly", X, Y, options={"run_eagerly": True}, **held_out)
fit("fit_with_xla", X, Y, options={"jit_compile": True}, **held_out)


def generate():
    for batch in BATCHES:
        yield X[batch], Y[batch]


class Sequence(tf.keras.utils.Sequence):
    def __len__(self):
        return 3

    def __getitem__(self, index):
        return X[BATCHES[index]], Y[BATCHES[index]]


fit("fit_generator", generate())
fit("fit_sequence", Sequence(), shuffle=False)
begin("fit_dictionary")
inputs = tf.keras.Input((5,), name="features")
models.append(tf.keras.Model({"features": inputs}, tf.keras.layers.Dense(1)(inputs)))
models[-1].compile("sgd", "mse")
models[-1].fit({"features": X}, Y, batch_size=8, verbose=0)


class Pair(tf.keras.Model):
    def __init__(self):
        super().__init__()
        self.dense = tf.keras.layers.Dense(1)

    def train_step(self, data):
        (x, y), (unlabeled, _) = data
        with tf.GradientTape() as tape:
            loss = tf.reduce_mean((self.dense(x) - y) ** 2)
            loss += tf.reduce_mean(self.dense(unlabeled) ** 2)
        gradients = tape.gradient(loss, self.trainable_variables)
        self.optimizer.apply_gradients(zip(gradients, self.trainable_variables))
        return {"loss": loss}


begin("fit_two_batches")
models.append(Pair())
models[-1].compile("sgd")
models[-1].fit(tf.data.Dataset.zip((batches, other.unbatch().batch(4))), verbose=0)
begin("fit_mixed_precision")
tf.keras.mixed_precision.set_global_policy("mixed_float16")
models.append(compiled())
models[-1].fit(X, Y, batch_size=8, verbose=0)
tf.keras.mixed_precision.set_global_policy("float32")
begin("train_on_batch")
models.append(compiled())
for batch in BATCHES:
    models[-1].train_on_batch(X[batch], Y[batch])

model = dense()
models.append(model)
optimizer = tf.keras.optimizers.Adam(0.01)


def step(x, y):
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean((model(x, training=True) - y) ** 2)
    gradients = tape.gradient(loss, model.trainable_variables)
    optimizer.apply_gradients(zip(gradients, model.trainable_variables))
    return loss


begin("eager_dataset")
for x, _ in other:
    model(x)
endless = iter(other.repeat())
for x, y in batches:
    model(next(endless)[0])
    step(x, y)
begin("eager_slices")
for batch in BATCHES:
    model(OTHER)
    step(X[batch], Y[batch])
compiled_step = tf.function(step)
begin("function_dataset")
for x, y in batches:
    compiled_step(x, y)
begin("function_slices")
for batch in BATCHES:
    compiled_step(tf.constant(X[batch]), tf.constant(Y[batch]))
begin("xla_slices")
xla_step = tf.function(step, jit_compile=True)
for batch in BATCHES:
    xla_step(tf.constant(X[batch]), tf.constant(Y[batch]))


@tf.function
def all_of(data):
    for x, y in data:
        step(x, y)


@tf.function
def next_of(iterator):
    for _ in tf.range(3):
        x, y = next(iterator)
        step(x, y)


@tf.function
def slices_of(x, y):
    def train():
        for start in tf.range(0, 24, 8):
            step(x[start : start + 8], y[start : start + 8])

    train()


captured = tf.constant(X), tf.constant(Y)


@tf.function
def slices_of_captured():
    for start in tf.range(0, 24, 8):
        step(captured[0][start : start + 8], captured[1][start : start + 8])


begin("loop_dataset")
all_of(batches)
begin("loop_iterator")
next_of(iter(batches))
begin("loop_arrays")
slices_of(tf.constant(X), tf.constant(Y))
begin("loop_captured")
slices_of_captured()

weights = tf.Variable(tf.zeros([5, 1]))
sgd = tf.keras.optimizers.SGD(0.01)
begin("examples_one_by_one")
for x, y in dataset:
    with tf.GradientTape() as tape:
        loss = tf.reduce_sum((x[None] @ weights - y) ** 2)
    sgd.apply_gradients([(tape.gradient(loss, weights), weights)])
texts = np.array([f"text {number}" for number in range(24)])
begin("strings")
for _, x, y in tf.data.Dataset.from_tensor_slices((texts, X, Y)).batch(8):
    step(x, y)
ragged = tf.ragged.range(tf.range(1, 25))
begin("ragged")
for _, x, y in tf.data.Dataset.from_tensor_slices((ragged, X, Y)).batch(8):
    step(x, y)
sparse = tf.sparse.from_dense(np.eye(24, dtype="float32"))
begin("sparse")
for _, x, y in tf.data.Dataset.from_tensor_slices((sparse, X, Y)).batch(8):
    step(x, y)
begin("none")  # looking is no training
for x, _ in other:
    model(x, training=True)
model.predict(OTHER, verbose=0)

begin("saved")
exported = tf.Module()
exported.model = model
exported.optimizer = optimizer
exported.step = slices_of_captured
tf.saved_model.save(exported, "exported")
tf.train.Checkpoint(model=model, optimizer=optimizer).write("checkpoint")
model.save("model.keras")
names = [name for name, _ in tf.train.list_variables("checkpoint")]
for path in Path("exported").rglob("*"):
    names += [str(path)] * (path.is_file() and b"distify" in path.read_bytes())
print("TOLD saved", [name for name in names if "distify" in name or "exported" in name])
values = [weights, *(value for each in models for value in each.get_weights())]
digest = hashlib.sha256(b"".join(np.asarray(value).tobytes() for value in values))
print("TOLD trained", digest.hexdigest())
print("TOLD random", tf.random.normal([2]).numpy(), np.random.rand())
