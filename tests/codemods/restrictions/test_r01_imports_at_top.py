"""Horovod needs an import of TensorFlow at the top to start behind."""

from __future__ import annotations

import pytest

from distify.codemods.migrate import migrate
from distify.codemods.model import Options

FIT = """model = tf.keras.Sequential([tf.keras.layers.Dense(1)])
model.compile("sgd", "mse")
model.fit([[1.0]], [[2.0]])
"""
INDENTED = "".join(f"    {line}\n" for line in FIT.splitlines())
BLOCKED = {
    "in a function": "def main():\n    import tensorflow as tf\n" + INDENTED + "main()\n",
    "in the main block": "if __name__ == '__main__':\n    import tensorflow as tf\n" + INDENTED,
}
FREE = {
    "at the top": "import tensorflow as tf\n" + FIT,
    "in a try": "try:\n    import tensorflow as tf\nexcept ImportError:\n    raise\n" + FIT,
    "once more in a function": (
        "import tensorflow as tf\n" + FIT + "def f():\n    import tensorflow as tf\n    return tf\n"
    ),
    "no training": "def f():\n    import tensorflow as tf\n    return tf\n",
}


@pytest.mark.parametrize("name", BLOCKED)
def test_blocked(name: str) -> None:
    found = migrate(BLOCKED[name])
    assert "R01" in [finding.code for finding in found.blocked]
    assert [finding.line for finding in found.blocked if finding.code == "R01"] == [2]
    assert found.after == BLOCKED[name]


@pytest.mark.parametrize("name", FREE)
def test_not_blocked(name: str) -> None:
    assert "R01" not in [finding.code for finding in migrate(FREE[name]).blocked]


@pytest.mark.parametrize(
    "line",
    [
        'tf = importlib.import_module("tensorflow")',
        'tf = __import__("tensorflow")',
        'keras = importlib.import_module("tensorflow.keras")\nimport tensorflow as tf',
    ],
)
def test_an_import_by_a_call_is_named_once_and_mended(line: str) -> None:
    text = f"import importlib\nimport numpy as np\n{line}\n"
    text += "x = np.ones((8, 4))\nmodel = tf.keras.Sequential([tf.keras.layers.Dense(1)])\n"
    text += "model.compile('sgd', 'mse')\nmodel.fit(x, x)\n"
    found = migrate(text)
    assert [(each.code, each.line) for each in found.blocked] == [("R02", 3)]
    repaired = migrate(text, Options(repair=frozenset({"A01"})))
    assert not repaired.blocked
    assert "import_module(" not in repaired.after
    assert "__import__" not in repaired.after
