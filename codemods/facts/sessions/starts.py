"""Where the variables of a session get their values: workers have to take over those of one.

Horovod's guide: `hvd.broadcast_global_variables(0)` is run after the initializer, and again after
a checkpoint is restored; an operation that ran before the initializer would be overwritten by it.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from ...library.names import in_v1
from ...program.records import NamedTuple
from ..facts import Facts, recorded
from ..roles import Role
from ..scopes import FunctionNode
from ..training.session_runs import Run, is_zero, leads_to_step, put_value, session_runs
from ..training.training_loops import trains
from .alike_puts import is_alike
from .behind import meetings

_INITIALIZERS = in_v1(
    "global_variables_initializer",
    "initialize_all_variables",
    "initialize_variables",
    "variables_initializer",
)
_PUTS = ("assign", "assign_add", "assign_sub", "load", "scatter_update")
_PUT_BY = in_v1("assign", "assign_add", "assign_sub", "scatter_update")
_ITERATORS = ("make_initializable_iterator", "Iterator.from_structure")
_LEAVES = (ast.Return, ast.Break, ast.Continue, ast.Raise)


class Start(NamedTuple):
    """A call that gives variables their values, and the statement behind which all have them.

    `session` is None for the default session, `written` what it is called there; `site` is the call
    of the function that holds the call, where that may have been left out.
    """

    call: ast.Call
    behind: ast.stmt
    session: ast.expr | None
    written: str = ""
    site: ast.Call | None = None


@recorded
def starts(facts: Facts) -> tuple[Start, ...]:
    """Every place where variables are initialised, restored or given values from outside."""
    return tuple(_starts(facts))


def _starts(facts: Facts) -> Iterator[Start]:
    for run in session_runs(facts):
        if initializes(facts, run) or (changes(facts, run) and not changes_alike(facts, run)):
            yield from _of(facts, run.call, run.session)
    for call in facts.calls("restore"):
        session = facts.argument(call, "sess", 0)
        is_ours = facts.name(call.func) is None and facts.callee(call) is None
        if is_ours and session is not None and facts.role(session) is Role.SESSION:
            yield from _of(facts, call, session)


def _of(facts: Facts, call: ast.Call, session: ast.expr | None) -> Iterator[Start]:
    for place in meetings(facts, call, session):
        yield Start(call, *place)


def initializes(facts: Facts, run: Run) -> bool:
    """Whether a run gives the variables of the graph their first values."""
    return any(_is_initializer(facts, n) for n in facts.program.ingredients(run.fetches))


def is_iterators_start(facts: Facts, expr: ast.expr) -> bool:
    """Whether it is the `initializer` of an iterator, which begins with its data anew."""
    made = [n for n in facts.program.ingredients(expr) if isinstance(n, ast.Attribute)]
    starts_anew = [n for n in made if n.attr == "initializer" and facts.name(n) is None]
    return bool(starts_anew) and all(_is_iterator(facts, n.value) for n in starts_anew)


def _is_initializer(facts: Facts, node: ast.AST) -> bool:
    if isinstance(node, ast.Attribute):
        is_own = node.attr == "initializer" and facts.name(node) is None
        return is_own and not _is_iterator(facts, node.value)
    return isinstance(node, ast.Call) and facts.name(node.func) in _INITIALIZERS


def _is_iterator(facts: Facts, expr: ast.expr) -> bool:
    """Whether it begins with data anew, which is no variable."""
    made = [node for node in facts.origins(expr).nodes if isinstance(node, ast.Call)]
    names = [facts.name(call.func) or getattr(call.func, "attr", "") for call in made]
    return bool(names) and all(name.endswith(_ITERATORS) for name in names)


def changes(facts: Facts, run: Run) -> bool:
    """Whether a run that takes no step puts values into variables."""
    if leads_to_step(facts, run.fetches):
        return False
    return any(_puts(facts, node) for node in facts.program.ingredients(run.fetches))


def changes_alike(facts: Facts, run: Run) -> bool:
    """Whether every worker puts the same values into them, so that nobody has to be told."""
    puts = [n for n in facts.program.ingredients(run.fetches) if _puts(facts, n)]
    values = [put_value(facts, node) for node in puts if isinstance(node, ast.Call)]
    known = [value for value in values if value is not None]
    return len(known) == len(values) and is_alike(facts, run, known)


def _puts(facts: Facts, node: ast.AST) -> bool:
    if not isinstance(node, ast.Call) or is_zero(facts, put_value(facts, node)):
        return False
    name = facts.name(node.func)
    is_method = name is None and isinstance(node.func, ast.Attribute)
    return name in _PUT_BY or (is_method and node.func.attr in _PUTS)  # type: ignore[attr-defined]


def broadcasts(facts: Facts) -> Iterator[Start]:
    """The starts behind which a broadcast goes: the last of those that follow each other."""
    last = {start.behind: start for start in starts(facts)}
    for start in last.values():
        if not _is_followed(facts, start, last):
            yield start


def _is_followed(facts: Facts, start: Start, others: dict[ast.stmt, Start]) -> bool:
    """Whether another one comes before anything is trained, in the same block and session."""
    block, number = facts.block(start.behind)
    for later in block[number + 1 :]:
        if later in others and _is_of_same_session(facts, start, others[later]):
            return True
        if trains(facts, later) or any(isinstance(n, (*FunctionNode, *_LEAVES)) for n in [later]):
            return False
    return False


def _is_of_same_session(facts: Facts, one: Start, other: Start) -> bool:
    """Whether both have one session: they spell it alike, or the program makes no other."""
    return _spelled(one) == _spelled(other) or len(_sessions(facts)) == 1


@recorded
def _sessions(facts: Facts) -> list[ast.Call]:
    """The calls that make a session, of this file or of others."""
    return [call for call in facts.index.calls if facts.made_by(call) is Role.SESSION]


def _spelled(start: Start) -> str:
    return start.written or ("" if start.session is None else ast.unparse(start.session))
