"""What is written for Keras 3, and where nothing of it is."""

from __future__ import annotations

import pytest

from distify.codemods.facts import Facts
from distify.codemods.facts.keras_version import is_keras_3
from distify.codemods.migrate import migrate
from distify.codemods.model import ALREADY_HOROVOD, Migration, Options

KERAS_3 = Options(tensorflow=(2, 20))
HEAD = "import numpy as np\nimport tensorflow as tf\nfrom tensorflow import keras\n\n"
DATA = 'x = np.ones((64, 4), "float32")\n'
MODEL = "model = keras.Sequential([keras.layers.Dense(1)])\n"
FIT = "model.fit(x, x[:, :1])\n"
SGD = 'model.compile(keras.optimizers.SGD(0.1), loss="mse")\n'
STEP = """\
optimizer = keras.optimizers.SGD(0.1)
for batch in tf.data.Dataset.from_tensor_slices(x).batch(8):
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean(model(batch) ** 2)
    gradients = tape.gradient(loss, model.trainable_variables)
    optimizer.apply_gradients(zip(gradients, model.trainable_variables))
"""


APPLIED = "optimizer.apply_gradients(zip(gradients, model.trainable_variables))"


def written(text: str, options: Options = KERAS_3) -> str:
    found = migrate(HEAD + DATA + MODEL + text, options)
    assert found.blocked == ()
    return found.after


def codes(found: Migration) -> list[str]:
    return [finding.code for finding in found.blocked]


@pytest.mark.parametrize(
    ("text", "options"),
    [
        (HEAD, Options(tensorflow=(2, 15))),
        ("import keras\n", Options()),
        (HEAD, KERAS_3._replace(keras="legacy")),
        ('import os\nos.environ["TF_USE_LEGACY_KERAS"] = "1"\n' + HEAD, KERAS_3),
        ("import tf_keras as keras\n", KERAS_3),
        (HEAD + "with tf.compat.v1.Session() as session:\n    session.run(train)\n", KERAS_3),
    ],
)
def test_keras_2_stays_what_it_is(text: str, options: Options) -> None:
    assert not is_keras_3(Facts.of(text, options))


@pytest.mark.parametrize("text", [HEAD, "import keras\n", "from keras import layers\n"])
def test_from_2_16_on_it_is_keras_3(text: str) -> None:
    assert is_keras_3(Facts.of(text, Options(tensorflow=(2, 16))))


def test_what_trains_nothing_stays_as_it_is() -> None:
    text = HEAD + DATA + MODEL + "print(model.predict(x))\n"
    assert migrate(text, KERAS_3).after == text


def test_a_compiled_model_averages_and_its_optimizer_stays_plain() -> None:
    after = written(SGD + FIT)
    assert "def average_gradients(model):" in after
    compiled = after.index("model.compile(keras.optimizers.SGD(0.1 * hvd.size())")
    assert compiled < after.index("\naverage_gradients(model)\n") < after.index("model.fit(")
    assert "callbacks=[BroadcastState(), AverageMetrics()]" in after
    for published in ("DistributedOptimizer", "hvd.callbacks", "horovod.tensorflow.keras"):
        assert published not in after


@pytest.mark.parametrize("given", ['"adam"', "optimizer='adam'", "'Adam'"])
def test_a_string_becomes_its_class_with_its_rate(given: str) -> None:
    after = written(f'model.compile({given}, loss="mse")\n{FIT}')
    assert "keras.optimizers.Adam(learning_rate=0.001 * hvd.size())" in after


def test_defaults_of_keras_3_are_its_own() -> None:
    text = f'model.compile(keras.optimizers.Lion(), loss="mse")\n{FIT}'
    assert "Lion(learning_rate=0.001 * hvd.size())" in written(text)
    assert "Lion(learning_rate=0.0001 * hvd.size())" in written(text, Options())


