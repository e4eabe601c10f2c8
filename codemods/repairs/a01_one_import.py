"""TensorFlow is imported once, at the top: out of functions, and in the place of other bindings.

Python imports a module once, whoever asks first: https://docs.python.org/3/reference/import.html.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from ..edits import (
    At,
    DropNames,
    Insert,
    Places,
    Remove,
    Replace,
    drop_names,
    insert,
    remove,
    replace,
)
from ..edits.patterns import CONDITION, IMPORT, STATEMENT
from ..facts import Facts
from ..facts.setup.import_places import is_import, sets_environment, tensorflow_import
from ..program.node_fields import within
from ..program.parts import FunctionNode
from ._repair import Query, repair
from ._second_bindings import rebound

PACKAGES = ("tensorflow", "keras", "tf_keras")
IMPORTS = (ast.Import, ast.ImportFrom)


def imports(facts: Facts) -> Iterator[At]:
    """Those that move to the top, and those that take the place of an assignment."""
    yield from inner_imports(facts)
    yield from rebound(facts)


def inner_imports(facts: Facts) -> Iterator[At]:
    """The imports that functions make, and the place at the top to which they move."""
    inner = [node for node in within(facts.module) if is_inner(facts, node)]
    if tensorflow_import(facts) is not None or not inner or clashes(facts, inner):
        return
    lines = "".join(f"{line}\n" for line in dict.fromkeys(map(ast.unparse, inner)))
    leading = [s for s in facts.module.body if is_leading(facts, s)]
    if leading:
        yield At(leading[-1], Insert(after=lines))
    else:
        yield At(facts.module.body[0], Insert(before=f"{lines}\n"))
    for statement in inner:
        yield At(statement, Remove())


def is_inner(facts: Facts, node: ast.AST) -> bool:
    """Whether TensorFlow is imported directly in a function, with nothing set up for it before."""
    if not isinstance(node, IMPORTS) or not isinstance(facts.parent(node), FunctionNode):
        return False
    named = (
        [node.module or ""] if isinstance(node, ast.ImportFrom) else [a.name for a in node.names]
    )
    block, number = facts.block(node)
    is_prepared = any("environ" in ast.unparse(earlier) for earlier in block[:number])
    return not is_prepared and all(name.split(".")[0] in PACKAGES for name in named)


def clashes(facts: Facts, inner: list[ast.AST]) -> bool:
    """Whether a name would be bound twice, or mean one module here and another one there."""
    known: dict[str, str] = {}
    taken = facts.bound(facts.module)
    for node in inner:
        module = getattr(node, "module", "")
        for alias in node.names:  # type: ignore[attr-defined]
            name = alias.asname or alias.name.partition(".")[0]
            means = f"{module} {alias.name if alias.asname else name}"
            if name in taken or known.setdefault(name, means) != means:
                return True
    return False


def is_leading(facts: Facts, statement: ast.stmt) -> bool:
    """A docstring, an import, a setting of the environment."""
    is_text = isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Constant)
    return is_text or is_import(statement) or sets_environment(facts, statement)


@repair(
    code="A01",
    name="one-import",
    title="Import TensorFlow once, at the top of the module.",
    answers=("R01", "R02"),
    is_automatic=True,
    find=imports,
    before="""\
import tensorflow as tf
from tensorflow.keras import Model, layers

tf = tf.compat.v2  # the second one


class Model(Model):
    def __init__(self):
        super().__init__()
        self.dense = layers.Dense(1)

    def call(self, x):
        return self.dense(x)


model = Model()
model.compile("sgd", "mse")
model.fit(tf.ones((8, 4)), tf.ones((8, 1)))
""",
    after="""\
from tensorflow.keras import layers
from tensorflow.keras import Model as BaseModel

import tensorflow.compat.v2 as tf
# the second one


class Model(BaseModel):
    def __init__(self):
        super().__init__()
        self.dense = layers.Dense(1)

    def call(self, x):
        return self.dense(x)


model = Model()
model.compile("sgd", "mse")
model.fit(tf.ones((8, 4)), tf.ones((8, 1)))
""",
    noop=(
        # the name is another one's; the devices are chosen before; it may be missing
        "tf = 3\n\n\ndef main():\n    import tensorflow as tf\n\n"
        '    model = tf.keras.Sequential([])\n    model.compile("sgd", "mse")\n'
        "    model.fit(tf.ones((8, 4)), tf.ones((8, 1)))\n\n\nmain()\n",
        "import os\n\n\ndef main():\n"
        '    os.environ["CUDA_VISIBLE_DEVICES"] = "1"\n    import tensorflow as tf\n\n'
        '    model = tf.keras.Sequential([])\n    model.compile("sgd", "mse")\n'
        "    model.fit(tf.ones((8, 4)), tf.ones((8, 1)))\n\n\nmain()\n",
        "def main():\n    try:\n        import tensorflow as tf\n"
        "    except ImportError:\n        return\n"
        '    model = tf.keras.Sequential([])\n    model.compile("sgd", "mse")\n'
        "    model.fit(tf.ones((8, 4)), tf.ones((8, 1)))\n\n\nmain()\n",
        # it is used in between; something of one's own; only now and then
        "import tensorflow as tf\n\nx = tf.ones((8, 4))\ntf = tf.compat.v1\n"
        "model = tf.keras.Sequential([tf.keras.layers.Dense(1)])\n"
        'model.compile("sgd", "mse")\nmodel.fit(x, x)\n',
        "import tensorflow as tf\nimport numpy as np\n\ntf = np\n"
        "model = tf.keras.Sequential([tf.keras.layers.Dense(1)])\n",
        "import sys\n\nimport tensorflow as tf\n\nif sys.argv[1:]:\n    tf = tf.compat.v1\n"
        "model = tf.keras.Sequential([tf.keras.layers.Dense(1)])\n"
        'model.compile("sgd", "mse")\nmodel.fit(tf.ones((8, 4)), tf.ones((8, 1)))\n',
    ),
)
def one_import(at: Places) -> Query:
    """New lines go in before the old ones go."""
    return (
        Query()
        .select(CONDITION)
        .filter(at.each(Replace))
        .modify(replace)
        .select(STATEMENT)
        .filter(at.each(Insert))
        .modify(insert)
        .select(IMPORT)
        .filter(at.each(DropNames))
        .modify(drop_names)
        .select(STATEMENT)
        .filter(at.each(Remove))
        .modify(remove)
    )
