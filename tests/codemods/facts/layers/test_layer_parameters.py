"""What D501 knows of layers: their parameters by place, functions without a state, own classes."""

from __future__ import annotations

import pytest

from distify.codemods.facts import Facts
from distify.codemods.facts.layers.layer_calls import problems
from distify.codemods.facts.layers.layer_lists import halves, segments
from distify.codemods.facts.layers.layer_loops import is_compiled
from distify.codemods.facts.layers.recomputed_layers import around
from distify.codemods.library import layers as layer_classes
from last_value import last_value

HEAD = """\
import tensorflow as tf
from tensorflow.keras import layers
from other import Unknown, unknown

"""
CONVOLVED = "filters kernel_size strides padding data_format dilation_rate groups activation"
KERNEL = "kernel_size strides padding"
# As `inspect.signature` tells them for TensorFlow 2.15, up to the last one that D501 asks about.
PARAMETERS = {
    "Dense": "units activation use_bias kernel_initializer bias_initializer kernel_regularizer "
    "bias_regularizer activity_regularizer kernel_constraint bias_constraint",
    "EinsumDense": "equation output_shape activation bias_axes kernel_initializer",
    "Conv1D": f"{CONVOLVED} use_bias",
    "Conv2D": f"{CONVOLVED} use_bias",
    "Conv3D": f"{CONVOLVED} use_bias",
    "Conv1DTranspose": f"filters {KERNEL} output_padding data_format dilation_rate activation",
    "Conv2DTranspose": f"filters {KERNEL} output_padding data_format dilation_rate activation",
    "Conv3DTranspose": f"filters {KERNEL} output_padding data_format dilation_rate activation",
    "DepthwiseConv1D": f"{KERNEL} depth_multiplier data_format dilation_rate activation use_bias "
    "depthwise_initializer bias_initializer depthwise_regularizer",
    "DepthwiseConv2D": f"{KERNEL} depth_multiplier data_format dilation_rate activation use_bias",
    "SeparableConv1D": f"filters {KERNEL} data_format dilation_rate depth_multiplier activation "
    "use_bias depthwise_initializer pointwise_initializer bias_initializer depthwise_regularizer "
    "pointwise_regularizer bias_regularizer activity_regularizer",
    "SeparableConv2D": f"filters {KERNEL} data_format dilation_rate depth_multiplier activation",
    "LayerNormalization": "axis epsilon center scale beta_initializer gamma_initializer",
    "GroupNormalization": "groups axis epsilon center scale",
    "UnitNormalization": "axis",
    "Activation": "activation",
    "ReLU": "max_value negative_slope threshold",
    "LeakyReLU": "alpha",
    "ELU": "alpha",
    "PReLU": "alpha_initializer alpha_regularizer alpha_constraint shared_axes",
    "ThresholdedReLU": "theta",
    "Softmax": "axis",
    **{f"{kind}Pooling{n}D": "pool_size strides padding data_format" for n in "123" for kind in ("Max", "Average")},
    **{f"ZeroPadding{n}D": "padding data_format" for n in "23"},
    **{f"Cropping{n}D": "cropping data_format" for n in "23"},
    "UpSampling2D": "size data_format interpolation",
    "Reshape": "target_shape",
    "Permute": "dims",
    "Flatten": "data_format",
    "MultiHeadAttention": "num_heads key_dim value_dim dropout use_bias output_shape attention_axes "
    "kernel_initializer",
    "Concatenate": "axis",
    "SimpleRNNCell": "units activation use_bias kernel_initializer recurrent_initializer",
    "GRUCell": "units activation recurrent_activation use_bias kernel_initializer",
}  # fmt: skip


def codes(layer: str) -> list[str]:
    return [each.code for each in problems(*last_value(HEAD + layer))]


@pytest.mark.parametrize("name", PARAMETERS)
def test_a_parameter_is_known_by_its_place_and_by_its_name(name: str) -> None:
    parameters = PARAMETERS[name].split()
    known = layer_classes.ACCEPTED[name].split()
    assert known[: len(parameters)] == parameters
    for number, parameter in enumerate(parameters):
        before = ["None"] * number
        for given in ([*before, "unknown"], [f"{parameter}=unknown"]):
            expected = {"activity_regularizer": ["C02"], "dropout": ["C01"]}.get(parameter, [])
            expected = ["C05"] if parameter.endswith("activation") else expected
            assert codes(f"layers.{name}({', '.join(given)})") == expected
    beyond = ", ".join(["None"] * (len(known) + 1))
    assert codes(f"layers.{name}({beyond})") == ["C05"]
    assert codes(f"layers.{name}(name='a', trainable=True, input_shape=(4,), input_dim=3)") == []


