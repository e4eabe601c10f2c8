"""Modules of a project that use a device while they are imported: Horovod is started before that.

Horovod's guide, step 2: each process chooses its GPU first; TensorFlow allows that only until it
has used one.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from ..facts import Facts, recorded
from ..gradients.broadcasts import broadcasts
from .at_import import called_at_import, calls_inside, running
from .start import started_in, starts

_IMPORTS = (ast.Import, ast.ImportFrom)
# Classes whose instances hold no tensors, functions that make none, and settings.
_HARMLESS = (
    "tensorflow.keras.losses. tensorflow.keras.layers. tensorflow.keras.initializers. "
    "tensorflow.keras.regularizers. tensorflow.keras.constraints. tensorflow.TensorSpec "
    "tensorflow.function tensorflow.autograph. tensorflow.get_logger "
    "tensorflow.io.FixedLenFeature tensorflow.io.FixedLenSequenceFeature "
    "tensorflow.io.VarLenFeature tensorflow.keras.utils.register_keras_serializable "
    "tensorflow.config. tensorflow.keras.saving.register_keras_serializable "
    "tensorflow.compat.v1.logging. tensorflow.random.set_seed "
    "tensorflow.keras.utils.set_random_seed tensorflow.logging. "
    "tensorflow.keras.backend.set_floatx tensorflow.keras.backend.set_epsilon "
    "tensorflow.keras.backend.set_image_data_format tensorflow.keras.mixed_precision."
)
_QUIET = tuple(_HARMLESS.split())


@recorded
def works_early(facts: Facts) -> list[ast.expr]:
    """The first call in each statement of other modules that may use a device at its import.

    Not where Horovod has been started by then.
    """
    own = set(facts.body) if facts.is_joined else set(facts.module.body)
    started = started_in(facts)
    if started is not None:
        own.update(facts.module.body[facts.module.body.index(started) :])
    found = (
        [expr for expr in called_at_import(statement) if _is_work(facts, expr)][:1]
        for statement in facts.module.body
        if statement not in own
    )
    return [expr for exprs in found for expr in exprs]


@recorded
def early_place(facts: Facts) -> ast.stmt | None:
    """The statement behind which Horovod is started, before such modules are imported.

    The flag of a broadcast is a variable: it is work, too, where a rule writes it into a module.

    None where none are, or where TensorFlow is only imported behind them.
    """
    joined = facts.joined
    if starts(facts) or joined is None:
        return None
    early = [joined.home(each) for each in (*works_early(facts), *_flagged(facts))]
    lines = [joined.line_of_import(path) for path in early]
    number = next((n for n, s in enumerate(facts.body) if lines and s.lineno == min(lines)), 0)
    if not number or not isinstance(facts.body[number], _IMPORTS):
        return None
    if facts.body[number - 1].end_lineno == min(lines):
        return None
    later = (name for s in facts.body[number:] for name in _roots(s))
    return None if "tensorflow" in later else facts.body[number - 1]


def _flagged(facts: Facts) -> list[ast.stmt]:
    """The statements of other modules beside which flags are made while these are imported."""
    found = broadcasts(facts)
    flags = [each.flag for each in (*found.batches, *found.applications)]
    beside = {statement for flag in flags for statement in (*flag.before, *flag.after)}
    return [s for s in facts.module.body if s in beside and s not in facts.body]


def _roots(statement: ast.stmt) -> Iterator[str]:
    """The packages whose names an import binds."""
    if isinstance(statement, ast.Import):
        yield from (alias.name.partition(".")[0] for alias in statement.names)


def _is_work(facts: Facts, expr: ast.expr) -> bool:
    name = facts.name(expr)
    if name is not None:
        return isinstance(facts.parent(expr), ast.Call) and _uses_device(name)
    cls = facts.classes.local(expr)
    if cls is not None and not _is_plain(facts, cls):
        return True
    inside = (call for home in running(facts, expr) for call in calls_inside(home))
    return any(_uses_device(facts.name(each.func) or "") for each in inside)


def _is_plain(facts: Facts, cls: ast.ClassDef) -> bool:
    """Whether no class behind it is TensorFlow's, whose instances may hold variables."""
    every = (cls, *facts.classes.ancestors(cls))
    bases = [base for each in every for base in each.bases if facts.classes.local(base) is None]
    names = [facts.name(base) for base in bases]
    return not any(name is None or _uses_device(name) for name in names)


def _uses_device(name: str) -> bool:
    return name.startswith("tensorflow.") and not name.startswith(_QUIET)
