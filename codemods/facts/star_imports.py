"""What `from tensorflow.keras.… import *` brings, as far as it plays a role.

Plain data, from the installed packages of TensorFlow 2.4 to 2.15; several star imports in one file
are the habit of many Keras programs.
"""

from __future__ import annotations

from collections.abc import Iterable

from .keras_classes import OPTIMIZER_RATES, SCHEDULE_RATES

KERAS = "tensorflow.keras"


def _names(text: str) -> frozenset[str]:
    return frozenset(text.split())


_PARTS = "applications backend callbacks datasets layers losses metrics models optimizers utils"
_EXPORTS = {
    KERAS: frozenset([*_PARTS.split(), "preprocessing", "Input", "Model", "Sequential"]),
    f"{KERAS}.models": _names(
        "Model Sequential clone_model load_model model_from_config model_from_json save_model"
    ),
    f"{KERAS}.optimizers": frozenset([*OPTIMIZER_RATES, "Optimizer", "schedules", "legacy", "get"]),
    f"{KERAS}.optimizers.schedules": frozenset([*SCHEDULE_RATES, "LearningRateSchedule"]),
    f"{KERAS}.callbacks": _names(
        "BackupAndRestore BaseLogger CSVLogger Callback CallbackList EarlyStopping History"
        " LambdaCallback LearningRateScheduler ModelCheckpoint ProgbarLogger ReduceLROnPlateau"
        " RemoteMonitor TensorBoard TerminateOnNaN"
    ),
    f"{KERAS}.datasets": _names("boston_housing cifar10 cifar100 fashion_mnist imdb mnist reuters"),
    f"{KERAS}.utils": _names(
        "Progbar Sequence get_file image_dataset_from_directory normalize plot_model"
        " set_random_seed text_dataset_from_directory to_categorical"
    ),
    f"{KERAS}.preprocessing.image": _names(
        "DirectoryIterator ImageDataGenerator NumpyArrayIterator img_to_array load_img"
    ),
}


def star_imported(name: str, modules: Iterable[str]) -> str | None:
    """The canonical name of what star imports of these canonical modules bind `name` to."""
    known = list(dict.fromkeys(modules))
    if len(known) == 1:
        return f"{known[0]}.{name}"
    exporting = [module for module in known if name in _EXPORTS.get(module, ())]
    return f"{exporting[-1]}.{name}" if exporting else None
