"""What rule D501 may rewrite, and what is in its way (seed 004)."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import TYPE_CHECKING

from ...program.records import NamedTuple
from .layer_bodies import BASES, problems
from .layer_calls import Problem
from .layer_lists import elements
from .layer_loops import LayerLoop, home, layer_loops
from .step_loops import StepLoop, step_loops
from .surroundings import around

if TYPE_CHECKING:
    from ..facts import Facts

SYMBOLIC = (
    "tensorflow.keras.Input",
    "tensorflow.keras.layers.Input",
    "tensorflow.keras.layers.InputLayer",
)
FUNCTION = "tensorflow.function"


class Recomputation(NamedTuple):
    """The loops that may be rewritten, and the problems of the others."""

    loops: tuple[LayerLoop, ...]
    problems: tuple[Problem, ...]
    steps: tuple[StepLoop, ...] = ()


def recomputation(facts: Facts) -> Recomputation:
    """Every loop over layers or time, and what is in its way, in the rest of the program, too."""
    found: list[LayerLoop] = []
    steps: list[StepLoop] = []
    wrong: list[Problem] = []
    for loop in layer_loops(facts):
        own = list(_of_loop(facts, loop))
        wrong += own
        if not own:
            found.append(loop)
    for step in step_loops(facts):
        own = list(_of_steps(facts, step))
        wrong += own
        if not own:
            steps.append(step)
    if found or steps:
        wrong += around(facts)
    if wrong:
        return Recomputation((), tuple(wrong))
    return Recomputation(tuple(found), (), tuple(steps))


def _of_loop(facts: Facts, loop: LayerLoop) -> Iterator[Problem]:
    if loop.wrong:
        yield Problem("C04", loop.node, loop.wrong)
        return
    if loop.more:
        yield Problem("C03", loop.node, loop.more)
    made = elements(facts, loop.layers)
    if made is None:
        yield Problem("C05", loop.layers, ast.unparse(loop.layers))
        return
    for element in made:
        yield from problems(facts, element)
    yield from _of_place(facts, loop.node)


def _of_steps(facts: Facts, loop: StepLoop) -> Iterator[Problem]:
    if loop.wrong:
        yield Problem("C04", loop.node, loop.wrong)
        return
    yield from problems(facts, loop.cell)
    yield from _of_place(facts, loop.node)


def _of_place(facts: Facts, loop: ast.For) -> Iterator[Problem]:
    if not _has_tensorflow(facts, loop):
        yield Problem("C09", loop, "no `import tensorflow as tf` stands above this")
    if not _is_run_on_tensors(facts, loop):
        yield Problem("C09", loop, "a functional model")


def _is_run_on_tensors(facts: Facts, loop: ast.For) -> bool:
    """Whether the loop sees tensors, and not the placeholders of a functional model."""
    cls = home(facts, loop)
    bases = () if cls is None else facts.classes.library_bases(cls)
    in_keras = any(BASES.get(base) == "call" for base in bases)
    return in_keras or not any(facts.calls_of(*SYMBOLIC))


def is_compiled(facts: Facts) -> bool:
    """Whether a graph may be made of the layers: by `tf.function`, or by Keras."""
    is_function = any(
        facts.name(node) == FUNCTION for node in facts.index.loads.get("function", ())
    )
    return is_function or any(facts.calls("compile", "fit", "fit_generator", "train_on_batch"))


def _has_tensorflow(facts: Facts, loop: ast.For) -> bool:
    """Whether the module tensorflow has a name before the statement of the module with the loop."""
    names = [name for name, full in facts.names.imports().items() if full == "tensorflow"]
    bindings = facts.index.scopes[facts.module].bindings
    top = [loop, *(p for p in facts.parents(loop) if isinstance(p, ast.stmt))][-1]
    return any(b.node.lineno < top.lineno for name in names for b in bindings[name])  # type: ignore[attr-defined]
