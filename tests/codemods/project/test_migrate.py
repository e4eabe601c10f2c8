"""What becomes of an entry together with its modules: what is changed where, what is refused."""

from __future__ import annotations

import pytest

from distify.codemods.migrate import migrate
from distify.codemods.model import Migration, Options
from distify.codemods.project.migrate import migrate_project
from distify.codemods.project.texts import Project

ENTRY = """\
import numpy as np
import tensorflow as tf

{imports}

model = {model}
model.compile("sgd", "mse")
model.fit(np.ones((8, 4)), np.ones((8, 1)))
"""
BUILD = """\
import tensorflow as tf


def build():
    return tf.keras.Sequential([tf.keras.layers.Dense(1)])
"""


def looked_at(entry: str, options: Options | None = None, **others: str) -> Migration | None:
    """The migration of an entry with modules beside it."""
    texts = {"train.py": entry, **{f"{name}.py": text for name, text in others.items()}}
    return migrate_project(Project("train.py", texts), options, "train.py")


def entry(imports: str, model: str) -> str:
    """A script that trains what comes from elsewhere."""
    return ENTRY.format(imports=imports, model=model)


def test_a_model_of_another_module_is_known() -> None:
    text = entry("from model import build", "build()")
    assert [f.code for f in migrate(text).blocked] == ["T01"]
    found = looked_at(text, model=BUILD)
    assert found is not None
    assert found.blocked == ()
    assert found.others == ()
    assert "hvd.DistributedOptimizer" in found.after
    assert found.modules == ("model.py",)


@pytest.mark.parametrize(
    "other",
    [
        "import importlib\n" + BUILD + "\n\nimportlib.import_module(input())\n",
        BUILD.replace("build", "make"),
        "from unknown_package import build\n",
        "REGISTRY = {}\n\n\ndef register(f):\n    REGISTRY[f.__name__] = f\n    return f\n\n\n"
        "def build():\n    return REGISTRY[input()]()\n",
        "def __getattr__(name):\n    return print\n",
    ],
)
def test_unknown_stays_unknown(other: str) -> None:
    text = entry("from model import build", "build()")
    found = looked_at(text, model=other) or migrate(text)
    assert "T01" in {finding.code for finding in found.blocked}


def test_a_finding_in_another_file_names_both_places() -> None:
    rates = "from somewhere import best\n\n\ndef rate():\n    return best()\n"
    text = entry("from rates import rate\nfrom model import build", "build()")
    text = text.replace('"sgd"', "tf.keras.optimizers.SGD(rate())")
    found = looked_at(text, model=BUILD, rates=rates)
    assert found is not None
    (finding,) = found.blocked
    assert (finding.code, finding.line) == ("L01", 4)  # the import that leads to it
    assert finding.message.endswith("it reaches `compile` in line 8 (rates.py:1)")


def test_tensorflow_that_runs_at_an_import_is_refused() -> None:
    """It would use a GPU before the worker has chosen its own; so it is where nothing helps."""
    text = entry("if np:\n    from model import build", "build()")
    found = looked_at(text, model=BUILD + "\n\nTABLE = tf.random.uniform((4, 4))\n")
    assert found is not None
    (finding,) = found.blocked
    assert (finding.code, finding.line) == ("T01", 5)
    assert "model.py:8" in finding.message
    quiet = BUILD + "\n\nLOSS = tf.keras.losses.MeanSquaredError()\n"
    harmless = looked_at(text, model=quiet)
    assert harmless is not None
    assert harmless.blocked == ()


def test_a_rate_that_is_made_at_an_import_is_refused() -> None:
    """No worker knows its number before `hvd.init()`."""
    rates = "RATE = 0.1\n\n\ndef rate(r=RATE):\n    return r\n"
    text = entry("from model import build\nfrom rates import RATE", "build()")
    text = text.replace('"sgd"', "tf.keras.optimizers.SGD(RATE)")
    found = looked_at(text, model=BUILD, rates=rates)
    assert found is not None
    assert found.others == ()
    assert "RATE * hvd.size()" in found.after


