"""Every setting as it holds for a folder, and where it comes from: `distify config`."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from typing import Any, NamedTuple

from . import config, formatter
from .choice import Choice

DEFAULT = "by default"
# What holds where nobody says anything; the lists are empty then.
DEFAULTS: dict[str, object] = {
    "shard": "auto", "unsound": False, "cache": True, "learning-rate": "linear",
    "batch": "worker",
    "per-file-ignores": {}, "severity": {}, "warmup": 0, "backward_passes_per_step": 1,
    "instrument": False, "snapshots": 5, "recompute-base": 1,
}  # fmt: skip
# What each key means: the reference of the documentation is made of this.
MEANINGS = {
    "tensorflow": 'The version to write for, such as `"2.15"`; else what '
    "the requirements, or what is installed, say, else 2.15.",
    "keras": '`"legacy"`: train with tf_keras where TensorFlow would bring Keras 3; else `"3"`.',
    "shard": '`"auto"`: each worker gets its own share of the data; `"none"`: all of it.',
    "select": "Only these rules, by code or name, and those that they need.",
    "ignore": "All rules but these.",
    "repair": 'What is repaired without being asked for: codes, or `"auto"`.',
    "unsound": "`true`: apply the chosen rules though a file needs others; or obligations that you "
    'take on you (`["size"]`; `"rules"` in it is `true`). Said everywhere.',
    "instrument": "`true`: where nobody can tell whether all workers have a value, compare it at "
    "run time (A26): all of them fail where it differs.",
    "exclude": "Files that are left out: patterns as in .gitignore.",
    "cache": "`false`: keep nothing in .distify_cache for the next run.",
    "per-file-ignores": "Patterns of files, and the codes whose findings you take on you there.",
    "severity": 'Codes, and how much each counts: `"error"`, `"warning"` or `"note"`.',
    "batch": 'Whose a batch is: each worker takes a whole one at a larger rate (`"worker"`), or an '
    'Nth of every one, at the rate of one process (`"global"`).',
    "learning-rate": 'How rates grow with the workers: `"linear"`, `"sqrt"` or `"none"`.',
    "warmup": "Epochs in which rates grow from those of one worker to those of all; 0: none.",
    "backward_passes_per_step": "Batches whose gradients each worker adds up before a step "
    "averages them and trains; rates grow with them, too.",
    "compression": '`"fp16"`: gradients travel as half floats.',
    "recompute": '`"halves"`, `"sqrt"` or `"binomial"`: train in less memory, by running layers '
    "and the steps of loops again (D501).",
    "snapshots": 'What `"binomial"` keeps of them at a time.',
    "recompute-base": "Layers or steps that are kept as they are, and cut no further.",
    "models": "Functions that distify can't see into, in full, that give a Keras model.",
    "optimizers": "The same for optimizers.",
    "datasets": "The same for `tf.data.Dataset`.",
}
NOT_SET = ("recompute", "compression", "keras")  # these have no word for their default


class Setting(NamedTuple):
    """A key, its value, None where it is not set, and who says so."""

    key: str
    value: Any
    why: str

    @property
    def text(self) -> str:
        """The value as it would stand in the file."""
        return "not set" if self.value is None else _toml(self.value)


def effective(folder: str) -> Iterator[Setting]:
    """The settings for the files of an absolute folder. Raises ConfigProblem."""
    found = config.settings(folder)
    own = _own(folder, found)
    for key in config.KEYS:
        if key == "tensorflow":
            yield _tensorflow(folder)
        elif key in own:
            yield Setting(key, own[key], found.path)
        else:
            empty: object = None if key in NOT_SET else []
            yield Setting(key, DEFAULTS.get(key, empty), DEFAULT)
    width = formatter.width(folder)
    yield Setting(
        "line length", width or None, "as the formatter is set" if width else "each file's own"
    )


def _own(folder: str, found: config.Settings) -> dict[str, Any]:
    """The table that counts for a folder."""
    return dict(config.table(os.path.dirname(found.path)) or {}) if found.path else {}


def _tensorflow(folder: str) -> Setting:
    choice = Choice((), ())
    major, minor = choice.options_for(folder).tensorflow
    return Setting("tensorflow", f"{major}.{minor}", choice.target(folder)[1] or DEFAULT)


def _toml(value: object) -> str:
    if isinstance(value, dict):
        inside = ", ".join(f"{json.dumps(key)} = {_toml(each)}" for key, each in value.items())
        return f"{{{inside}}}"
    return json.dumps(value, ensure_ascii=False)
