"""TensorFlow's own means of training on several devices: which of them, and what they offer."""

from __future__ import annotations

import re

REPLICA = "tensorflow.distribute.get_replica_context"
# On one device what they give is known; others (TPU, parameter servers) are for other devices.
MIRRORED = re.compile(
    r"tensorflow\.distribute\.(?:experimental\.)?"
    r"(?:Mirrored|MultiWorkerMirrored|CentralStorage|OneDevice)Strategy$"
    r"|tensorflow\.distribute\.get_strategy$"
)
OPTIONS = re.compile(r"tensorflow\.distribute\.(?!.*TPU)")
OF_TPUS = re.compile(
    r"tensorflow\.(?:distribute\.(?:experimental\.|cluster_resolver\.)?TPU\w+"
    r"|tpu\.experimental\.|config\.experimental_connect_to_cluster$)"
)
# Also through a project's own wrapper, such as the models garden's `distribute_utils`.
STRATEGY = (
    r"^tensorflow\.(?:compat\.v\d\.|contrib\.)?distribute\.|\bdistribut(?:e|ion)_utils\b"
    r"|^tensorflow\.keras\.distribution\.(?!list_devices$|get_device_count$)."  # of Keras 3
)
# What shows a value and changes nothing by it.
SHOWS = re.compile(
    r"builtins\.(?:print|str|repr|type|isinstance)$|(?:absl\.)?logging\.\w+$|tensorflow\.print$"
)
