"""Which functions of Horovod wait for all workers, and which of them meet each other."""

from __future__ import annotations

import re

_HOROVOD = r"horovod\.(?:\w+\.)*"
_COLLECTIVE = (
    _HOROVOD + r"(?:grouped_)?(?P<kind>allreduce|allgather|alltoall|reducescatter|barrier|"
    r"broadcast)(?:_|_async|_async_|_object|_variables|_global_variables|_parameters|"
    r"_optimizer_state)?$"
)
_LEAVES = _HOROVOD + r"join$"


def collective(canonical: str) -> str | None:
    """The kind of a function that waits for all workers; those of one kind meet each other."""
    found = re.match(_COLLECTIVE, canonical)
    return None if found is None else found["kind"]


def is_join(canonical: str) -> bool:
    """Whether it tells the others not to wait any more."""
    return re.match(_LEAVES, canonical) is not None
