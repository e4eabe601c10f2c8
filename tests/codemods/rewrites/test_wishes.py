"""How rates grow, how gradients travel and add up, as a person chose it."""

from __future__ import annotations

from pathlib import Path

import pytest

from distify.codemods.migrate import migrate
from distify.codemods.model import ALREADY_HOROVOD, KEPT, LINEAR, ROOT, Options

EXAMPLES = Path(__file__).resolve().parents[3] / "examples"
MODEL = "import tensorflow as tf\n\nmodel = tf.keras.Sequential([tf.keras.layers.Dense(1)])\n"
FIT = "model.fit(tf.ones((64, 2)), tf.ones((64, 1)))\n"
COMPILED = f'{MODEL}model.compile(tf.keras.optimizers.SGD(0.1), "mse")\n{FIT}'
BY_NAME = f'{MODEL}model.compile("sgd", "mse")\n{FIT}'
TAPE = f"""{MODEL}opt = tf.keras.optimizers.SGD(0.1)
data = tf.data.Dataset.from_tensor_slices(tf.ones((64, 2))).batch(8)
for x in data:
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean(model(x) ** 2)
    grads = tape.gradient(loss, model.trainable_variables)
    opt.apply_gradients(zip(grads, model.trainable_variables))
"""


@pytest.mark.parametrize("text", [COMPILED, BY_NAME, TAPE])
@pytest.mark.parametrize(
    ("rate", "there", "gone"),
    [
        (LINEAR, "* hvd.size()", "** 0.5"),
        (ROOT, "* hvd.size() ** 0.5", "\0"),
        (KEPT, "hvd.init()", "01 * hvd.size()"),
    ],
)
def test_rates_grow_as_was_chosen(text: str, rate: str, there: str, gone: str) -> None:
    after = migrate(text, Options(learning_rate=rate)).after
    assert there in after
    assert gone not in after.replace("0.1 *", "0.01 *")


@pytest.mark.parametrize(
    ("text", "line"),
    [
        (COMPILED, "DistributedOptimizer(optimizer, compression=hvd.Compression.fp16)"),
        (BY_NAME, "DistributedOptimizer(optimizer, compression=hvd.Compression.fp16)"),
        (TAPE, "DistributedGradientTape(tape, compression=hvd.Compression.fp16)"),
    ],
)
def test_gradients_travel_as_halves_where_that_was_chosen(text: str, line: str) -> None:
    assert line in migrate(text, Options(compression="fp16")).after
    assert "ompression" not in migrate(text, Options()).after


@pytest.mark.parametrize("text", [COMPILED, TAPE])
def test_so_do_those_of_keras_3(text: str) -> None:
    after = migrate(text, Options(tensorflow=(2, 20), compression="fp16")).after
    assert "hvd.allreduce(g" in after
    assert after.count("compression=hvd.Compression.fp16") == 1
    assert max(map(len, after.splitlines())) <= 100


@pytest.mark.parametrize("text", [COMPILED, BY_NAME, TAPE])
@pytest.mark.parametrize("rate", [ROOT, KEPT])
def test_a_second_run_finds_nothing_to_do(text: str, rate: str) -> None:
    options = Options(learning_rate=rate, compression="fp16")
    again = migrate(migrate(text, options).after, options)
    assert (again.skipped, again.blocked) == (ALREADY_HOROVOD, ())


# -- warm-up -----------------------------------------------------------------------------------

CALLBACK = "hvd.callbacks.LearningRateWarmupCallback("
GIVEN = (
    "initial_lr=float(model.optimizer.learning_rate), warmup_epochs=5, momentum_correction=False"
)
WARM = Options(warmup=5)


def flat(text: str) -> str:
    """A program without the layout of its calls."""
    return " ".join(text.split()).replace("( ", "(").replace(", )", ")").replace(" )", ")")


@pytest.mark.parametrize("text", [COMPILED, BY_NAME])
def test_fit_leads_its_rate_up_where_that_was_chosen(text: str) -> None:
    after = flat(migrate(text, WARM).after)
    assert f"hvd.callbacks.MetricAverageCallback(), {CALLBACK}{GIVEN})" in after
    assert CALLBACK not in migrate(text, Options()).after
    assert CALLBACK not in migrate(text, WARM._replace(learning_rate=KEPT)).after


def test_keras_3_and_data_without_a_count_get_a_class_of_their_own() -> None:
    data = "tf.data.Dataset.range(64).filter(lambda n: n > 3).batch(8)"
    for text, options in (
        (COMPILED, WARM._replace(tensorflow=(2, 20))),
        (COMPILED.replace(FIT, f"model.fit({data})\n"), WARM),
    ):
        after = migrate(text, options).after
        assert "class WarmUpRate(tf.keras.callbacks.Callback):" in after
        assert "WarmUpRate(5)" in after
        assert CALLBACK not in after


def test_a_count_of_steps_is_enough_for_horovods_callback() -> None:
    data = "tf.data.Dataset.range(64).filter(lambda n: n > 3).repeat().batch(8)"
    text = COMPILED.replace(FIT, f"model.fit({data}, steps_per_epoch=8)\n")
    assert CALLBACK in migrate(text, WARM).after


@pytest.mark.parametrize("calls", [1, 2])
def test_a_model_that_trains_on_is_not_warmed_up_again(calls: int) -> None:
    assert migrate(COMPILED + FIT * calls, WARM).after.count(CALLBACK) == 1


