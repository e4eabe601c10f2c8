"""What becomes of a count of steps, by the name of what it is given to."""

from __future__ import annotations

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
# They say whether one of two numbers is the larger one, or how often it holds the other.
COMPARING = words(
    "equal not_equal less less_equal greater greater_equal eq ne lt le gt ge assert_less divmod"
)
# They give the number that they are given, in another form.
CARRYING = words(
    "int float round floor ceil cast constant convert_to_tensor float32 float64 to_float to_int64 "
    "to_int32 to_double array asarray identity numpy item read_value value get_value eval "
    "stop_gradient"
)
# They reckon a number from another, between points, or by code that nobody follows; what looks for
# a place (`gather`, `searchsorted`) may as well look for examples: it counts in rates alone.
LOOKING_UP = words("interp piecewise polyval py_func numpy_function py_function")
# They make a row of numbers that a count chooses from.
RAMPS = words("linspace logspace geomspace")
# All of which is known what they make of a count: by their names, and by the last words of these.
KNOWN = ROOTS | INVERSE_ROOTS | PRODUCTS | QUOTIENTS | POWERS | OF_FRACTIONS
LAST_WORDS = CHOOSING | COMPARING | CARRYING
# Functions and methods that say how many elements there are.
LENGTHS, SIZES = words("len"), words("cardinality")
