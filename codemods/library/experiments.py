"""Loggers of experiments: how a run is made that takes all calls and writes nothing.

https://docs.wandb.ai/ref/python/init (`mode`), https://docs.neptune.ai/api/neptune (`mode`),
https://www.comet.com/docs (`disabled`), https://tensorboardx.readthedocs.io (`write_to_disk`).
"""

from __future__ import annotations

from typing import NamedTuple

from .first_row import Rows


class DisableArgument(NamedTuple):
    """The argument of a logger that silences it, where it writes, and where it doesn't."""

    argument: str
    loud: str
    silent: str


_SILENT = {
    "wandb": DisableArgument("mode", "None", '"disabled"'),
    "neptune": DisableArgument("mode", '"async"', '"debug"'),
    "comet": DisableArgument("disabled", "False", "True"),
    "tensorboardX": DisableArgument("write_to_disk", "True", "False"),
}
_ROWS = Rows(
    (
        (r"wandb\.init$", "wandb"),
        (r"neptune\.(?:new\.)?init(?:_run)?$", "neptune"),
        (r"comet_ml\.(?:Existing)?Experiment$", "comet"),
        (r"tensorboardX\.SummaryWriter$", "tensorboardX"),
    )
)
_START = "mlflow.start_run"
_OTHERS = Rows(
    (
        (r"mlflow\.(?:log_\w+|set_tags?)$", "log"),
        (r"mlflow\.(?:\w+\.)?(?:autolog|log_model|register_model)$", "log"),
        (r"mlflow\.(?:start_run|end_run|set_experiment)$", "run"),
        (r"mlflow\.(?:active_run|last_active_run|get_\w+|search_\w+)$", "read"),
        (r"clearml\.Task\.init$", "other run"),
        (r"clearml\.(?:Task\.(?:current_task|get_task)|Logger\.current_logger)$", "read"),
        (r"aim\.(?:sdk\.)?Run$", "other run"),
    )
)


def silenced(canonical: str) -> DisableArgument | None:
    """How the run that a call makes is silenced."""
    word = _ROWS.first(canonical)
    return None if word is None else _SILENT[word]


def logs(canonical: str) -> bool:
    """Whether a call only writes to the run of the program."""
    return _OTHERS.first(canonical) == "log"


def makes_run(canonical: str) -> bool:
    """Whether a call begins a run that nothing silences."""
    return canonical == _START or _OTHERS.first(canonical) == "other run"


def is_plain_run(canonical: str) -> bool:
    """Whether a run may begin or end without a name: other calls find it by themselves."""
    return _OTHERS.first(canonical) in ("run", "other run")


def reads_run(canonical: str) -> bool:
    """Whether a call reads what only a run has."""
    return _OTHERS.first(canonical) == "read"