def test_a_second_compile_begins_a_second_training() -> None:
    again = 'model.compile(tf.keras.optimizers.SGD(0.01), "mse")\n'
    assert migrate(COMPILED + again + FIT, WARM).after.count(CALLBACK) == 2


def test_each_round_that_makes_its_model_is_warmed_up() -> None:
    inner = COMPILED.partition("\n\n")[2].replace("\n", "\n    ").rstrip()
    text = f"import tensorflow as tf\n\nfor fold in range(3):\n    {inner}\n"
    assert migrate(text, WARM).after.count(CALLBACK) == 1


def test_a_long_callback_is_broken_where_the_list_has_a_line_for_each() -> None:
    given = "callbacks=[\n        tf.keras.callbacks.EarlyStopping(),\n    ]"
    text = COMPILED.replace("tf.ones((64, 1))", f"tf.ones((64, 1)),\n    {given},\n")
    after = migrate(text, WARM._replace(width=88)).after
    assert f"        {CALLBACK}\n" in after
    assert max(map(len, after.splitlines())) <= 88


SCHEDULE = "tf.keras.optimizers.schedules.ExponentialDecay(0.1, 100, 0.9)"
NOT_WARMED = {
    "a schedule": COMPILED.replace("SGD(0.1)", f"SGD({SCHEDULE})"),
    "rounds": COMPILED.replace(FIT, f"for _ in range(3):\n    {FIT}"),
    "a function that is called twice": COMPILED.replace(
        FIT, f"def train():\n    {FIT}\n\ntrain()\ntrain()\n"
    ),
    "a model without a name": MODEL
    + 'def build():\n    model.compile("sgd", "mse")\n    return model\n\n\n'
    + FIT.replace("model", "build()"),
    "a loaded model": (EXAMPLES / "keras_resuming_classifier.py").read_text(encoding="utf-8"),
}


@pytest.mark.parametrize("text", NOT_WARMED.values(), ids=NOT_WARMED)
def test_what_can_not_be_led_up_is_refused_by_name(text: str) -> None:
    assert not migrate(text, Options()).blocked
    found = migrate(text, WARM)
    assert [(each.code, bool(each.fix)) for each in found.blocked] == [("L02", True)]
    taken = WARM._replace(suppressed=frozenset({"L02"}))
    assert migrate(text, taken).after == migrate(text, Options()).after


# -- backward passes ---------------------------------------------------------------------------

FOUR = Options(passes=4)
ADDED_UP = (
    "hvd.DistributedOptimizer(optimizer, backward_passes_per_step=4, "
    "average_aggregated_gradients=True, sparse_as_dense=True)"
)


@pytest.mark.parametrize("text", [COMPILED, BY_NAME])
def test_gradients_of_several_batches_are_added_up_where_that_was_chosen(text: str) -> None:
    after = migrate(text, FOUR).after
    assert ADDED_UP in flat(after)
    assert "1 * hvd.size() * 4)" in after  # a step covers four times as many examples
    assert "backward_passes" not in migrate(text, Options()).after
    root = migrate(text, FOUR._replace(learning_rate=ROOT)).after
    assert "1 * (hvd.size() * 4) ** 0.5)" in root


def test_all_of_it_goes_together() -> None:
    options = Options(passes=4, warmup=5, compression="fp16", learning_rate=ROOT)
    after = migrate(COMPILED, options).after
    assert "(\n    optimizer,\n    compression=hvd.Compression.fp16,\n    backward_" in after
    again = migrate(after, options)
    assert (again.skipped, again.blocked) == (ALREADY_HOROVOD, ())


OWN_STEP = COMPILED.replace(
    "model = tf.keras.Sequential([tf.keras.layers.Dense(1)])\n",
    """

class Net(tf.keras.Model):
    def __init__(self):
        super().__init__()
        self.dense = tf.keras.layers.Dense(1)

    def call(self, x):
        return self.dense(x)

    def train_step(self, data):
        x, y = data
        with tf.GradientTape() as tape:
            loss = tf.reduce_mean((self(x) - y) ** 2)
        grads = tape.gradient(loss, self.trainable_variables)
        self.optimizer.apply_gradients(zip(grads, self.trainable_variables))
        return {"loss": loss}


model = Net()
""",
)
POLICY = 'tf.keras.mixed_precision.set_global_policy("mixed_float16")\n'
NOT_ADDED_UP = {
    "a tape": (TAPE, FOUR),
    "a step of its own": (OWN_STEP, FOUR),
    "Keras 3": (COMPILED, FOUR._replace(tensorflow=(2, 20))),
    "mixed precision": (COMPILED.replace("\n\n", f"\n\n{POLICY}"), FOUR),
    "a loaded model": (NOT_WARMED["a loaded model"], FOUR),
}


@pytest.mark.parametrize(("text", "options"), NOT_ADDED_UP.values(), ids=NOT_ADDED_UP)
def test_what_horovod_can_not_add_up_is_refused_by_name(text: str, options: Options) -> None:
    plain = options._replace(passes=1)
    assert not migrate(text, plain).blocked
    found = migrate(text, options)
    assert {(each.code, bool(each.fix)) for each in found.blocked} == {("L02", True)}
    taken = options._replace(suppressed=frozenset({"L02"}))
    assert migrate(text, taken).after == migrate(text, plain).after
