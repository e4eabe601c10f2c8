"""What of TensorFlow and Keras is asked for by its own name: one line a thing, whoever asks for it.

What a call gives, draws, writes or changes is said by the tables of these questions; here is what a
program is made of. Names are written as `names.normal` gives them.
"""

from __future__ import annotations

import re

from .words import words

# -- what is trained, and what trains it
VARIABLE = "tensorflow.Variable"
MODULE = "tensorflow.Module"
LAYER = "tensorflow.keras.layers.Layer"
MODEL = "tensorflow.keras.Model"
SEQUENTIAL = "tensorflow.keras.Sequential"
PLAIN_MODELS = (SEQUENTIAL, MODEL)
LOAD_MODEL = "tensorflow.keras.models.load_model"
LOADERS = (LOAD_MODEL, "tensorflow.keras.saving.load_model")
MODEL_MAKERS = frozenset({*PLAIN_MODELS, LOAD_MODEL, "tensorflow.keras.models.clone_model"})
SAVED_MODEL = "tensorflow.saved_model.save"
INPUTS = ("tensorflow.keras.Input", "tensorflow.keras.layers.Input")
SYMBOLIC = (*INPUTS, "tensorflow.keras.layers.InputLayer")
INPUT_LAYERS = ("Input", "InputLayer")  # by their last name
# What keeps a variable or a module that is one of its attributes, and saves it with its own.
TRACKING = (MODULE, "tensorflow.keras.layers.", MODEL, SEQUENTIAL)
# What runs when an instance of a class of these is called.
CALLED_METHODS = {LAYER: "call", MODEL: "call", MODULE: "__call__"}
SET_VALUE = "tensorflow.keras.backend.set_value"
# -- gradients
TAPE = "tensorflow.GradientTape"
FORWARD = "tensorflow.autodiff.ForwardAccumulator"
GRADIENTS = ("tensorflow.gradients", "tensorflow.compat.v1.gradients")  # of a graph
RECOMPUTE = "tensorflow.recompute_grad"
# -- how Python becomes a graph
FUNCTION = "tensorflow.function"
UNTRACED = "tensorflow.autograph.experimental.do_not_convert"
COMPILED = (FUNCTION, UNTRACED)
LOOPS = ("tensorflow.while_loop", "tensorflow.compat.v1.while_loop")
CONDITIONS = ("tensorflow.cond", "tensorflow.compat.v1.cond")
NESTED_MAP = "tensorflow.nest.map_structure"
MAPS = ("builtins.map", NESTED_MAP, "tensorflow.map_fn")
LABELS = ("tensorflow.name_scope", "tensorflow.device")  # they change nothing of what is computed
# -- tensors
RANGE = "tensorflow.range"
CAST = "tensorflow.cast"
PRINT = "tensorflow.print"
TENSORS = ("tensorflow.constant", "tensorflow.convert_to_tensor")  # of a value of Python
STORED = (VARIABLE, *TENSORS)
TENSOR_ARRAY = "tensorflow.TensorArray"
TENSOR_SPEC = "tensorflow.TensorSpec"
RANDOM_INITIALIZER = "tensorflow.random_normal_initializer"
TAKEN_APART = ("tensorflow.unstack", "tensorflow.split")  # one tensor for each part
ADDING = words("builtins.sum tensorflow.add_n tensorflow.math.add_n")
SIZES = words("builtins.len numpy.shape numpy.size")  # of what there is
ROW_COUNTS = SIZES | words("tensorflow.shape_n tensorflow.data.experimental.cardinality")
OF_TENSORS = re.compile(r"tensorflow\.(?:(?:math|linalg)\.)?(?!print|py_function|numpy_f)\w+$")
REMOVE_FILE = "tensorflow.io.gfile.remove"
# -- TensorFlow 1
LEFT_OUT = re.compile(r"tensorflow\.(?:compat\.v1\.)?((?:contrib|examples)\b(?:\.\w+)?)")
V1 = "tensorflow.compat.v1"
CONFIG = "ConfigProto"  # of a session
MONITORED_TRAINING, FILE_WRITER = "MonitoredTrainingSession", "FileWriter"
STOP_AT_STEP = f"{V1}.train.StopAtStepHook"
STOPS_AT_STEP = (
    STOP_AT_STEP,
    "tensorflow.train.StopAtStepHook",
    "tensorflow.estimator.StopAtStepHook",
)
OUT_OF_RANGE = "OutOfRangeError"  # a session's data have come to their end
SUCCESSORS = {  # in Keras, of the optimizers in `tf.train`
    "GradientDescentOptimizer": "SGD",
    "MomentumOptimizer": "SGD",
    "RMSPropOptimizer": "RMSprop",
    "AdamOptimizer": "Adam",
    "AdagradOptimizer": "Adagrad",
    "AdadeltaOptimizer": "Adadelta",
    "FtrlOptimizer": "Ftrl",
}
MOMENTUM = "MomentumOptimizer"
# -- devices
SET_VISIBLE = (
    "tensorflow.config.set_visible_devices",
    "tensorflow.config.experimental.set_visible_devices",
)
LIST_DEVICES = (
    "tensorflow.config.list_physical_devices",
    "tensorflow.config.experimental.list_physical_devices",
    "tensorflow.config.get_visible_devices",
    "tensorflow.config.experimental.get_visible_devices",
)
MEMORY_GROWTH = "tensorflow.config.experimental.set_memory_growth"
# -- what recomputation doesn't go together with, or isn't tried with, by restriction
UNLIKE_RECOMPUTATION = {
    "C07": ("tensorflow.config.optimizer.set_jit",),
    "C08": (
        "tensorflow.custom_gradient",
        "tensorflow.keras.mixed_precision.LossScaleOptimizer",
        "tensorflow.keras.mixed_precision.set_global_policy",
        "tensorflow.keras.mixed_precision.set_policy",
        "tensorflow.keras.mixed_precision.Policy",
    ),
    "C03": ("tensorflow.keras.layers.Masking",),  # its mask travels beside the tensor
    "C09": (
        "tensorflow.compat.v1.disable_eager_execution",
        "tensorflow.compat.v1.disable_v2_behavior",
        *GRADIENTS,
    ),
}
LOGGING = "tensorflow.compat.v1.logging"
# -- data
ZIP = ("tensorflow.data.Dataset.zip", "tensorflow.compat.v1.data.Dataset.zip")
READY_DATASETS = ("tensorflow_datasets.load",)
AS_NUMPY = "tensorflow_datasets.as_numpy"
SET_SEED = "tensorflow.random.set_seed"
FILE_DATASETS = words("TFRecordDataset TextLineDataset FixedLengthRecordDataset CsvDataset")
# -- what rules write
SILENT_WRITER = "tensorflow.summary.create_noop_writer"
SEQUENCE, PY_DATASET = "tensorflow.keras.utils.Sequence", "tensorflow.keras.utils.PyDataset"
