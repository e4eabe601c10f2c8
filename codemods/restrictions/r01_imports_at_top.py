"""TensorFlow is imported at the top: Horovod starts behind that import (seed 000, R01)."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from ..facts import Facts, Pattern
from ..facts.setup.import_places import anchor, imports_by_call
from ..facts.training.pattern import training_of
from ..model import Finding
from ..program.node_fields import within
from . import restriction
from ._finding import finding

_PACKAGES = ("tensorflow", "keras", "tf_keras")


@restriction(code="R01", name="imports-at-top")
def imports_at_top(facts: Facts) -> Iterator[Finding]:
    """Programs that train and import TensorFlow inside of functions only."""
    is_told = any(imports_by_call(facts))  # by R02
    if is_told or training_of(facts).pattern is Pattern.UNKNOWN or anchor(facts) is not None:
        return
    inner = next((n for n in within(facts.module) if _is_import(n)), None)
    place = inner if isinstance(inner, ast.stmt) else training_of(facts).places[0][0]
    yield finding(
        facts,
        place,
        "R01",
        "TensorFlow is not imported at the top of the module, where Horovod has to start behind it",
        f"move it to the others at the top: `{ast.unparse(place)}`",
    )


def _is_import(node: ast.AST) -> bool:
    if isinstance(node, ast.Import):
        return any(alias.name.split(".")[0] in _PACKAGES for alias in node.names)
    return isinstance(node, ast.ImportFrom) and (node.module or "").split(".")[0] in _PACKAGES
