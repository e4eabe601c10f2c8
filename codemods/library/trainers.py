"""Names by which libraries call what trains a model, or chooses among trained ones."""

from __future__ import annotations

import re

_TRAINS = re.compile(
    r"(?:^|_)(?:do_|run_)?(?:fit|train|training|retrain|search|learn|optimi[sz]e|tune|finetune)(?:_|$)"
    r"|(?:^|[a-z_])(?:Fit|Train|Search|Learn|Tune)(?:er|ing)?(?:[A-Z_]|$)"
    r"|^(?:fit|train|search|learn)[A-Z]|^cross_val_\w+$"
)
_WRAPPERS = re.compile(r"tensorflow\.keras\.wrappers\.")  # Keras' own models for scikit-learn


def trains(name: str) -> bool:
    """Whether a function, class or method of that name trains what it is given, or its object."""
    return _TRAINS.search(name.rpartition(".")[2]) is not None


def wraps_models(name: str) -> bool:
    """Whether a library function hides a model of Keras behind an interface that isn't Keras'."""
    return _WRAPPERS.match(name) is not None