TRAINER = """\
import tensorflow as tf


def run(model, x, y):
    model.compile(tf.keras.optimizers.SGD(0.1), "mse")
    model.fit(x, y)
"""
MAIN = """\
import numpy as np

from model import build
from trainer import run

run(build(), np.ones((8, 4)), np.ones((8, 1)))
"""


def test_what_trains_elsewhere_is_changed_there() -> None:
    found = looked_at(MAIN, model=BUILD, trainer=TRAINER)
    assert found is not None
    (other,) = found.others
    assert (other.path, other.line) == ("trainer.py", 4)
    assert "import horovod.tensorflow.keras as hvd\n" in other.migration.after
    assert "hvd.DistributedOptimizer" in other.migration.after
    assert "hvd.init()" not in other.migration.after
    assert "hvd.init()" in found.after
    assert "import tensorflow as tf\n" in found.after
    assert {step.code for step in found.steps} >= {"D101", "D102"}


def test_looking_makes_no_texts() -> None:
    found = looked_at(MAIN, Options(only_look=True), model=BUILD, trainer=TRAINER)
    assert found is not None
    assert found.steps == ()
    assert {due.code for due in found.unmade} >= {"D101", "D102"}
    (other,) = found.others
    assert other.migration.steps == ()
    assert {due.code for due in other.migration.unmade} >= {"D101", "D301"}


def test_a_name_that_means_something_else_there_is_refused() -> None:
    trainer = TRAINER.replace(
        "import tensorflow as tf", "import tensorflow as t\n\ntf = 1"
    ).replace("tf.keras", "t.keras")
    found = looked_at(MAIN.replace("import numpy", "import tensorflow as tf\nimport numpy"),
                      model=BUILD, trainer=trainer)  # fmt: skip
    assert found is None or found.blocked or "tf." not in found.others[0].migration.after


PAIRS = """\
import numpy as np
import tensorflow as tf


def model():
    return tf.keras.Sequential([tf.keras.layers.Dense(1)])


def run(pair, x, y):
    optimizer, model = pair
    for number in range(0, len(x), 4):
        with tf.GradientTape() as tape:
            loss = tf.reduce_mean((model(x[number : number + 4]) - y[number : number + 4]) ** 2)
        gradients = tape.gradient(loss, model.trainable_variables)
        optimizer.apply_gradients(zip(gradients, model.trainable_variables))
"""


def test_a_variable_of_a_function_is_not_what_the_module_has_under_its_name() -> None:
    main = """\
import numpy as np
import tensorflow as tf
import trainer

model = trainer.model()
x = np.ones((64, 4), "float32")
trainer.run((tf.keras.optimizers.SGD(0.1), model), x, np.ones((64, 1), "float32"))
"""
    found = looked_at(main, trainer=PAIRS)
    assert found is not None
    assert not found.blocked
    (other,) = found.others
    assert "broadcast_variables(model.variables" in other.migration.after


def test_a_comment_of_another_file_is_heard() -> None:
    trainer = TRAINER.replace('"mse")', '"mse")  # distify: ignore[D104] a rate for any number')
    found = looked_at(MAIN, model=BUILD, trainer=trainer)
    assert found is not None
    assert found.blocked or "0.1 * hvd.size()" not in found.others[0].migration.after


def test_a_needless_comment_is_told_of_its_own_file_only() -> None:
    comment = "X = 1  # distify: ignore[D104] nothing is here\n"
    found = looked_at(MAIN + comment, model=BUILD + "\n\n" + comment, trainer=TRAINER)
    assert found is not None
    assert [(note.code, note.line) for note in found.notes if note.code == "S01"] == [("S01", 7)]


def test_a_file_that_imports_nothing_of_the_project_is_looked_at_alone() -> None:
    assert looked_at("import tensorflow as tf\n", model=BUILD) is None
    assert looked_at("from model import build\n", model="def build():\n    return 7\n") is None


