"""One spelling for each name of a library, whatever module it was imported from."""

from __future__ import annotations

import re
from functools import lru_cache

KERAS = "tensorflow.keras"
_SAME = (
    # what Python 2 gave lists of: Python 3's own, under the names of both
    (re.compile(r"^six\.moves\.x?range$"), "builtins.range"),
    (re.compile(r"^six\.moves\.(zip|map|filter|input)$"), r"builtins.\1"),
    (re.compile(r"^tensorflow\.compat\.v2(?=\.|$)"), "tensorflow"),
    (
        re.compile(
            r"^tensorflow\.compat\.v1\.(data|gfile|summary|io|app|flags|keras\.(?:datasets|utils|applications))(?=\.|$)"
        ),
        r"tensorflow.\1",
    ),
    (re.compile(r"^tensorflow\.gfile\.Glob$"), "tensorflow.io.gfile.glob"),
    (re.compile(r"^tensorflow\.gfile\.ListDirectory$"), "tensorflow.io.gfile.listdir"),
    (re.compile(r"^tensorflow\.gfile\.Walk$"), "tensorflow.io.gfile.walk"),
    (re.compile(r"^(?:keras|tf_keras)\.(?:src|api\._v2\.keras|api)(?=\.|$)"), KERAS),
    (re.compile(r"^(?:keras|tf_keras|tensorflow\.python\.keras)(?=\.|$)"), KERAS),
    (re.compile(r"^tensorflow\.(optimizers|losses|metrics|initializers)(?=\.)"), KERAS + r".\1"),
    (
        re.compile(r"^tensorflow\.keras\.(?:models|engine(?:\.\w+)?)\.(Model|Sequential)$"),
        KERAS + r".\1",
    ),
    # module of one class each: keras.optimizers.adam.Adam, optimizer_v2.adam.Adam
    (
        re.compile(
            r"^tensorflow\.keras\.(?:optimizers|optimizer_v2)\.(?!legacy|schedules)[a-z_0-9]+\.(?=[A-Z])"
        ),
        KERAS + ".optimizers.",
    ),
    (re.compile(r"^tensorflow\.keras\.callbacks\.[a-z_]+\.(?=[A-Z])"), KERAS + ".callbacks."),
    (re.compile(r"^tensorflow\.keras\.utils\.[a-z]+_utils\.(?=\w)"), KERAS + ".utils."),
    (
        re.compile(r"^tensorflow\.keras\.mixed_precision\.experimental(?=\.)"),
        KERAS + ".mixed_precision",
    ),
)
_V1 = ("tensorflow", "tensorflow.compat.v1")  # TensorFlow 1 itself, and what is left of it
_ROOTS = ("tensorflow", "keras", "tf_keras", "six.moves.")

_MODULES = ("tensorflow", KERAS, "keras", "tensorflow.compat.v1")


def takes_attributes(name: str) -> bool:
    """Whether programs keep values of their own as attributes of that module: `tf.model = …`."""
    return name in _MODULES


@lru_cache(maxsize=1 << 14)  # a program has few of them, and asks for each a thousand times
def normal(dotted: str) -> str:
    """The canonical form of a full dotted name."""
    if not dotted.startswith(_ROOTS):
        return dotted
    for pattern, replacement in _SAME:
        dotted = pattern.sub(replacement, dotted, count=1)
    return dotted


def in_v1(*members: str) -> frozenset[str]:
    """The canonical names of members of TensorFlow 1, wherever they are found."""
    return frozenset(normal(f"{module}.{member}") for module in _V1 for member in members)
