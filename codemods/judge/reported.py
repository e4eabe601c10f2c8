"""**reported**: what steers training, or is reported as the job's, was averaged before it is read.

A `fit` of a result whose callbacks begin with a broadcast has one that averages metrics, too: what
rank 0 prints and writes would be of its own share. A callback of the program's own averages them
where it writes means into the logs that those behind it read; one that only ends by a mean doesn't.
Callbacks that steer by a worker's own metrics are found by today's check.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING

from ..library.horovod_alone import part
from ..library.horovod_names import AVERAGES, BROADCAST_CALLBACK, MEAN_CALLBACK
from ..library.step_arguments import FIT_ARGUMENTS
from ..program.node_fields import within
from .case import Case, proved
from .known import wrapped
from .proof import Proof
from .rows import Rows, RowsOf

if TYPE_CHECKING:
    from ..program.program import Program

NAME = "reported"
HOW = "each fit averages its metrics before anything reads them"
OWN = "nothing averages the metrics of this `fit`: what is shown and written is of rank 0's share"
FIX = "put `hvd.callbacks.MetricAverageCallback()` behind the broadcast"
PART = (
    "nobody trains on this data, and each worker has only a part of it, or nothing, as what makes "
    "it cuts it for the training, too"
)
WHOLE = "make the data that isn't trained on in a function of its own, or with an argument for it"
_TRAINING = ("fit", "fit_generator", "train_on_batch", "apply_gradients", "minimize")


def prove(case: Case) -> Iterator[Proof]:
    """What today's check finds, and the `fit`s of a result that average nothing."""
    found = list(wrapped(case, NAME))
    if case.is_result:
        found += [*_unaveraged(case), *_parted(case)]
    yield from found or [proved(NAME, HOW)]


def _parted(case: Case) -> Iterator[Proof]:
    """What is taken of data that nobody trains on, and that is cut where the other data is."""
    nodes = (node for source in case.after.values() for node in within(source.module))
    calls = [node for node in nodes if isinstance(node, ast.Call)]
    looks = [call for call in calls if call.args and _is_look(case, call)]
    if not looks:
        return
    rows, program = RowsOf(case.program), case.program
    fits = (call for call in calls if getattr(call.func, "attr", "") in _TRAINING)
    trained = {*program.ingredients_of([a for call in fits for a in _given(call)])}
    for look in looks:
        made = [n for n in program.ingredients(look.args[0]) if isinstance(n, ast.Call)]
        own = [n for n in made if program.functions(n.func).nodes and n not in trained]
        is_own = bool(own) and not rows.is_dealt(look)  # which a step asks for, one by one
        if is_own and trained and rows.of(look.args[0]) & Rows.SHARE:
            yield case.not_proved(NAME, look, PART, WHOLE)


def _is_look(case: Case, call: ast.Call) -> bool:
    """`next(iter(data))`."""
    return case.program.names(call.func) == ("builtins.next",)


def _given(call: ast.Call) -> list[ast.expr]:
    return [*call.args, *(keyword.value for keyword in call.keywords)]


def _unaveraged(case: Case) -> Iterator[Proof]:
    begins = case.program.sought(lambda node: _makes(case.program, node, BROADCAST_CALLBACK))
    for source in case.after.values():
        nodes = list(within(source.module))
        means = averaged_fits(case.program, nodes)
        for fit in filter(_is_fit, nodes):
            if fit not in means and any(map(begins, _callbacks(fit))):  # type: ignore[arg-type]
                yield case.violated(NAME, fit, OWN, FIX)


def averaged_fits(program: Program, nodes: Iterable[ast.AST]) -> frozenset[ast.AST]:
    """The calls of `fit` with a callback that averages: what they give is the same for all."""

    def averages(node: ast.AST) -> bool:
        if _makes(program, node, MEAN_CALLBACK):
            return True
        classes = program.classes(node.func).nodes if isinstance(node, ast.Call) else ()
        return any(_writes_means(program, cls) for cls in classes)

    has_mean = program.sought(averages)
    fits = filter(_is_fit, nodes)
    return frozenset(fit for fit in fits if any(map(has_mean, _callbacks(fit))))  # type: ignore[arg-type]


def _is_fit(node: ast.AST) -> bool:
    return isinstance(node, ast.Call) and getattr(node.func, "attr", "") == "fit"


def _makes(program: Program, node: ast.AST, member: str) -> bool:
    names = program.names(node.func) if isinstance(node, ast.Call) else ()
    return any(part(name).endswith(member) for name in names)


def _callbacks(fit: ast.Call) -> Iterator[ast.expr]:
    """The callbacks of a `fit`, by their name or in their place, or what may hold them."""
    place = FIT_ARGUMENTS.index("callbacks")
    is_plain = not any(isinstance(each, ast.Starred) for each in fit.args)
    yield from fit.args[place : place + 1] if is_plain else fit.args
    yield from (k.value for k in fit.keywords if k.arg in ("callbacks", None))


def _writes_means(program: Program, cls: ast.AST) -> bool:
    """Whether methods of a class put averages into what Keras hands to them: `logs[name] = …`."""
    is_mean = program.sought(
        lambda node: (
            isinstance(node, ast.Call)
            and any(part(n) in AVERAGES for n in program.names(node.func))
        )
    )
    return any(is_mean(value) for node in within(cls) for value in _written(node))


def _written(node: ast.AST) -> Iterator[ast.expr]:
    """What is put into a dictionary, by a key or with others."""
    if isinstance(node, ast.Assign) and any(isinstance(t, ast.Subscript) for t in node.targets):
        yield node.value
    elif isinstance(node, ast.Call) and getattr(node.func, "attr", "") == "update":
        yield from (*node.args, *(k.value for k in node.keywords))
