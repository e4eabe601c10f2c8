"""What distify writes runs on TensorFlow 2, and is written for the optimizers of Keras."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from ..facts import Facts, Pattern, Role
from ..facts.keras_version import first_removed_api
from ..facts.optimizers.optimizer_makers import class_of_keras, innermost
from ..facts.training.pattern import runs_graph, training_of
from ..library.old_members import gone
from ..library.sessions import MAKERS
from ..library.tensorflow_names import LEFT_OUT, MOMENTUM, SUCCESSORS
from ..model import Finding
from . import restriction
from ._finding import LOOK, finding, note

OLDEST = (2, 0)
OLD = r"tensorflow(?P<is_there>\.compat\.v1)?\.train\.\w*Optimizer$"
OLD_OPTIMIZER = "this is an optimizer of TensorFlow 1, which distify would take for one of Keras"
NEW_OPTIMIZER = "write `{}` in its place"
ONLY_OLD = tuple(f"tensorflow.{name}" for name in MAKERS)
ASSUMED = "TensorFlow 1.15 is assumed to run this: TensorFlow 2 has no such session"
THROUGH_V1 = "for TensorFlow 2: `import tensorflow.compat.v1 as tf`, `tf.disable_v2_behavior()`"
WRITTEN = ", which repair A18 writes"
GONE = "TensorFlow 2 has no `{}`: TensorFlow 1.15 is assumed to run this"
INSTEAD = {
    "contrib": "for TensorFlow 2: `tf.layers`, tf_slim, or TensorFlow Addons in its place",
    "examples": "for TensorFlow 2: load the data by `tf.keras.datasets`",
}
REWRITTEN = (Pattern.KERAS, Pattern.GRADIENT_TAPE)
FRAMEWORKS = ("tensorflow", "keras", "tf_keras")


@restriction(code="N03", name="tensorflow-1")
def tensorflow_1(facts: Facts) -> Iterator[Finding]:
    """The first import of TensorFlow where the version to write for is older than 2.0."""
    if facts.options.tensorflow >= OLDEST or runs_graph(facts):
        return
    first = next(filter(_is_framework, facts.index.imports), facts.module.body[0])
    yield finding(
        facts,
        first,
        "N03",
        "the project asks for TensorFlow 1, and what distify writes runs on TensorFlow 2 only",
        'require tensorflow>=2, or say tensorflow = "2.15" under [tool.distify] in pyproject.toml',
    )


@restriction(code="N03", name="tensorflow-1-assumed")
def assumed(facts: Facts) -> Iterator[Finding]:
    """A note where a session is made that only TensorFlow 1 itself has."""
    call = old_session(facts)
    if call is not None:
        written = "" if next(gone_parts(facts), None) else WRITTEN
        yield note(facts, call, "N03", ASSUMED, THROUGH_V1 + written, kind=LOOK)
    elif training_of(facts).pattern is Pattern.ESTIMATOR and facts.options.tensorflow >= OLDEST:
        yield from _of_estimators(facts)


def _of_estimators(facts: Facts) -> Iterator[Finding]:
    """A note where the first part stands by which it is known that TensorFlow 1 runs them."""
    node = first_removed_api(facts)
    if node is not None and not any(True for _ in gone_parts(facts)):
        part = GONE.format(gone(facts.name(node) or ""))
        yield note(facts, node, "N03", part, THROUGH_V1, kind=LOOK)


@restriction(code="N03", name="tensorflow-1-alone")
def alone(facts: Facts) -> Iterator[Finding]:
    """A note for each part of TensorFlow 1 that TensorFlow 2 lacks, where it is to run a graph."""
    if runs_graph(facts) and facts.options.tensorflow >= OLDEST:
        for part, node in {part: node for node, part in reversed([*gone_parts(facts)])}.items():
            yield note(
                facts, node, "N03", GONE.format(part), INSTEAD[part.split(".")[1]], kind=LOOK
            )


def gone_parts(facts: Facts) -> Iterator[tuple[ast.AST, str]]:
    """Where the program names such a part, `tensorflow.contrib.slim`, in the order of the text."""
    for node in facts.index.imports:
        names = [alias.name for alias in node.names]
        module = node.module if isinstance(node, ast.ImportFrom) else None
        for name in names if module is None else (f"{module}.{name}" for name in names):
            yield from _part(node, name)
    for attribute in facts.index.nodes(ast.Attribute):
        is_whole = not isinstance(facts.parent(attribute), ast.Attribute)
        yield from _part(attribute, (facts.name(attribute) or "") if is_whole else "")


def _part(node: ast.AST, name: str) -> Iterator[tuple[ast.AST, str]]:
    found = LEFT_OUT.match(name)
    if found is not None:
        yield node, f"tensorflow.{found[1]}"


def old_session(facts: Facts) -> ast.Call | None:
    """The first session that only TensorFlow 1 itself has, where TensorFlow 2 is to run it."""
    if not runs_graph(facts) or facts.options.tensorflow < OLDEST:
        return None
    return next(iter(facts.calls_of(*ONLY_OLD)), None)


@restriction(code="N03", name="tensorflow-1-optimizer")
def old_optimizer(facts: Facts) -> Iterator[Finding]:
    """Optimizers of TensorFlow 1 where those of Keras are rewritten: they are gone, or differ.

    `minimize` takes a step count where that of Keras takes variables, and trains all that there
    are; `compile` hides it in an optimizer of Keras. A tape gives it gradients like any other.
    """
    for call in old_optimizers(facts):
        fix = NEW_OPTIMIZER.format(successor(facts, call))
        yield finding(facts, call, "N03", OLD_OPTIMIZER, fix)


def old_optimizers(facts: Facts) -> Iterator[ast.Call]:
    """The calls that make them."""
    pattern = training_of(facts).pattern
    if pattern not in REWRITTEN or facts.options.tensorflow < OLDEST:
        return
    handed = {made for expr in _handed(facts) for made in innermost(facts, expr)}
    for call in facts.creations(Role.OPTIMIZER):
        found = re.match(OLD, facts.kind(call) or "")
        if found is not None and (call in handed or not found["is_there"]):
            yield call


def successor(facts: Facts, call: ast.Call) -> str:
    """The optimizer of Keras that takes the place of one of TensorFlow 1, with its rate."""
    name = (facts.kind(call) or "").rpartition(".")[2]
    rate = facts.argument(call, "learning_rate", 0)
    given = [] if rate is None else [f"learning_rate={ast.unparse(rate)}"]
    momentum = facts.argument(call, "momentum", 1) if name == MOMENTUM else None
    given += [] if momentum is None else [f"momentum={ast.unparse(momentum)}"]
    return f"{class_of_keras(facts, SUCCESSORS.get(name, 'SGD'))}({', '.join(given)})"


def _handed(facts: Facts) -> Iterator[ast.expr]:
    """What is minimized with, and what `compile` is given."""
    for call in facts.calls("minimize"):
        yield call.func.value  # type: ignore[attr-defined]
    for call in facts.calls("compile"):
        given = facts.argument(call, "optimizer", 0)
        yield from [] if given is None else [given]


def _is_framework(node: ast.Import | ast.ImportFrom) -> bool:
    named = (
        [node.module or ""] if isinstance(node, ast.ImportFrom) else [a.name for a in node.names]
    )
    return any(name.partition(".")[0] in FRAMEWORKS for name in named)
