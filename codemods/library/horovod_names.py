"""What of Horovod is asked for by its own name: its modules, and what wraps and broadcasts."""

from __future__ import annotations

import re

OF_TENSORFLOW = "horovod.tensorflow"
OF_TF_KERAS, OF_KERAS = "horovod.tensorflow.keras", "horovod.keras"
OPTIMIZER = "DistributedOptimizer"
TAPES = ("DistributedGradientTape", "PartialDistributedGradientTape")
# What averages gradients of whatever it wraps; what averages a value.
WRAPPERS = (OPTIMIZER, "PartialDistributedOptimizer", *TAPES)
AVERAGES = ("allreduce", "grouped_allreduce")
BROADCAST_CALLBACK = "BroadcastGlobalVariablesCallback"
MEAN_CALLBACK = "MetricAverageCallback"
BROADCAST_HOOK = "BroadcastGlobalVariablesHook"  # of a session
BROADCAST_OBJECT = f"{OF_TENSORFLOW}.broadcast_object"
_MEMBER = re.compile(r"horovod\.(?:tensorflow\.keras|keras|tensorflow)\.(.+)")
OTHERS = re.compile(r"horovod\.(?:torch|mxnet)\b")  # of other libraries than TensorFlow and Keras


def member_of(canonical: str | None) -> str | None:
    """`callbacks.MetricAverageCallback` of that name in one of Horovod's modules for TensorFlow."""
    found = _MEMBER.fullmatch(canonical or "")
    return None if found is None else found[1]
