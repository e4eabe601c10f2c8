"""Layers that may be run twice in a step, those that may not, and functions without a state.

Plain data. A layer is accepted if running it again gives the same tensor and changes nothing; its
parameters are those of TensorFlow 2.15, in order, and tests/distributed/test_layer_classes.py
compares them with whatever Keras is installed. What is not named here is not known.
"""

from __future__ import annotations

from collections.abc import Mapping

from .names import normal

LAYERS = "tensorflow.keras.layers."

_WEIGHTS = (
    "use_bias kernel_initializer bias_initializer kernel_regularizer bias_regularizer"
    " activity_regularizer kernel_constraint bias_constraint"
)
_EINSUM = _WEIGHTS.replace("use_bias", "bias_axes")
_DEPTHWISE = (
    "use_bias depthwise_initializer bias_initializer depthwise_regularizer bias_regularizer"
    " activity_regularizer depthwise_constraint bias_constraint"
)
_SEPARABLE = (
    "use_bias depthwise_initializer pointwise_initializer bias_initializer depthwise_regularizer"
    " pointwise_regularizer bias_regularizer activity_regularizer depthwise_constraint"
    " pointwise_constraint bias_constraint"
)
_NORMAL = (
    "epsilon center scale beta_initializer gamma_initializer beta_regularizer gamma_regularizer"
    " beta_constraint gamma_constraint"
)
_AVERAGED = f"{_NORMAL} moving_mean_initializer moving_variance_initializer"
_KERNEL = "kernel_size strides padding"
_CONVOLVED = f"filters {_KERNEL} data_format dilation_rate groups activation {_WEIGHTS}"
_TRANSPOSED = f"filters {_KERNEL} output_padding data_format dilation_rate activation {_WEIGHTS}"
_BY_DEPTH = f"{_KERNEL} depth_multiplier data_format dilation_rate activation {_DEPTHWISE}"
_SEPARATED = f"filters {_KERNEL} data_format dilation_rate depth_multiplier activation {_SEPARABLE}"
_INITIAL = "kernel_initializer recurrent_initializer bias_initializer"
_CELL = (
    f"use_bias {_INITIAL} kernel_regularizer recurrent_regularizer bias_regularizer"
    " kernel_constraint recurrent_constraint bias_constraint dropout recurrent_dropout"
)
_LSTM = _CELL.replace(" kernel_reg", " unit_forget_bias kernel_reg", 1)
_POOLED = "pool_size strides padding data_format"


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


def _each(pattern: str, dimensions: str, parameters: str) -> dict[str, str]:
    return {pattern.format(number): parameters for number in dimensions}


# Cells, which are run on a step and a list of states.
CELLS: Mapping[str, str] = {
    "SimpleRNNCell": f"units activation {_CELL}",
    "GRUCell": f"units activation recurrent_activation {_CELL} reset_after",
}
ACCEPTED: Mapping[str, str] = {
    **CELLS,
    "LSTMCell": f"units activation recurrent_activation {_LSTM}",
    "Dense": f"units activation {_WEIGHTS}",
    "EinsumDense": f"equation output_shape activation {_EINSUM}",
    **_each("Conv{}D", "123", _CONVOLVED),
    **_each("Conv{}DTranspose", "123", _TRANSPOSED),
    **_each("DepthwiseConv{}D", "12", _BY_DEPTH),
    **_each("SeparableConv{}D", "12", _SEPARATED),
    "LayerNormalization": f"axis {_NORMAL}",
    "GroupNormalization": f"groups axis {_NORMAL}",
    "UnitNormalization": "axis",
    "Activation": "activation",
    "ReLU": "max_value negative_slope threshold",
    "LeakyReLU": "alpha",
    "ELU": "alpha",
    "PReLU": "alpha_initializer alpha_regularizer alpha_constraint shared_axes",
    "ThresholdedReLU": "theta",
    "Softmax": "axis",
    **_each("MaxPooling{}D", "123", _POOLED),
    **_each("AveragePooling{}D", "123", _POOLED),
    "Reshape": "target_shape",
    "Permute": "dims",
    "Flatten": "data_format",
    **_each("ZeroPadding{}D", "23", "padding data_format"),
    **_each("Cropping{}D", "23", "cropping data_format"),
    "UpSampling2D": "size data_format interpolation",
    "MultiHeadAttention": "num_heads key_dim value_dim dropout use_bias output_shape attention_axes"
    f" {_WEIGHTS.partition(' ')[2]}",
    **dict.fromkeys(("Add", "Subtract", "Multiply", "Average", "Maximum", "Minimum"), ""),
    "Concatenate": "axis",
}
# Of every layer; `dtype` is not among them.
COMMON = _words("name trainable input_shape input_dim")