def test_what_runs_at_an_import_is_not_asked_for_its_number() -> None:
    """It runs before `hvd.init()`, however it is called."""
    log = "import os\n\n\ndef log(text):\n    print(text)\n\n\ndef make(name):\n    log(name)\n"
    timed = "import os\n\n\ndef log(f):\n    print(f)\n    return f\n\n\n@log\ndef make(name):\n    pass\n"
    text = entry("from model import build\nfrom util import log", "build()") + 'log("done")\n'
    for util in (log + "\n\nOUT = make(1)\n", timed):
        found = looked_at(text, model=BUILD, util=util)
        assert found is not None
        (finding,) = found.blocked
        assert finding.message.startswith("`util.py` runs this when it is imported")
    harmless = looked_at(text, model=BUILD, util=log)
    assert harmless is not None
    assert harmless.blocked == ()


def test_what_a_decorator_gives_runs_later() -> None:
    util = (
        "import os\n\n\ndef timed(f):\n    def inner():\n        print(f)\n        return f()\n\n"
        "    return inner\n\n\n@timed\ndef stamp():\n    return 1\n"
    )
    text = entry("from model import build\nfrom util import stamp", "build()") + "stamp()\n"
    found = looked_at(text, model=BUILD, util=util)
    assert found is not None
    assert found.blocked == ()
    assert "hvd.rank()" in found.others[0].migration.after


def test_files_share_no_level() -> None:
    """A name of the entry is bound in no other file."""
    text = (
        MAIN.replace("run(build()", "model = build()\nrun(model")
        + "model.predict(np.ones((8, 4)))\n"
    )
    found = looked_at(text, model=BUILD, trainer=TRAINER)
    assert found is not None
    assert found.blocked == ()
    for after in (found.after, found.others[0].migration.after):
        assert "verbose=1 if hvd.rank() == 0 else 0" in after


STEP = """\
import tensorflow as tf
from model import build
from optimizers import optimizer

model = build()
for x, y in tf.data.Dataset.from_tensors((tf.ones((8, 4)), tf.ones((8, 1)))).repeat(8):
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean((model(x) - y) ** 2)
    grads = tape.gradient(loss, model.trainable_variables)
    optimizer.apply_gradients(zip(grads, model.trainable_variables))
"""


def test_a_flag_beside_an_optimizer_of_another_module_is_imported() -> None:
    optimizers = "import tensorflow as tf\n\noptimizer = tf.keras.optimizers.Adam(0.1)\n"
    found = looked_at(STEP, model=BUILD, optimizers=optimizers)
    assert found is not None
    assert found.blocked == ()
    after = found.after
    line = "from optimizers import optimizer\nfrom optimizers import broadcast_done\n"
    assert line in after
    assert after.index("hvd.init()") < after.index(line)
    assert "    if not broadcast_done:\n" in after
    (other,) = found.others
    assert other.migration.after.endswith(
        "Adam(0.1 * hvd.size())\nbroadcast_done = tf.Variable(False, trainable=False)\n"
    )


def test_a_flag_that_cannot_be_imported_keeps_all_as_it_was() -> None:
    """Each of the two modules imports the other."""
    optimizers = (
        "import tensorflow as tf\nimport steps\n\noptimizer = tf.keras.optimizers.Adam(0.1)\n"
    )
    head, _, rest = STEP.partition("model = build()\n")
    steps = head + "\n\ndef train(model):\n" + "".join(f"    {x}\n" for x in rest.splitlines())
    main = "import tensorflow as tf\nfrom steps import train, build\n\ntrain(build())\n"
    found = looked_at(main, model=BUILD, optimizers=optimizers, steps=steps)
    assert found is None or found.blocked


NETWORK = """\
import tensorflow as tf


class Network:
    def __init__(self, session, rate):
        self.session = session
        self.images = tf.placeholder(tf.float32, [None, 3])
        self.loss = tf.reduce_mean(tf.layers.dense(self.images, 1))
        self.step = tf.train.AdamOptimizer(rate).minimize(self.loss)

    def train(self, images):
        self.session.run(tf.global_variables_initializer())
        for _ in range(10):
            self.session.run([self.step, self.loss], feed_dict={self.images: images})
"""
STARTED = """\
import numpy as np
import tensorflow as tf

from network import Network


def main(_):
    with tf.Session() as session:
        network = Network(session, 0.001)
        network.train(np.random.rand(8, 3))


if __name__ == "__main__":
    {run}
"""