def test_each_compile_is_followed_by_its_own_average_and_the_function_stands_once() -> None:
    after = written(SGD + FIT + SGD + FIT)
    assert after.count("\naverage_gradients(model)\n") == 2
    assert after.count("def average_gradients") == after.count("class BroadcastState") == 1


def test_names_that_are_taken_get_others() -> None:
    after = written("average_gradients = AverageMetrics = None\n" + SGD + FIT)
    assert "\naverage_gradients_1(model)\n" in after
    assert "class AverageMetrics_1(keras.callbacks.Callback):" in after


def test_each_gradient_of_a_tape_is_averaged_and_variables_are_broadcast_by_their_values() -> None:
    after = written(STEP)
    line = "gradients = [None if g is None else hvd.allreduce(g) for g in gradients]"
    assert f"    {line}\n" in after
    for owner in ("model.weights", "optimizer.variables"):
        assert f"hvd.broadcast_variables([v.value for v in {owner}], root_rank=0)" in after
    assert "DistributedGradientTape" not in after


def test_variables_of_tensorflow_itself_are_broadcast_as_they_are() -> None:
    text = STEP.replace("model.trainable_variables", "[w]").replace("model(batch)", "(batch * w)")
    after = written("w = tf.Variable(1.0)\n" + text)
    assert "[v if isinstance(v, tf.Variable) else v.value for v in [w]]" in after


NESTED = {
    "lists in a list": "[model.trainable_variables, [w]]",
    "a dictionary": "{'a': model.trainable_variables, 'b': [w]}",
}


@pytest.mark.parametrize("given", NESTED)
def test_gradients_of_nested_variables_are_averaged_one_by_one(given: str) -> None:
    one = "each" if given == "a dictionary" else "gradients"
    text = STEP.replace("loss, model.trainable_variables", f"loss, {NESTED[given]}").replace(
        "zip(gradients, ", "zip(gradients['a'], " if one == "each" else "zip(gradients[0], "
    )
    after = written("w = tf.Variable(1.0)\n" + text)
    assert (
        "    gradients = tf.nest.map_structure(\n"
        "        lambda g: None if g is None else hvd.allreduce(g), gradients\n"
        "    )\n"
    ) in after
    assert migrate(after, KERAS_3).skipped == ALREADY_HOROVOD
    assert "G01" in codes(migrate(HEAD + DATA + MODEL + "w = tf.Variable(1.0)\n" + text, Options()))


def test_nested_gradients_in_an_expression_are_averaged_there() -> None:
    text = STEP.replace("    gradients = tape", "    parts = list(tape").replace(
        "loss, model.trainable_variables)", "loss, [model.trainable_variables, [w]]))"
    )
    after = written("w = tf.Variable(1.0)\n" + text.replace("zip(gradients, ", "zip(parts[0], "))
    assert (
        "parts=list(tf.nest.map_structure(lambdag:NoneifgisNoneelsehvd.allreduce("
        "g),tape.gradient(loss,[model.trainable_variables,[w]])"
    ) in "".join(after.split())


def test_a_plain_tape_keeps_what_it_is_asked_for() -> None:
    asked = "loss, model.trainable_variables, unconnected_gradients=tf.UnconnectedGradients.ZERO"
    text = STEP.replace("loss, model.trainable_variables", asked)
    assert f"tape.gradient({asked})\n" in written(text)
    assert "G01" in codes(migrate(HEAD + DATA + MODEL + text, Options()))


def test_one_gradient_in_an_expression_is_averaged_there() -> None:
    text = STEP.replace("    gradients = tape", "    g = 2 * tape").replace(
        "gradient(loss, model.trainable_variables)", "gradient(loss, w)"
    )
    text = text.replace("zip(gradients, model.trainable_variables)", "[(g, w)]")
    after = written("w = tf.Variable(1.0)\n" + text.replace("model(batch)", "(batch * w)"))
    assert "g = 2 * hvd.allreduce(tape.gradient(loss, w))" in after


