"""Does Keras 3 train with what Horovod 0.28 made for Keras 2, which averages nothing? (D100)"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from ..record.events import Optimizer
from ..record.verdict import Verdict, convicted, fine, note, unchecked
from . import judge
from ._compared_states import compare
from ._seen import (
    across,
    averages_by_hand,
    first_place,
    fits_of,
    is_keras_3,
    kerases,
    made_steps,
    reduces,
)

if TYPE_CHECKING:
    from ..record.evidence import Evidence

ASKS = "whether what averages the gradients knows this Keras"
FIX = (
    "leave Horovod out and let `distify migrate` write all of it for Keras 3; or install tf_keras "
    "and set TF_USE_LEGACY_KERAS=1 before TensorFlow is imported"
)
CALLBACKS = {
    "BroadcastGlobalVariablesCallback",
    "LearningRateScheduleCallback",
    "LearningRateWarmupCallback",
    "MetricAverageCallback",
    "BestModelCheckpoint",
    "CommitStateCallback",
    "UpdateBatchStateCallback",
    "UpdateEpochStateCallback",
}


@judge(order=70, asks=ASKS)
def keras3(evidence: Evidence) -> Iterator[Verdict]:
    """Convicts a `fit` of Keras 3 whose gradients nobody averages, and names what is Horovod's.

    What else Keras 3 breaks ends the program, and its judge convicts that.
    """
    found = kerases(evidence)
    own = _horovods(evidence)
    if not found:
        yield unchecked(ASKS, "no version of Keras was seen")
    elif not is_keras_3(evidence):
        yield fine(ASKS, ", ".join(sorted(found)))
    elif fits_of(evidence) and _is_averaged_by_nobody(evidence):
        passed = ", ".join(own) if own else "what Horovod 0.28 puts into the optimizer"
        yield convicted(
            "D100",
            "Keras 3 trains, and its gradients are averaged by nobody",
            f"its `fit` calls `apply` of the optimizer, and passes by {passed}",
            where=first_place(fits_of(evidence)),
            fix=FIX,
        )
    elif own:
        yield note(
            "what Horovod made for Keras 2 is used under Keras 3",
            f"{', '.join(own)}: Horovod 0.28 doesn't know Keras 3",
            code="D100",
            where=first_place(fits_of(evidence)),
            fix=FIX,
        )
    else:
        yield fine(ASKS, f"{', '.join(sorted(found))}, and nothing of Horovod's for Keras 2")


def _is_averaged_by_nobody(evidence: Evidence) -> bool:
    """Metrics are averaged by hand, too: where workers drift, gradients are not."""
    if reduces(evidence) or not made_steps(evidence):
        return False
    return not averages_by_hand(evidence) or bool(_horovods(evidence) and compare(evidence).apart)


def _horovods(evidence: Evidence) -> list[str]:
    """What Horovod made for Keras 2 and a program of Keras 3 uses."""
    named = {name for fit in fits_of(evidence) for name in fit.names if name in CALLBACKS}
    if any(o.distributed and o.api == "keras" for o in across(evidence, Optimizer)):
        named.add("DistributedOptimizer")
    return sorted(named)
