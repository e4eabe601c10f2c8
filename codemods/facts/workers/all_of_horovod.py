"""Programs that have every part of Horovod: nothing is left to complete, known forms or not.

https://horovod.readthedocs.io/en/stable/summary_include.html, Usage.
"""

from __future__ import annotations

from ..facts import Facts, recorded
from ..horovod import AVERAGES, WRAPPERS, member, member_of
from .collectives import names_of

_ELASTIC = "elastic.run"  # what it is given has a state that every worker takes over from rank 0
_PARTS: tuple[tuple[str, ...], ...] = (
    ("init",),
    (*WRAPPERS, *AVERAGES),
    (
        "broadcast_global_variables",
        "broadcast_variables",
        "BroadcastGlobalVariablesHook",
        "callbacks.BroadcastGlobalVariablesCallback",
        _ELASTIC,
    ),
)


@recorded
def is_whole(facts: Facts) -> bool:
    """Whether it starts Horovod, averages gradients and brings the workers to one start."""
    if not facts.has_horovod:
        return False
    found = {member_of(name) for call in facts.index.calls for name in names_of(facts, call)}
    found |= {member(facts, use) for use in facts.index.loads.get("run", ())}
    return all(found.intersection(part) for part in _PARTS)
