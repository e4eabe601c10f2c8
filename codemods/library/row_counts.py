"""How many rows functions give: what their shape argument says, or as many as they are given.

NumPy 1.x and 2.x, TensorFlow 2.x, scikit-learn 1.x. Plain data.
"""

from __future__ import annotations

from .words import table, words

SPLIT = "sklearn.model_selection.train_test_split"  # of each array two parts, one after the other
LOADERS = ("tensorflow.keras.datasets.", "sklearn.datasets.")  # pairs of as many examples as labels
_SHAPE = "shape"
# As many as their first argument has.
SAME = table("""
numpy: array asarray float32 float64 int32 int64 expand_dims squeeze dot matmul ones_like zeros_like
numpy: take_along_axis
tensorflow: constant convert_to_tensor cast one_hot expand_dims squeeze matmul ones_like zeros_like
tensorflow.keras.utils: to_categorical
""")
SAME_METHODS = words("astype numpy copy dot")
# As many axes as their first argument has.
AS_WIDE = table("""
numpy: array asarray float32 float64 int32 int64 ones_like zeros_like
tensorflow: constant convert_to_tensor cast ones_like zeros_like
""")
WIDENING = table("""
numpy: expand_dims
tensorflow: one_hot expand_dims
""")  # an axis more than their first argument has
ALONG_AXES = WIDENING | table("""
numpy: squeeze
tensorflow: squeeze
""")
SPREAD = words("rand randn")  # their shape is all of their arguments
# One number of each row, where an axis behind the rows is named.
REDUCING = words("sum mean max min argmax argmin any all std prod")
ELEMENTWISE = table("""
numpy: sin cos tan exp log sqrt square abs absolute sign power maximum minimum add subtract multiply
numpy: divide where clip round floor tanh negative
""")
# The argument that says how many: keyword and place. Methods are those of NumPy's generators.
_SHAPED: dict[str, tuple[str, int | None]] = {
    **dict.fromkeys(table("numpy: zeros ones empty full"), (_SHAPE, 0)),
    **dict.fromkeys(table("tensorflow: zeros ones fill"), (_SHAPE, 0)),
    **dict.fromkeys(table("tensorflow.random: normal uniform truncated_normal"), (_SHAPE, 0)),
    **dict.fromkeys(
        table("tensorflow: random_normal random_uniform truncated_normal"), (_SHAPE, 0)
    ),
    **dict.fromkeys(table("tensorflow.random: stateless_normal stateless_uniform"), (_SHAPE, 0)),
    **dict.fromkeys(table("numpy: linspace\ntensorflow: linspace"), ("num", 2)),
}
_DRAWN: dict[str, tuple[str, int | None]] = {
    **dict.fromkeys(words("rand randn"), ("", 0)),
    **dict.fromkeys(words("random standard_normal random_sample"), ("size", 0)),
    **dict.fromkeys(words("normal uniform randint integers"), ("size", 2)),
    "choice": ("size", 1),
}


def shape_argument(name: str, method: str = "") -> tuple[str, int | None] | None:
    """The argument whose first number counts the rows; a method is one of a generator."""
    module, _, last = name.rpartition(".")
    if module == "numpy.random" or (method and not name):
        return _DRAWN.get(last or method)
    return _SHAPED.get(name)
