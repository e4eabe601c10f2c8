"""BackupAndRestore of Keras 2 brings each worker back to a step of its own: the others wait."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from ..facts import Facts
from ..facts.output.callback_lists import ListForm, Where, lists_of_fits
from ..library.callbacks import BACKUPS
from ..model import Finding
from . import restriction
from ._finding import finding

WAIT = (
    "BackupAndRestore makes each worker go on from an epoch of its own: then they wait for each "
    "other for ever"
)
FIX = (
    'write `tf.keras.callbacks.ModelCheckpoint("backup.keras")` in its place, and before `fit`: '
    '`if os.path.exists("backup.keras"): model = tf.keras.models.load_model("backup.keras")`'
)


@restriction(code="K01", name="backup-and-restore")
def backup_and_restore(facts: Facts) -> Iterator[Finding]:
    """The callback wherever a `fit` is given one, or may be."""
    found: dict[ast.AST, None] = {}
    for _, callbacks in lists_of_fits(facts):
        judged = callbacks.judged
        found.update({expr: None for expr, of in judged if of.where is Where.REFUSED})
        if callbacks.form is ListForm.FILTERED and not judged:  # nobody sees what is in it
            found.update(dict.fromkeys(facts.calls_of(*BACKUPS)))
    yield from (finding(facts, expr, "K01", WAIT, FIX) for expr in found)
