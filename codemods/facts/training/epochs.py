"""The epoch at which `fit` starts, where each worker may have found another one.

A worker that starts later makes fewer steps than the others, which then wait for it for ever; what
a listing of files says is rank 0's to tell (keras_imagenet_resnet50.py of Horovod).
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from ..agreement_domain import AGREES, Agreement
from ..facts import Facts
from ..horovod import member
from ..ingredients import ingredients
from ..reaching import comes_before
from ..scopes import Binding
from . import fits

_SENT = ("broadcast", "broadcast_object", "allreduce")
_LISTING = frozenset(
    {"listdir", "scandir", "walk", "glob", "iglob", "rglob", "iterdir"}
    | {"latest_checkpoint", "get_checkpoint_state"}
)
_NUMBERS = ("builtins.int", "builtins.max", "builtins.min")


def epochs_to_send(facts: Facts, fit: ast.Call) -> Iterator[str]:
    """The arguments of a `fit` that resumes which rank 0 has to tell."""
    start = fits.argument(facts, fit, "initial_epoch")
    if start is not None and not is_alike(facts, start):
        yield "initial_epoch"
        end = fits.argument(facts, fit, "epochs")
        if end is not None and not is_alike(facts, end):
            yield "epochs"


def start_to_send(facts: Facts, fit: ast.Call) -> Binding | None:
    """What binds the epoch that a `fit` resumes at, if nothing else that it is told differs.

    It runs wherever the `fit` does, on its way there.
    """
    start, end = (fits.argument(facts, fit, each) for each in ("initial_epoch", "epochs"))
    if not isinstance(start, ast.Name) or not any(True for _ in epochs_to_send(facts, fit)):
        return None
    bound = facts.names.bindings(start)
    if len(bound) != 1 or bound[0].kind != "assign" or not isinstance(bound[0].node, ast.stmt):
        return None
    is_before = comes_before(facts, bound[0].node, facts.statement(fit))
    is_all = is_before and (end is None or _hangs_on(facts, start, end))
    return bound[0] if is_all else None


def _hangs_on(facts: Facts, start: ast.Name, end: ast.expr) -> bool:
    """Whether all workers have an end, or have it as soon as they have the start."""
    if isinstance(end, ast.BinOp):
        return _hangs_on(facts, start, end.left) and _hangs_on(facts, start, end.right)
    return (isinstance(end, ast.Name) and end.id == start.id) or is_alike(facts, end)


def is_alike(facts: Facts, expr: ast.AST) -> bool:
    """Whether all workers have it: shared, sent, or the last epoch of another `fit`."""
    if not isinstance(expr, ast.expr) or _is_same(facts, expr):
        return isinstance(expr, ast.expr)
    if isinstance(expr, ast.Call):
        is_number = facts.name(expr.func) in _NUMBERS
        return is_sent(facts, expr) or (
            is_number and all(is_alike(facts, each) for each in expr.args)
        )
    if isinstance(expr, ast.BinOp):
        return is_alike(facts, expr.left) and is_alike(facts, expr.right)
    if isinstance(expr, ast.Subscript):
        return _is_history(facts, expr.value) and _is_same(facts, expr.slice)
    made = facts.origins(expr)
    others = [node for node in made.nodes if node is not expr]
    return made.complete and bool(others) and all(is_alike(facts, node) for node in others)


def is_sent(facts: Facts, node: ast.AST) -> bool:
    """Whether all workers get it from rank 0, or an average."""
    return isinstance(node, ast.Call) and member(facts, node.func) in _SENT


def _is_same(facts: Facts, expr: ast.expr) -> bool:
    """What another module says may come from its files, too."""
    if facts.program.value(AGREES, expr) >= Agreement.IMPORTED:
        return False
    return not any(lists_files(facts, node) for node in ingredients(facts, expr))


def lists_files(facts: Facts, node: ast.AST) -> bool:
    """Also `len(os.listdir(folder))`: lengths are alike of data, not of folders."""
    if not isinstance(node, ast.Call):
        return False
    is_method = isinstance(node.func, ast.Attribute) and node.func.attr in _LISTING
    return is_method or (facts.name(node.func) or "").rpartition(".")[2] in _LISTING


def _is_history(facts: Facts, expr: ast.AST) -> bool:
    """`history.epoch`: the numbers of the epochs that a `fit` made."""
    if not isinstance(expr, ast.Attribute) or expr.attr != "epoch":
        return False
    made = facts.origins(expr.value)
    return made.complete and bool(made.nodes) and set(made.nodes) <= set(fits.fits(facts))
