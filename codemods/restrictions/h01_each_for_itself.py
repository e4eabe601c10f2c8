"""What every worker does for itself though they share it: random splits, downloads (hazards).

Horovod's issue threads 756 (caches) and 2623 (shuffles); rules, section 4.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from ..facts import Facts
from ..model import Finding
from . import restriction
from ._finding import note

SPLITS = frozenset(
    f"sklearn.{name}"
    for name in ("model_selection.train_test_split", "utils.shuffle", "utils.resample")
) | {"numpy.random.shuffle", "numpy.random.permutation", "random.shuffle", "random.sample"}
SEEDS = ("numpy.random.seed", "random.seed", "tensorflow.keras.utils.set_random_seed")
DOWNLOADS = re.compile(r"^tensorflow\.keras\.(?:datasets\.\w+\.load_data|utils\.get_file)$")


@restriction(code="H01", name="each-for-itself")
def each_for_itself(facts: Facts) -> Iterator[Finding]:
    """Notes: they spoil shares or a first run, never the step."""
    seeded = any(True for _ in facts.calls_of(*SEEDS))
    for call in facts.calls_of(*SPLITS):
        if not seeded and not has_seed(call):
            what = "every worker draws an order of its own here, so that shares may overlap"
            yield note(facts, call, "H01", what, "seed it, for example with `random_state=0`")
    for call in facts.index.calls:
        if DOWNLOADS.match(facts.name(call.func) or ""):
            what = "in a first run every worker downloads this to the same place"
            yield note(
                facts, call, "H01", what, "run it once on one worker before, so that it is cached"
            )
            return


def has_seed(call: ast.Call) -> bool:
    """Whether the call is told where its random numbers start."""
    given = (k.value for k in call.keywords if k.arg in ("random_state", "seed"))
    return any(not (isinstance(v, ast.Constant) and v.value is None) for v in given)
