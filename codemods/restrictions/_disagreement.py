"""What is told of a value that workers don't share, where the training hangs on it."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping

from ..facts import Facts
from ..facts.causes import Cause, spelled
from ..facts.own_values import proposals
from ..facts.training.session_runs import fetched_along
from ..judge.disagreements import Disagreement, disagreements
from ..judge.own import Level
from ..judge.own_sources import CHANCE, WEIGHTS
from ..judge.sinks import APPLIED, GRADIENTS, OF_BATCHES, STEP, UNTRAINED
from ..model import Finding
from ..program.node_fields import within
from ._agreement_advice import agreed
from ._finding import drawn_at, finding, moved

SHARED = "decide by something that all workers share: a step count, an option, a length"
TOLD = (
    "let worker 0 decide for all: `broadcast_object({0}, root_rank=0)` of `horovod.tensorflow` for "
    "`{0}`; or let a metric of `fit` decide, which is averaged"
)
METRIC = "let EarlyStopping or ReduceLROnPlateau decide, by a metric of `fit`: it is averaged"
LOSS = (
    "multiply the loss by it, inside of the tape, which averages what comes of it; or average it "
    "first: `hvd.allreduce(…)`"
)
LATER = (
    "read them in `on_epoch_end` or `on_train_batch_end`, behind the broadcast; or start all "
    "workers from the same: `tf.keras.utils.set_random_seed(0)` before the model is made"
)
ONE_SEED = (
    "give all of them one seed before the first model is made: `tf.keras.utils.set_random_seed(0)`"
)
STUDY = (
    "let the studies propose alike, each in its memory, by averaged scores: "
    "`optuna.create_study(sampler=optuna.samplers.TPESampler(seed=0))`"
)
FIXES: Mapping[str, str] = {
    "order": "put the names in order: `sorted(…)`",
    "hash": "`zlib.crc32(text.encode())` gives the same in every process",
    "file": "let worker 0 tell what it says: `hvd.broadcast_object(…, root_rank=0)`",
    WEIGHTS: LATER,
}
RACING = (
    "fetched along with a step: it may be the number before it on one worker, behind it on another "
    "(asked for in a run of its own behind the step, it is the same on all)"
)
EARLY = "was read before Horovod broadcasts rank 0's weights"
RANDOM = "begins with weights of each worker's own, and nobody trains it"
JUMPS = (ast.Break, ast.Continue, ast.Return)
OWN = "is each worker's own"
VALUES = (ast.Name, ast.Attribute, ast.Subscript, ast.Call)


def of_code(facts: Facts, code: str) -> Iterator[Finding]:
    """The findings of one code, one for what is mended together."""
    seen: set[object] = set()
    for each in disagreements(facts).found:
        keys = {_mended(facts, each), (_place(facts, each), each.own.source)}
        if each.sink.code == code and not keys & seen:
            seen |= keys
            yield _finding(facts, each)


def _mended(facts: Facts, each: Disagreement) -> object:
    """What is the same for all that is mended together: a seed mends all draws of a module."""
    source = each.own.source
    if each.own.kind == CHANCE and isinstance(source, ast.Call):
        return (facts.name(source.func) or "").rpartition(".")[0] or source
    if each.sink in (STEP, APPLIED) and each.is_test:
        return each.value
    return each.place if each.own.kind in OF_BATCHES or source is None else source


def _finding(facts: Facts, each: Disagreement) -> Finding:
    place = _place(facts, each)
    found = finding(facts, place, each.sink.code, _message(facts, each, place), "")
    found = found._replace(proves=each.own.level is Level.OWN)
    source = each.own.source
    if not _is_drawn(facts, each) or source is None:
        return found._replace(fix=_fix(facts, each, place))
    if any(source is each for each in proposals(facts)):
        return moved(facts, found._replace(fix=STUDY), place, Cause(source))
    return drawn_at(facts, found, place, source)


def _place(facts: Facts, each: Disagreement) -> ast.AST:
    """The test, the jump to which one leads past a step, or where a value goes in."""
    if not each.is_test or not isinstance(each.value, ast.expr):
        return each.place
    branch = facts.parent(each.value)
    if each.sink is not STEP or not isinstance(branch, ast.If) or branch.test is not each.value:
        return each.value
    inside = [node for statement in branch.body for node in within(statement)]
    jump = next((node for node in inside if isinstance(node, JUMPS)), None)
    return each.value if jump is None or each.place in inside else jump


def _is_drawn(facts: Facts, each: Disagreement) -> bool:
    """Whether a seed mends it: what is drawn again and again in a callback, worker 0 tells."""
    is_told = each.is_test and _is_in_callback(facts, each.place)
    return each.own.kind == CHANCE and not is_told


def _message(facts: Facts, each: Disagreement, place: ast.AST) -> str:
    return f"{each.sink.subject}, {_why(facts, each, place)}: {each.sink.harm}"


def _why(facts: Facts, each: Disagreement, place: ast.AST) -> str:
    """`and `time.time()` in line 5 is each worker's own`."""
    if each.own.level is not Level.OWN:
        return f"and nobody can tell whether `{_unknown(facts, each)}` is the same on all of them"
    source, value = each.own.source, each.value
    asked = [n for n in ast.walk(value) if isinstance(n, VALUES)] if each.is_test else []  # type: ignore[arg-type]
    racing = next((n for n in asked if fetched_along(facts, n)), None)
    if racing is not None:
        return f"and `{spelled(racing)}` is {RACING}"
    if _is_drawn(facts, each) or not isinstance(source, (ast.expr, ast.arg)):
        return "and each worker draws its own"
    line, here = facts.place(source)[0], facts.place(place)[0]
    where = f" in line {line}" if line != here else ""
    said = {WEIGHTS: RANDOM if each.sink is UNTRAINED else EARLY}
    name = source.arg if isinstance(source, ast.arg) else spelled(source)
    return f"and `{name}`{where} {said.get(each.own.kind, OWN)}"


def _unknown(facts: Facts, each: Disagreement) -> str:
    value = each.value if isinstance(each.value, ast.AST) else each.place
    parts = [node for node in ast.walk(value) if isinstance(node, VALUES)]
    own = disagreements(facts).askers
    found = next((n for n in parts if own.of(n).level is Level.UNKNOWN), value)
    return spelled(found)


def _fix(facts: Facts, each: Disagreement, place: ast.AST) -> str:
    """What to do about it: by what is a worker's own there, and what hangs on it."""
    kind, sink = each.own.kind, each.sink
    if sink is UNTRAINED:
        return ONE_SEED
    if kind in FIXES and not each.is_test:
        return FIXES[kind]
    if sink is GRADIENTS:
        return LOSS
    if _is_in_callback(facts, each.place):
        return _of_callback(each)
    test = each.value if each.is_test else place
    return agreed(facts, test, SHARED) if isinstance(test, ast.expr) else SHARED


def _is_in_callback(facts: Facts, place: ast.AST) -> bool:
    return disagreements(facts).beside.is_in_hook(place)


def _of_callback(each: Disagreement) -> str:
    is_told = each.own.kind in ("clock", "person", CHANCE) and isinstance(each.value, ast.expr)
    return TOLD.format(spelled(each.value)) if is_told else METRIC  # type: ignore[arg-type]
