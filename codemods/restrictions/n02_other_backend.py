"""Keras 3 on JAX or PyTorch: Horovod's operations for TensorFlow average nothing there."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from ..facts import Facts
from ..facts.keras_version import is_keras_3, roots
from ..model import Finding
from ..program.node_fields import within
from . import restriction
from ._finding import finding

BACKEND, TENSORFLOW = "KERAS_BACKEND", "tensorflow"
SETS = ("setdefault", "putenv")
READS = ("get", "getenv")
MESSAGE = "Keras may run on another backend here, and Horovod for TensorFlow averages nothing there"
OUTSIDE = "Keras runs on {} here ({}), and Horovod for TensorFlow averages nothing there"
INSIDE = 'set TensorFlow there, or above: os.environ["KERAS_BACKEND"] = "tensorflow"'
FIX = 'set TensorFlow: os.environ["KERAS_BACKEND"] = "tensorflow"'


@restriction(code="N02", name="other-backend", proves=True)
def other_backend(facts: Facts) -> Iterator[Finding]:
    """The name of the setting, wherever it may be set to something else than TensorFlow.

    To read it is no setting: without one Keras runs on TensorFlow.
    """
    for node, _ in others(facts):
        yield finding(facts, node, "N02", MESSAGE, FIX)


@restriction(code="N02", name="backend-of-the-environment", proves=True)
def backend_of_the_environment(facts: Facts) -> Iterator[Finding]:
    """The first import of Keras or TensorFlow, where the environment names another backend.

    What the program itself sets counts first, and is looked at by the other restriction.
    """
    options = facts.options
    if not options.backend or not is_keras_3(facts) or _names_backend(facts):
        return
    imports = (n for n in within(facts.module) if isinstance(n, (ast.Import, ast.ImportFrom)))
    for node in [each for each in imports if roots(each) & {"keras", "tensorflow"}][:1]:
        message = OUTSIDE.format(options.backend, options.backend_why)
        yield finding(facts, node, "N02", message, INSIDE)


def _names_backend(facts: Facts) -> bool:
    """Whether the program sets the backend, to whatever it is."""
    nodes = (n for n in within(facts.module) if isinstance(n, ast.Constant) and n.value == BACKEND)
    return any(not _is_read(facts, node) for node in nodes)


def others(facts: Facts) -> Iterator[tuple[ast.Constant, ast.expr | None]]:
    """Each place that names the setting, with what it is set to, if not to TensorFlow."""
    for node in within(facts.module) if is_keras_3(facts) else ():
        if isinstance(node, ast.Constant) and node.value == BACKEND:
            value = _value(facts, node)
            if not _is_read(facts, node) and not _is_tensorflow(value):
                yield node, value


def _is_read(facts: Facts, name: ast.AST) -> bool:
    """`os.environ.get("KERAS_BACKEND")`, `os.getenv(…)`, `os.environ["KERAS_BACKEND"] == …`."""
    parent = facts.parent(name)
    if isinstance(parent, ast.Call):
        return getattr(parent.func, "attr", getattr(parent.func, "id", "")) in READS
    return isinstance(parent, (ast.Subscript, ast.Compare)) and not isinstance(
        getattr(parent, "ctx", None), (ast.Store, ast.Del)
    )


def _value(facts: Facts, name: ast.AST) -> ast.expr | None:
    """What the variable of that name is set to; None where it is read, or nobody can tell."""
    parent, statement = facts.parent(name), facts.statement(name)
    if isinstance(parent, ast.Call):
        is_set = getattr(parent.func, "attr", "") in SETS and len(parent.args) == 2
        return parent.args[1] if is_set else None
    if isinstance(statement, ast.Assign) and name not in set(within(statement.value)):
        return statement.value
    return None


def _is_tensorflow(value: ast.expr | None) -> bool:
    return isinstance(value, ast.Constant) and value.value == TENSORFLOW
