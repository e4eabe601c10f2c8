"""What a program does with Horovod already: the parts of its interface, by whatever import.

https://horovod.readthedocs.io/en/stable/api.html, Horovod 0.28.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from ..library.horovod_names import AVERAGES as AVERAGES
from ..library.horovod_names import OF_KERAS, OF_TENSORFLOW, OF_TF_KERAS, member_of
from ..library.horovod_names import OPTIMIZER as OPTIMIZER
from ..library.horovod_names import TAPES as TAPES
from ..library.horovod_names import WRAPPERS as WRAPPERS
from ..library.waiting_calls import is_callback, wraps
from ..library.words import words
from .facts import Facts

KERAS = (OF_TF_KERAS, OF_KERAS)
TENSORFLOW = (OF_TENSORFLOW,)
MODULES = KERAS + TENSORFLOW

WRAPPED = ("optimizer", "gradtape")  # how the wrappers call what they wrap
WAITS = ("barrier", "broadcast", "broadcast_object")
BROADCAST = "callbacks.BroadcastGlobalVariablesCallback"
WARM_UP = "callbacks.LearningRateWarmupCallback"
STEERING = (WARM_UP, "callbacks.LearningRateScheduleCallback")
METRICS = "callbacks.MetricAverageCallback"

# What is understood, or what changes nothing for the needs of a program.
KNOWN = words(
    """
    init shutdown is_initialized rank size local_rank local_size cross_rank cross_size barrier
    DistributedOptimizer DistributedGradientTape PartialDistributedGradientTape Compression
    allreduce grouped_allreduce allgather allgather_object broadcast broadcast_object
    broadcast_variables broadcast_global_variables load_model SyncBatchNormalization
    callbacks.BroadcastGlobalVariablesCallback callbacks.MetricAverageCallback
    callbacks.LearningRateWarmupCallback callbacks.LearningRateScheduleCallback
    callbacks.BestModelCheckpoint mpi_built gloo_built nccl_built cuda_built rocm_built
    mpi_enabled gloo_enabled mpi_threads_supported
    """
)


def module_name(facts: Facts, *modules: str) -> str | None:
    """The name under which the module imports the first of these, None where it does not."""
    imports = facts.names.imports() if facts.has_horovod else {}
    names = {full: name for name, full in reversed(list(imports.items()))}
    return next((names[full] for full in modules if full in names), None)


def member(facts: Facts, expr: ast.AST) -> str | None:
    """Which part of Horovod an expression names."""
    return member_of(facts.name(expr))


def calls_of(facts: Facts, *members: str) -> Iterator[ast.Call]:
    """Calls of these parts of Horovod."""
    return facts.calls_of(*(f"{module}.{each}" for module in MODULES for each in members))


def is_wrapped(facts: Facts) -> bool:
    """Whether something of Horovod averages gradients, or tells first weights, as a callback."""
    names = facts.program.names
    return facts.has_horovod and any(
        wraps(name) or is_callback(name) for call in facts.index.calls for name in names(call.func)
    )


def wrapped_value(canonical: str | None, call: ast.Call) -> ast.expr | None:
    """What a call of that name wraps so that gradients are averaged, None for other calls."""
    if member_of(canonical) not in WRAPPERS:
        return None
    named = (k.value for k in call.keywords if k.arg in WRAPPED)
    return call.args[0] if call.args else next(named, None)
