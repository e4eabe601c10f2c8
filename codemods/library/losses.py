"""What losses are made of: which functions give a term of each row, and which meet several rows.

TensorFlow 2.4 to 2.20; https://keras.io/api/losses. Plain data.
"""

from __future__ import annotations

from .words import table, words

LOSSES = "tensorflow.keras.losses"
# Keras' own, by the names of their functions and classes: the mean over rows of a term of each.
NAMED = words(
    "mean_squared_error mse MSE mean_absolute_error mae MAE mean_absolute_percentage_error mape "
    "MAPE mean_squared_logarithmic_error msle MSLE binary_crossentropy categorical_crossentropy "
    "sparse_categorical_crossentropy hinge squared_hinge categorical_hinge huber huber_loss "
    "log_cosh logcosh kl_divergence kld KLD kullback_leibler_divergence poisson "
    "binary_focal_crossentropy categorical_focal_crossentropy"
)
CLASSES = words(
    "MeanSquaredError MeanAbsoluteError MeanAbsolutePercentageError MeanSquaredLogarithmicError "
    "BinaryCrossentropy CategoricalCrossentropy SparseCategoricalCrossentropy Hinge SquaredHinge "
    "CategoricalHinge Huber LogCosh KLDivergence Poisson BinaryFocalCrossentropy "
    "CategoricalFocalCrossentropy"
)
# Arguments that leave each term to its row; `ignore_class` divides by how many rows are left.
HARMLESS = words(
    "from_logits label_smoothing delta gamma alpha apply_class_balancing name dtype y_true y_pred "
    "sample_weight"
)
# What a loss may be told where it is called: a term of each row is still one of that row.
OF_EACH_ROW = words(
    "y_true y_pred labels logits from_logits label_smoothing delta gamma alpha name"
)
MEANS = words("auto sum_over_batch_size AUTO SUM_OVER_BATCH_SIZE")
NONE = words("none NONE None")
SUMS = words("sum SUM")
WEIGHTED = words("mean_with_sample_weight")
# What divides by its own sum, or adds what Keras divides in its own way.
MASKS = words("Masking")
ADDED = words("add_loss")
# A term of each row, from logits or predictions and labels.
TERMS = table("""
tensorflow.nn: softmax_cross_entropy_with_logits sparse_softmax_cross_entropy_with_logits
tensorflow.nn: softmax_cross_entropy_with_logits_v2
""")
# Element by element: each row from its own.
ELEMENTWISE = table("""
tensorflow: abs cast square sqrt exp pow maximum minimum clip_by_value where equal greater less
  greater_equal less_equal not_equal logical_and logical_or logical_not sign identity stop_gradient
  ones_like zeros_like add subtract multiply divide negative one_hot sigmoid tanh floor round
  convert_to_tensor constant ensure_shape debugging.check_numerics
tensorflow.math: abs square sqrt exp log log1p expm1 pow maximum minimum add subtract multiply
  divide negative sigmoid tanh softplus sign rsqrt reciprocal squared_difference equal greater less
  log_sigmoid divide_no_nan floor round sin cos is_finite logical_and logical_or logical_not
tensorflow.nn: relu sigmoid tanh elu selu gelu leaky_relu softplus relu6 silu swish
  sigmoid_cross_entropy_with_logits weighted_cross_entropy_with_logits dropout bias_add
tensorflow.keras.backend: abs square sqrt exp log pow maximum minimum clip cast sigmoid tanh relu
tensorflow.keras.ops: abs square sqrt exp log log1p power maximum minimum clip cast where sigmoid
  tanh relu add subtract multiply divide negative one_hot
tensorflow.image: random_flip_left_right random_flip_up_down random_brightness random_contrast
  random_saturation random_hue resize convert_image_dtype rgb_to_grayscale grayscale_to_rgb
builtins: float int abs
numpy: float32 float64 int32 abs square sqrt exp log maximum minimum where
""") | {"tensorflow.math.log", "tensorflow.log"}
# The rows stay apart, but which axis is the last one is no longer known.
SHAPING = table("""
tensorflow: reshape squeeze expand_dims concat
tensorflow.keras.backend: reshape squeeze expand_dims flatten
tensorflow.keras.ops: reshape squeeze expand_dims
""")
# Along the last axis, or the one that is given.
ALONG = table("""
tensorflow.nn: softmax log_softmax l2_normalize
tensorflow.math: softmax log_softmax l2_normalize
tensorflow.keras.activations: softmax
tensorflow.keras.ops: softmax log_softmax normalize
""")
MATMULS = table("""
tensorflow: matmul linalg.matmul
tensorflow.linalg: matmul
""")
MEAN_OF = table("""
tensorflow: reduce_mean
tensorflow.math: reduce_mean
tensorflow.keras.backend: mean
tensorflow.keras.ops: mean
numpy: mean
""")
SUM_OF = table("""
tensorflow: reduce_sum
tensorflow.math: reduce_sum
tensorflow.keras.backend: sum
tensorflow.keras.ops: sum
numpy: sum
""")
L2_OF = frozenset({"tensorflow.nn.l2_loss"})
OTHERS_OF = table("""
tensorflow: reduce_max reduce_min reduce_prod reduce_logsumexp norm
tensorflow.math: reduce_max reduce_min reduce_prod reduce_logsumexp reduce_std reduce_variance
  reduce_euclidean_norm argmax argmin
tensorflow.linalg: norm
tensorflow.keras.backend: max min prod std var
tensorflow.keras.ops: max min prod std var logsumexp norm
""")
AVERAGE_LOSS = "tensorflow.nn.compute_average_loss"
SCALED_LOSS = "tensorflow.nn.scale_regularization_loss"
SHAPES = table("""
tensorflow: shape size
tensorflow.keras.backend: shape
tensorflow.keras.ops: shape
""")
# Methods of tensors, models and scale keepers that leave a value what it is.
SAME_METHODS = words("numpy astype read_value get_scaled_loss scale_loss value")
ATTRIBUTES = words(
    "trainable_variables trainable_weights weights variables losses dtype trainable kernel bias"
)
# Layers of which one row's output hangs on other rows, and such as add to the loss.
NORMS = words("BatchNormalization SyncBatchNormalization")


def of_tensorflow_2(name: str) -> str:
    """The name under which a function of TensorFlow 1 means the same: `compat.v1.matmul`."""
    module, _, rest = name.partition(".compat.v1.")
    return f"{module}.{rest}" if rest and not rest.startswith(("losses.", "metrics.")) else name


def is_named(name: str) -> bool:
    """Whether Keras has a loss of that name which is a mean over rows."""
    return name in NAMED or name in CLASSES


def is_function(name: str) -> bool:
    """Whether a canonical name is that of a function which gives a term of each row."""
    module, _, last = name.rpartition(".")
    is_metric = module in ("tensorflow.keras.metrics", "tensorflow.keras.backend")
    return last in NAMED and (module == LOSSES or is_metric)


def is_class(name: str) -> bool:
    """Whether a canonical name is that of a class of losses which are means over rows."""
    module, _, last = name.rpartition(".")
    return module == LOSSES and last in CLASSES
