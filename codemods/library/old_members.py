"""Members of TensorFlow that TensorFlow 2 lacks where TensorFlow 1 has them.

https://www.tensorflow.org/guide/migrate; what stands here was looked up in TensorFlow 2.15.
"""

from __future__ import annotations

_GONE = frozenset(
    {
        *("ConfigProto", "GPUOptions", "Session", "app", "contrib", "decode_csv", "examples"),
        *("estimator.inputs", "flags", "get_variable", "gfile", "global_variables_initializer"),
        *("layers", "logging", "parse_example", "parse_single_example", "placeholder"),
        *("summary.FileWriter", "to_float", "to_int32", "variable_scope"),
    }
)


def gone(canonical: str) -> str | None:
    """The member that TensorFlow 2 lacks, of a name as TensorFlow 1 itself spells it."""
    module, _, rest = canonical.partition(".")
    words = rest.split(".")
    known = (".".join(words[:count]) for count in (1, 2))
    found = next((name for name in known if name in _GONE), None)
    return f"{module}.{found}" if found is not None and module == "tensorflow" else None
