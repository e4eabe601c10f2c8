"""What every worker does for itself though they share it: random splits, downloads (hazards).

Horovod's issue threads 756 (caches) and 2623 (shuffles); rules, section 4.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from ..facts import Facts
from ..facts.agreement.chance import SEEDS
from ..facts.data.array_loops import loops
from ..facts.data.fit_arrays import arrays_of_fits
from ..facts.data.shares import shares_of
from ..facts.training.training_loops import loop_around, trains
from ..model import Finding
from . import restriction
from ._finding import note

SPLITS = frozenset(
    f"sklearn.{name}"
    for name in ("model_selection.train_test_split", "utils.shuffle", "utils.resample")
)
ORDERS = frozenset(
    {"numpy.random.shuffle", "numpy.random.permutation", "random.shuffle", "random.sample"}
)
DOWNLOADS = re.compile(r"^tensorflow\.keras\.(?:datasets\.\w+\.load_data|utils\.get_file)$")


@restriction(code="H01", name="each-for-itself")
def each_for_itself(facts: Facts) -> Iterator[Finding]:
    """Notes: they spoil shares or a first run, never the step."""
    seeded = any(True for _ in facts.calls_of(*SEEDS))
    for call in facts.calls_of(*SPLITS, *ORDERS):
        if not seeded and not has_seed(call) and not is_wanted(facts, call):
            what = "every worker draws an order of its own here, so that shares may overlap"
            yield note(facts, call, "H01", what, "seed it, for example with `random_state=0`")
    for call in facts.index.calls:
        if DOWNLOADS.match(facts.name(call.func) or ""):
            what = "in a first run every worker downloads this to the same place"
            yield note(
                facts, call, "H01", what, "run it once on one worker before, so that it is cached"
            )
            return


def is_wanted(facts: Facts, call: ast.Call) -> bool:
    """Whether an order of each worker's own is what makes its batches differ from the others'.

    Where all of the data is left to every worker, a seed would give all of them the same batches.
    """
    if facts.name(call.func) in SPLITS:
        return False
    return makes_batches(facts, call) or is_drawn_for_a_round(facts, call)


def is_drawn_for_a_round(facts: Facts, call: ast.Call) -> bool:
    """Whether a loop that trains draws a new order each time, and none of the data is cut."""
    is_cut = shares_of(facts).cuts or arrays_of_fits(facts) or loops(facts)
    loop = loop_around(facts, call)
    return not is_cut and loop is not None and trains(facts, loop)


def makes_batches(facts: Facts, call: ast.Call) -> bool:
    """Whether it stands in a generator, or in a class that gives batches by number."""
    function, cls = facts.function(call), facts.cls(call)
    if cls is not None and facts.classes.method(cls, "__getitem__") is not None:
        return True
    inside = ast.walk(function) if function is not None else ()
    return any(isinstance(node, (ast.Yield, ast.YieldFrom)) for node in inside)


def has_seed(call: ast.Call) -> bool:
    """Whether the call is told where its random numbers start."""
    given = (k.value for k in call.keywords if k.arg in ("random_state", "seed"))
    return any(not (isinstance(v, ast.Constant) and v.value is None) for v in given)
