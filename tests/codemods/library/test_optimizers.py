"""Where library classes take their rates: the signatures of TensorFlow 2.15 and addons 0.23."""

from __future__ import annotations

import pytest

from distify.codemods.library import optimizers as known

KERAS = "tensorflow.keras.optimizers"
ADDONS = "tensorflow_addons.optimizers"
V1 = "tensorflow.compat.v1.train"

RATES = {
    **{
        f"{KERAS}.{part}{name}": ("learning_rate", 0, default)
        for part in ("", "legacy.", "experimental.")
        for name, default in {
            "Adadelta": "0.001",
            "Adafactor": "0.001",
            "Adagrad": "0.001",
            "Adam": "0.001",
            "AdamW": "0.001",
            "Adamax": "0.001",
            "Ftrl": "0.001",
            "Lion": "0.0001",
            "Nadam": "0.001",
            "RMSprop": "0.001",
            "SGD": "0.01",
        }.items()
    },
    f"{ADDONS}.AdaBelief": ("learning_rate", 0, "0.001"),
    f"{ADDONS}.AdamW": ("learning_rate", 1, "0.001"),  # weight_decay stands first
    f"{ADDONS}.ConditionalGradient": ("learning_rate", 0, None),
    f"{ADDONS}.LAMB": ("learning_rate", 0, "0.001"),
    f"{ADDONS}.LazyAdam": ("learning_rate", 0, "0.001"),
    f"{ADDONS}.NovoGrad": ("learning_rate", 0, "0.001"),
    f"{ADDONS}.ProximalAdagrad": ("learning_rate", 0, "0.001"),
    f"{ADDONS}.RectifiedAdam": ("learning_rate", 0, "0.001"),
    f"{ADDONS}.SGDW": ("learning_rate", 1, "0.001"),
    f"{ADDONS}.Yogi": ("learning_rate", 0, "0.01"),
    f"{V1}.AdadeltaOptimizer": ("learning_rate", 0, "0.001"),
    f"{V1}.AdagradOptimizer": ("learning_rate", 0, None),
    f"{V1}.AdamOptimizer": ("learning_rate", 0, "0.001"),
    f"{V1}.FtrlOptimizer": ("learning_rate", 0, None),
    f"{V1}.GradientDescentOptimizer": ("learning_rate", 0, None),
    f"{V1}.MomentumOptimizer": ("learning_rate", 0, None),
    f"{V1}.ProximalAdagradOptimizer": ("learning_rate", 0, None),
    f"{V1}.ProximalGradientDescentOptimizer": ("learning_rate", 0, None),
    f"{V1}.RMSPropOptimizer": ("learning_rate", 0, None),
    "tensorflow.train.AdamOptimizer": ("learning_rate", 0, "0.001"),
}


@pytest.mark.parametrize("name", RATES)
def test_where_an_optimizer_takes_its_rate(name: str) -> None:
    rate = known.optimizer_rate(name)
    assert rate is not None
    assert (rate.name, rate.position, rate.default) == RATES[name]
    assert not rate.each


@pytest.mark.parametrize(
    "name",
    [
        f"{KERAS}.Mine",
        f"{ADDONS}.Lookahead",  # it wraps another one, which has the rate
        f"{ADDONS}.SGD",
        f"{V1}.SGD",
        "tensorflow.keras.layers.Adam",
        "mine.optimizers.Adam",
    ],
)
def test_of_other_classes_no_rate_is_known(name: str) -> None:
    assert known.optimizer_rate(name) is None


INITIAL = ("initial_learning_rate", 0, None, False)
SCHEDULES = {
    "CosineDecay": [INITIAL, ("warmup_target", 4, None, False)],
    "CosineDecayRestarts": [INITIAL],
    "ExponentialDecay": [INITIAL],
    "InverseTimeDecay": [INITIAL],
    "LinearCosineDecay": [INITIAL],
    "NoisyLinearCosineDecay": [INITIAL],
    "PiecewiseConstantDecay": [("values", 1, None, True)],
    "PolynomialDecay": [INITIAL, ("end_learning_rate", 2, "0.0001", False)],
}


@pytest.mark.parametrize("module", [f"{KERAS}.schedules", "tensorflow.keras.experimental"])
@pytest.mark.parametrize("name", SCHEDULES)
def test_where_a_schedule_takes_its_rates(module: str, name: str) -> None:
    rates = known.schedule_rates(f"{module}.{name}")
    assert [(r.name, r.position, r.default, r.each) for r in rates] == SCHEDULES[name]


@pytest.mark.parametrize("name", [f"{KERAS}.schedules.Mine", "mine.optimizers.CosineDecay"])
def test_of_other_schedules_nothing_is_known(name: str) -> None:
    assert known.schedule_rates(name) == ()


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("adadelta", "Adadelta"),
        ("adagrad", "Adagrad"),
        ("adam", "Adam"),
        ("Adam", "Adam"),
        ("adamax", "Adamax"),
        ("ftrl", "Ftrl"),
        ("nadam", "Nadam"),
        ("rmsprop", "RMSprop"),
        ("RMSprop", "RMSprop"),
        ("sgd", "SGD"),
        ("adamw", "AdamW"),
        ("AdamW", "AdamW"),
        ("adafactor", "Adafactor"),
        ("lion", "Lion"),
        ("lamb", None),
        ("mine", None),
    ],
)
def test_the_class_of_a_string_and_its_default_rate(text: str, name: str | None) -> None:
    assert known.of_string(text) == name
    assert name is None or known.rate_of(name) == ("0.01" if name == "SGD" else "0.001")


def test_a_string_of_a_class_that_keras_3_alone_has() -> None:
    assert known.of_string("Lamb", is_keras_3=True) == "Lamb"
    assert known.rate_of("Lamb") == "0.001"


def test_compile_without_an_optimizer_takes_rmsprop() -> None:
    assert known.COMPILE_DEFAULT == "RMSprop"


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        (f"{KERAS}.Adam", False),
        (f"{KERAS}.legacy.Adam", True),
        (f"{V1}.AdamOptimizer", True),
        (f"{ADDONS}.LAMB", True),
    ],
)
def test_whether_variables_is_a_method_in_every_version(name: str, expected: bool) -> None:
    assert known.is_legacy(name) is expected
