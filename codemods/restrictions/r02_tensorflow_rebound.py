"""The tensorflow module and its members are bound by imports that agree (seed 000, R02 and R03)."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence

from ..facts import Facts
from ..facts.causes import rebound
from ..facts.names import imported, normal
from ..facts.setup.import_places import imports_by_call
from ..model import Finding
from ..program.bindings import Binding
from . import restriction
from ._finding import finding

CALLED = "TensorFlow is imported by a call here, behind which no import of Horovod can be put"
CALLED_FIX = "`import {} as {}`"


@restriction(code="R02", name="tensorflow-rebound")
def tensorflow_rebound(facts: Facts) -> Iterator[Finding]:
    """Names that mean TensorFlow at one time and something else at another."""
    for statement in imports_by_call(facts):
        name = ast.unparse(statement.targets[0])
        fix = CALLED_FIX.format(facts.names.imported_by(statement.value), name)  # type: ignore[arg-type]
        yield finding(facts, statement, "R02", CALLED, fix)
    for node in facts.index.scopes.of:
        for name, bindings in facts.bound(node).items():
            other = _disagreeing(facts, bindings) if len(bindings) > 1 else None
            if other is not None:
                why = f"`{name}` is bound to TensorFlow in one place and to something else here"
                fix = f"import it once, and give the other value another name than `{name}`"
                found = finding(facts, facts.statement(other.node), "R02", why, fix)
                yield found._replace(cause=rebound(name))


def _disagreeing(facts: Facts, bindings: Sequence[Binding]) -> Binding | None:
    """The first binding that differs from the TensorFlow import among them."""
    imports = [normal(imported(b)) for b in bindings if b.kind == "import"]
    library = [name for name in imports if name.startswith("tensorflow")]
    if not library:
        return None
    return next((b for b in bindings if facts.names.meaning(b) != library[0]), None)
