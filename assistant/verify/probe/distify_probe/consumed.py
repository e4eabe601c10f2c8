"""What a step has consumed, collected until the step is made, then written once.

Sources, the surest first: the element that an iteration took from tf.data, what a graph left
behind (`traced`), the arguments of the compiled function that made the step, what a model was
called with under a tape, and the feed of a session.
"""

from __future__ import annotations

import weakref
from collections.abc import Sequence
from typing import Any, Callable

from . import batches, closed, paired, places, record, steps, traced
from .fingerprint import Unknown

SKIPPED = 200  # elements that trained nothing, told one by one
ITERATIONS = 500  # of data sets that are told
MOST = 100_000  # examples that are told of a worker
PATIENCE = 20  # steps in a row of which nothing is known

# How a step was seen, and each of its elements: its values, and whether they are a batch.
Raw = tuple[str, list[tuple[list[Any], bool]]]
# Called when a step was made, with what tells what it was made of.
raw: list[Callable[[Callable[[], Raw]], None]] = []
_training: weakref.WeakSet[Any] = weakref.WeakSet()  # iterators whose elements made steps
_datasets: dict[int, tuple[Any, int]] = {}  # by id: the data set, and its number
_iterations = 0
_skipped = 0
_told = 0
_unseen = 0
_elements: dict[
    int, tuple[Any, list[Any], bool]
] = {}  # by iterator: itself, values, whether a batch
arguments: list[Any] = []  # of the compiled function that is being run
given: list[bool] = []  # whether what the next step consumes is none of the program's own
_called: list[list[Any]] = []  # with what a model was called under a tape, since the last gradient
_models: list[str] = []
_used: set[int] = set()  # ids of the values that a model was called with


def is_full() -> bool:
    """Whether as many examples were told as ever will be."""
    return _told >= MOST


def took(iterator: Any, values: list[Any], batch: bool) -> None:
    """An iteration outside of graphs took an element: the step that follows is made of it."""
    key = id(iterator)
    if key in _elements and iterator in _training:
        _note_skipped(_elements[key][1])
    _elements[key] = (weakref.ref(iterator, _forget(key)), values, batch)


def _note_skipped(values: list[Any]) -> None:
    """The element before trained nothing (or is one of several that a step is made of)."""
    global _skipped
    _skipped += 1
    if _skipped <= SKIPPED:
        finite = all(map(batches.is_finite, values))
        size = batches.size(values[0]) if values and batches.rank(values[0]) > 0 else None
        record.write(
            "skipped", steps=sum(steps.now()), finite=finite, rows=size, where=places.where()
        )


def began(iterator: Any, dataset: Any) -> None:
    """An iteration over a data set begins: where steps follow, so does an epoch."""
    global _iterations
    _iterations += 1
    if dataset is not None and _iterations <= ITERATIONS:
        length = int(dataset.cardinality())
        record.write(
            "iteration",
            dataset=_number_of(dataset),
            steps=sum(steps.now()),
            length=length if length >= 0 else None,
            memory=closed.reads_memory(dataset),
            where=places.where(),
        )


def _number_of(dataset: Any) -> int:
    number = _datasets.get(id(dataset), (None, 0))
    if number[0] is None or number[0]() is not dataset:
        number = weakref.ref(dataset), len(_datasets)
        _datasets[id(dataset)] = number
    return number[1]


def _forget(key: int) -> Any:
    def forget(reference: Any) -> None:
        if key in _elements and _elements[key][0] is reference:
            del _elements[key]

    return forget


def ended(iterator: Any) -> None:
    """An iteration came to its end: its last element trains nothing any more."""
    if _elements.pop(id(iterator), None) and iterator in _training:
        _note_skipped([])
    if iterator in _training:
        record.write("epoch", steps=sum(steps.now()))


def has_elements() -> bool:
    """Whether a step that is made now would be credited with an element."""
    return bool(_elements)


def called(values: list[Any]) -> None:
    """A model was called under a tape, outside of graphs."""
    _called.append(values)


def differentiated() -> None:
    """A gradient was taken outside of graphs: what models were called with trains them."""
    for values in _called:
        _used.update(map(id, values))
        if not _elements and not is_full():
            _models.extend(_rows(batches.alike(values), True))
    _called.clear()


def wrote(via: str, arrays: Sequence[Any]) -> None:
    """The step that a session has just made was given (or took itself) arrays [batch, …]."""
    global _unseen
    rows = _rows(batches.alike(arrays), True)
    if rows:
        _unseen = 0
        _write(via, sum(steps.now()), rows)


def _rows(values: Sequence[Any], batch: bool) -> list[str]:
    try:
        rows = batches.fingerprints(values, batch)
        if len(values) > 1 and not paired.is_full():
            paired.note(rows, batches.fingerprints(values[:-1], batch))
        return rows
    except Unknown as reason:
        record.blind("examples", str(reason))
        return []


@record.careful("examples")
def on_step(made: list[int]) -> None:
    """Credits what was collected to the step that has just been made."""
    global _unseen
    for reference, _, _ in _elements.values():
        if reference() is not None:
            _training.add(reference())
    for tell in raw:
        tell(_raw)
    found = _found()
    for via, rows in found:
        _write(via, sum(made), rows)
    _clear()
    if not found and not is_full():
        _unseen += 1
        if _unseen == PATIENCE:
            record.blind("examples", f"{PATIENCE} steps without an example that could be seen")
    else:
        _unseen = 0


def _found() -> list[tuple[str, list[str]]]:
    left = traced.left()
    if is_full():
        return []
    if _elements:
        return [("dataset", _element_rows())]
    if left.get("dataset"):
        return [("dataset", left["dataset"])]
    rows = _rows(batches.alike(arguments), True) if arguments else []
    if rows:
        return [("model", rows)]
    if _models or left.get("model"):
        return [("model", [*_models, *left.get("model", [])])]
    return []


def _mine() -> list[tuple[list[Any], bool]]:
    """Of several iterations (validation in between), those whose values the step was given."""
    used = _used | set(map(id, arguments))
    elements = [(values, batch) for _, values, batch in _elements.values()]
    mine = [each for each in elements if used.intersection(map(id, each[0]))]
    return mine or elements[-1:]


def _element_rows() -> list[str]:
    rows: list[str] = []
    for values, batch in _mine():
        rows += _rows(batches.alike(values) if batch else values, batch)
    return rows


def _raw() -> Raw:
    if _elements:
        return "dataset", _mine()
    in_graph = traced.values()
    if in_graph:
        return "dataset", in_graph
    return "arguments", [(list(arguments), True)] if arguments else []


def _clear() -> None:
    for each in (_elements, _called, _models, _used, given):
        each.clear()


def _write(via: str, step: int, rows: list[str]) -> None:
    global _told
    if rows:
        told = rows[: MOST - _told]
        inputs = paired.of(told)
        more = {**({"inputs": inputs} if inputs else {}), **({"given": True} if given else {})}
        record.write("examples", via=via, steps=step, rows=told, **more)
        _told += len(rows)
        if is_full():
            record.blind("examples", f"only the first {MOST} are told")


@record.careful("examples")
def on_end() -> None:
    """Says so where a program trained on what nobody saw."""
    if not _told and max(steps.now(), default=0) > 0:
        record.blind("examples", "no example could be seen")


steps.on_step(on_step)
steps.on_end(on_end)
