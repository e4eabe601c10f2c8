"""A second look at a result finds nothing to do, and nothing in the way."""

from __future__ import annotations

import textwrap

import pytest

from distify.codemods.facts import Facts
from distify.codemods.facts.questions import QUESTIONS
from distify.codemods.judge.case import Case
from distify.codemods.judge.judge import judge
from distify.codemods.judge.obligations import named
from distify.codemods.judge.proof import PROVED, Proof
from distify.codemods.migrate import migrate
from distify.codemods.model import Options

START = """\
import horovod.tensorflow.keras as hvd
import numpy as np
import os
import tensorflow as tf

hvd.init()
gpus = tf.config.list_physical_devices("GPU")
for gpu in gpus:
    tf.config.experimental.set_memory_growth(gpu, True)
if gpus:
    tf.config.set_visible_devices(gpus[hvd.local_rank()], "GPU")
x, y = np.load("x.npy"), np.load("y.npy")
shard = slice(hvd.rank(), len(x) // hvd.size() * hvd.size(), hvd.size())
model = tf.keras.Sequential([tf.keras.layers.Dense(1)])
"""
FIT = """\
    callbacks=[
        hvd.callbacks.BroadcastGlobalVariablesCallback(0),
        hvd.callbacks.MetricAverageCallback(),
    ],
    verbose=1 if hvd.rank() == 0 else 0,
)
"""


def compiled(rate: str) -> str:
    return (
        f"optimizer = tf.keras.optimizers.SGD({rate})\n"
        "optimizer = hvd.DistributedOptimizer(optimizer)\n"
        "model.compile(optimizer, 'mse')\n"
    )


def fitted(rate: str = "0.1 * hvd.size()", given: str = "x[shard], y[shard]") -> str:
    return START + compiled(rate) + f"model.fit(\n    {given},\n" + FIT


def settled(after: str, options: Options | None = None) -> list[Proof]:
    options = options or Options()

    def facts() -> Facts:
        return Facts.of(after, options)

    case = Case({"a.py": after}, {"a.py": "pass\n"}, "a.py", options, QUESTIONS, facts)
    return judge(case, [named("settled")])


def why(after: str, options: Options | None = None) -> str:
    return "; ".join(f"{p.line} {p.code} {p.why}" for p in settled(after, options) if not p.holds)


SETTLED = {
    "as distify writes it": fitted(),
    "the whole batch, shared out": fitted("0.1", "x[shard], y[shard], batch_size=len(x)"),
    "its length by name": fitted("0.1", "x[shard], y[shard], batch_size=x.shape[0]"),
    "a rate by what started the worker": fitted("0.1 * int(os.environ['OMPI_COMM_WORLD_SIZE'])"),
    "by Slurm": fitted("0.1 * float(os.getenv('SLURM_NTASKS', '1'))"),
    "a line that every worker prints": fitted() + "print('a')  # distify: ignore[D203] all\n",
}


@pytest.mark.parametrize("program", SETTLED)
def test_nothing_more_is_to_do(program: str) -> None:
    assert why(SETTLED[program]) == ""
    (proof,) = settled(SETTLED[program])
    assert proof.holds
    assert "rules" in proof.why


UNSETTLED = {
    "a rate of one worker": (fitted("0.1"), "D104"),
    "of a batch that is none of all": (fitted("0.1", "x[shard], y[shard], batch_size=9"), "D104"),
    "as large as another array": (fitted("0.1", "x[shard], y[shard], batch_size=len(z)"), "D104"),
    "a size of something else": (fitted("0.1 * int(os.environ['BATCH_SIZE'])"), "D104"),
    "a line that every worker prints": (fitted() + "print('a')\n", "D203"),
    "an optimizer that nobody wraps": (fitted().replace("hvd.DistributedOptimizer(optimizer)", "optimizer"), "D105"),
    "nobody starts alike": (fitted().replace("hvd.callbacks.BroadcastGlobalVariablesCallback(0),", ""), "D302"),
}  # fmt: skip


@pytest.mark.parametrize("program", UNSETTLED)
def test_what_would_be_changed_once_more_is_no_result(program: str) -> None:
    after, rule = UNSETTLED[program]
    assert rule in why(after)


def test_only_the_rules_that_were_chosen_count() -> None:
    printing = fitted() + "print('a')\n"
    assert why(printing, Options(ignore=frozenset({"D203", "D204", "D205"}))) == ""
    assert why(fitted("0.1"), Options(learning_rate="none")) == ""


def test_the_place_is_that_of_the_line() -> None:
    (proof,) = settled(fitted("0.1"))
    assert (
        proof.line
        == fitted("0.1").splitlines().index("optimizer = tf.keras.optimizers.SGD(0.1)") + 1
    )
    assert proof.path == "a.py"  # fmt: skip


