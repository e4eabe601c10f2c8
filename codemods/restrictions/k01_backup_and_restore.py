"""BackupAndRestore of Keras 2 brings each worker back to a step of its own: the others wait."""

from __future__ import annotations

from collections.abc import Iterator

from ..facts import Facts
from ..facts.output.callback_lists import lists_of_fits
from ..facts.output.callbacks import Where
from ..model import Finding
from . import restriction
from ._finding import finding

FIX = (
    'write `tf.keras.callbacks.ModelCheckpoint("backup.keras")` in its place, and before `fit`: '
    '`if os.path.exists("backup.keras"): model = tf.keras.models.load_model("backup.keras")`'
)


@restriction(code="K01", name="backup-and-restore")
def backup_and_restore(facts: Facts) -> Iterator[Finding]:
    """The callback wherever a `fit` is given one."""
    for _, callbacks in lists_of_fits(facts):
        for element, verdict in callbacks.judged:
            if verdict.where is Where.REFUSED:
                yield finding(
                    facts,
                    element,
                    "K01",
                    "BackupAndRestore makes each worker go on from an epoch of its own: then they "
                    "wait for each other for ever",
                    FIX,
                )
