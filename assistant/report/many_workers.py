"""What a job of N workers does in a step and an epoch, once a program is rewritten."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING

from .lines import EMPTY, Line, Span

if TYPE_CHECKING:
    from ..files.outcome import Outcome

SCALED, SHARED, DIVIDED, KEPT = "D104", "D107", "D106", "D109"
BATCHES = frozenset({"batch", "padded_batch", "fit", "fit_generator"})
MANY = 8  # workers, for an example in numbers
_ROOT = re.compile(r"\.size\(\)(?: \* \d+\))? \*\* 0\.5")
_WRITTEN_OUT = re.compile(r"learning_rate=[\d.e-]+ \* ")  # by D301
_SUMMED = re.compile(r"backward_passes_per_step=(\d+)")
_WARMED = re.compile(r"\bwarm_up\w* = |LearningRateWarmupCallback\(|\bWarmUpRate\w*\(\d")


def meaning(outcome: Outcome) -> Iterator[Line]:
    """Batch, rate and steps of an epoch, in three lines; nothing where no workers were added.

    A program may take its data, its model and its rates from other files of its project.
    """
    migration = outcome.migration
    if migration is None or all(due.code != "D101" for due in migration.changing_rules):
        return
    files = [migration, *(other.migration for other in migration.others)]
    codes = {due.code for each in files for due in each.changing_rules}
    after = "\n".join(each.after for each in files)
    yield EMPTY
    yield (Span("With N workers", "heading"),)
    sizes = {size for each in files for size in _sizes(each.before)}
    batch = _of_shared_batch(sizes) if KEPT in codes else _batch(sizes, after)
    yield (Span("  batch  ", "name"), Span(batch))
    yield (Span("  rate   ", "name"), Span(_rate(codes, after)))
    yield (Span("  steps  ", "name"), Span(_steps(codes)))


def _of_shared_batch(found: set[int]) -> str:
    """Of a batch that all workers take together."""
    if len(found) != 1:
        return "a step takes one batch, an Nth of its rows on each worker"
    (size,) = found
    return f"{size} examples a step, as on one process: {size} / N on each worker"


def _batch(found: set[int], after: str) -> str:
    summed = _SUMMED.search(after)
    times = f"N x {summed[1]}" if summed else "N"
    if len(found) != 1:
        return f"a step takes {times} batches, one on each worker at a time"
    (size,) = found
    number = MANY * size * (int(summed[1]) if summed else 1)
    return (
        f"{times} x {size} examples a step ({number} on {MANY} workers), {size} at a time on each"
    )


def _rate(codes: set[str], after: str) -> str:
    if SCALED not in codes and not _WRITTEN_OUT.search(after):
        return "as before"
    grown = "the root of N times" if _ROOT.search(after) else "N times"
    warmed = ", which it grows to in the first epochs" if _WARMED.search(after) else ""
    return f"{grown} that of one worker{warmed}"


def _steps(codes: set[str]) -> str:
    if KEPT in codes:
        return "as many as before in each epoch, each for an Nth of the rows"
    if SHARED in codes:
        return "an Nth of those of before in each epoch: every worker trains on its share"
    if DIVIDED in codes:
        return "an Nth of those of before in each epoch"
    return "as many as before in each epoch: every worker makes all of them"


def _sizes(text: str) -> Iterator[int]:
    """The batch sizes that are written, as numbers or under names that hold one."""
    try:
        tree = ast.parse(text)
    except (SyntaxError, ValueError, RecursionError):
        return
    nodes = list(ast.walk(tree))
    names = _numbers(node for node in nodes if isinstance(node, ast.Assign))
    for node in nodes:
        method = node.func.attr if _is_method(node) else ""  # type: ignore[attr-defined]
        if method in BATCHES:
            given = [k.value for k in node.keywords if k.arg == "batch_size"]  # type: ignore[attr-defined]
            first = node.args[:1] if "batch" in method else []  # type: ignore[attr-defined]
            for size in (*given, *first):
                number = names.get(getattr(size, "id", ""), getattr(size, "value", None))
                if type(number) is int:
                    yield number


def _is_method(node: ast.AST) -> bool:
    return isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute)


def _numbers(assignments: Iterable[ast.Assign]) -> dict[str, int]:
    """Names that are given one number, and nothing else."""
    found: dict[str, int] = {}
    for assignment in assignments:
        for target in assignment.targets:
            if isinstance(target, ast.Name):
                value = getattr(assignment.value, "value", None)
                is_new = target.id not in found and type(value) is int
                found[target.id] = value if is_new and isinstance(value, int) else -1
    return {name: number for name, number in found.items() if number > 0}