def test_a_step_of_the_models_own_averages_there_and_xla_is_off() -> None:
    text = """
class Net(keras.Sequential):
    def train_step(self, data):
        with tf.GradientTape() as tape:
            loss = tf.reduce_mean(self(data) ** 2)
        grads = tape.gradient(loss, self.trainable_variables)
        self.optimizer.apply_gradients(zip(grads, self.trainable_variables))
        return {"loss": loss}


net = Net([keras.layers.Dense(1)])
net.compile(keras.optimizers.SGD(0.1))
net.fit(x)
"""
    after = written(text)
    assert "hvd.allreduce(g) for g in grads]" in after
    assert "\nnet.jit_compile = False" in after
    assert "average_gradients" not in after


LOADED = """
if resume:
    model = keras.models.load_model("a.keras")
else:
    model = keras.Sequential([keras.layers.Dense(1)])
    model.compile("sgd", "mse")
"""


def test_a_model_that_is_trained_on_as_it_was_saved_averages_as_well() -> None:
    after = written("resume = x.any()\n" + LOADED + FIT)
    assert after.count("    average_gradients(model)\n") == 2


def test_it_does_so_where_its_loss_is_scaled() -> None:
    policy = 'keras.mixed_precision.set_global_policy("mixed_float16")\n'
    text = policy + "resume = x.any()\n" + LOADED + FIT
    assert written(text).count("    average_gradients(model)\n") == 2
    assert "D206" in codes(migrate(HEAD + DATA + MODEL + text, Options(tensorflow=(2, 15))))


@pytest.mark.parametrize("text", [SGD + FIT, STEP, "resume = x.any()\n" + LOADED + FIT])
def test_a_second_run_finds_nothing_to_do(text: str) -> None:
    again = migrate(written(text), KERAS_3)
    assert (again.skipped, again.steps, again.blocked) == (ALREADY_HOROVOD, (), ())


REFUSED = {
    "another backend": 'import os\nos.environ["KERAS_BACKEND"] = "jax"\n' + SGD + FIT,
    "a backend that nobody knows": "import os\nos.environ.setdefault('KERAS_BACKEND', b)\n"
    + SGD
    + FIT,
    "a backend that the environment chooses": "import os\n"
    "os.environ['KERAS_BACKEND'] = os.environ.get('KERAS_BACKEND', 'jax')\n" + SGD + FIT,
    "apply without variables": STEP.replace(APPLIED, "optimizer.apply(gradients)"),
    "minimize": STEP + "optimizer.minimize(lambda: loss, model.trainable_variables)\n",
    "stateless": "model.stateless_call(a, b, x)\n" + SGD + FIT,
    "compile in an expression": "print(" + SGD.strip() + ")\n" + FIT,
    "compile of an element": "models = [model]\nmodels[0].compile('sgd', 'mse')\nmodels[0].fit(x, x)\n",
    "a loaded model without a name": SGD
    + "def load(): return keras.models.load_model('a' if x.any() else 'b') if x.all() else None\nmodel = load()\n"
    + FIT,
    "an optimizer of TensorFlow 1": STEP.replace(
        "keras.optimizers.SGD", "tf.compat.v1.train.AdamOptimizer"
    ),
    "Orbax": SGD + "model.fit(x, x, callbacks=[keras.callbacks.OrbaxCheckpoint('a')])\n",
}


@pytest.mark.parametrize("name", REFUSED)
def test_what_has_no_form_is_refused_by_name(name: str) -> None:
    assert "N02" in codes(migrate(HEAD + DATA + MODEL + REFUSED[name], KERAS_3))


