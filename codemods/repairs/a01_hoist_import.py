"""An import of TensorFlow in a function moves to the top, where Horovod can start behind it.

Python imports a module once, whoever asks first: https://docs.python.org/3/reference/import.html.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from ..edits import At, Insert, Places, Remove, insert, remove
from ..edits.patterns import IMPORT, STATEMENT
from ..facts import Facts
from ..facts.scopes import FunctionNode
from ..facts.setup.import_places import tensorflow_import
from ..facts.setup.leading import is_import, sets_environment
from ..program.node_fields import within
from ._repair import Query, repair

PACKAGES = ("tensorflow", "keras", "tf_keras")
IMPORTS = (ast.Import, ast.ImportFrom)


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
    taken = facts.scope(facts.module.body[0]).bindings
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
    name="hoist-import",
    title="Move the import of TensorFlow to the top of the module.",
    answers=("R01",),
    is_automatic=True,
    find=inner_imports,
    before='''\
"""Train."""

import os


def main():
    import tensorflow as tf
    model = tf.keras.Sequential([tf.keras.layers.Dense(1)])
    model.compile("sgd", "mse")
    model.fit(tf.ones((8, 4)), tf.ones((8, 1)))


main()
''',
    after='''\
"""Train."""

import os
import tensorflow as tf


def main():
    model = tf.keras.Sequential([tf.keras.layers.Dense(1)])
    model.compile("sgd", "mse")
    model.fit(tf.ones((8, 4)), tf.ones((8, 1)))


main()
''',
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
    ),
)
def hoist_import(at: Places) -> Query:
    """The new line goes in before the old ones go."""
    return (
        Query()
        .select(STATEMENT)
        .filter(at.each(Insert))
        .modify(insert)
        .select(IMPORT)
        .filter(at.each(Remove))
        .modify(remove)
    )
