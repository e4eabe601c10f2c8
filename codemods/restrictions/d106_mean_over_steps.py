"""A mean over the steps of one device, of which each worker takes only a share: `total / steps`."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from ..facts import Facts
from ..facts.data.divided import divided
from ..facts.steps.each_step import counts_steps
from ..facts.timing.mistimed import fixed_divisors, own_rounds
from ..library.array_names import COUNTED
from ..model import Finding
from . import restriction
from ._finding import LOOK, note

MESSAGE = "a worker takes only its share of these steps: a mean over them would come out too small"
PLOTS = ("matplotlib.", "seaborn.", "plotly.")
FIX = "count the steps that are taken, or divide this number by hvd.size(), too"


@restriction(code="D106", name="mean-over-steps")
def mean_over_steps(facts: Facts) -> Iterator[Finding]:
    """Notes: only the place that counts the steps is rewritten, as elsewhere it may be right."""
    found: set[ast.expr] = set(fixed_divisors(facts))
    found |= {use for count, _ in divided(facts) for use in divisors(facts, count)}
    found -= set(own_rounds(facts))  # which are divided
    for use in sorted(found, key=lambda use: (use.lineno, use.col_offset)):
        yield note(facts, use, "D106", MESSAGE, FIX, kind=LOOK)


def divisors(facts: Facts, count: ast.expr) -> Iterator[ast.Name]:
    """Where the same name stands below a line: `total / steps`, `total /= steps`."""
    if not isinstance(count, ast.Name):
        return
    scope = facts.scope(count).find(count.id)
    for use in facts.index.loads.get(count.id, ()):
        if isinstance(use, ast.Name) and facts.scope(use).find(use.id) is scope:
            if divides(facts, facts.parent(use), use):
                yield use


def divides(facts: Facts, parent: ast.AST | None, use: ast.Name) -> bool:
    """Whether something is divided by it, with a fraction: `//` counts whole rounds."""
    if isinstance(parent, ast.BinOp):
        is_below = isinstance(parent.op, ast.Div) and parent.right is use
        return is_below and not is_axis(facts, parent) and not counts_steps(facts, parent.left)
    return isinstance(parent, ast.AugAssign) and isinstance(parent.op, ast.Div)


def is_axis(facts: Facts, quotient: ast.BinOp) -> bool:
    """Whether it is no mean, but where the points of a plot stand: `np.arange(n) / steps`."""
    made = facts.origins(quotient.left).nodes
    if made and all(isinstance(n, ast.Call) and facts.name(n.func) in COUNTED for n in made):
        return True
    around = (facts.name(p.func) for p in facts.parents(quotient) if isinstance(p, ast.Call))
    return any(name is not None and name.startswith(PLOTS) for name in around)