@pytest.mark.parametrize(
    "line",
    [
        'os.environ["KERAS_BACKEND"] = "tensorflow"',
        'os.environ.setdefault("KERAS_BACKEND", "tensorflow")',
        'print(os.environ.get("KERAS_BACKEND", "tensorflow"))',
        'jax = os.getenv("KERAS_BACKEND") == "jax"',
        'known = "KERAS_BACKEND" in os.environ and os.environ["KERAS_BACKEND"] == "jax"',
    ],
)
def test_tensorflow_as_the_backend_is_as_well(line: str) -> None:
    assert migrate(f"import os\n{line}\n" + HEAD + DATA + MODEL + SGD + FIT, KERAS_3).steps


@pytest.mark.parametrize(
    "horovod",
    [
        "import horovod.tensorflow.keras as hvd\nhvd.init()\n",
        "import horovod.tensorflow as hvd\nhvd.init()\nopt = hvd.DistributedOptimizer(keras.optimizers.SGD(0.1))\n",
    ],
)
def test_horovods_own_forms_are_refused_by_name(horovod: str) -> None:
    assert "N02" in codes(migrate(HEAD + horovod + DATA + MODEL + SGD + FIT, KERAS_3))


def test_horovod_by_half_is_refused() -> None:
    half = HEAD + "import horovod.tensorflow as hvd\nhvd.init()\n" + DATA + MODEL + SGD + FIT
    assert codes(migrate(half, KERAS_3)) == ["P03"]
    whole = written(SGD + FIT).replace("\naverage_gradients(model)\n", "\n")
    assert codes(migrate(whole, KERAS_3)) == ["J05"]


@pytest.mark.parametrize(
    "instead", ["average_gradients(other)", "average_gradients(other, model)", "print(model)"]
)
def test_another_model_that_averages_is_no_substitute(instead: str) -> None:
    whole = written("other = keras.models.clone_model(model)\n" + SGD + FIT)
    assert migrate(whole, KERAS_3).skipped == ALREADY_HOROVOD
    half = whole.replace("\naverage_gradients(model)\n", f"\n{instead}\n")
    assert codes(migrate(half, KERAS_3)) == ["J05"]


APPLY = (
    "optimizer.apply(gradients, model.trainable_variables)",
    "optimizer.apply(grads=gradients, trainable_variables=model.trainable_variables)",
)


@pytest.mark.parametrize("call", APPLY)
def test_apply_is_averaged_and_broadcast_as_apply_gradients_is(call: str) -> None:
    after = written(STEP.replace(APPLIED, call))
    assert after.replace(call, APPLIED) == written(STEP)
    assert migrate(after, KERAS_3).skipped == ALREADY_HOROVOD


@pytest.mark.parametrize(
    "call",
    ["table.apply(gradients, model.trainable_variables)", "optimizer.apply(gradients)"],
)
def test_another_apply_is_no_step(call: str) -> None:
    """Many libraries have one; and without variables nobody sees what it changes."""
    found = migrate(HEAD + DATA + MODEL + STEP.replace(APPLIED, call), KERAS_3)
    assert {"G03", "N02"} & set(codes(found))


def test_keras_2_has_no_apply() -> None:
    text = HEAD + DATA + MODEL + STEP.replace(APPLIED, APPLY[0])
    assert "G03" in codes(migrate(text, Options()))


OWN_STEP = """\
class Own(keras.Model):
    def train_step(self, data):
        with tf.GradientTape() as tape:
            loss = tf.reduce_mean(self(data) ** 2)
        gradients = tape.gradient(loss, self.trainable_variables)
        self.optimizer.apply(gradients, self.trainable_variables)
        return {"loss": loss}


model = Own()
model.compile("adam")
model.fit(x)
"""


def test_apply_in_a_training_step_is_averaged() -> None:
    after = written(OWN_STEP)
    averaged, applied = (
        "hvd.allreduce(g) for g in gradients]",
        "self.optimizer.apply(",
    )
    assert 0 < after.index(averaged) < after.index(applied)
    assert "BroadcastState()" in after