@pytest.mark.parametrize("run", ["tf.app.run()", "tf.app.run(main)", "tf.app.run(main=main)"])
def test_the_main_that_app_run_calls_hands_its_session_on(run: str) -> None:
    found = looked_at(STARTED.format(run=run), network=NETWORK)
    assert found is not None
    assert found.blocked == ()
    (other,) = found.others
    text = other.migration.after
    assert "hvd.DistributedOptimizer(" in text
    assert "self.session.run(hvd.broadcast_global_variables(0))" in text


@pytest.mark.parametrize("run", ["tf.app.run(other)", "tf.app.rub()"])
def test_what_nobody_starts_hands_nothing_on(run: str) -> None:
    """Only the function that runs says which session it is."""
    found = looked_at(STARTED.format(run=run), network=NETWORK)
    assert found is None or found.blocked


def test_new_code_takes_no_name_of_a_module_of_the_project() -> None:
    """The program has no import of the settings any more, the file has."""
    text = STARTED.format(run="tf.app.run()")
    text = text.replace("from network import", "import config\nfrom network import")
    text = text.replace("0.001", "config.RATE").replace("rand(8", "rand(config.SIZE")
    found = looked_at(text, network=NETWORK, config="RATE = 0.001\nSIZE = 8\n")
    assert found is not None
    assert found.blocked == ()
    assert "with tf.Session(config=session_config) as session:" in found.after


def test_a_flag_is_set_back_in_the_file_that_makes_it() -> None:
    """Not where another module changes the weights: the flag has no name there."""
    loop = """\
import tensorflow as tf
from decay import decay

data = tf.data.Dataset.from_tensor_slices(tf.ones((8, 4))).batch(2)


def main():
    model = tf.keras.Sequential([tf.keras.layers.Dense(1)])
    opt = tf.keras.optimizers.SGD(0.1)
    for epoch in range(3):
        train(model, opt, float(input()))


def train(model, opt, rate):
    for x in data:
        with tf.GradientTape() as tape:
            loss = tf.reduce_mean(model(x))
        gradients = tape.gradient(loss, model.trainable_variables)
        opt.apply_gradients(zip(gradients, model.trainable_variables))
        decay(model, rate)


main()
"""
    changed = """\
def decay(model, rate):
    for variable in model.trainable_variables:
        variable.assign(variable * (1 - rate))
"""
    found = looked_at(loop, decay=changed)
    assert found is not None
    assert found.blocked == ()
    assert "        decay(model, rate)\n        broadcast_done.assign(False)\n" in found.after
    assert found.others == ()


def test_a_finding_of_another_module_names_that_and_not_this_file() -> None:
    """It stands at the entry's import, in which nobody should create the optimizer."""
    compiling = (
        "import mine\n" + BUILD + "\n\ndef ready(model):\n    config = mine.load(open('a'))\n"
    )
    compiling += "    model.compile(config.optimizer, 'mse')\n"
    text = (
        "import numpy as np\nfrom model import build, ready\n\n"
        "model = build()\nready(model)\nmodel.fit(np.ones((8, 4)), np.ones((8, 1)))\n"
    )
    found = looked_at(text, model=compiling)
    assert found is not None
    (first, *_) = found.blocked
    assert first.code == "R05"
    assert first.fix.startswith("create it by its class in model.py: `config.optimizer = ")


def test_a_finding_of_the_entry_still_says_this_file() -> None:
    text = entry("from model import build\nimport json", "build()").replace(
        '"sgd"', "json.load(open('a.json'))"
    )
    found = looked_at(text, model=BUILD)
    assert found is not None
    assert "in this file" in found.blocked[0].fix


FUNCTION = """\
import tensorflow as tf


@tf.function
def train_step(model, optimizer, x, y):
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean((model(x, training=True) - y) ** 2)
    gradients = tape.gradient(loss, model.trainable_variables)
    optimizer.apply_gradients(zip(gradients, model.trainable_variables))
"""
CALLING = """\
import numpy as np
import tensorflow as tf

from step import train_step

data = np.load("train.npz")
model = tf.keras.Sequential([tf.keras.layers.Dense(1)])
optimizer = tf.keras.optimizers.SGD(0.01)
for x, y in tf.data.Dataset.from_tensor_slices((data["x"], data["y"])).batch(32):
    train_step(model, optimizer, x, y)
"""


