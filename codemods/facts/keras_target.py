"""Which Keras comes beside the target TensorFlow."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from ..library.keras_3 import LAST_WORDS, is_new
from ..library.names import normal
from ..model import Options
from ..program.bindings import Binding
from ..program.index import Index
from ..program.node_fields import within
from .names import Names, imported

KERAS_3 = (2, 16)
ASKS = frozenset({"hasattr", "getattr", "__version__", "find_spec"})


def brings_keras_3(options: Options) -> bool:
    """Whether `keras` is Keras 3 beside the target TensorFlow."""
    return options.tensorflow >= KERAS_3


def target(options: Options, index: Index, names: Names) -> Options:
    """The options: for Keras 3 where nobody says a version, and a program names Keras 3's own."""
    is_free = not options.is_asked and options.tensorflow < KERAS_3
    if is_free and any(True for _ in named_of_keras_3(index, names)):
        return options._replace(tensorflow=KERAS_3)
    return options


def is_by_names(options: Options) -> bool:
    """Whether the names of the program alone say that it is written for Keras 3."""
    return not options.is_asked and brings_keras_3(options)


def named_of_keras_3(index: Index, names: Names) -> Iterator[tuple[ast.AST, str]]:
    """Places that name what Keras 3 alone has, with that name, but where a program asks first."""
    for node, name in _named(index, names):
        if is_new(name) and not _is_asked_first(index, node):
            yield node, name


def _named(index: Index, names: Names) -> Iterator[tuple[ast.AST, str]]:
    for node in index.imports:
        for alias in node.names:
            whole = imported(Binding("import", node, alias))
            yield node, normal(alias.name if isinstance(node, ast.Import) else whole)
    for word in LAST_WORDS & index.loads.keys():
        yield from ((load, names.name(load) or "") for load in index.loads[word])


def _is_asked_first(index: Index, node: ast.AST) -> bool:
    """Whether it stands in a `try`, or under a condition about versions: any may be meant."""
    parent = index.parents.get(node)
    while parent is not None:
        if isinstance(parent, ast.Try) or (isinstance(parent, ast.If) and _asks(parent.test)):
            return True
        parent = index.parents.get(parent)
    return False


def _asks(test: ast.expr) -> bool:
    words = {getattr(node, "id", getattr(node, "attr", "")) for node in within(test)}
    return bool(words & ASKS)
