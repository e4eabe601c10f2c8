"""Keras 3 runs on TensorFlow, whose gradients Horovod averages.

https://keras.io/getting_started/: `KERAS_BACKEND` says on what Keras runs.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from ..edits import At, Places, Replace, replace
from ..edits.patterns import CONDITION
from ..facts import Facts
from ..facts.keras_version import roots
from ..model import Options
from ..program.node_fields import within
from ..restrictions.n02_other_backend import others
from ._repair import Query, repair

BACKENDS = {"jax", "torch"}


def backends(facts: Facts) -> Iterator[At]:
    """What the setting is set to, where the program uses no other backend itself."""
    imports = (n for n in within(facts.module) if isinstance(n, (ast.Import, ast.ImportFrom)))
    if any(roots(each) & BACKENDS for each in imports):
        return
    for _, value in others(facts):
        if isinstance(value, ast.Constant):
            yield At(value, Replace('"tensorflow"'))


@repair(
    code="A23",
    name="tensorflow-backend",
    title="Run Keras on TensorFlow, for which Horovod is written.",
    answers=("N02",),
    is_automatic=False,
    chosen=Options(tensorflow=(2, 20)),
    find=backends,
    before="""\
import os

os.environ["KERAS_BACKEND"] = "jax"  # fast

import keras
import numpy as np

model = keras.Sequential([keras.layers.Dense(1)])
model.compile("sgd", "mse")
model.fit(np.ones((8, 4)), np.ones((8, 1)))
""",
    after="""\
import os

os.environ["KERAS_BACKEND"] = "tensorflow"  # fast

import keras
import numpy as np

model = keras.Sequential([keras.layers.Dense(1)])
model.compile("sgd", "mse")
model.fit(np.ones((8, 4)), np.ones((8, 1)))
""",
    noop=(
        # it is written for the other one; nobody sees what is set
        'import os\n\nos.environ["KERAS_BACKEND"] = "jax"\n\nimport jax\nimport keras\n\n'
        'model = keras.Sequential([])\nmodel.compile("sgd", "mse")\nmodel.fit([1.0], [2.0])\n',
        'import os\nimport sys\n\nos.environ["KERAS_BACKEND"] = sys.argv[1]\n\nimport keras\n\n'
        'model = keras.Sequential([])\nmodel.compile("sgd", "mse")\nmodel.fit([1.0], [2.0])\n',
    ),
)
def tensorflow_backend(at: Places) -> Query:
    """Another word in the same place."""
    return Query().select(CONDITION).filter(at.each(Replace)).modify(replace)
