"""Which rule explains a failure, by the library function it came from and who failed."""

from __future__ import annotations

import ast
import re
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from ..record.endings import Error
from . import _source_lines as program
from . import averaging
from ._early_ends import MISMATCH
from ._seen import fatal, left_by_itself, line_at, names
from .keras3 import FIX

if TYPE_CHECKING:
    from ..record.evidence import Evidence

# Refusals of a call; what fails when a graph runs has other classes.
_PYTHONS = {"TypeError", "KeyError", "AttributeError", "ValueError", "IndexError", "NameError"}
_ARGUMENTS = re.compile(r"\bgradient\(\) (got|missing|takes)")
UNBOUND = {"NameError", "UnboundLocalError"}
_BY_SIZE = re.compile(r"unsupported operand type\(s\) for [*/+]+: ")
_RATE = re.compile(r"optimizers|learning_rate_schedule|learning_rate_decay")


@dataclass(frozen=True)
class Failure:
    """The first exception, and the workers that ended by one of their own."""

    error: Error
    ranks: tuple[int, ...]


@dataclass(frozen=True)
class Rule:
    """The rule that would have kept the program from failing."""

    code: str
    title: str
    fix: str
    places: tuple[str, ...] = ()  # beside the line that failed: the guard of a name


KERAS_3 = Rule(
    "D100",
    "Horovod's own wrappers and broadcasts don't know Keras 3",
    FIX,
)
TABLE = Rule(
    "D302",
    "a table of words is no variable that could be broadcast",
    "broadcast the others: `[v for v in model.variables if isinstance(v, tf.Variable)]`",
)
UNNAMED = Rule(
    "D203",
    "a name is bound on some workers only",
    "bind it on every worker: `path = ckpt.save(p) if hvd.rank() == 0 else None`",
)
NOT_WAITED = Rule(
    "D205",
    "a file of another worker is read before it is there",
    "let the workers wait for rank 0 (`hvd.broadcast(0, root_rank=0)`) before they read it",
)
ALONE = Rule(
    "H03",
    "the program fails on some workers only",
    "let each worker do what the others do: look for what depends on `hvd.rank()`, or on the "
    "worker's own share",
)
# What a machine may do to one of several processes, whatever the program is.
_OUTSIDE = {
    *("MemoryError", "ResourceExhaustedError", "TimeoutError", "URLError", "HTTPError"),
    *("ConnectionError", "ConnectionResetError", "ConnectionRefusedError", "BrokenPipeError"),
    *("KeyboardInterrupt", "UnavailableError", "gaierror"),
}
ALL_MAKE = Rule(
    "D203",
    "several workers make the same file or folder",
    "make it on rank 0 only, or with exist_ok=True",
)
TAPE = Rule(
    "D201",
    "the call does not fit a DistributedGradientTape",
    "it takes (target, sources, output_gradients) with a flat list of sources, and no other "
    "argument",
)
WRAPPER = Rule("D105", "the optimizer can't be wrapped like this", averaging.OPTIMIZER)
LOSS_SCALE = Rule(
    "D105",
    "the optimizer can't be wrapped like this",
    "wrap the inner one: `LossScaleOptimizer(hvd.DistributedOptimizer(optimizer))`",
)
UNKNOWN_CLASS = Rule(
    "D105",
    "the optimizer can't be wrapped: Horovod makes it anew of its settings, and a class is unknown",
    "register each class of the program's own that its settings hold, such as a schedule: "
    "`@tf.keras.saving.register_keras_serializable()`, with a `get_config` of all its arguments; "
    "or wrap the tape, and not the optimizer",
)
RATE = Rule(
    "D104",
    "the learning rate can't be scaled like this",
    "multiply numbers: each value of a list, the initial rate of a schedule",
)
TOO_EARLY = Rule(
    "D102",
    "Horovod is used before it is started",
    "call `hvd.init()` before anything else of Horovod's",
)
EAGER = Rule(
    "D202",
    "this broadcast is for graphs of TensorFlow 1",
    "broadcast the variables by name: `hvd.broadcast_variables(model.variables, root_rank=0)`, "
    "and the optimizer's",
)
SPARSE_JOIN = Rule(
    "H02",
    "`hvd.join()` does not know sparse gradients, which are gathered",
    "make them dense (`sparse_as_dense=True`), or give every worker as many batches",
)
UNLIKE = Rule(
    "H02",
    "the workers call a collective with different shapes or types",
    "let every worker make the same calls in the same order, with the same shapes",
)


# What Horovod itself says of a wrong call.
SAID = (
    ("Horovod has not been initialized", TOO_EARLY),
    ("does not support eager execution", EAGER),
    ("not supported with Join", SPARSE_JOIN),
)


