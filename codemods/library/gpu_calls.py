"""Calls that take the GPUs that are visible then, and those that leave them alone."""

from __future__ import annotations

import re

from .horovod_alone import DROPPED

# Of TensorFlow: settings, files, texts and descriptions; whatever else makes tensors.
_QUIET = re.compile(
    r"tensorflow\.(?:compat\.v1\.)?(?:config\.(?!.*list_logical_devices)|get_logger|logging\.|flags\.|app\."
    r"|set_random_seed|random\.set_(?:random_)?seed|disable_\w+|enable_\w+|function$|autograph\."
    r"|debugging\.|sysconfig\.|io\.gfile\.|gfile\.|data\.\w*Options|TensorShape|TensorSpec"
    r"|\w*ConfigProto|GPUOptions|io\.\w+Feature|train\.\w*Feature|test\.is_built_with\w+|errors\."
    r"|keras\.(?:datasets|callbacks|utils\.(?:get_file|set_random_seed|to_categorical|\w+_keras_serializable)"
    r"|backend\.(?:set_floatx|set_image_data_format|set_epsilon|clear_session|image_data_format)"
    r"|config\.set_\w+|mixed_precision\.set_\w+|preprocessing\.(?!\w+_dataset_from_directory)))"
)
_BUILT_ON = re.compile(
    r"(?:tensorflow_hub|tensorflow_datasets|tensorflow_probability|tensorflow_addons|tensorflow_text"
    r"|keras_cv|keras_nlp|keras_hub|tf_agents|sonnet|official|spektral|gpflow"
    r"|segmentation_models|efficientnet|transformers\.(?:\w+\.)*(?:TF|pipeline))"
)

# Each of these is known to take the devices that are visible then.
TAKES = re.compile(
    r"tensorflow\.(?:constant|Variable|zeros|ones|range|convert_to_tensor|random\.\w+"
    r"|data\.Dataset\.(?:from_tensor_slices|range)|test\.(?:is_gpu_available|gpu_device_name)"
    r"|config\.(?:experimental\.)?list_logical_devices|keras\.applications\.(?:\w+\.)*[A-Z]\w+"
    r"|(?:keras\.)?models\.load_model|keras\.Input)$"
)


def takes_devices(name: str) -> bool:
    """Whether a call of that canonical name makes TensorFlow take the GPUs."""
    if name.startswith("tensorflow."):
        return not _QUIET.match(name) and name not in DROPPED
    return _BUILT_ON.match(name) is not None
