"""On which workers a Keras callback, or a hook of TensorFlow 1, has to run.

https://horovod.readthedocs.io/en/stable/keras.html; horovod/horovod#1095, #3140, #3156, #742.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable
from enum import Enum

from ...library import callbacks as table
from ...library.sessions import WRITING_HOOKS, is_hook
from ...program.records import NamedTuple
from ..facts import Facts
from ..horovod import BROADCAST
from ..keras_version import is_keras_3
from ..own_forms import callbacks_of_class
from .folders import is_private
from .unseen_writes import class_writes_unseen, writes_unseen


class Where(Enum):
    """The workers that a callback belongs on."""

    EVERYWHERE = "every worker"
    RANK_ZERO = "rank 0 only"
    UNKNOWN = "decided at run time by type"
    REFUSED = "nowhere"


class Verdict(NamedTuple):
    """Where a callback runs, and what a person should know about that."""

    where: Where
    note: str = ""


_LOGGERS = (
    r"(wandb|neptune|mlflow|comet_ml|clearml|aim|dvclive|livelossplot|tqdm|tensorboard)(\.|$)"
    r"|tensorflow_addons\.callbacks\.TQDMProgressBar$"
)
_CUSTOM = "a custom callback runs on every worker: what it writes is written by each of them"
_LAMBDA = "its functions run on every worker"
_UPDATES = "what it writes after a batch is the share of worker 0"


def verdict(facts: Facts, expr: ast.AST) -> Verdict:
    """Where the callback that `expr` stands for has to run."""
    origins = facts.origins(expr)
    if not origins.complete or any(item.path for item in origins.items):
        return Verdict(Where.UNKNOWN)
    return _join(_of(facts, node) for node in origins.nodes)


def _join(verdicts: Iterable[Verdict]) -> Verdict:
    found = set(verdicts)
    if len(found) == 1:
        return found.pop()
    refused = [v for v in found if v.where is Where.REFUSED]
    return refused[0] if refused else Verdict(Where.UNKNOWN)


def _of(facts: Facts, node: ast.AST) -> Verdict:
    if not isinstance(node, ast.Call):
        return Verdict(Where.UNKNOWN)
    kind = facts.kind(node)
    if kind is None:
        known_class = facts.classes.local(node.func) is not None
        return (
            Verdict(Where.EVERYWHERE, _own(facts, node)) if known_class else Verdict(Where.UNKNOWN)
        )
    if re.match(_LOGGERS, kind):
        return Verdict(Where.RANK_ZERO)
    if is_hook(kind):
        writes = kind.rpartition(".")[2] in WRITING_HOOKS
        return Verdict(Where.RANK_ZERO if writes else Where.EVERYWHERE)
    if kind.startswith("horovod."):
        return Verdict(Where.EVERYWHERE)
    if table.member(kind) is None:
        return Verdict(Where.EVERYWHERE, _CUSTOM)
    return _of_keras(facts, node, kind.replace("experimental.", ""))


def _of_keras(facts: Facts, node: ast.Call, kind: str) -> Verdict:
    custom = "" if facts.classes.local(node.func) is None else _own(facts, node)
    row = table.callback(kind)
    if kind == table.BOARD and isinstance(_value(facts, node, "update_freq"), int):
        return Verdict(Where.RANK_ZERO, _UPDATES)
    if row.only_writes:
        return Verdict(Where.EVERYWHERE if is_private(facts, node) else Where.RANK_ZERO)
    if kind == table.TERMINATE_ON_NAN:
        return Verdict(Where.EVERYWHERE)
    if row.is_silent:
        return Verdict(Where.EVERYWHERE, custom)
    if kind == table.LAMBDA:
        given = [*node.args, *(k.value for k in node.keywords)]
        if all(_is_print(facts, value) for value in given):
            return Verdict(Where.RANK_ZERO)
        return Verdict(Where.EVERYWHERE, _LAMBDA if _may_write(facts, given) else "")
    if row.does == table.GOES_ON:
        return Verdict(Where.EVERYWHERE if is_shared_backup(facts, node) else Where.REFUSED)
    return Verdict(Where.EVERYWHERE, _own(facts, node))


def _own(facts: Facts, node: ast.Call) -> str:
    """The word on a callback of nobody's: none where all is seen that its class does."""
    cls = facts.classes.local(node.func)
    return "" if cls is not None and not class_writes_unseen(facts, cls) else _CUSTOM


def _may_write(facts: Facts, functions: Iterable[ast.expr]) -> bool:
    made = [f if isinstance(f, ast.Lambda) else facts.classes.function(f) for f in functions]
    return any(each is None or writes_unseen(facts, each) for each in made)


def is_shared_backup(facts: Facts, node: ast.Call) -> bool:
    """Whether rank 0 tells the others what it has restored: D302 writes it for Keras 3 alone."""
    cls = facts.classes.local(node.func)
    if cls is not None:
        return BROADCAST in callbacks_of_class(facts, cls)
    return is_keras_3(facts) and not facts.has_horovod


def _value(facts: Facts, node: ast.Call, name: str) -> object | None:
    found = facts.argument(node, name)
    return found.value if isinstance(found, ast.Constant) else None


def _is_print(facts: Facts, expr: ast.AST) -> bool:
    if not isinstance(expr, ast.Lambda) or not isinstance(expr.body, ast.Call):
        return False
    return facts.name(expr.body.func) == "builtins.print"
