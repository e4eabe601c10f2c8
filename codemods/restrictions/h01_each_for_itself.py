"""What every worker does for itself though they share it: random splits, downloads (hazards).

Horovod's issue threads 756 (caches) and 2623 (shuffles); rules, section 4.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from ..facts import Facts
from ..facts.data.own_orders import own_orders
from ..model import Finding
from . import restriction
from ._finding import note

ORDER = "every worker draws an order of its own here, so that shares may overlap"
LISTING = "the names come in the order of each machine's disk, so that shares may overlap"
DOWNLOADS = re.compile(r"^tensorflow\.keras\.(?:datasets\.\w+\.load_data|utils\.get_file)$")


@restriction(code="H01", name="each-for-itself")
def each_for_itself(facts: Facts) -> Iterator[Finding]:
    """Notes: they spoil shares or a first run, never the step."""
    for order in own_orders(facts):
        yield note(facts, order.place, "H01", LISTING if order.is_listing else ORDER, order.fix)
    for call in facts.index.calls:
        if DOWNLOADS.match(facts.name(call.func) or ""):
            what = "in a first run every worker downloads this to the same place"
            yield note(
                facts, call, "H01", what, "run it once on one worker before, so that it is cached"
            )
            return
