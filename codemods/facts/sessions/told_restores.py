"""Functions that restore and tell how far the program had come, on which its loops then go on.

`ok, start = self.load(folder)`, `for epoch in range(start, 50)`: a worker without the files would
make other steps than the others. So worker 0 tells all of them what it got.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from ...library.agreement import COUNTERS
from ...library.names import in_v1
from ..facts import Facts, recorded
from ..training.training_loops import is_of_files, reads_files, trains
from .starts import Start, starts

_FINDERS = in_v1("train.get_checkpoint_state", "train.latest_checkpoint")


@recorded
def told_restores(facts: Facts) -> dict[ast.Call, Start]:
    """The calls whose results worker 0 tells, and the sessions by which it does."""
    sites = _sites(facts)
    told = (count for _, count in counts(facts) if is_told(facts, count)) if sites else ()
    used = {_site(facts, node) for count in told for node in facts.program.ingredients(count)}
    return {site: start for site, start in sites.items() if site in used}


@recorded
def _sites(facts: Facts) -> dict[ast.Call, Start]:
    return {start.site: start for start in starts(facts) if start.site is not None}


def _site(facts: Facts, node: ast.AST) -> ast.Call | None:
    """The call that gave a name all that it may hold, perhaps as one of several."""
    if not isinstance(node, ast.Name) or not isinstance(node.ctx, ast.Load):
        return None
    made = {binding.value for binding in facts.names.bindings(node)}
    site = made.pop() if len(made) == 1 else None
    return site if isinstance(site, ast.Call) and site in _sites(facts) else None


def untold_counts(facts: Facts) -> Iterator[ast.expr]:
    """What the loops run over that go on where checkpoints say which each worker finds itself."""
    for rounds, count in counts(facts):
        if not is_of_files(facts, count) or is_told(facts, count):
            continue
        if any(_finds(facts, node) for node in facts.program.ingredients(count)):
            yield rounds


def _finds(facts: Facts, node: ast.AST) -> bool:
    """Whether it looks for the last checkpoint; of data all workers have the same."""
    return isinstance(node, ast.Call) and facts.name(node.func) in _FINDERS


def is_told(facts: Facts, count: ast.expr) -> bool:
    """Whether a number comes from a restore of which worker 0 tells, and from no other file."""
    nodes = [*facts.program.ingredients(count, lambda node: _site(facts, node) is not None)]
    is_from = any(_site(facts, node) is not None for node in nodes)
    return is_from and not any(reads_files(facts, node) for node in nodes)


def counts(facts: Facts) -> Iterator[tuple[ast.expr, ast.expr]]:
    """The arguments of the `range` that loops with steps run over, behind what they stand in."""
    for loop in facts.index.nodes(ast.For):
        call = loop.iter
        is_count = isinstance(call, ast.Call) and facts.name(call.func) in COUNTERS
        if is_count and trains(facts, loop):
            yield from ((call, each) for each in call.args)  # type: ignore[attr-defined]