@pytest.mark.parametrize(
    ("names", "code"),
    [
        ("Add Subtract Multiply Average Maximum Minimum", ""),
        (
            "AlphaDropout Dropout GaussianDropout GaussianNoise RandomBrightness RandomContrast "
            "RandomCrop RandomFlip RandomHeight RandomRotation RandomTranslation RandomWidth "
            "RandomZoom SpatialDropout1D SpatialDropout2D SpatialDropout3D",
            "C01",
        ),
        (
            "ActivityRegularization BatchNormalization SyncBatchNormalization SpectralNormalization",
            "C02",
        ),
        ("Masking LSTM Lambda Embedding dense", "C05"),
    ],
)
def test_a_layer_says_whether_it_may_run_twice(names: str, code: str) -> None:
    found = {name: codes(f"layers.{name}()") for name in names.split()}
    assert found == dict.fromkeys(names.split(), [code] if code else [])
    assert codes("layers.Convolution2D(4, 3)") == []


@pytest.mark.parametrize(
    "name",
    [
        "elu",
        "exponential",
        "gelu",
        "hard_sigmoid",
        "leaky_relu",
        "linear",
        "log_softmax",
        "mish",
        "relu",
        "relu6",
        "selu",
        "sigmoid",
        "silu",
        "softmax",
        "softplus",
        "softsign",
        "swish",
        "tanh",
    ],
)
def test_an_activation_is_known_by_its_text_and_as_a_function(name: str) -> None:
    for given in (f"'{name}'", f"tf.nn.{name}", f"tf.keras.activations.{name}", f"tf.math.{name}"):
        assert codes(f"layers.Dense(4, {given})") == []
    for given in (f"'{name}_'", f"unknown.{name}", f"tf.other.{name}", "3"):
        assert codes(f"layers.Dense(4, activation={given})") == ["C05"]


OWN = """\
class Own({base}):
    def __init__(self):
        super().__init__()
        self.dense = layers.Dense(4)
        self.act = tf.nn.relu
        self.factor = 0.5
        self.scale = tf.Variable(1.0)
        self.other = self.add_weight("a")
        self.kept = unknown()

    def {method}(self, x{more}):
        {body}


Own()
"""
LAYER, MODEL, MODULE = "layers.Layer", "tf.keras.Model", "tf.Module"


def own(body: str, base: str = LAYER, method: str = "call", more: str = "") -> list[str]:
    return codes(OWN.format(base=base, method=method, body=body, more=more))


@pytest.mark.parametrize(
    ("base", "method", "found"),
    [
        (LAYER, "call", []),
        (MODEL, "call", []),
        (MODULE, "__call__", []),
        (LAYER, "__call__", ["C05"]),
        (MODULE, "call", ["C05"]),
        (LAYER, "forward", ["C05"]),
        ("Unknown", "call", ["C05"]),
        (f"{LAYER}, Unknown", "call", ["C05"]),
        (f"{LAYER}, {MODULE}", "call", ["C05"]),
        ("object", "call", ["C05"]),
    ],
)
def test_which_method_of_a_class_runs(base: str, method: str, found: list[str]) -> None:
    assert own("return self.dense(x)", base, method) == found


@pytest.mark.parametrize(
    "body",
    [
        "return x",
        "return self.dense(x) + x * self.factor",
        "return x * self.scale + self.other",
        "'docs'\n        return self.act(x)",
        "y, z = x, x\n        return tf.concat([y, z], -1)",
        "return tf.reshape(x, [x.shape[0], -1])",
        "return tf.cast(x, x.dtype)",
        "return -x[:, 1:2]",
        "return x > 0",
        "return tf.add(*[x, x])",
    ],
)
def test_a_body_that_may_run_twice(body: str) -> None:
    assert own(body) == []


