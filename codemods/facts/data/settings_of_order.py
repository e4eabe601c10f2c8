"""Settings that decide whether tf.data gives the elements of a dataset in one order.

https://www.tensorflow.org/api_docs/python/tf/data/Options (deterministic)
"""

from __future__ import annotations

import ast

from ...library.datasets import READY_BATCHED
from ..facts import Facts
from ..training.training_loops import is_for_a_round
from .stages import Stage, Way

SEEDED = ("list_files", *READY_BATCHED)  # sources that shuffle names, and take a seed
LOADS, READ_CONFIG = "load", "read_config"  # of TensorFlow Datasets, and what says how it reads
_LOOSE = ("deterministic", "experimental_deterministic")
_PARALLEL = ("num_parallel_calls", "num_parallel_reads")


def takes_seed(facts: Facts, source: Stage) -> bool:
    """Whether a source that has no seed can be given one, for all workers to share it out."""
    if facts.has_horovod or source.method not in (*SEEDED, LOADS):
        return False
    if source.method == LOADS and not _takes_config(facts, source.call):
        return False
    return not facts.has_hidden_arguments(source.call) and not is_for_a_round(facts, source.call)


def _takes_config(facts: Facts, load: ast.Call) -> bool:
    """Whether the module that it is called of is in sight, and nothing says how it reads."""
    is_member = isinstance(load.func, ast.Attribute)
    return is_member and facts.argument(load, READ_CONFIG) is None


def loosens(facts: Facts, stage: Stage) -> bool:
    """Whether it is `with_options` of options that let elements overtake each other."""
    given = facts.argument(stage.call, "options", 0) if stage.method == "with_options" else None
    if given is None:
        return False
    made = set(facts.origins(given).nodes)
    return any(not made.isdisjoint(facts.origins(base).nodes) for base in _loosened(facts))


def _loosened(facts: Facts) -> list[ast.expr]:
    """The options that an assignment lets forget the order: `o.deterministic = False`."""
    return [
        target.value
        for node in facts.index.nodes(ast.Assign)
        for target in node.targets
        if isinstance(target, ast.Attribute) and target.attr in _LOOSE and not _is_true(node.value)
    ]


def _is_true(expr: ast.expr) -> bool:
    return isinstance(expr, ast.Constant) and expr.value is True


def is_parallel(way: Way) -> bool:
    """Whether elements are made by several threads, one of which may be the first."""
    calls = [stage.expr for stage in way if isinstance(stage.expr, ast.Call)]
    return any(keyword.arg in _PARALLEL for call in calls for keyword in call.keywords)
