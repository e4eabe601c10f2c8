"""What every worker would draw for itself is drawn from one seed, alike on all of them.

https://docs.python.org/3/library/random.html, https://www.tensorflow.org/api_docs/python/tf/data.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from ..edits import At, Insert, Places, SetArgument, insert, set_argument
from ..edits.patterns import CALL, STATEMENT
from ..facts import Facts
from ..facts.setup.import_places import is_import
from ..library.array_names import SEEDS
from ..rewrites._new_code import spell
from ._repair import Query, repair
from ._unseeded_draws import modules, uneven

SEED = "seed"


def draws(facts: Facts) -> Iterator[At]:
    """A line behind the imports for each module that draws, a seed for each call that shuffles."""
    imports = [s for s in facts.module.body if is_import(s)]
    found = modules(facts)
    if found and imports and all(is_imported(facts, imports, module) for module in found):
        lines = "".join(f"{spell(facts, SEEDS[module])}(0)\n" for module in found)
        yield At(imports[-1], Insert(after=f"\n{lines}\n"))
    for call in dict.fromkeys(uneven(facts)):
        yield At(call, SetArgument(SEED, "0"))


def is_imported(facts: Facts, imports: list[ast.stmt], module: str) -> bool:
    """Whether a module is reached by its name, or by that of a package that holds it."""
    parts = module.split(".")
    packages = {".".join(parts[: count + 1]) for count in range(len(parts))}
    reached = set(facts.names.imports().values())
    return bool(packages & reached)


@repair(
    code="A07",
    name="one-seed",
    title="Draw from one seed, so that all workers draw alike.",
    answers=("T07", "K04"),
    is_automatic=True,
    find=draws,
    before="""\
import numpy as np
import tensorflow as tf

x = np.ones((100, 4))
train = np.random.rand(100) < 0.8
model = tf.keras.Sequential([tf.keras.layers.Dense(1)])
model.compile("sgd", "mse")
model.fit(x[train], x[train][:, :1])
""",
    after="""\
import numpy as np
import tensorflow as tf

np.random.seed(0)

x = np.ones((100, 4))
train = np.random.rand(100) < 0.8
model = tf.keras.Sequential([tf.keras.layers.Dense(1)])
model.compile("sgd", "mse")
model.fit(x[train], x[train][:, :1])
""",
    noop=(
        # a generator of one's own; a draw that decides on nothing
        "import numpy as np\nimport tensorflow as tf\n\nx = np.ones((100, 4))\n"
        "train = np.random.default_rng().random(100) < 0.8\n"
        'model = tf.keras.Sequential([])\nmodel.compile("sgd", "mse")\n'
        "model.fit(x[train], x[train])\n",
    ),
)
def one_seed(at: Places) -> Query:
    """Modules are seeded before anything draws, datasets where they shuffle."""
    return (
        Query()
        .select(STATEMENT)
        .filter(at.each(Insert))
        .modify(insert)
        .select(CALL)
        .filter(at.each(SetArgument))
        .modify(set_argument)
    )
