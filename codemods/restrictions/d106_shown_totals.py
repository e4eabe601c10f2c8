"""Totals of steps that a program shows, of which each worker takes only its share: `7/100`."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from ..facts import Facts
from ..facts.data.divided import divided
from ..facts.output.outputs import is_shown
from ..facts.timing.mistimed import is_editable, shown_totals
from ..model import Finding
from . import restriction
from ._finding import LOOK, note

MESSAGE = (
    "a worker takes only its share of the steps: it never gets to the total that is shown here"
)
COUNT = "a worker takes only its share of the steps whose number is shown here"
FIX = "show the number of steps that are taken, divided by hvd.size()"

_IN_TEXT = (ast.JoinedStr, ast.FormattedValue, ast.Tuple, ast.keyword)


@restriction(code="D106", name="shown-totals")
def totals_in_text(facts: Facts) -> Iterator[Finding]:
    """Notes: a number that is part of a text, or of more than a name in an f-string, is left."""
    totals = list(shown_totals(facts))
    for shown in totals:
        if not is_editable(facts, shown):
            yield note(facts, shown.string or shown.place, "D106", MESSAGE, FIX, kind=LOOK)
    numbers = {shown.number for shown in totals}
    for call in dict.fromkeys(_showing(facts, numbers)):
        yield note(facts, call, "D106", COUNT, FIX, kind=LOOK)


def _showing(facts: Facts, totals: set[ast.expr | None]) -> Iterator[ast.AST]:
    """The calls that show the name of a divided number, but as the total of a counter."""
    for count, _ in divided(facts):
        if not isinstance(count, ast.Name):
            continue
        scope = facts.scope(count).find(count.id)
        for use in facts.index.loads.get(count.id, ()):
            call = _shown_by(facts, use) if use not in totals else None
            is_same = isinstance(use, ast.Name) and facts.scope(use).find(use.id) is scope
            if call is not None and is_same:
                yield call


def _shown_by(facts: Facts, use: ast.AST) -> ast.AST | None:
    """The call that shows it as a part of a text and nothing else: `print("…", n)`."""
    for parent in facts.parents(use):
        if isinstance(parent, ast.Call) and is_shown(facts, parent):
            return parent
        is_form = isinstance(parent, ast.Call) and getattr(parent.func, "attr", "") == "format"
        is_percent = isinstance(parent, ast.BinOp) and isinstance(parent.op, ast.Mod)
        if not (is_form or is_percent or isinstance(parent, _IN_TEXT)):
            return None
    return None
