"""Runs a program of Keras 3 on each worker, and tells what it trained as one line of JSON.

`python keras_3_state.py PROGRAM SEEDED`; where SEEDED is "no", each worker has weights of its own.
"""

from __future__ import annotations

import hashlib
import json
import runpy
import sys
from typing import Any

import horovod.tensorflow as hvd
import keras
import numpy as np
import tensorflow as tf


def trained(value: Any) -> list[Any]:
    """What a model or an optimizer trains; moving statistics are each worker's own."""
    if isinstance(value, keras.Model):
        optimizer = getattr(value, "optimizer", None)
        own = [each for each in vars(value).values() if is_optimizer(each)]
        held = [optimizer, *own] if optimizer is not None else own
        return [*value.trainable_variables, *(v for each in held for v in each.variables)]
    return list(value.variables) if is_optimizer(value) else []


def is_optimizer(value: Any) -> bool:
    return isinstance(value, keras.optimizers.Optimizer)


def main() -> None:
    program, seeded = sys.argv[1:3]
    sys.argv = [program]
    hvd.init()
    if seeded == "no":
        keras.utils.set_random_seed(100 + hvd.rank())
    after = runpy.run_path(program, run_name="__main__")
    values = [v.numpy() for name in sorted(after) for v in trained(after[name])]
    weights = next(iter(v for v in after.values() if isinstance(v, keras.Model))).get_weights()
    said = {
        "rank": hvd.rank(),
        "count": len(values),
        "digest": hashlib.sha256(b"".join(np.asarray(v).tobytes() for v in values)).hexdigest(),
        "weights": [np.asarray(w, "float64").ravel().tolist() for w in weights],
    }
    with tf.io.gfile.GFile(f"state-{hvd.rank()}.json", "w") as file:
        file.write(json.dumps(said))


if __name__ == "__main__":
    main()
