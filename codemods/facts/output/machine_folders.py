"""Files that are written below folders which each machine has for itself, and read again by all."""

from __future__ import annotations

import ast
from collections.abc import Iterable

from ...library.files import is_of_machine
from ...program.node_fields import within
from ..facts import Facts, recorded
from .reloads import read_again


def writes_for_machine(facts: Facts, statements: Iterable[ast.stmt]) -> bool:
    """Whether one worker of each machine has to write there: the others would find nothing."""
    calls = _calls(facts)
    return bool(calls) and any(not calls.isdisjoint(within(each)) for each in statements)


@recorded
def _calls(facts: Facts) -> set[ast.AST]:
    """The calls that write such a file."""
    written = (access for _, before in read_again(facts) for access in before)
    return {a.call for a in written if isinstance(a.path, str) and is_of_machine(a.path)}
