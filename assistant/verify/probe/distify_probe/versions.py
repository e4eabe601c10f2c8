"""Which TensorFlow, Keras and Horovod the program trains with."""

from __future__ import annotations

import sys

from . import record, steps

_told: list[dict[str, str | None]] = []


def version(name: str) -> str | None:
    """The version of a module that the program has imported."""
    found = getattr(sys.modules.get(name), "__version__", None)
    return None if found is None else str(found)


def keras() -> str | None:
    """`tf_keras 2.18.0` where both are imported: TensorFlow was told to use that one."""
    for name in ("tf_keras", "keras", "tensorflow.python.keras"):  # the last in TensorFlow 1.15
        if version(name):
            return f"{name.rpartition('.')[2]} {version(name)}"
    return None


@record.careful("versions")
def tell() -> None:
    """One record each time that more is known."""
    known = {
        "tensorflow": version("tensorflow"),
        "keras": keras(),
        "horovod": version("horovod"),
    }
    if known not in _told and any(known.values()):
        _told.append(known)
        record.write("versions", **known)


def _after_a_step(_: list[int]) -> None:
    if not _told:
        tell()


steps.on_step(_after_a_step)
steps.on_end(tell)
