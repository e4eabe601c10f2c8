"""**averaged**: each gradient that reaches an application was averaged exactly once.

Nothing but sums, scaling and casts stands between tape and averaging unless a row says otherwise.
Each optimizer that `compile` or `minimize` is asked with is an object, whatever name it comes by:
one that Horovod hasn't wrapped averages nothing, though another one beside it does. What a tape
has computed is followed by *update*. Two wrappers around one object are found here, too, those that
nobody asks for anything, and what clips each worker's own gradients before they are averaged by
hand; what else is certainly not so, by today's checks.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from ..library.horovod_alone import part
from ..library.horovod_names import AVERAGES, WRAPPERS
from ..library.names import normal
from ..library.updates import CURVED
from ..program.node_fields import within
from ..program.parts import FUNCTIONS, LOOPS
from .case import Case, proved
from .known import has_all_of_horovod, proof_at, unaveraged, wrapped
from .proof import NOT_PROVED, VIOLATED, Proof

NAME = "averaged"
HOW = "no wrapper averages what another one has averaged, and no check finds gradients without one"
TWICE = "what is wrapped here is wrapped already: its gradients are averaged twice"
FIX = "wrap it once"
UNUSED = "nothing uses what is wrapped here: the plain one is asked, and averages nothing"
USE = "bind it to the name of what it wraps"
EARLY = (
    "each worker changes its own gradients by `{}` here, before they are averaged: the mean of "
    "what it gives is another step than what it gives of the mean"
)
LATER = "average the gradients first, `tape = hvd.DistributedGradientTape(tape)`"
PLAIN = (
    "nobody averages what the optimizer of line {} computes here: the workers drift apart, each "
    "with a model of its own"
)
MIXED = (
    "this is wrapped by Horovod on some ways to here, and on others, from line {}, it is not: each "
    "worker would train a model of its own"
)
WRAP = (
    "`hvd.DistributedOptimizer(…)`, once, in the statement below the one that makes it; for Keras "
    "3 an `apply` that averages, as `distify explain D105` shows"
)
_APPLYING = ("apply_gradients", "apply")
_TAKING = ("gradient", "gradients", "compute_gradients")


def prove(case: Case) -> Iterator[Proof]:
    """What today's checks find, wrappers too many or for nothing, and what is clipped too early."""
    found = [*wrapped(case, NAME), *_twice(case), *_unused(case), *_early(case), *_plain(case)]
    yield from found or [proved(NAME, HOW)]


def prove_by_hand(case: Case) -> Iterator[Proof]:
    """What of Horovod that a person has written no older check has told.

    What has no part of Horovod yet that averages, or none that broadcasts, is to be completed.
    """
    if has_all_of_horovod(case):
        yield from _plain(case)


def _plain(case: Case) -> Iterator[Proof]:
    """The optimizers that nobody has wrapped, where many workers train with them."""
    for call, made, is_certain in unaveraged(case):
        verdict, why = (VIOLATED, PLAIN) if is_certain else (NOT_PROVED, MIXED)
        line, _ = case.facts.place(made)
        yield proof_at(case, NAME, verdict, call, why.format(line), WRAP)


def _twice(case: Case) -> Iterator[Proof]:
    calls = _wrappers(case)
    for node in calls:
        inner = [*node.args[:1], *(k.value for k in node.keywords[:1] if not node.args)]
        made = {made for each in inner for made in case.program.origins(each).nodes} & {*calls}
        if made - {node} or (made and _repeats(case, node, set())):
            yield case.violated(NAME, node, TWICE, FIX, "H06")


def _wrappers(case: Case) -> list[ast.Call]:
    """The calls that make something average gradients."""
    return [
        node
        for source in case.after.values()
        for node in within(source.module)
        if isinstance(node, ast.Call)
        and any(part(name) in WRAPPERS for name in case.program.names(node.func))
    ]


def _unused(case: Case) -> Iterator[Proof]:
    """Wrappers that are bound to a name of a function, or of the only file, and never read."""
    for call in _wrappers(case):
        statement = case.parents[call]
        targets = statement.targets if isinstance(statement, ast.Assign) else []
        names = [target.id for target in targets if isinstance(target, ast.Name)]
        if names and len(names) == len(targets) and not _is_read(case, call, names):
            yield case.violated(NAME, call, UNUSED, USE)


def _is_read(case: Case, made: ast.Call, names: list[str]) -> bool:
    """Whether anything reads what a call has made, under the names that it is bound to."""
    reads = (
        node
        for source in case.after.values()
        for node in within(source.module)
        if isinstance(node, ast.Name) and node.id in names and isinstance(node.ctx, ast.Load)
    )
    if len(case.after) > 1 and not _is_local(case, made):
        return True  # another file may import it
    return any(made in case.program.origins(node).nodes for node in reads)


def _is_local(case: Case, node: ast.AST) -> bool:
    while node in case.parents:
        node = case.parents[node]
        if isinstance(node, FUNCTIONS):
            return True
    return False


def _repeats(case: Case, node: ast.AST, seen: set[ast.AST]) -> bool:
    """Whether a call may wrap again what it gave itself: an attribute holds it from then on.

    What `__init__` wraps is another object's each time.
    """
    while node in case.parents and not isinstance(node, FUNCTIONS):
        node = case.parents[node]
        if isinstance(node, LOOPS):
            return True
    if not isinstance(node, FUNCTIONS) or node in seen or getattr(node, "name", "") == "__init__":
        return False
    calls = case.program.call_sites(node).nodes
    return len(calls) > 1 or any(_repeats(case, call, {*seen, node}) for call in calls)


def _early(case: Case) -> Iterator[Proof]:
    """What isn't linear and stands between a tape's gradients and the average that is applied."""
    program = case.program

    def averages(node: ast.AST) -> bool:
        names = program.names(node.func) if isinstance(node, ast.Call) else ()
        return any(part(name) in AVERAGES for name in names)

    is_of_gradients = program.sought(_takes_gradients)
    applied = [node for source in case.after.values() for node in _applied(source.module)]
    ways = list(program.ingredients_of(applied, averages)) if applied else []
    given = [value for node in ways if averages(node) for value in node.args[:1]]  # type: ignore[attr-defined]
    for node in program.ingredients_of(given, _takes_gradients) if given else ():
        names = program.names(node.func) if isinstance(node, ast.Call) else ()
        curved = next((name for name in names if normal(name) in CURVED), "")
        if curved and any(map(is_of_gradients, node.args)):  # type: ignore[attr-defined]
            why = EARLY.format(ast.unparse(node.func))  # type: ignore[attr-defined]
            yield case.violated(NAME, node, why, LATER)


def _applied(module: ast.Module) -> Iterator[ast.expr]:
    """What optimizers apply."""
    for node in within(module):
        if isinstance(node, ast.Call) and getattr(node.func, "attr", "") in _APPLYING:
            yield from node.args[:1]


def _takes_gradients(node: ast.AST) -> bool:
    return isinstance(node, ast.Call) and getattr(node.func, "attr", "") in _TAKING
