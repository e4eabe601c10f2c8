"""Where a round of optimizers that take turns begins: states are taken between the rounds."""

from __future__ import annotations

from collections.abc import Sequence

from .trained import Trained

_leader: Trained | None = None
_followed: set[int] = set()  # the other optimizers that stepped since the leader did


def leader_of(about: Sequence[Trained]) -> Trained | None:
    """The optimizer that begins a round, if it is one of these.

    Where several take turns, states are taken between the rounds: what the program broadcasts
    after the first batch may follow the steps of all. One that steps twice while the leader
    doesn't leads from then on.
    """
    global _leader
    again = [trained for trained in about if trained.id in _followed or trained is _leader]
    if _leader is None or again:
        _leader = (again or about)[0]
        _followed.clear()
        return _leader
    _followed.update(trained.id for trained in about)
    return None
