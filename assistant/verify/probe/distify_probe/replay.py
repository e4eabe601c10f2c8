"""The reference makes the step of the job again: the same weights, the same examples.

Behind its own first step it is given, instead of the next elements that it takes from its data,
those that the workers took: one after the other, or put together, as many at a time as it takes by
itself. What it computes of them, together, is what one process does with the examples of all.
"""

from __future__ import annotations

import importlib
import os
from collections.abc import Sequence
from typing import Any, Callable

from . import batches, consumed, inside, one_step, record, setting, steps
from .trained import Trained

FOLDER: str = setting.OPTIONS.get("replay") or ""
Elements = list[list[Any]]  # what one step takes: each element with its values

VIA: str = setting.OPTIONS.get("replay_via") or "dataset"
_rows: int | None = None  # of the first element of a step of its own
_chunks: list[Elements] | None = None
_weights: dict[str, Any] = {}
_given: list[int] = []  # the elements of the chunk that were given so far
_made = 0  # steps with what was given
_stepped_since = False  # whether the last one that was given has been trained on


def _load() -> None:
    global _chunks
    np = inside.numpy()
    workers = [_elements(np.load(path)) for path in _paths("step.npz")]
    _weights.update(np.load(os.path.join(FOLDER, "rank0.weights.npz")))
    _chunks = cut(workers, _rows)


def _paths(name: str) -> list[str]:
    number = int(setting.OPTIONS.get("replay_workers") or 0)
    return [os.path.join(FOLDER, f"rank{rank}.{name}") for rank in range(number)]


def _elements(arrays: Any) -> Elements:
    found: Elements = []
    for key in sorted(arrays.files, key=_place):
        number, leaf = _place(key)
        if leaf == 0:
            found.append([])
        found[number].append(arrays[key])
    return found


def _place(key: str) -> tuple[int, ...]:
    return tuple(map(int, key.split("/")))


def cut(workers: Sequence[Elements], rows: int | None) -> list[Elements]:
    """The workers' elements, put together into as large ones as the program takes by itself.

    Only where that goes round: else each worker's are a step of their own.
    """
    np = inside.numpy()
    sizes = {len(v) for each in workers for element in each for v in element if v.ndim}
    mine, number = max(sizes, default=0), len(workers)
    if not rows or len(sizes) != 1 or rows == mine or mine * number % rows or rows % mine:
        return list(workers)
    together = rows // mine
    return [
        [
            [np.concatenate(parts) if parts[0].ndim else parts[0] for parts in zip(*elements)]
            for elements in zip(*workers[start : start + together])
        ]
        for start in range(0, number, together)
    ]


# ---------------------------------------------------------------- what is given


def _is_at_it() -> bool:
    return bool(_chunks) and _made < len(_chunks or ())


@record.careful("gradients")
def element(values: Sequence[Any]) -> list[Any] | None:
    """Values in the place of those that the program takes now; None where it keeps its own."""
    global _made, _stepped_since
    if _stepped_since:
        _made, _stepped_since = _made + 1, False
        _given.clear()
    if _chunks is None or not _is_at_it():
        return None
    chunk = _chunks[_made]
    if len(_given) == len(chunk):  # for nothing: they were looked at, as validation does
        _given.clear()
    left = (n for n, each in enumerate(chunk) if n not in _given and _fit(values, each))
    found = next(left, None)
    if found is None:
        return None
    _given.append(found)
    consumed.given[:] = [True]
    _set_weights()
    constant = inside.python("framework.constant_op").constant
    return [constant(new, getattr(old, "dtype", None)) for new, old in zip(chunk[found], values)]


def in_the_place_of(structure: Any) -> Any:
    """An element, or the arguments of a function, with what is given."""
    nest = inside.python("util.nest")
    values = batches.leaves(structure)
    given = element(values)
    if not given:
        return structure
    new = {id(old): each for old, each in zip(values, given)}
    return nest.pack_sequence_as(
        structure, [new.get(id(each), each) for each in nest.flatten(structure)]
    )


def gives(via: str) -> bool:
    """Whether elements that are taken in that way are to be replaced."""
    return bool(FOLDER) and via == VIA and inside.eager()


def _fit(mine: Sequence[Any], given: Sequence[Any]) -> bool:
    return len(mine) == len(given) and all(
        tuple(one.shape)[1:] == tuple(other.shape)[1:] and _type(one) == _type(other)
        for one, other in zip(mine, given)
    )


def _type(value: Any) -> str:
    return str(getattr(value.dtype, "name", value.dtype))


def _set_weights() -> None:
    for trained in steps.known:
        for index, variable in enumerate(getattr(trained, "variables", ())):
            value = _weights.get(f"{trained.id}/{index}")
            if value is not None and tuple(value.shape) == tuple(variable.shape):
                variable.assign(value)


# ---------------------------------------------------------------- around the steps


@record.careful("gradients")
def _saw(raw: Callable[[], consumed.Raw]) -> None:
    """How many examples a step of the program's own takes."""
    global _rows
    if _rows is None:
        elements = raw()[1]
        sizes = [len(values[0]) for values, batch in elements if batch and values]
        _rows = sizes[0] if sizes else None


@record.careful("gradients")
def _stepped(made: list[int]) -> None:
    global _stepped_since, _chunks
    if _chunks is None:
        if made and made[0]:
            _load()
            _eagerly(True)
        return
    if not _given:
        _stepped_since = False
        return
    _stepped_since = True
    for trained in steps.known:
        sums = one_step.sums_of(trained)
        if sums is not None:
            record.write(
                "gradients", optimizer=trained.id, steps=made[trained.id], chunk=_made, sums=sums
            )
    if not _left():  # the program goes on by itself
        _chunks = []
        _given.clear()
        _eagerly(False)


def _left() -> bool:
    """Whether there are steps to be made with what is given."""
    return _chunks is None or _made + _stepped_since < len(_chunks)


def _to_come(about: Sequence[Trained]) -> bool:
    return _left()


def _eagerly(now: bool) -> None:
    """Examples are given, and gradients read, where functions run as they are written."""
    importlib.import_module("tensorflow").config.run_functions_eagerly(now)


if FOLDER:
    consumed.raw.append(_saw)
    steps.on_step(_stepped)
    steps.to_come.append(_to_come)
