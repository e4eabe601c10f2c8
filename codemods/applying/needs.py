"""What goes wrong in a program that lacks the change of a rule, and where that is no harm.

Run on two workers: `tests/distributed/hazards` holds a program for most of these sentences.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable, Mapping
from typing import Callable

from ..edits import At, Guard, Hoist, Narrow, Prepend, SetArgument, Spread, WrapArgument
from ..facts import Facts
from ..facts.output.outputs import is_output, is_shown
from ..program.node_fields import within
from ..program.records import NamedTuple


def _everywhere(facts: Facts, at: At) -> bool:
    return True


def _writes_files(facts: Facts, at: At) -> bool:
    """Whether a statement for rank 0 does more than show something to a person."""
    if isinstance(at.edit, Hoist):
        return False  # every worker still evaluates it
    places = [facts.parent(at.place) if isinstance(at.edit, Narrow) else at.place, *at.along]
    inside = [node for place in places if place is not None for node in within(place)]
    calls = [node for node in inside if isinstance(node, ast.Call)]
    outputs = [call for call in calls if is_output(facts, call)]
    opens = any(facts.name(call.func) == "builtins.open" for call in calls)
    return opens or not all(is_shown(facts, call) for call in outputs)


def _keeps_bars(facts: Facts, at: At) -> bool:
    """Whether it is a file, a summary or a folder; a progress bar is only in the way."""
    if isinstance(at.edit, (SetArgument, WrapArgument)):
        return at.edit.argument not in ("disable", "verbose")
    return True


def _nowhere(facts: Facts, at: At) -> bool:
    return False


def _lacks_callbacks(facts: Facts, at: At) -> bool:
    """Whether a `fit` lacks a callback, or a list lets every worker write; not its bar alone."""
    if isinstance(at.edit, (SetArgument, WrapArgument)):
        return at.edit.argument == "callbacks"
    return isinstance(at.edit, (Prepend, Spread, Guard))


class Need(NamedTuple):
    """`without` says what goes wrong where the rule is needed, `reason` why it is (or is not)."""

    without: str
    reason: str
    is_needed: Callable[[Facts, At], bool] = _everywhere


_ALONE = "nobody averages these gradients: each worker trains a model of its own"

NEEDS: Mapping[str, Need] = {
    "D100": Need(
        "`tf.keras` is Keras 3 here, and Keras 2 is asked for",
        "Horovod's optimizers and callbacks raise AttributeError on variables of Keras 3",
    ),
    "D101": Need("Horovod is not imported", "nothing else can be written without it"),
    "D102": Need(
        "Horovod is not started, or all workers of a machine use the same GPU",
        "any other call of Horovod raises an error before `init()`; GPUs run out of memory",
    ),
    "D103": Need(
        "all workers of a machine use the GPU that is chosen here",
        "a fixed choice wins over that of the worker's own number",
    ),
    "D104": Need(
        "this learning rate is the one for a single worker",
        "a step covers N times the examples: at the old rate training comes an Nth as far",
    ),
    "D105": Need(_ALONE, "without an average the workers drift apart from the first step on"),
    "D106": Need(
        "every worker takes all of these steps, each of which is a step of all workers",
        "the training is N times as long, or a schedule ends N times too late",
    ),
    "D107": Need(
        "every worker trains on all of the data",
        "an epoch gets no shorter, and batches that are alike are averaged with themselves",
    ),
    "D108": Need(
        "each worker draws an order or a split of its own here: shares overlap",
        "what one worker keeps back for testing another one trains on",
    ),
    "D109": Need(
        "every worker takes a whole batch, and the learning rate stays that of one process",
        "a step covers N times the examples: at the old rate training comes an Nth as far",
    ),
    "D201": Need(_ALONE, "without an average the workers drift apart from the first step on"),
    "D202": Need(
        "nothing brings the workers to the same start: each keeps random values of its own",
        "averaged gradients of different variables keep them different",
    ),
    "D203": Need(
        "all workers write the same files here",
        "files that many write at once are spoiled; printed lines are only repeated",
        _writes_files,
    ),
    "D204": Need(
        "all workers write the same files, or make the same folder, here",
        "files that many write at once are spoiled; progress bars are only in the way",
        _keeps_bars,
    ),
    "D205": Need(
        "a worker may read this file before worker 0 has written it",
        "a faster worker finds no file, or half of one",
    ),
    "D206": Need(
        "this model can't be loaded again: Keras doesn't find the class of the wrapped optimizer",
        "`load_model` raises an error on every worker",
    ),
    "D207": Need(
        "all workers of a machine download this at once, to the same place",
        "only a first run is spoiled: where the files are there, every worker reads them",
        _nowhere,
    ),
    "D208": Need(
        "the learning rate is that of all workers from the first step on",
        "only the first epochs train with a larger rate",
        _nowhere,
    ),
    "D301": Need(
        "nobody averages the gradients of this optimizer, and its rate is the one for one worker",
        "an optimizer that `compile` makes for itself is neither wrapped nor scaled",
    ),
    "D302": Need(
        "nothing brings the workers to the same start, and each is steered by metrics of its own",
        "the workers drift apart, or one stops early and the others wait",
        _lacks_callbacks,
    ),
    "D303": Need(
        "every worker draws this progress bar",
        "the lines are only repeated: every worker computes the same as before",
        _nowhere,
    ),
    "D401": Need(
        "every session takes all GPUs of the machine",
        "a GPU that several workers fill runs out of memory",
    ),
    "D402": Need(
        "nothing brings the workers to the same start: each keeps random values of its own",
        "averaged gradients of different variables keep them different",
    ),
    "D403": Need(
        "nothing brings the workers to the same start, or all of them write the same files",
        "averaged gradients of different variables keep them different",
    ),
    "D404": Need(
        "nothing brings the workers to the same start, or all of them write the same files",
        "averaged gradients of different variables keep them different",
    ),
    "D501": Need(
        "every output of these layers is kept for the gradients",
        "it only saves memory, on one worker as on many",
        _nowhere,
    ),
}


def need_of(code: str) -> Need:
    """The row of a rule; what is not known is no matter of taste."""
    return NEEDS.get(code) or Need("what this rule changes stays as it is", "it is not known")


def first_place(facts: Facts, code: str, edits: Iterable[At]) -> ast.AST | None:
    """The first place that goes wrong without the rule, None where it is a matter of taste."""
    is_needed = need_of(code).is_needed
    needed = [at.place for at in edits if is_needed(facts, at)]
    return min(needed, key=_position, default=None)


def _position(node: ast.AST) -> tuple[int, int]:
    return getattr(node, "lineno", 0), getattr(node, "col_offset", 0)
