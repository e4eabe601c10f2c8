"""Keras's callbacks: one row each, with all that any question about them needs.

https://keras.io/api/callbacks/, https://horovod.readthedocs.io/en/stable/keras.html.
"""

from __future__ import annotations

from typing import NamedTuple

from .names import KERAS, normal

PREFIX = f"{KERAS}.callbacks."
# What a callback does to the training: it ends it, sets its rate, or goes on where it was left.
ENDS, SETS_RATE, GOES_ON = "ends", "sets rate", "goes on"


class Callback(NamedTuple):
    """What a callback does, and where it takes the arguments that somebody asks for."""

    only_writes: bool = False  # files or lines, which one worker writes
    does: str = ""
    by_logs: bool = False  # it decides by what `logs` have under the name of `monitor`
    ignores_metrics: bool = False  # nothing that is measured decides what it does
    is_silent: bool = False  # every worker may have it: it writes nothing that anybody sees
    verbose_at: int | None = None  # it prints at a level, which is an argument there
    save_freq_at: int | None = None  # it saves after a number of steps, which is one there
    name: str = ""  # what a variable is called that holds one
    base: str = ""  # another of these, which it derives from


WRITER = Callback(only_writes=True, ignores_metrics=True)
_ROWS = {
    "ModelCheckpoint": WRITER._replace(save_freq_at=6, name="checkpoint"),
    "TensorBoard": WRITER._replace(name="tensorboard"),
    "CSVLogger": WRITER._replace(name="csv_logger"),
    "ProgbarLogger": WRITER._replace(name="progress_bar"),
    "SidecarEvaluatorModelExport": WRITER._replace(base="ModelCheckpoint"),
    "RemoteMonitor": WRITER._replace(name="remote_monitor"),
    "EarlyStopping": Callback(does=ENDS, by_logs=True, is_silent=True, verbose_at=3),
    "ReduceLROnPlateau": Callback(does=SETS_RATE, by_logs=True, is_silent=True, verbose_at=3),
    "LearningRateScheduler": Callback(
        does=SETS_RATE, ignores_metrics=True, is_silent=True, verbose_at=1
    ),
    "TerminateOnNaN": Callback(ignores_metrics=True, is_silent=True),
    "History": Callback(ignores_metrics=True, is_silent=True),
    "BaseLogger": Callback(is_silent=True),
    # Its moving averages are an optimizer's own, which are broadcast.
    "SwapEMAWeights": Callback(is_silent=True),
    "BackupAndRestore": Callback(does=GOES_ON, save_freq_at=1),
    "experimental.BackupAndRestore": Callback(does=GOES_ON),
    "LambdaCallback": Callback(),
    "OrbaxCheckpoint": Callback(),
    "Callback": Callback(),
    "CallbackList": Callback(),
}
NAMES = frozenset(name for name in _ROWS if "." not in name)
WRITERS = tuple(name for name, row in _ROWS.items() if row.only_writes and not row.base)
BACKUPS = tuple(PREFIX + name for name, row in _ROWS.items() if row.does == GOES_ON)
PRINTING = {name: row.verbose_at for name, row in _ROWS.items() if row.verbose_at is not None}
SAVING = {PREFIX + n: row.save_freq_at for n, row in _ROWS.items() if row.save_freq_at is not None}
CHECKPOINT = PREFIX + "ModelCheckpoint"
BOARD = PREFIX + "TensorBoard"
SCHEDULER = PREFIX + "LearningRateScheduler"
BACKUP = PREFIX + "BackupAndRestore"
LAMBDA = PREFIX + "LambdaCallback"
TERMINATE_ON_NAN = PREFIX + "TerminateOnNaN"
ORBAX = PREFIX + "OrbaxCheckpoint"
BASE = PREFIX + "Callback"
_NOTHING = Callback()


def member(canonical: str) -> str | None:
    """What a callback of Keras is called there, None of anything else."""
    name = normal(canonical)
    return name[len(PREFIX) :] if name.startswith(PREFIX) else None


def callback(canonical: str) -> Callback:
    """The row of a callback of Keras; an empty one of anything else."""
    name = member(canonical)
    return _NOTHING if name is None else _ROWS.get(name, _NOTHING)


def steers(canonical: str) -> bool:
    """Whether it makes a callback that ends training, or sets its rate."""
    return callback(canonical).does in (ENDS, SETS_RATE)


def steers_by_logs(canonical: str) -> bool:
    """Whether it makes a callback that ends training, or sets its rate, by a name of `logs`."""
    return callback(canonical).by_logs
