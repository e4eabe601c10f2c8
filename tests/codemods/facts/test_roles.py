"""What a library callable makes, by its canonical name."""

from __future__ import annotations

import pytest

from distify.codemods.facts import Facts
from distify.codemods.facts.roles import Role, role_of_name

KERAS = "tensorflow.keras"
OPTIMIZERS = f"{KERAS}.optimizers"

NAMES = {
    Role.SCHEDULE: [
        f"{OPTIMIZERS}.schedules.LearningRateSchedule",
        f"{OPTIMIZERS}.schedules.CosineDecay",
        f"{OPTIMIZERS}.legacy.LearningRateSchedule",
        f"{KERAS}.experimental.CosineDecay",
        f"{KERAS}.experimental.LinearCosineDecay",
    ],
    Role.LOSS_SCALE: [
        f"{OPTIMIZERS}.LossScaleOptimizer",
        f"{KERAS}.mixed_precision.LossScaleOptimizer",
        f"{KERAS}.mixed_precision.LossScaleOptimizerV1",
    ],
    Role.OPTIMIZER: [
        f"{OPTIMIZERS}.Adam",
        f"{OPTIMIZERS}.legacy.SGD",
        f"{OPTIMIZERS}.experimental.RMSprop",
        f"{OPTIMIZERS}.get",
        f"{OPTIMIZERS}.deserialize",
        "tensorflow_addons.optimizers.LAMB",
        "tensorflow.train.AdamOptimizer",
        "tensorflow.compat.v1.train.GradientDescentOptimizer",
    ],
    Role.DATASET: [
        "tensorflow.data.TFRecordDataset",
        "tensorflow.data.Dataset.range",
        "tensorflow.data.experimental.CsvDataset",
        "tensorflow.data.experimental.make_csv_dataset",
        f"{KERAS}.utils.image_dataset_from_directory",
        f"{KERAS}.utils.timeseries_dataset_from_array",
        f"{KERAS}.preprocessing.image_dataset_from_directory",
        f"{KERAS}.preprocessing.text_dataset_from_directory",
        f"{KERAS}.preprocessing.image.image_dataset_from_directory",
        f"{KERAS}.utils.audio_dataset_from_directory",
    ],
    Role.MODEL: [
        f"{KERAS}.Sequential",
        f"{KERAS}.Model",
        f"{KERAS}.models.load_model",
        f"{KERAS}.models.clone_model",
        f"{KERAS}.models.model_from_json",
        f"{KERAS}.applications.ResNet50",
        f"{KERAS}.applications.vgg16.VGG16",
        "transformers.TFBertModel",
        "keras_hub.models.BertTextClassifier",
        "keras_cv.models.YOLOV8Detector",
        "segmentation_models.Unet",
        "efficientnet.tfkeras.EfficientNetB0",
    ],
    Role.CHECKPOINT: [
        "tensorflow.train.Checkpoint",
        "tensorflow.train.Saver",
        "tensorflow.compat.v1.train.Saver",
    ],
    Role.MANAGER: ["tensorflow.train.CheckpointManager"],
    Role.TAPE: ["tensorflow.GradientTape"],
    Role.CALLBACK: [f"{KERAS}.callbacks.CSVLogger", f"{KERAS}.callbacks.experimental.Thing"],
    Role.WRITER: ["tensorflow.summary.create_file_writer"],
    Role.ESTIMATOR: [
        "tensorflow.estimator.Estimator",
        "tensorflow.compat.v1.estimator.Estimator",
        "tensorflow.estimator.DNNClassifier",
        "tensorflow.estimator.LinearRegressor",
    ],
    Role.SESSION: [
        "tensorflow.Session",
        "tensorflow.InteractiveSession",
        "tensorflow.compat.v1.Session",
        "tensorflow.compat.v1.train.MonitoredTrainingSession",
        "tensorflow.train.MonitoredTrainingSession",
    ],
    None: [
        None,
        "keras.Model",  # not canonical
        "mine.tensorflow.keras.Model",
        f"{OPTIMIZERS}.schedules",
        f"{OPTIMIZERS}.serialize",
        f"{KERAS}.callbacks.callbacks",
        f"{KERAS}.models.save_model",
        f"{KERAS}.applications.vgg16.preprocess_input",
        f"{KERAS}.layers.Dense",
        "tensorflow.data.Dataset",
        "tensorflow.train.Example",
        "tensorflow.GradientTapes",
        "tensorflow.train.CheckpointManagers",
        "tensorflow.train.MonitoredTrainingSession.step",
        "tensorflow.summary.create_file_writer.x",
        "tensorflow_addons.optimizers.extend_with",
        "transformers.BertModel",  # of PyTorch
        "transformers.TFTrainer",
        "keras_hub.models.BertTokenizer",
        "keras_nlp.models.BertPreprocessor",
        "segmentation_models.get_preprocessing",
    ],
}


