"""Lets a few workers stand in for many (`--as 64`): each is told that it is one rank of so many.

They are a real job, so what they average and broadcast is the same on all of them, and whatever the
program decides by it. Only size and rank are replaced, before Horovod's modules for TensorFlow bind
them; a sum is made as large as that of all ranks would be, and a root is looked up among those that
are there. Local ranks stay as they are: they choose devices of this machine.
"""

from __future__ import annotations

from types import ModuleType
from typing import Any, Callable

from . import imports, inside, setting

RANKS: list[int] = list(setting.OPTIONS.get("ranks") or ())  # who the workers are, in their order
SIZE = int(setting.OPTIONS.get("size") or 0)
SUM = 1  # ReduceOp of Horovod's library
REDUCING = (
    "horovod_allreduce",
    "horovod_grouped_allreduce",
    "horovod_reducescatter",
    "horovod_grouped_reducescatter",
)
SENDING = (
    "horovod_broadcast",
    "horovod_broadcast_inplace",
    "horovod_broadcast_inplace_resource",
)


def hook_basics(module: ModuleType) -> None:
    """`size()` and `rank()` of everything that Horovod has for Python."""
    owner = module.HorovodBasics
    rank = RANKS[setting.RANK]
    for name, value in (("size", SIZE), ("rank", rank)):
        imports.replace(owner, name, _instead(value))
    for name, value in (("_process_set_size", SIZE), ("_process_set_rank", rank)):
        imports.replace(owner, name, _of_all(value))
    imports.replace(owner, "_get_process_set_ids_and_ranks", _all_ranks)
    imports.replace(owner, "_add_process_set_impl", _no_sets)


def _instead(value: int) -> Callable[..., int]:
    def around(original: Callable[..., int], *args: Any) -> int:
        original(*args)  # which raises before `init()`
        return value

    return around


def _of_all(value: int) -> Callable[..., int]:
    def around(original: Callable[..., int], basics: Any, number: int) -> int:
        found = original(basics, number)
        return value if number == 0 else found

    return around


def _all_ranks(original: Callable[..., dict[int, list[int]]], *args: Any) -> dict[int, list[int]]:
    return {**original(*args), 0: list(range(SIZE))}


def _no_sets(original: Callable[..., Any], *args: Any) -> Any:
    raise NotImplementedError("distify verify --as: not with process sets of the program's own")


def hook_operations(module: ModuleType) -> None:
    """Horovod's operations themselves, below what the probe watches."""
    library = module.MPI_LIB
    for names, around in ((REDUCING, _reduced), (SENDING, _sent)):
        for name in names:
            if hasattr(library, name):
                imports.replace(library, name, around)
    for name, value in (("horovod_size", SIZE), ("horovod_rank", RANKS[setting.RANK])):
        if hasattr(library, name):
            imports.replace(library, name, _constant(value))


def _reduced(original: Callable[..., Any], *args: Any, **kwargs: Any) -> Any:
    result = original(*args, **kwargs)
    if kwargs.get("reduce_op") != SUM:
        return result
    return list(map(_as_many, result)) if isinstance(result, (list, tuple)) else _as_many(result)


def _as_many(tensor: Any) -> Any:
    """The sum of so many ranks, of which these few are taken for the average."""
    operations = inside.python("ops.math_ops")
    if tensor.dtype.is_floating or tensor.dtype.is_complex:
        return tensor * operations.cast(SIZE / len(RANKS), tensor.dtype)
    return tensor * operations.cast(SIZE, tensor.dtype) // len(RANKS)


def _sent(original: Callable[..., Any], *args: Any, **kwargs: Any) -> Any:
    root = kwargs.get("root_rank")
    if root not in RANKS:
        raise ValueError(f"distify verify --as: root {root} is none of the ranks {RANKS}")
    return original(*args, **{**kwargs, "root_rank": RANKS.index(root)})


def _constant(value: int) -> Callable[..., Any]:
    def around(original: Callable[..., Any], *args: Any, name: str | None = None, **_: Any) -> Any:
        return inside.python("framework.constant_op").constant(value, name=name)

    return around


if RANKS and setting.ROLE == "worker":
    imports.when_imported("horovod.common.basics")(hook_basics)
    imports.when_imported("horovod.tensorflow.mpi_ops")(hook_operations)
