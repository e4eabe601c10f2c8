"""Programs over which distify stumbled, or whose edits could not be made, are migrated."""

from __future__ import annotations

from distify.codemods.migrate import migrate
from distify.codemods.model import Options

DATA = """\
import numpy as np
import tensorflow as tf
{imports}
x, y = np.load("x.npy"), np.load("y.npy")
{data}
model = tf.keras.Sequential([tf.keras.layers.Dense(1)])
model.compile("sgd", loss="mse")
{fit}
"""


def written(imports: str = "", data: str = "", fit: str = "model.fit(x, y)") -> str:
    found = migrate(DATA.format(imports=imports, data=data, fit=fit), Options(width=88))
    assert not found.blocked
    return found.after


def test_a_value_of_another_library_that_a_loop_makes_of_itself() -> None:
    """It was asked of its receiver, which is itself, without an end."""
    scaler = "from sklearn.preprocessing import StandardScaler"
    loop = "scaler = StandardScaler()\nfor part in x:\n    scaler = scaler.partial_fit(part)\n"
    after = written(scaler, f"{loop}scaler.fit(x)")
    assert "scaler.fit(x)\n" in after
    assert "x[shard]" in after


def test_two_values_of_another_library_that_are_made_of_each_other() -> None:
    two = "one = two = pd.DataFrame()\nfor _ in x:\n    one = two.copy()\n    two = one.copy()\n"
    after = written("import pandas as pd", f"{two}one.fit(x)")
    assert "one.fit(x)\n" in after


def test_data_of_two_fits_is_shared_once() -> None:
    """Both wanted the same edit of the same call."""
    flow = "tf.keras.preprocessing.image.ImageDataGenerator().flow(x, y, 16)"
    after = written(data=f"flow = {flow}", fit="model.fit(flow)\nmodel.fit(flow)")
    assert after.count("x[shard], y[shard], 16") == 1


def test_a_test_in_an_f_string_is_quiet() -> None:
    after = written(fit='model.fit(x, y)\nprint(f"{y}: {model.evaluate(x, y):.2f}%", y)')
    assert 'f"{y}: {model.evaluate(x, y, verbose=verbose):.2f}%"' in after


def test_a_long_call_in_an_f_string_stays_in_its_line() -> None:
    """Before Python 3.12 it could not be broken there."""
    call = "model.evaluate(x, y, batch_size=16, sample_weight=None)"
    after = written(fit=f"model.fit(x, y)\nprint(f'{{y}}: the mean squared error: {{{call}}}')")
    assert "sample_weight=None, verbose=verbose)}'" in after
