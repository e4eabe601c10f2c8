"""Which of several star imports a name comes from."""

from __future__ import annotations

import pytest

from distify.codemods.library.star_imports import exports, star_imported
from distify.codemods.migrate import migrate

KERAS = "tensorflow.keras"
EXPORTS = {
    KERAS: "applications backend callbacks datasets layers losses metrics models optimizers utils"
    " preprocessing Input Model Sequential",
    f"{KERAS}.models": "Model Sequential clone_model load_model model_from_config model_from_json"
    " save_model",
    f"{KERAS}.optimizers": "Adadelta Adafactor Adagrad Adam AdamW Adamax Ftrl Lion Nadam RMSprop SGD"
    " Optimizer schedules legacy get",
    f"{KERAS}.optimizers.schedules": "CosineDecay ExponentialDecay PiecewiseConstantDecay"
    " LearningRateSchedule",
    f"{KERAS}.callbacks": "BackupAndRestore BaseLogger CSVLogger Callback CallbackList EarlyStopping"
    " History LambdaCallback LearningRateScheduler ModelCheckpoint ProgbarLogger ReduceLROnPlateau"
    " RemoteMonitor TensorBoard TerminateOnNaN",
    f"{KERAS}.layers": "Layer Input Dense LSTM GRUCell add concatenate MaxPool2D Rescaling",
    f"{KERAS}.losses": "Loss Huber",
    f"{KERAS}.metrics": "Metric Mean AUC",
    f"{KERAS}.applications": "VGG16 ResNet50",
    f"{KERAS}.datasets": "boston_housing cifar10 cifar100 fashion_mnist imdb mnist reuters",
    f"{KERAS}.utils": "Progbar Sequence get_file image_dataset_from_directory normalize plot_model"
    " set_random_seed text_dataset_from_directory to_categorical",
    f"{KERAS}.preprocessing.image": "DirectoryIterator ImageDataGenerator NumpyArrayIterator"
    " img_to_array load_img",
}


@pytest.mark.parametrize(
    ("module", "name"), [(m, name) for m, names in EXPORTS.items() for name in names.split()]
)
def test_a_name_comes_from_the_module_that_exports_it(module: str, name: str) -> None:
    assert star_imported(name, ["mine", module, "yours"]) == f"{module}.{name}"


def test_of_one_star_import_everything_comes() -> None:
    assert star_imported("whatever", ["mine"]) == "mine.whatever"
    assert star_imported("whatever", ["mine", "mine"]) == "mine.whatever"


def test_the_last_import_that_exports_it_counts() -> None:
    modules = [KERAS, f"{KERAS}.models"]
    assert star_imported("Model", modules) == f"{KERAS}.models.Model"
    assert star_imported("Model", modules[::-1]) == f"{KERAS}.Model"


@pytest.mark.parametrize("modules", [[], ["mine", "yours"], ["mine", KERAS]])
def test_a_name_that_none_is_known_to_export_is_unknown(modules: list[str]) -> None:
    assert star_imported("whatever", modules) is None


def test_modules_are_known_by_each_of_their_spellings() -> None:
    assert exports("keras.models", "Sequential")
    assert exports("tensorflow.python.keras.models", "Model")
    assert not exports("keras.layers", "Sequential")
    assert not exports("mine", "Sequential")


UNET = """\
import numpy as np
from tensorflow.keras.{first} import *
from tensorflow.keras.{second} import *
from tensorflow.keras.optimizers import *


class Scale(Layer):
    def call(self, x):
        return 2 * x


def unet():
    inputs = Input((4,))
    model = Model(inputs, Scale()(Dense(1)(inputs)))
    model.compile(optimizer=Adam(learning_rate=1e-4), loss="mse")
    return model


model = unet()
model.fit(np.load("x.npy"), np.load("y.npy"))
"""


@pytest.mark.parametrize("modules", [("layers", "models"), ("models", "layers")])
def test_models_that_take_all_names_are_migrated(modules: tuple[str, str]) -> None:
    """The habit of many programs; a name came from each of the modules, so from none of them."""
    found = migrate(UNET.format(first=modules[0], second=modules[1]))
    assert found.blocked == ()
    assert "Adam(learning_rate=1e-4 * hvd.size())" in found.after
    assert "hvd.DistributedOptimizer(" in found.after


def test_a_name_that_two_unknown_modules_may_have_is_unknown() -> None:
    text = UNET.format(first="models", second="layers").replace(".optimizers ", ".mine ")
    assert migrate(text.replace("tensorflow.keras.models", "mine.models")).blocked
