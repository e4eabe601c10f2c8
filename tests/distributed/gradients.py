"""By how much the gradients of two programs differ: `python gradients.py PLAIN REWRITTEN`.

It is run by the TensorFlow that is asked about, which may have neither pytest nor distify. Prints
how many gradients there are, and the largest difference, eager and compiled, beside the largest
figure of that gradient.
"""

from __future__ import annotations

import json
import runpy
import sys
from typing import Any

import numpy as np
import tensorflow as tf

X = np.random.RandomState(0).normal(size=(16, 8)).astype("float32")


def gradients(path: str, is_compiled: bool) -> list[Any]:
    names = runpy.run_path(path)
    names["network"](tf.constant(X))  # builds the layers
    step = tf.function(names["step"]) if is_compiled else names["step"]
    return [found.numpy() for found in step(tf.constant(X))[1]]


def distance(plain: str, again: str, is_compiled: bool) -> tuple[int, float]:
    pairs = list(zip(gradients(plain, is_compiled), gradients(again, is_compiled)))
    return len(pairs), max(float(abs(a - b).max() / abs(a).max()) for a, b in pairs)


def main() -> None:
    count, eager = distance(*sys.argv[1:], is_compiled=False)
    _, compiled = distance(*sys.argv[1:], is_compiled=True)
    print(json.dumps({"gradients": count, "eager": eager, "compiled": compiled}))


if __name__ == "__main__":
    main()