def rule_of(evidence: Evidence, failure: Failure) -> Rule | None:
    """The rule that explains a failure; None where nothing points at the distribution."""
    error = failure.error
    message = f"{error.message} {error.cause or ''}"
    if "has no attribute 'ref'" in message:
        return TABLE if "VocabWeightHandler" in message else KERAS_3
    told = next((rule for words, rule in SAID if words in message), None)
    if told is not None:
        return told
    if _misuses_tape(evidence, error):
        return TAPE
    if "horovod" in (error.inside or "") or any("horovod" in frame for frame in error.frames):
        found = _in_horovod(error)
        if found:
            return found
    if _by_scaling(evidence, error):
        return RATE
    if fails_alone(evidence, error):
        return None
    return _on_some(evidence, failure) if len(failure.ranks) < evidence.job.workers else None


def _misuses_tape(evidence: Evidence, error: Error) -> bool:
    """Whether arguments don't fit; then Python never came as far as the tape's own code."""
    if error.type != "TypeError" or not _ARGUMENTS.search(error.message):
        return False
    return "Distributed" in error.message or "DistributedGradientTape" in names(evidence)


def _in_horovod(error: Error) -> Rule | None:
    function = (error.inside or "").rpartition(":")[2]
    last = function.rpartition(".")[2]
    if MISMATCH.search(error.message):
        return UNLIKE
    if error.type in _PYTHONS and (last == "gradient" or "DistributedGradientTape" in function):
        return TAPE
    if last in ("DistributedOptimizer", "create_distributed_optimizer"):
        if "deserialize" in error.message or "Unknown" in error.message:
            return UNKNOWN_CLASS
        return LOSS_SCALE if "LossScale" in error.message or _no_base(error) else WRAPPER
    return None


def _no_base(error: Error) -> bool:
    # A LossScaleOptimizer makes its own instances in __new__, so no class can be built on it.
    return error.type == "TypeError"


def fails_alone(evidence: Evidence, error: Error) -> bool:
    """Whether one process fails in the same way: it is not the distribution."""
    alone = evidence.reference.worker if evidence.reference else None
    own = fatal(alone) if alone else None
    return own is not None and (own.type, own.where) == (error.type, error.where)


def _is_fine_alone(evidence: Evidence) -> bool:
    """Whether one process came to its end."""
    alone = evidence.reference.worker if evidence.reference else None
    return alone is not None and left_by_itself(alone)


def _on_some(evidence: Evidence, failure: Failure) -> Rule | None:
    """Failures that some workers are spared.

    The launcher ends all workers when one fails, so one that did not fail may only have been
    slower: it counts where it came to its end, where the source shows the guard, or where one
    process comes to its end.
    """
    error = failure.error
    if error.type in UNBOUND and (guard := _guard(evidence, error)):
        return replace(UNNAMED, places=(guard,))
    others = (worker for rank, worker in evidence.workers.items() if rank not in failure.ranks)
    ended, fine = any(left_by_itself(worker) for worker in others), _is_fine_alone(evidence)
    if not (ended or fine):
        return None
    if error.type in UNBOUND:
        return UNNAMED
    if error.type in ("FileNotFoundError", "NotFoundError"):
        return NOT_WAITED
    if error.type in ("FileExistsError", "AlreadyExistsError"):
        return ALL_MAKE
    return ALONE if fine and error.type not in _OUTSIDE else None


def _guard(evidence: Evidence, error: Error) -> str | None:
    """The condition on the rank under which the name that is missing is bound, and only there."""
    name = next(iter(re.findall(r"'(\w+)'", error.message)), None)
    file = (error.where or "").rpartition(":")[0]
    guards = program.rank_tests(evidence.job.root, file) if file else []
    if any(name in _bound(guard.orelse) for guard in guards):
        return None
    found = next((guard for guard in guards if name in _bound(guard.body)), None)
    return f"{file}:{found.lineno}" if found else None


def _bound(body: list[ast.stmt]) -> set[str]:
    """The names that statements bind: variables, functions, classes and imports."""
    nodes = [node for statement in body for node in ast.walk(statement)]
    found = {n.id for n in nodes if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Store)}
    found |= {n.name for n in nodes if isinstance(n, (ast.ClassDef, ast.FunctionDef))}
    for node in nodes:
        if isinstance(node, (ast.Import, ast.ImportFrom)):
            found |= {each.asname or each.name.partition(".")[0] for each in node.names}
    return found


def _by_scaling(evidence: Evidence, error: Error) -> bool:
    """Whether a rate, or what was made of it by the number of workers, was refused."""
    line = line_at(evidence, error.where)
    if ".size()" not in line and "size" not in _statement(evidence, error.where):
        return False
    return bool(_RATE.search(error.inside or "") or _BY_SIZE.match(error.message))


def _statement(evidence: Evidence, where: str | None) -> str:
    """The lines around a place: a call often spans several, and is known by one of them."""
    if where is None:
        return ""
    file, _, number = where.rpartition(":")
    if not number.isdigit():
        return ""
    return "\n".join(line_at(evidence, f"{file}:{int(number) + step}") for step in range(-4, 5))
