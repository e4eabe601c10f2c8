"""How much memory a training step needs: the peak of TensorFlow's allocator between two steps.

The first steps are left out: they trace graphs and make the optimizer's variables. On the CPU
`verify` asks for the allocator that counts every tensor (TF_CPU_ALLOCATOR_USE_BFC).
"""

from __future__ import annotations

import sys
import time
from typing import Any, NamedTuple

from . import inside, record, steps

FIRST, LAST = 2, 12  # steps between which it is measured


class Begun(NamedTuple):
    """A step that is being measured: bytes that lay there before, and when it began."""

    steps: int
    bytes: int
    at: float
    probe: float


_begun: list[Begun] = []
_off: list[str] = []  # why nothing is measured any more


def _device(tensorflow: Any) -> str:
    return "GPU:0" if tensorflow.config.list_logical_devices("GPU") else "CPU:0"


def _after_a_step(made: list[int]) -> None:
    """Ends the measurement of a step and begins the next one's."""
    step = max(made, default=0)
    if _off or step < FIRST or (_begun and _begun[-1].steps == step):
        return
    with record.timed():
        try:
            _measure(step)
        except Exception as error:  # a device without figures, an older TensorFlow
            _off.append(str(error))


def _measure(step: int) -> None:
    tensorflow = sys.modules.get("tensorflow")
    if tensorflow is None or not inside.in_eager_program() or step > LAST:
        _off.append("there is nothing to be measured")
        return
    memory, device = tensorflow.config.experimental, _device(tensorflow)
    found = memory.get_memory_info(device)
    if _begun:
        begun = _begun.pop()
        own = record.spent - begun.probe
        record.write(
            "memory",
            steps=step,
            bytes=found["peak"] - begun.bytes,
            seconds=time.perf_counter() - begun.at - own,
            device=device,
        )
    memory.reset_memory_stats(device)
    _begun.append(Begun(step, found["current"], time.perf_counter(), record.spent))


steps.on_step(_after_a_step)