HANDED_ON = """\
class Own(keras.Model):
    def compile(self, optimizer, metrics):
        super().compile(optimizer=optimizer, metrics=metrics)

    def compute_loss(self, x=None, y=None, y_pred=None, sample_weight=None, training=True):
        return tf.reduce_mean(y_pred**2)


model = Own()
model.compile(optimizer=keras.optimizers.Adam(), metrics=[])
model.fit(x)
"""


def test_an_optimizer_that_a_compile_of_ones_own_hands_on_averages_by_the_model() -> None:
    after = written(HANDED_ON)
    assert "\naverage_gradients(model)\n" in after
    assert "Adam(learning_rate=0.001 * hvd.size())" in after


def test_one_that_is_made_elsewhere_is_refused() -> None:
    text = HANDED_ON.replace("keras.optimizers.Adam()", "elsewhere.optimizer()")
    assert "R05" in codes(migrate("import elsewhere\n" + HEAD + DATA + MODEL + text, KERAS_3))


RETURNED = """\
def load():
    if x.any():
        return keras.models.load_model("a.keras")
    model = keras.Sequential([keras.layers.Dense(1)])
    model.compile("adam", "mse")
    return model


model = load()
model.fit(x, x)
"""


def test_a_loaded_model_that_is_returned_gets_a_name_and_averages() -> None:
    after = written(RETURNED)
    lines = after.splitlines()
    loaded = next(n for n, line in enumerate(lines) if "load_model(" in line)
    name = lines[loaded].split(" = ")[0].strip()
    assert lines[loaded + 1].strip() == f"average_gradients({name})"
    assert lines[loaded + 2].strip() == f"return {name}"
    assert migrate(after, KERAS_3).skipped == ALREADY_HOROVOD


BACKUP = "keras.callbacks.BackupAndRestore"
GIVEN = {
    "in the call": f"model.fit(x, x, callbacks=[{BACKUP}('b')])\n",
    "by a name": f"backup = {BACKUP}('b', save_freq=5)\nmodel.fit(x, x, callbacks=[backup])\n",
    "alone": f"model.fit(x, x, callbacks={BACKUP}(backup_dir='b'))\n",
    "added to a list": f"given = []\ngiven.append({BACKUP}('b'))\nmodel.fit(x, x, callbacks=given)\n",
}


@pytest.mark.parametrize("spelling", GIVEN)
def test_a_backup_is_rank_0s_and_all_go_on_from_it(spelling: str) -> None:
    after = written(SGD + GIVEN[spelling])
    assert after.count(f"class SharedBackup({BACKUP}):") == 1
    flat = "".join(after.split())
    assert f"{BACKUP}('b'" not in flat
    assert "SharedBackup(backup_dir='b')" in flat or "SharedBackup('b'" in flat
    assert "BroadcastState()" in after
    assert migrate(after, KERAS_3).skipped == ALREADY_HOROVOD


def test_a_backup_of_a_class_of_ones_own_and_of_keras_2_is_refused() -> None:
    own = f"class Own({BACKUP}):\n    pass\n\n\n"
    text = HEAD + DATA + MODEL + SGD
    assert "K01" in codes(migrate(text + own + "model.fit(x, x, callbacks=[Own('b')])\n", KERAS_3))
    assert "K01" in codes(migrate(text + GIVEN["in the call"], Options()))


ABOVE = """\
class Base:
    def begin(self):
        pass


class Library(keras.callbacks.Callback):
    def begin(self):
        hvd.broadcast(0, root_rank=0)


class {}:
    def begin(self):
        if hvd.rank() == 0:
            super().begin()
"""


@pytest.mark.parametrize(
    ("bases", "is_split"),
    [("Own(Base)", False), ("Own(Library)", True), ("Own(elsewhere.A)", False)],
)
def test_super_leads_to_bases_alone(bases: str, is_split: bool) -> None:
    """`super().begin()` of another class is no call of a method of the same name."""
    start = "import elsewhere\nimport horovod.tensorflow as hvd\nhvd.init()\n"
    found = migrate(HEAD + start + ABOVE.format(bases), KERAS_3)
    assert ("H05" in codes(found)) == is_split


