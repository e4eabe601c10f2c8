"""The table of Keras' classes says what the installed classes say."""

from __future__ import annotations

import inspect

import pytest

from distify.codemods.library import optimizers as table

tf = pytest.importorskip("tensorflow")

WITHOUT_RATE = {"Optimizer"}
REMOVED = {"LinearCosineDecay", "NoisyLinearCosineDecay"}  # since TensorFlow 2.9


def parameters(cls: type) -> list[inspect.Parameter]:
    """The parameters of the constructor after `self`."""
    return list(inspect.signature(cls.__init__).parameters.values())[1:]


def classes(module: object) -> dict[str, type]:
    """The public classes of a module."""
    return {name: cls for name, cls in vars(module).items() if inspect.isclass(cls)}


@pytest.mark.parametrize("where", ["", ".legacy", ".experimental"])
def test_every_optimizer_is_known_with_its_rate(where: str) -> None:
    module = tf.keras.optimizers
    for part in filter(None, where.split(".")):
        module = getattr(module, part)
    for name, cls in classes(module).items():
        if name in WITHOUT_RATE:
            continue
        known = table.optimizer_rate(f"tensorflow.keras.optimizers{where}.{name}")
        assert known is not None, name
        found = parameters(cls)[known.position]
        assert (found.name, str(found.default)) == (known.name, known.default), name


def test_every_schedule_is_known_with_its_rates() -> None:
    for name, cls in classes(tf.keras.optimizers.schedules).items():
        if name == "LearningRateSchedule":
            continue
        rates = table.schedule_rates(f"tensorflow.keras.optimizers.schedules.{name}")
        assert rates, name
        for rate in rates:
            found = parameters(cls)[rate.position]
            assert found.name == rate.name, name
            default = None if found.default in (found.empty, None) else str(found.default)
            assert default == rate.default, name
    assert set(table.SCHEDULE_RATES) - set(dir(tf.keras.optimizers.schedules)) == REMOVED


@pytest.mark.parametrize("text", [*table.STRINGS, "Adam", "RMSprop", "SGD"])
def test_every_string_means_its_class(text: str) -> None:
    optimizer = tf.keras.optimizers.get(text)
    name = table.of_string(text)
    assert name is not None
    assert type(optimizer) is getattr(tf.keras.optimizers, name)
    assert float(optimizer.learning_rate) == pytest.approx(float(table.rate_of(name)))


@pytest.mark.parametrize("text", [*table.KERAS_3_STRINGS, "AdamW", "mine"])
def test_no_other_string_means_anything_to_keras_2(text: str) -> None:
    with pytest.raises(ValueError, match="Unknown optimizer"):
        tf.keras.optimizers.get(text)
    name = table.of_string(text)
    assert name is None or hasattr(tf.keras.optimizers, name)


def test_compile_takes_the_default_of_the_table() -> None:
    model = tf.keras.Sequential([tf.keras.layers.Dense(1)])
    model.compile(loss="mse")
    assert type(model.optimizer).__name__ == table.COMPILE_DEFAULT


@pytest.mark.parametrize("name", sorted(table.V1_RATES))
def test_every_class_of_tensorflow_1_is_known(name: str) -> None:
    known = table.V1_RATES[name]
    found = parameters(getattr(tf.compat.v1.train, name))[known.position]
    default = None if found.default is found.empty else str(found.default)
    assert (found.name, default) == (known.name, known.default)


@pytest.mark.parametrize("where", ["", ".legacy"])
def test_variables_are_a_property_of_the_newer_classes_only(where: str) -> None:
    cls = tf.keras.optimizers.legacy.SGD if where else tf.keras.optimizers.SGD
    name = f"tensorflow.keras.optimizers{where}.SGD"
    assert callable(getattr(cls, "variables", None)) is table.is_legacy(name)