def test_horovod_starts_before_a_module_that_gets_a_flag_is_imported() -> None:
    found = looked_at(CALLING, step=FUNCTION)
    assert found is not None
    assert found.blocked == ()
    assert found.after.index("hvd.init()") < found.after.index("from step import train_step")
    (other,) = found.others
    assert "\nbroadcast_done = tf.Variable(False, trainable=False)\n" in other.migration.after


def test_a_result_that_starts_horovod_early_is_left_as_it_is() -> None:
    found = looked_at(CALLING, step=FUNCTION)
    assert found is not None
    texts = {other.path.partition(".")[0]: other.migration.after for other in found.others}
    again = looked_at(found.after, **texts)
    assert again is not None
    assert (again.blocked, again.others, again.after) == ((), (), found.after)


MEETS = """\
import numpy as np
import tensorflow as tf

x, y = np.load("x.npy"), np.load("y.npy")
rate = 0.01


def train():
    model = tf.keras.Sequential([tf.keras.layers.Dense(1)])
    model.compile(tf.keras.optimizers.Adam(rate), "mse")
    model.fit(x, y)
"""


def test_variables_that_meet_the_entrys_are_those_of_their_module() -> None:
    found = looked_at("import lib\n\nx = 3\nrate = 5\nlib.train()\n", lib=MEETS)
    assert found is not None
    assert not found.blocked
    (other,) = found.others
    assert "Adam(rate * hvd.size())" in other.migration.after
    assert "x[shard]," in other.migration.after


SIZES = """\
import tensorflow as tf


def build(sizes):
    return tf.keras.Sequential([tf.keras.layers.Dense(max(sizes))])
"""
HIDES = """\
import numpy as np
import tensorflow as tf

import lib

max = {0}
x, y = np.load("x.npy"), np.load("y.npy")
model = lib.build([1, 2])
model.compile("sgd", "mse")
data = tf.data.Dataset.from_tensor_slices((x, y)).shuffle(1000).repeat().batch(32)
model.fit({1}, epochs=max)
"""


def test_the_entry_may_hide_a_builtin_that_another_module_uses() -> None:
    found = looked_at(HIDES.format(5, "x, y"), lib=SIZES)
    assert found is not None
    assert not found.blocked
    assert "epochs=max," in found.after
    assert "max(" not in found.after


def test_new_code_calls_no_builtin_that_the_entry_hides() -> None:
    found = looked_at(HIDES.format(5, "data, steps_per_epoch=64"), lib=SIZES)
    assert found is not None
    (finding,) = found.blocked
    assert (finding.code, finding.message) == (
        "T01", "`max` is no builtin in `train.py`, and new code needs that"
    )  # fmt: skip


@pytest.mark.parametrize("imports", ["*", "np, tf, build, RATE"])
def test_tensorflow_that_another_module_hands_on_is_imported_once(imports: str) -> None:
    entry = f"""\
from lib import {imports}

x, y = np.load("x.npy"), np.load("y.npy")
model = build()
model.compile(tf.keras.optimizers.Adam(RATE), "mse")
model.fit(x, y)
"""
    lib = "import numpy as np\n" + SIZES.replace("sizes)", "sizes=(1,))", 1) + "\n\nRATE = 0.1\n"
    found = looked_at(entry, lib=lib)
    assert found is not None
    assert not found.blocked
    assert "import tensorflow" not in found.after
    assert "Adam(RATE * hvd.size())" in found.after


def test_a_name_that_was_a_module_is_followed() -> None:
    entry = """\
import numpy as np
import tensorflow as tf

import model

x, y = np.load("x.npy"), np.load("y.npy")
model = model.build([1])
model.compile(tf.keras.optimizers.Adam(0.01), "mse")
model.fit(x, y)
"""
    found = looked_at(entry, model=SIZES)
    assert found is not None
    assert not found.blocked
    assert "\nimport model\n" in found.after
    assert "\nmodel = model.build([1])\n" in found.after
