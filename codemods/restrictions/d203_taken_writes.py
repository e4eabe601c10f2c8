"""Writes that no `if` of rank 0 can be put around: by methods that are taken as values, in lambdas.

Who calls these, and where, isn't followed.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from ..facts import Facts, Role
from ..facts.output.outputs import is_output, is_shown, taken_writes
from ..facts.output.rank_zero_guards import is_left_to_rank_zero
from ..model import Finding
from . import restriction
from ._finding import WRITERS, note

TAKEN = "every worker may write by this method: where it is called can't be followed"
BY_NAME = "call it by its name where it is to write, so that only rank 0 does"
INSIDE = "every worker writes here, where no `if` can stand"
APART = "write it in a statement of its own: under an `if`, in a `def` instead of a `lambda`"
CLOSED = (ast.Lambda, ast.Assert, ast.IfExp, ast.BoolOp)


@restriction(code="D203", name="taken-writes")
def writes_out_of_sight(facts: Facts) -> Iterator[Finding]:
    """Notes: what writes files, and can't be left to rank 0 where it stands."""
    if facts.has_horovod:
        return
    calls = [call for call in facts.index.calls if is_output(facts, call)]
    taken = dict.fromkeys(taken_writes(facts))
    seen = {item.node for call in calls if taken for item in facts.origins(call.func).items}
    for use in sorted(taken.keys() - seen, key=facts.place):
        yield note(facts, use, "D203", TAKEN, BY_NAME, kind=WRITERS)
    for call in calls:
        if not is_shown(facts, call) and _is_closed_in(facts, call):
            yield note(facts, call, "D203", INSIDE, APART, kind=WRITERS)


def _is_closed_in(facts: Facts, call: ast.Call) -> bool:
    """Whether every worker makes the call, in a lambda that no callback gets, or in an `assert`."""
    around = list(facts.parents(call))
    if not any(isinstance(node, CLOSED) for node in around) or is_left_to_rank_zero(facts, call):
        return False
    made = (node for node in around if isinstance(node, ast.Call))
    return not any(facts.made_by(node) is Role.CALLBACK for node in made)
