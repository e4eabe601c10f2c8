"""Watches a training program from outside: no file of the program knows that it is watched.

Python imports this module at start when its folder is in PYTHONPATH. At exit every worker writes
into the folder PROBE_OUT: `rank<N>.json` (optimizer steps, hashes of trainable variables, slots
and consumed examples) and `rank<N>.npz` (the values of the variables). With PROBE_PERTURB=1 the
workers other than rank 0 start from other weights, so that a missing broadcast can't hide.
"""

from __future__ import annotations

import atexit
import functools
import hashlib
import importlib.abc
import importlib.machinery
import importlib.util
import json
import os
import sys
import threading
from pathlib import Path

OUT = os.environ.get("PROBE_OUT")
# The launcher of the workers starts Python too, but has no rank: it isn't watched.
ALONE = os.environ.get("PROBE_ALONE") == "1"
RANK = int(os.environ.get("HOROVOD_RANK", "0" if ALONE else "-1"))
PERTURB = os.environ.get("PROBE_PERTURB") == "1" and RANK > 0

built: list[tuple[object, list]] = []  # every optimizer in use, with the variables it trains
examples: list[str] = []  # a hash of every example that a model was trained on
seen: dict[str, int] = {"calls": 0}
inside = threading.local()


# ---------------------------------------------------------------- optimizers


def remember(optimizer, variables):
    """Called once for each optimizer, before its first step, outside of any graph."""
    if any(known is optimizer for known, _ in built):
        return
    built.append((optimizer, list(variables)))
    if PERTURB:
        for variable in variables:
            variable.assign_add(variable * 0 + 0.05 * RANK)


def watch_optimizer(module):
    optimizer = module._BaseOptimizer
    original = optimizer.build

    @functools.wraps(original)
    def build(self, var_list):
        result = original(self, var_list)
        remember(self, var_list)
        return result

    optimizer.build = build


def watch_legacy_optimizer(module):
    optimizer = module.OptimizerV2
    original = optimizer._create_all_weights

    @functools.wraps(original)
    def create_all_weights(self, var_list):
        result = original(self, var_list)
        remember(self, var_list)
        return result

    optimizer._create_all_weights = create_all_weights


# ---------------------------------------------------------------- consumed examples


def record(*columns):
    """The rows of one batch, all inputs of an example under one hash."""
    import numpy as np

    seen["calls"] += 1
    size = min(len(column) for column in columns)
    for row in range(size):
        digest = hashlib.blake2b(digest_size=8)
        for column in columns:
            digest.update(np.ascontiguousarray(column[row]).tobytes())
        examples.append(digest.hexdigest())
    return np.int64(0)


def watch_model(module):
    import tensorflow as tf

    model = module.Model
    original = model.__call__

    @functools.wraps(original)
    def call(self, *args, **kwargs):
        outermost = not getattr(inside, "model", False)
        if outermost and args and kwargs.get("training") is True:
            inputs = tf.nest.flatten(args[0])
            if all(isinstance(x, tf.Tensor) and x.shape.rank for x in inputs):
                tf.numpy_function(record, inputs, tf.int64)
        inside.model = True
        try:
            return original(self, *args, **kwargs)
        finally:
            if outermost:
                inside.model = False

    model.__call__ = call


# ---------------------------------------------------------------- when a module is imported

WATCHED = {
    "keras.src.optimizers.optimizer": watch_optimizer,
    "keras.src.optimizers.legacy.optimizer_v2": watch_legacy_optimizer,
    "keras.src.engine.training": watch_model,
}


class Watcher(importlib.abc.MetaPathFinder):
    """Lets the other finders find a watched module, and hooks into its execution."""

    def find_spec(self, name, path=None, target=None):
        hook = WATCHED.get(name)
        if hook is None:
            return None
        spec = importlib.machinery.PathFinder.find_spec(name, path, target)
        execute = spec.loader.exec_module

        def exec_module(module):
            execute(module)
            hook(module)

        spec.loader.exec_module = exec_module
        return spec


# ---------------------------------------------------------------- at exit


def slots(optimizer):
    variables = getattr(optimizer, "_variables", None)
    return list(optimizer.weights if variables is None else variables)


def digest(array):
    return hashlib.sha256(array.tobytes()).hexdigest()


def report():
    import numpy as np

    values = {}
    for number, (optimizer, variables) in enumerate(built):
        for index, variable in enumerate(variables):
            values[f"{number:02}-trainable-{index:03}"] = np.asarray(variable.numpy())
        for index, variable in enumerate(slots(optimizer)):
            values[f"{number:02}-slot-{index:03}"] = np.asarray(variable.numpy())
    np.savez(Path(OUT, f"rank{RANK}.npz"), **values)
    Path(OUT, f"rank{RANK}.json").write_text(
        json.dumps(
            {
                "program": sys.argv[0],
                "optimizers": [type(optimizer).__name__ for optimizer, _ in built],
                "steps": [int(optimizer.iterations.numpy()) for optimizer, _ in built],
                "hashes": {name: digest(value) for name, value in values.items()},
                "examples": sorted(set(examples)),
                "calls": seen["calls"],
            }
        )
    )


if OUT and RANK >= 0:
    sys.meta_path.insert(0, Watcher())
    atexit.register(report)
