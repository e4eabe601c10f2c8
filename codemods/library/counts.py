"""What becomes of a count of steps, by the name of what it is given to."""

from __future__ import annotations

from collections.abc import Mapping

from .words import table, words

ROOTS = table("""
math: sqrt
numpy: sqrt
tensorflow: sqrt math.sqrt
tensorflow.math: sqrt
""")
# Of one over the root of it.
INVERSE_ROOTS = table("""
tensorflow: math.rsqrt rsqrt
tensorflow.math: rsqrt
""")
PRODUCTS = table("""
numpy: multiply
operator: mul
tensorflow: multiply math.multiply
tensorflow.math: multiply scalar_mul
""")
QUOTIENTS = table("""
numpy: divide true_divide
operator: truediv floordiv
tensorflow: divide truediv div math.divide
tensorflow.math: divide truediv divide_no_nan
""")
POWERS = table("""
builtins: pow
math: pow
numpy: power
tensorflow: pow math.pow
tensorflow.math: pow
""")
# They ask for a number without a unit, and give one: the share of the way, not the number of steps.
OF_FRACTIONS = table("""
math: cos sin exp tanh log log2 log10 log1p expm1
numpy: cos sin exp tanh log log2 log10 log1p expm1
tensorflow: cos sin exp tanh sigmoid math.cos math.sin math.exp math.tanh math.sigmoid math.log
tensorflow.math: cos sin exp tanh sigmoid log
""")
# They give one of what they are given, or what lies between.
CHOOSING = words("min max minimum maximum clip clip_by_value where cond select abs")
# They give the number that they are given, in another form.
CARRYING = words(
    "int float round floor ceil cast constant convert_to_tensor float32 float64 to_float to_int64 "
    "to_int32 to_double array asarray identity numpy item read_value value get_value eval "
    "stop_gradient"
)
# Functions and methods that say how many elements there are.
LENGTHS, SIZES = words("len"), words("cardinality")
# Where schedules take a number of steps: TensorFlow 2.4 to 2.15.
DECAYS: Mapping[str, tuple[tuple[str, int | None], ...]] = {
    "ExponentialDecay": (("decay_steps", 1),),
    "InverseTimeDecay": (("decay_steps", 1),),
    "PolynomialDecay": (("decay_steps", 1),),
    "CosineDecay": (("decay_steps", 1), ("warmup_steps", 5)),
    "CosineDecayRestarts": (("first_decay_steps", 1),),
    "LinearCosineDecay": (("decay_steps", 1),),
    "NoisyLinearCosineDecay": (("decay_steps", 1),),
    "PiecewiseConstantDecay": (("boundaries", 0),),
    "RectifiedAdam": (("total_steps", 7),),  # of the add-ons: it warms up, and decays, by itself
}
# decay(learning_rate, global_step, decay_steps, …) and piecewise_constant(x, boundaries, values)
OLD_DECAYS: Mapping[str, tuple[str, int]] = {
    "exponential_decay": ("decay_steps", 2),
    "natural_exp_decay": ("decay_steps", 2),
    "inverse_time_decay": ("decay_steps", 2),
    "polynomial_decay": ("decay_steps", 2),
    "cosine_decay": ("decay_steps", 2),
    "linear_cosine_decay": ("decay_steps", 2),
    "noisy_linear_cosine_decay": ("decay_steps", 2),
    "cosine_decay_restarts": ("first_decay_steps", 2),
    "piecewise_constant": ("boundaries", 1),
    "piecewise_constant_decay": ("boundaries", 1),
}
