"""Is Keras 3 in use, which Horovod 0.28 can't train? (D100)"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from ..beginnings import Versions
from ..events import Optimizer, Reduce
from ..verdict import Verdict, convicted, fine, note, unchecked
from . import judge
from ._seen import across, first_place, fits_of

if TYPE_CHECKING:
    from ..evidence import Evidence

ASKS = "whether Keras is one that Horovod can train"
FIX = "install tf_keras and set TF_USE_LEGACY_KERAS=1 before TensorFlow is imported"


@judge(order=70, asks=ASKS)
def keras3(evidence: Evidence) -> Iterator[Verdict]:
    """Convicts a `fit` of Keras 3 whose gradients nobody averages: it passes Horovod's code by.

    What else Keras 3 breaks ends the program, and its judge convicts that.
    """
    found = {each.keras for each in across(evidence, Versions) if each.keras}
    if not found and evidence.setting.keras:
        found = {f"keras {evidence.setting.keras}"}  # the one that is installed there
    if not found:
        yield unchecked(ASKS, "no version of Keras was seen")
    elif any(each.startswith("keras 3") for each in found):
        fits = fits_of(evidence)
        if fits and not any(across(evidence, Reduce)):
            yield convicted(
                "D100",
                "Keras 3 trains, and its gradients are averaged by nobody",
                "its `fit` does not call what Horovod 0.28 puts into the optimizer",
                where=first_place(fits),
                fix=FIX,
            )
            return
        used = [each.cls for each in across(evidence, Optimizer) if each.api == "keras"]
        what = "its optimizers are in use" if used else "no optimizer of it was seen in use"
        yield note(
            "Keras 3 is imported",
            f"Horovod 0.28 fails on its variables; {what}",
            code="D100",
            fix=FIX,
        )
    else:
        yield fine(ASKS, ", ".join(sorted(found)))
