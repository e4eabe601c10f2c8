"""What one step of the job was made of, so that one process can make it, too (see `replay`).

It is the second step of the first optimizer: by then the starting values have been brought
together. Each worker keeps the examples that it took, worker 0 the weights before it, and all
the sums of the gradients that were applied. Those are linear: sums of a mean are means of sums.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Callable

from . import consumed, inside, losses, record, setting, steps, traced
from .cells import Cell
from .trained import Trained

BEFORE = 1  # steps of the first optimizer that come before it
MOST = 1 << 24  # numbers that are written
SUMS = 4  # of each gradient: three that are linear, and that of its squares

_open = False
_taken = False
_written = False  # the examples
_eager: dict[int, Any] = {}  # sums of the newest gradients that were applied, by optimizer
_cells: dict[tuple[int, int], Cell] = {}  # in functions; also by how many gradients there are
_told: set[int] = set()  # optimizers whose gradients were written


# ---------------------------------------------------------------- gradients


@record.careful("gradients")
def applied(trained: Trained | None, gradients: Sequence[Any]) -> None:
    """An optimizer is about to apply these: now, or whenever the graph that is built is run."""
    if trained is None or not gradients or (inside.eager() and not wanted()):
        return
    if not inside.eager() and inside.in_xla():
        return  # what XLA compiles is left as it is
    with losses.stop_recording(), inside.python("framework.ops").name_scope("distify_probe_sums/"):
        sums = inside.stack([_sums(each) for each in gradients])
        if inside.eager():
            _eager[trained.id] = sums.numpy()
            return
        key = trained.id, len(gradients)
        if key not in _cells:
            zeros = inside.numpy().zeros((len(gradients), SUMS))
            _cells[key] = Cell("float32", zeros, [len(gradients), SUMS])
        _cells[key].put(sums)


def wanted() -> bool:
    """Whether the gradients that are applied now belong to the step, or to one made after it."""
    return _open or setting.ROLE == "reference"


def _sums(gradient: Any) -> Any:
    """float32 [4]; of sparse ones by the rows that they belong to, which may come in any order."""
    math = inside.python("ops.math_ops")
    if hasattr(gradient, "indices"):
        values = math.cast(gradient.values, "float32")
        rows = math.reduce_sum(values, axis=list(range(1, len(values.shape))))
        parts = [rows, _among(rows, gradient.indices, 2), _among(rows, gradient.indices, 3)]
    else:
        values = inside.python("ops.array_ops").reshape(math.cast(gradient, "float32"), [-1])
        half = inside.python("ops.array_ops").size(values) // 2
        parts = [values, values[:half], values[::2]]
    return inside.stack([*map(math.reduce_sum, parts), math.reduce_sum(values * values)])


def _among(rows: Any, indices: Any, every: int) -> Any:
    math = inside.python("ops.math_ops")
    return rows * math.cast(math.equal(indices % every, 0), "float32")


def sums_of(trained: Trained) -> list[list[float]] | None:
    """The sums of the gradients that it applied last; None where nothing was seen."""
    if trained.id in _eager:
        found = _eager.pop(trained.id)
        return [[float(number) for number in row] for row in found]
    cells = [cell for (id, _), cell in _cells.items() if id == trained.id]
    values = [value for cell in cells for value in cell.get() if value.any()]
    return [[float(number) for number in row] for row in values[-1]] if values else None


# ---------------------------------------------------------------- the step


@record.careful("gradients")
def _entering(about: Sequence[Trained], made: list[int]) -> None:
    """Begins with the step, and ends with the first optimizer's next one."""
    global _open, _taken
    if not any(trained.id == 0 for trained in about):
        return
    if _open and made[0] > BEFORE:
        _open = False
    elif made[0] == BEFORE and not _taken and inside.in_eager_program():
        _open = _taken = True
        traced.forget_values()
        if setting.RANK == 0:
            _write_weights()


def _write_weights() -> None:
    found: dict[str, Any] = {}
    for trained in steps.known:
        for key, value in trained.arrays():
            if not key.startswith("slot/"):
                found[f"{trained.id}/{key.rpartition('#')[2]}"] = value
    _save("weights", found)


def _save(name: str, arrays: dict[str, Any]) -> bool:
    """Writes arrays, unless they are too large or of no numbers."""
    fits = sum(each.size for each in arrays.values()) <= MOST
    if not fits or any(each.dtype.kind not in "fiub" for each in arrays.values()):
        return False
    inside.numpy().savez(record.path(f"{name}.npz"), **arrays)
    return True


@record.careful("gradients")
def _took(raw: Callable[[], consumed.Raw]) -> None:
    """What the step was made of, told before it is forgotten."""
    global _written
    if not _open or _written:
        return
    via, elements = raw()
    arrays = {
        f"{number}/{leaf}": inside.numpy().asarray(value)
        for number, (values, _) in enumerate(elements)
        for leaf, value in enumerate(values)
    }
    _written = True
    if arrays and _save("step", arrays):
        record.write("element", via=via, batch=all(batch for _, batch in elements))


@record.careful("gradients")
def _stepped(made: list[int]) -> None:
    if not _open:
        return
    for trained in steps.known:
        sums = sums_of(trained) if trained.id not in _told else None
        if sums is not None:
            _told.add(trained.id)
            record.write("gradients", optimizer=trained.id, steps=made[trained.id], sums=sums)


if setting.ROLE == "worker":
    steps.entering.append(_entering)
    steps.on_step(_stepped)
    consumed.raw.append(_took)
