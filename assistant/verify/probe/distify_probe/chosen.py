"""Which steps are taken down: every one at first, then ever fewer."""

from __future__ import annotations

FIRST = 6  # every state and rate up to this step is taken; then ever fewer


def chosen_after(step: int) -> int:
    """The next chosen step: 1 to 6, then half as far again each time (9, 13, 19, 28, 42 …)."""
    return step + 1 if step < FIRST else step + step // 2


def chosen_beyond(step: int) -> int:
    """The first chosen step behind this one."""
    chosen = 1
    while chosen <= step:
        chosen = chosen_after(chosen)
    return chosen