@pytest.mark.parametrize("given", ["True", "'auto'", "FAST"])
def test_xla_is_turned_off_where_a_compile_asks_for_it(given: str) -> None:
    asked = SGD.replace('"mse")', f'"mse", jit_compile={given})')
    after = written(f"FAST = x.any()\n{asked}{FIT}")
    assert "jit_compile=False" in after
    assert f"jit_compile={given}" not in after
    assert "\naverage_gradients(model)\n" in after
    assert "G02" in codes(
        migrate(HEAD + DATA + MODEL + asked.replace("FAST", "True") + FIT, Options())
    )


@pytest.mark.parametrize(
    "pinning",
    [
        'import os\n\nos.environ["CUDA_VISIBLE_DEVICES"] = "0"\n',
        'SEED = 1\nimport os\nos.environ["CUDA_VISIBLE_DEVICES"] = "0"\n',
        'devices = tf.config.list_physical_devices("GPU")\n'
        'if devices:\n    tf.config.set_visible_devices(devices[0], "GPU")\n',
    ],
)
def test_a_choice_of_a_gpu_goes_and_the_forms_stay(pinning: str) -> None:
    """They stand before the first statement that no other rule takes away."""
    found = migrate(HEAD + pinning + DATA + MODEL + SGD + FIT, KERAS_3)
    lines = [line for line in found.after.split("\n") if line and line != "SEED = 1"]
    assert lines == [line for line in written(SGD + FIT).split("\n") if line]


ACCUMULATING = """\
class Own(keras.Model):
    def train_step(self, data):
        with tf.GradientTape() as tape:
            loss = tf.reduce_mean(self(data) ** 2)
        gradients = tape.gradient(loss, self.trainable_variables)
        for a, one in zip(self.added, gradients):
            a.assign_add(one)
        self.finish()
        return {"loss": loss}

    def finish(self):
        tf.cond(self.is_full, self.apply_added, lambda: None)

    def apply_added(self):
        self.optimizer.apply_gradients(zip(self.added, self.trainable_variables))


model = Own()
model.compile("adam")
"""


def test_a_method_that_a_training_step_hands_on_belongs_to_it() -> None:
    after = written(ACCUMULATING + "model.fit(x)\n")
    assert "hvd.allreduce(g) for g in gradients]" in after
    assert "callbacks=[BroadcastState(), AverageMetrics()]" in after
    assert "broadcast_done" not in after


@pytest.mark.parametrize("use", ["model.apply_added()\n", "run = model.apply_added\n"])
def test_one_that_others_use_as_well_does_not(use: str) -> None:
    text = HEAD + DATA + MODEL + ACCUMULATING + use + "model.fit(x)\n"
    assert "R08" in codes(migrate(text, KERAS_3))


def test_moving_averages_that_are_swapped_are_no_callback_of_the_users_own() -> None:
    swap = "keras.callbacks.SwapEMAWeights(swap_on_epoch=True)"
    text = HEAD + DATA + MODEL + SGD + f"model.fit(x, x, callbacks=[{swap}])\n"
    found = migrate(text, KERAS_3)
    assert found.notes == ()
    assert f"AverageMetrics(),\n        {swap},\n" in found.after


def test_nothing_is_defined_between_a_download_and_who_waits_for_it() -> None:
    load = "(x, y), _ = keras.datasets.mnist.load_data()\n"
    after = migrate(HEAD + load + MODEL + SGD + "model.fit(x, y)\n", KERAS_3).after
    wait = "hvd.broadcast(0, root_rank=0)  # wait while the machine's first worker downloads\n"
    assert "class BroadcastState" in after
    assert f"if hvd.local_rank() != 0:\n    {wait}{load}" in after