@pytest.mark.parametrize(("name", "role"), [(n, r) for r, names in NAMES.items() for n in names])
def test_a_library_callable_makes_what_its_name_says(name: str | None, role: Role | None) -> None:
    assert role_of_name(name) is role


HEAD = "import tensorflow as tf\nfrom tensorflow import keras\nds = tf.data.Dataset.range(9)\n"


def role_of_last(text: str) -> Role | None:
    """The role of the expression in the last line."""
    facts = Facts.of(HEAD + text)
    return facts.role(facts.module.body[-1].value)  # type: ignore[attr-defined]


@pytest.mark.parametrize("method", ["batch(2)", "map(f)", "shuffle(9).batch(2)", "shard(2, 0)"])
def test_what_is_chained_from_a_dataset_is_one(method: str) -> None:
    assert role_of_last(f"ds.{method}") is Role.DATASET
    assert role_of_last(f"d = ds.{method}\nd") is Role.DATASET


@pytest.mark.parametrize(
    "method",
    [
        "as_numpy_iterator",
        "reduce",
        "cardinality",
        "options",
        "get_single_element",
        "save",
        "__iter__",
        "__len__",
    ],
)
def test_some_methods_of_a_dataset_give_something_else(method: str) -> None:
    assert role_of_last(f"ds.{method}()") is None


@pytest.mark.parametrize("factory", ["from_config", "from_pretrained"])
def test_a_class_method_may_make_an_instance(factory: str) -> None:
    assert role_of_last(f"keras.optimizers.Adam.{factory}(c)") is Role.OPTIMIZER
    assert role_of_last("keras.optimizers.Adam.describe(c)") is None


@pytest.mark.parametrize(
    "made",
    [
        "transformers.TFAutoModelForSequenceClassification.from_pretrained('a')",
        "transformers.TFBertModel.from_config(c)",
        "keras_hub.models.BertTextClassifier.from_preset('a')",
        "keras_hub.models.BertTextClassifier(b, 2)",
    ],
)
def test_other_libraries_make_models_of_keras(made: str) -> None:
    head = "import keras_hub\nimport transformers\n"
    assert role_of_last(f"{head}m = {made}\nm") is Role.MODEL
    assert role_of_last(f"{head}transformers.BertModel.from_pretrained('a')") is None


def test_where_no_optimizer_is_spelled_nothing_is_followed_to_choose_one() -> None:
    text = "import tensorflow as tf\nd = {'a': tf.nn.relu}\nd['a'](1)\n"
    for last, is_followed in (("", False), ("tf.keras.optimizers", True)):
        facts = Facts.of(text + last)
        assert [facts.choice(call) for call in facts.index.calls] == [()]
        assert ("program" in vars(facts)) == is_followed


MODEL = "tf.keras.Sequential([])"
HELD = {
    f"tf.model = {MODEL}\ntf.model.fit(x)": {Role.MODEL},
    f"tf.model = {MODEL}\ndef go():\n    tf.model.fit(x)": {Role.MODEL},
    "tf.model = dict(x=1)\ntf.model.fit(x)": {None},
    "tf.model.fit(x)": {None},
    f"class A:\n    def __init__(self):\n        self.keras = make()\nmodel = {MODEL}\nmodel.fit(x)": {
        Role.MODEL
    },
    f"tf.other = {MODEL}\ntf.model.fit(x)": {None},
    f"model = 0\ndef go():\n    global model\n    model = {MODEL}\n    model.fit(x)": {Role.MODEL},
    f"class T:\n    def __init__(self):\n        self.net = ''\n        self.build()\n"
    f"    def build(self):\n        self.net = {MODEL}\n    def go(self):\n        self.net.fit(x)": {
        Role.MODEL
    },
    f"model = 1 if flag else {MODEL}\nmodel.fit(x)": {Role.MODEL, None},
}


@pytest.mark.parametrize(("text", "expected"), HELD.items())
def test_what_is_held_in_a_module_or_behind_a_placeholder(
    text: str, expected: set[Role | None]
) -> None:
    facts = Facts.of("import tensorflow as tf\n" + text)
    (call,) = facts.calls("fit")
    assert facts.roles(call.func.value) == expected  # type: ignore[attr-defined]