@pytest.mark.parametrize(
    ("body", "found"),
    [
        ("self.scale.assign_add(1.0)\n        return x", ["C02"]),
        ("self.scale.assign(x)\n        return x", ["C02"]),
        ("self.add_loss(x)\n        return x", ["C02"]),
        ("self.add_metric(x)\n        return x", ["C02"]),
        ("self.add_update(x)\n        return x", ["C02"]),
        ("self.m.update_state(x)\n        return x", ["C02"]),
        ("self.m.reset_state()\n        return x", ["C02"]),
        ("return tf.nn.dropout(x, 0.5)", ["C01"]),
        ("return x + tf.random.normal([2])", ["C01"]),
        ("return x * self.kept", ["C03"]),
        ("return x * beside", ["C03"]),
        ("return x * x.other", ["C05"]),
        ("return unknown(x)", ["C05"]),
        ("return tf.print(x)", ["C05"]),
        ("print(x)\n        return x", ["C05"]),
        ("if x:\n            pass\n        return x", ["C05"]),
        ("x.y = x\n        return x", ["C05"]),
        ("return [y for y in x]", ["C05"]),
    ],
)
def test_a_body_that_may_not(body: str, found: list[str]) -> None:
    assert own(body) == found


@pytest.mark.parametrize("more", [", *rest", ", **rest"])
def test_arguments_that_cannot_be_seen(more: str) -> None:
    assert own("return x", more=more) == ["C05"]
    assert own("return x", more=", training=None") == []


@pytest.mark.parametrize("count", range(20))
def test_the_costs_of_recomputation_are_those_of_a_run_that_is_counted(count: int) -> None:
    runs: list[int] = []
    kept: list[int] = [0]

    def go_back(layers: list[int], before: int) -> None:
        """The first half forwards, to the input of the second; then each half backwards."""
        middle = len(layers) // 2
        if len(layers) < 2:
            runs.extend(layers)
            kept.append(before + len(layers))
            return
        runs.extend(layers[:middle])
        go_back(layers[middle:], before + 1)
        go_back(layers[:middle], before + 1)

    go_back(list(range(count)), 0)
    assert halves(count) == (max(kept), len(runs))
    size = max(1, round(count**0.5))
    parts = [range(count)[at : at + size] for at in range(0, count, size)]
    again = sum(len(part) for part in parts[:-1])
    assert segments(count) == (len(parts) + size - 1, count + again)


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("step = tf.function(step)", True),
        ("@tf.function\ndef step(x):\n    return x", True),
        ("model.compile('sgd')", True),
        ("model.fit(x)", True),
        ("model.fit_generator(x)", True),
        ("model.train_on_batch(x)", True),
        ("book.function(step)", False),
        ("model.predict(x)", False),
        ("step = step", False),
    ],
)
def test_whether_a_graph_may_be_made_of_the_layers(line: str, expected: bool) -> None:
    assert is_compiled(Facts.of(f"{HEAD}{line}\n")) is expected


@pytest.mark.parametrize(
    ("line", "code", "what"),
    [
        ("tf.config.optimizer.set_jit(True)", "C07", "tf.config.optimizer.set_jit"),
        ("tf.custom_gradient(f)", "C08", "tf.custom_gradient"),
        ("tf.keras.mixed_precision.LossScaleOptimizer(o)", "C08", "LossScaleOptimizer"),
        ("tf.keras.mixed_precision.set_global_policy(p)", "C08", "set_global_policy"),
        ("tf.keras.mixed_precision.set_policy(p)", "C08", "set_policy"),
        ("tf.keras.mixed_precision.Policy(p)", "C08", "Policy"),
        ("layers.Masking()", "C03", "tf.keras.layers.Masking"),
        ("layers.Embedding(9, 4, mask_zero=True)", "C03", "a mask that travels"),
        ("tf.gradients(a, b)", "C09", "tf.gradients"),
        ("tf.compat.v1.gradients(a, b)", "C09", "tf.compat.v1.gradients"),
        ("tf.compat.v1.disable_v2_behavior()", "C09", "tf.compat.v1.disable_v2_behavior"),
        ("tf.compat.v1.disable_eager_execution()", "C09", "tf.compat.v1.disable_eager_execution"),
        ("tf.estimator.Estimator(f)", "C09", "tf.estimator.Estimator"),
        ("tf.distribute.MirroredStrategy()", "C09", "tf.distribute.MirroredStrategy"),
        ("tf.compat.v1.placeholder(f)", "C09", "tf.compat.v1.placeholder"),
        ("tf.compat.v1.logging.set_verbosity(3)", "", ""),
        ("tf.config.list_physical_devices()", "", ""),
        ("tf.function(f, jit_compile=None)", "", ""),
    ],
)
def test_what_else_is_in_the_way_is_named(line: str, code: str, what: str) -> None:
    found = list(around(Facts.of(f"{HEAD}{line}\n")))
    assert {each.code for each in found} == ({code} if code else set())
    assert any(each.what.endswith(what) or each.what.startswith(what) for each in found) or not code
