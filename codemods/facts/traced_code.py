"""Whether code is traced into a graph, in which a dataset has no length."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from ..library.tensorflow_names import FUNCTION

if TYPE_CHECKING:
    from .facts import Facts


def is_traced(facts: Facts, node: ast.AST) -> bool:
    """Whether a function around it is decorated or compiled, itself or by who calls it."""
    compiled = [arg for call in facts.calls_of(FUNCTION) for arg in call.args]
    waiting: list[ast.AST] = [node]
    for each in waiting:
        home = facts.function(each)
        if home is None:
            continue
        if home.decorator_list or any(home in facts.origins(arg).nodes for arg in compiled):
            return True
        waiting += [site for site in facts.call_sites(home) if site not in waiting]
    return False
