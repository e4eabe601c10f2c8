"""How workers share the backup of worker 0 under Keras 3 (D302)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from ..edits import At, Replace
from ..facts.output.callback_lists import is_shared_backup
from ._keras_3_forms import BACKUP_AND_RESTORE, SHARED_BACKUP, definitions, shared_backup
from ._new_code import fresh

if TYPE_CHECKING:
    from ..facts import Facts


def shared_backups(facts: Facts) -> Iterator[At]:
    """Backups of which each worker would go on from an epoch of its own."""
    made = [c for c in facts.calls_of(BACKUP_AND_RESTORE) if is_shared_backup(facts, c)]
    if made:
        yield definitions(facts, shared_backup(facts), is_last=True)
        yield from (At(call.func, Replace(fresh(facts, SHARED_BACKUP))) for call in made)