def test_harm_that_a_check_proves_in_the_result_is_a_violation_with_its_code() -> None:
    twice = """\
        import horovod.tensorflow as hvd
        import tensorflow as tf

        hvd.init()
        gpus = tf.config.list_physical_devices("GPU")
        for gpu in gpus:
            tf.config.experimental.set_memory_growth(gpu, True)
        if gpus:
            tf.config.set_visible_devices(gpus[hvd.local_rank()], "GPU")
        w = tf.Variable(1.0)
        opt = hvd.DistributedOptimizer(tf.keras.optimizers.SGD(0.1 * hvd.size()))
        broadcast_done = tf.Variable(False, trainable=False)
        data = tf.data.Dataset.range(8).take(8 // hvd.size() * hvd.size())
        for x in data.shard(hvd.size(), hvd.rank()):
            with tf.GradientTape() as tape:
                loss = w * tf.cast(x, tf.float32)
            tape = hvd.DistributedGradientTape(tape)
            opt.apply_gradients(zip(tape.gradient(loss, [w]), [w]))
            if not broadcast_done:
                hvd.broadcast_variables([w], root_rank=0)
                hvd.broadcast_variables(opt.variables, root_rank=0)
                broadcast_done.assign(True)
        """
    text = textwrap.dedent(twice)
    assert all(proof.holds for proof in settled(text))  # an enforced obligation says so by itself
    case = Case(
        {"a.py": text}, {"a.py": text}, "a.py", Options(), QUESTIONS, lambda: Facts.of(text)
    )
    found = [p for p in named("averaged").prove(case) if not p.holds]
    assert [p.code for p in found] == ["H06"]


FULL = """\
import numpy as np
import tensorflow as tf

x, y = np.load("x.npy"), np.load("y.npy")
model = tf.keras.Sequential([tf.keras.layers.Dense(1)])
model.compile(tf.keras.optimizers.SGD(0.1), "mse")
model.fit(x, y, batch_size=len(x), epochs=4)
"""


def test_a_second_run_leaves_the_rate_of_a_full_batch_alone() -> None:
    after = migrate(FULL).after
    assert "SGD(0.1)" in after
    assert migrate(after).after == after


ENVIRONMENT = fitted("0.01 * n").replace(
    "import os\n", 'import os\n\nn = int(os.environ["PMI_SIZE"])\n'
)


def test_a_size_that_the_environment_tells_is_one() -> None:
    assert migrate(ENVIRONMENT).after == ENVIRONMENT


def test_a_part_of_a_model_is_broadcast_with_the_whole_of_it() -> None:
    text = """\
        import tensorflow as tf

        data = tf.data.Dataset.range(64).batch(8)
        model = tf.keras.Sequential([tf.keras.layers.Dense(4), tf.keras.layers.Dense(1)])
        opt = tf.keras.optimizers.Adam(1e-3)
        for x in data:
            with tf.GradientTape() as tape:
                loss = tf.reduce_mean(model(x[:, None]) ** 2)
            last = model.layers[-1].trainable_variables
            opt.apply_gradients(zip(tape.gradient(loss, last), last))
        """
    after = migrate(textwrap.dedent(text)).after
    assert "broadcast_variables" in after
    assert migrate(after).after == after


def test_others_wait_for_a_download_though_a_class_stands_between() -> None:
    text = """\
        import keras

        x, y = keras.datasets.mnist.load_data()[0]
        model = keras.Sequential([keras.layers.Dense(1)])
        model.compile("adam", loss="mse")
        model.fit(x, y)
        """
    options = Options(tensorflow=(2, 16))
    after = migrate(textwrap.dedent(text), options).after
    assert "class BroadcastState" in after
    assert after.count("local_rank() != 0") == 1
    assert migrate(after, options).after == after


def test_a_turn_is_known_again_where_a_share_stands_in_it() -> None:
    """D107 cuts what the first download gives, behind it and before the second."""
    load = "tfds.load({!r}, split='train', shuffle_files=True).shuffle(99).batch(9)\n"
    text = (
        "import tensorflow as tf\nimport tensorflow_datasets as tfds\n\n"
        "model = tf.keras.Sequential([tf.keras.layers.Dense(1)])\nmodel.compile('sgd', 'mse')\n"
        f"a = {load.format('a')}b = {load.format('b')}both = tf.data.Dataset.zip((a, b))\n"
        "model.fit(both.map(lambda a, b: a))\n"
    )
    after = migrate(text).after
    assert after.count("hvd.local_rank() != 0") == 1
    assert after.index(".shard(") < after.index("if hvd.local_rank() == 0")
    assert settled(after)[0].verdict == PROVED
