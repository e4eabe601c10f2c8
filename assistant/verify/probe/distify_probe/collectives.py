"""The collectives that a worker takes part in, in order, and the one that it waits in.

A collective that runs (`traced` false) is counted in the digest; one that is built into a graph is
written down as traced, and nothing is said about when it runs.
"""

from __future__ import annotations

import contextlib
import sys
import threading
import time
import zlib
from collections.abc import Iterator
from typing import Any, Callable

from . import places, record, states, steps

FIRST = 2000  # collectives, and waits, that are written one by one
PATIENCE = 0.5  # seconds; after the first ones only a wait that lasts longer is written

# The operations of Horovod's library, as its TensorFlow functions call them.
OPERATIONS = {
    "horovod_allreduce": "allreduce",
    "horovod_grouped_allreduce": "grouped_allreduce",
    "horovod_allgather": "allgather",
    "horovod_grouped_allgather": "allgather",
    "horovod_broadcast": "broadcast",
    "horovod_broadcast_inplace": "broadcast",
    "horovod_broadcast_inplace_resource": "broadcast",
    "horovod_alltoall": "alltoall",
    "horovod_reducescatter": "reducescatter",
    "horovod_grouped_reducescatter": "reducescatter",
    "horovod_join": "join",
}
UNEVEN = ("allgather", "alltoall")  # workers may bring a different number of rows

_n = 0  # all that were seen
_ran = 0
_digest = 0
_waits: dict[int, dict[str, Any]] = {}  # by thread
_waited = 0
_watcher: threading.Thread | None = None


def eager() -> bool:
    """Whether an operation called now runs now (and is not built into a graph)."""
    context: Any = sys.modules.get("tensorflow.python.eager.context")
    return context is not None and bool(context.executing_eagerly())


REDUCTIONS = ("Average", "Sum", "Adasum", "Min", "Max", "Product")


def operation(given: Any) -> str:
    """The name of what a reduction does; empty where none was given."""
    ops = sys.modules.get("horovod.tensorflow.mpi_ops")
    known = {getattr(ops, name, None): name for name in REDUCTIONS}
    return "" if given is None else known.get(given, str(given))


def members(process_set: Any) -> list[int] | None:
    """The ranks of a process set, by its number; None for all there are."""
    if not process_set:
        return None
    basics = sys.modules["horovod.tensorflow.mpi_ops"]._basics
    return list(map(int, basics._get_process_set_ids_and_ranks()[int(process_set)]))


def note(kind: str, name: str | None, tensors: Any = (), traced: bool = False, **more: Any) -> None:
    """One collective: a record for the first ones, and its part of the digest if it runs.

    `more`: what a reduction does (`op`, `scale`), and its `members` if these are some workers only;
    the digest is of what all call.
    """
    global _n, _ran, _digest
    shapes = [_shape(tensor) for tensor in tensors]
    dtypes = sorted({getattr(getattr(t, "dtype", None), "name", "") for t in tensors})
    if not traced and more.get("members") is None:
        _ran += 1
        same = [s[1:] if s and kind in UNEVEN else s for s in shapes]
        _digest = zlib.crc32(f"{kind} {name} {same} {dtypes}".encode(), _digest)
    _n += 1
    if _n <= FIRST or kind == "join":  # what excuses unequal numbers of steps is always told
        record.write(
            "collective",
            n=_n,
            kind=kind,
            name=name,
            shape=shapes[0] if len(shapes) == 1 else shapes or None,
            dtype=",".join(dtypes) or None,
            traced=traced,
            steps=sum(steps.now()),
            where=places.where(),
            **{key: value for key, value in more.items() if value is not None},
        )


def _more(kwargs: Any) -> dict[str, Any]:
    """What Horovod's library is told beside the tensors."""
    scale = float(kwargs.get("prescale_factor", 1)) * float(kwargs.get("postscale_factor", 1))
    return {
        "op": operation(kwargs.get("reduce_op")) or None,
        "scale": None if scale == 1 else scale,
        "members": members(kwargs.get("process_set_id")),
    }


def _shape(tensor: Any) -> list[int | None] | None:
    shape = getattr(tensor, "shape", None)
    if shape is None or getattr(shape, "rank", 0) is None:
        return None
    sizes = shape.as_list() if hasattr(shape, "as_list") else shape  # not as TF 1's objects
    return [None if size is None else int(size) for size in sizes]


@record.careful("collectives")
def write_digest() -> None:
    """With each state: how many ran so far, and a hash of all of them in order."""
    if _n:
        record.write("collectives", n=_ran, digest=f"{_digest:08x}", traced=_n - _ran)


# ---------------------------------------------------------------- waiting


@contextlib.contextmanager
def waiting(kind: str, name: str | None) -> Iterator[None]:
    """Around whatever blocks until the other workers come, so that a hang has a place."""
    _begin(kind, name)
    try:
        yield
    except BaseException as error:
        _finish(failed=type(error).__name__)
        raise
    else:
        _finish()


@record.careful("collectives")
def _begin(kind: str, name: str | None) -> None:
    global _waited
    _waited += 1
    wait: dict[str, Any] = {"kind": kind, "name": name, "since": time.monotonic(), "written": False}
    wait["frame"] = sys._getframe(1)
    _waits[threading.get_ident()] = wait
    if _waited <= FIRST:
        _tell(wait, places.where())
    else:
        _watch()


def _tell(wait: dict[str, Any], where: str | None) -> None:
    wait["written"] = True
    record.write("waiting", kind=wait["kind"], name=wait["name"], where=where)


@record.careful("collectives")
def _finish(failed: str | None = None) -> None:
    wait = _waits.pop(threading.get_ident(), None)
    if wait is not None and wait["written"]:
        record.write("done", **({"failed": failed} if failed else {}))


def _watch() -> None:
    global _watcher
    if _watcher is None or not _watcher.is_alive():
        _watcher = threading.Thread(target=_look, name="distify-waits", daemon=True)
        _watcher.start()


def _look() -> None:
    while True:
        time.sleep(PATIENCE)
        with record.blind_on_failure("collectives"):
            for wait in list(_waits.values()):
                if not wait["written"] and time.monotonic() - wait["since"] > PATIENCE:
                    _tell(wait, places.where(wait["frame"]))


# ---------------------------------------------------------------- around Horovod's operations


def watched(kind: str) -> Callable[..., Any]:
    """What takes part in the place of one of Horovod's operations."""

    def around(original: Callable[..., Any], *args: Any, **kwargs: Any) -> Any:
        if not eager():
            result = original(*args, **kwargs)
            _note_traced(kind, args, kwargs, result)
            return result
        name = kwargs.get("name")
        _note_running(kind, args, name, kwargs)
        with waiting(kind, name):
            return original(*args, **kwargs)

    return around


def _tensors(args: Any) -> list[Any]:
    first = args[0] if args else ()
    return list(first) if isinstance(first, (list, tuple)) else [first]


@record.careful("collectives")
def _note_running(kind: str, args: Any, name: str | None, kwargs: Any) -> None:
    note(kind, name, _tensors(args), **_more(kwargs))


@record.careful("collectives")
def _note_traced(kind: str, args: Any, kwargs: Any, result: Any) -> None:
    built = result[0] if isinstance(result, (list, tuple)) and result else result
    operation = getattr(built, "op", built)
    name = getattr(operation, "name", kwargs.get("name"))
    note(kind, name, _tensors(args), traced=True, **_more(kwargs))


states.beside.append(write_digest)