RANDOM = _words(
    "AlphaDropout Dropout GaussianDropout GaussianNoise RandomBrightness RandomContrast"
    " RandomCrop RandomFlip RandomHeight RandomRotation RandomTranslation RandomWidth"
    " RandomZoom SpatialDropout1D SpatialDropout2D SpatialDropout3D"
)
STATEFUL = _words(
    "ActivityRegularization BatchNormalization SyncBatchNormalization SpectralNormalization"
)

# Of these there is a form that is the same in every run of a step, with these parameters.
REPAIRED: Mapping[str, str] = {
    "Dropout": "rate",
    "GaussianNoise": "stddev",
    "BatchNormalization": f"axis momentum {_AVERAGED}",
}

ACTIVATIONS = _words(
    "elu exponential gelu hard_sigmoid leaky_relu linear log_softmax mish relu relu6 selu"
    " sigmoid silu softmax softplus softsign swish tanh"
)

HEADS = ("tensorflow", "tensorflow.math", "tensorflow.nn", "tensorflow.keras.activations")

# Functions of their arguments only.
PURE = _words(
    "abs add cast clip_by_value concat cos divide einsum exp expand_dims identity linalg.matmul"
    " math.abs math.add math.cos math.divide math.exp math.log math.maximum math.minimum"
    " math.multiply math.pow math.reduce_max math.reduce_mean math.reduce_sum math.rsqrt"
    " math.sigmoid math.sin math.softplus math.sqrt math.square math.subtract math.tanh matmul"
    " maximum minimum multiply negative pad pow reduce_max reduce_mean reduce_sum repeat"
    " reshape shape sigmoid sin split sqrt square squeeze stack subtract tanh tensordot tile"
    " transpose unstack zeros_like ones_like nn.bias_add nn.conv1d nn.conv2d nn.conv3d"
    " nn.avg_pool2d nn.max_pool2d nn.l2_normalize"
    " constant convert_to_tensor eye fill gather gather_nd linalg.diag linalg.matvec linalg.norm"
    " linalg.solve linalg.trace linalg.inv linalg.band_part norm not_equal equal greater less"
    " greater_equal less_equal logical_and logical_not logical_or math.equal math.greater"
    " math.less math.logical_and math.not_equal math.reduce_sum math.reduce_min math.sign"
    " one_hot ones range reduce_min roll reverse sequence_mask sign size slice stop_gradient"
    " strided_slice tensor_scatter_nd_add tensor_scatter_nd_update where zeros floor round argmax"
    " argmin cumsum math.cumsum math.reciprocal math.floor math.atan2 math.tan math.sinh math.cosh"
    " rank broadcast_to nn.moments sort einsum linalg.einsum linalg.matrix_transpose"
)
# By the position of a function, or of an axis, among their arguments.
FUNCTION_AT = {"Activation": 0, "Lambda": 0, "Dense": 1, "EinsumDense": 2}
AXIS_AT = {
    "Softmax": 0, "UnitNormalization": 0, "LayerNormalization": 0, "BatchNormalization": 0,
    "Normalization": 0, "Concatenate": 0, "Dot": 0, "concatenate": 1, "dot": 1,
    "GroupNormalization": 1,
}  # fmt: skip
LOOKUPS = _words("StringLookup IntegerLookup TextVectorization")  # of a vocabulary
# What has a `fit` or an `adapt` that takes its state from data: no step of a training.
FITTED_TO_DATA = r"tensorflow\.keras\.(?:preprocessing|layers)\.|tensorflow\.feature_column\."


def layer(name: str) -> str | None:
    """The layer class of a canonical name; None for everything else."""
    head, _, last = name.rpartition(".")
    is_layer = name.startswith(LAYERS) and last[:1].isupper()
    return last.replace("Convolution", "Conv") if is_layer and head else None


def is_activation(name: str) -> bool:
    """Whether the canonical name is that of an activation function of TensorFlow."""
    head, _, last = name.rpartition(".")
    return head in HEADS and last in ACTIVATIONS


def is_pure(name: str) -> bool:
    """Whether the canonical name is that of a function of its arguments only."""
    return is_activation(name) or (
        name.startswith("tensorflow.") and name[len("tensorflow.") :] in PURE
    )


def has_state(canonical: str) -> bool:
    """Whether a layer of that name draws, or keeps statistics of what it has seen."""
    head, _, last = normal(canonical).rpartition(".")
    return f"{head}." == LAYERS and last in RANDOM | STATEFUL
