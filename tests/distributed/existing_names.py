"""Says of dotted names whether the TensorFlow of this Python has them: JSON in, JSON out.

It is run by the Python whose TensorFlow is looked at, so it needs nothing else. A name is a list of
patterns, one for each part. What is `tensorflow.compat.v1.X` now was `tensorflow.X` once.
"""

from __future__ import annotations

import importlib.util
import json
import os
import re
import sys
import types
import warnings
from collections.abc import Iterator


def parts(thing: object, pattern: str) -> Iterator[object]:
    """What a module or a class has under the names that fit."""
    is_name = pattern.isidentifier()
    names = [pattern] if is_name else [n for n in dir(thing) if re.fullmatch(pattern, n)]
    for name in names:
        try:
            yield getattr(thing, name)
        except Exception:  # loaded no more, or a part that isn't installed
            if isinstance(thing, types.ModuleType) and is_name:
                yield from submodule(f"{thing.__name__}.{name}")


def submodule(name: str) -> Iterator[types.ModuleType]:
    try:
        yield importlib.import_module(name)
    except ImportError:
        return


def exists(thing: object, patterns: list[str]) -> bool:
    """Whether anything has the rest of a name."""
    if not patterns:
        return True
    return any(exists(inner, patterns[1:]) for inner in parts(thing, patterns[0]))


def main() -> None:
    os.environ["TF_CPP_MIN_LOG_LEVEL"] = "3"
    if importlib.util.find_spec("tf_keras"):  # from 2.16 on Keras 2 stands beside TensorFlow
        os.environ["TF_USE_LEGACY_KERAS"] = "1"
    warnings.simplefilter("ignore")
    import tensorflow as tf

    first = tf.compat.v1
    asked = json.load(sys.stdin)
    found = [exists(tf, name[1:]) or exists(first, name[1:]) for name in asked]
    json.dump({"version": tf.__version__, "found": found}, sys.stdout)


if __name__ == "__main__":
    main()
