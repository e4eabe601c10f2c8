"""What every worker does for itself though they share it: random splits, downloads (hazards).

Horovod's issue threads 756 (caches) and 2623 (shuffles); rules, section 4.
"""

from __future__ import annotations

from collections.abc import Iterator

from ..facts import Facts
from ..facts.data.own_orders import OwnOrder, alike, own_orders
from ..facts.output.download_turns import plan, unpacks
from ..facts.output.reloads import waits
from ..facts.training.pattern import waits_in_graph
from ..library.draws import HASHED
from ..model import Finding
from . import restriction
from ._finding import LOOK, UPDATE, WRITERS, note

ORDER = "every worker draws an order of its own here, so that shares may overlap"
LISTING = "the names come in the order of each machine's disk, so that shares may overlap"
HASHES = "texts of a set come in another order in each process: what is numbered by it differs"
DOWNLOAD = (
    "in a first run every worker downloads this to the same place at once, each over what the "
    "others wrote"
)
UNPACKED = "every worker unpacks this to the same place at once, each over what the others wrote"
FETCH = (
    "download it at the top level of the program: `if hvd.local_rank() == 0:`, and behind it "
    "`hvd.broadcast(0, root_rank=0)` for all; or run the script once on one worker before"
)
ONCE = "run the script once on one worker before"
READ_EARLY = "a worker may read this before worker 0 has written it: in a session none waits here"
APART = "read it in a script of its own, or only on worker 0: `if hvd.rank() == 0:`"


@restriction(code="H01", name="each-for-itself", stands=True)
def each_for_itself(facts: Facts) -> Iterator[Finding]:
    """Notes: they spoil shares, never the step."""
    for order in own_orders(facts):
        is_of_groups = order.drawn is not None and order.drawn.is_of_groups  # K04 refuses them
        if order.place not in alike(facts) and not is_of_groups:
            yield note(facts, order.place, "H01", _why(order), order.fix, kind=UPDATE)


def _why(order: OwnOrder) -> str:
    if order.drawn is HASHED:
        return HASHES
    return LISTING if order.drawn is not None and order.drawn.is_listing else ORDER


@restriction(code="H01", name="downloads")
def downloads(facts: Facts) -> Iterator[Finding]:
    """A note for the first one for which no worker can wait: downloads spoil a first run only."""
    for call in plan(facts).left[:1]:
        if unpacks(facts, call):
            fix = ONCE if waits_in_graph(facts) else FETCH.replace("download", "unpack")
            yield note(facts, call, "H01", UNPACKED, fix, kind=WRITERS)
        else:  # what is there already is left as it is: only the very first run is spoiled
            fix = ONCE if waits_in_graph(facts) else FETCH
            yield note(facts, call, "H01", DOWNLOAD, fix, kind=LOOK)


@restriction(code="H01", name="read-early")
def read_early(facts: Facts) -> Iterator[Finding]:
    """Notes for what worker 0 writes and all read: a broadcast of D205 fails there."""
    for place in waits(facts) if waits_in_graph(facts) else ():
        yield note(facts, place, "H01", READ_EARLY, APART, kind=WRITERS)
