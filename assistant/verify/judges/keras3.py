"""Is Keras 3 in use, which Horovod 0.28 can't train? (D100)"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from ..events import Optimizer, Versions
from ..verdict import Verdict, fine, note, unchecked
from . import judge
from ._seen import across

if TYPE_CHECKING:
    from ..evidence import Evidence

ASKS = "whether Keras is one that Horovod can train"


@judge(order=70, asks=ASKS)
def keras3(evidence: Evidence) -> Iterator[Verdict]:
    """Tells the versions; what Keras 3 breaks ends the program, and its judge convicts that."""
    found = {each.keras for each in across(evidence, Versions) if each.keras}
    if not found and evidence.setting.keras:
        found = {f"keras {evidence.setting.keras}"}  # the one that is installed there
    if not found:
        yield unchecked(ASKS, "no version of Keras was seen")
    elif any(each.startswith("keras 3") for each in found):
        used = [each.cls for each in across(evidence, Optimizer) if each.api == "keras"]
        what = "its optimizers are in use" if used else "no optimizer of it was seen in use"
        yield note(
            "Keras 3 is imported",
            f"Horovod 0.28 fails on its variables; {what}",
            code="D100",
            way_out="install tf_keras and set TF_USE_LEGACY_KERAS=1 before TensorFlow is imported",
        )
    else:
        yield fine(ASKS, ", ".join(sorted(found)))
