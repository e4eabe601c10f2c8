"""Sessions that a supervisor makes, and where their variables are broadcast.

`Supervisor` finishes the graph: what broadcasts is made in front of it, and the session that has
initialised or restored the variables runs it first of all. What a supervisor does by itself, in
threads of its own, it does in its folder: worker 0 alone has one.
https://www.tensorflow.org/api_docs/python/tf/compat/v1/train/Supervisor.
"""

from __future__ import annotations

import ast

from ...library.sessions import MANAGED
from ...program.records import NamedTuple
from ..causes import cause_of
from ..facts import Facts, recorded
from ..problems import Problem
from ..roles import Role
from .alone import is_first
from .configs import argument

_MADE = "nobody can tell which supervisor makes this session, whose graph is finished"
_MAKE = "make the supervisor in the function that makes its session: `sv = tf.train.Supervisor(…)`"
_UNNAMED = "this session has no name by which its variables could be broadcast"
_NAME = "`with sv.managed_session() as sess:`, or `sess = sv.prepare_or_wait_for_session()`"
_NESTED = "no statement can be put before this supervisor to make what broadcasts"
_ALONE = "make the supervisor in a statement of its own"


class Managed(NamedTuple):
    """A session that a supervisor makes, the statement that gives it its name, and that name.

    The broadcast goes behind it, or begins its block where that is a `with`.
    What is kept beside a supervisor that is an attribute is one, too: `made` and `asked` say of
    what, as their own places spell it (`self.`).
    """

    session: ast.Call
    supervisor: ast.Call
    place: ast.stmt
    name: str
    made: str = ""
    asked: str = ""


class Supervised(NamedTuple):
    """The sessions of supervisors, by the calls that make them, and those not followed."""

    found: dict[ast.Call, Managed]
    problems: tuple[Problem, ...]


@recorded
def supervised(facts: Facts) -> Supervised:
    """Every session that a supervisor makes."""
    found: dict[ast.Call, Managed] = {}
    problems: list[Problem] = []
    for session in facts.calls(*MANAGED):
        if facts.made_by(session) is Role.SESSION:
            one = _managed(facts, session)
            if isinstance(one, Managed):
                found[session] = one
            else:
                problems.append(one)
    return Supervised(found, tuple(problems))


def manager_of(facts: Facts, session: ast.expr | None) -> Managed | None:
    """How a supervisor makes a session; None where none does."""
    if session is None:
        return None
    made = facts.origins(session).nodes
    for one in supervised(facts).found.values():
        if one.session in made or _is_same(facts, session, one):
            return one
    return None


def _is_same(facts: Facts, session: ast.expr, managed: Managed) -> bool:
    """`self.sess` of `with sv.managed_session() as self.sess`, in the same function."""
    home = facts.function(session)
    is_attribute = isinstance(session, ast.Attribute) and home is facts.function(managed.session)
    return is_attribute and ast.unparse(session) == managed.name


def is_managed(facts: Facts, session: ast.expr | None) -> bool:
    """Whether a supervisor makes a session, followed or not."""
    made = () if session is None else facts.origins(session).nodes
    is_made = any(n in made for n in facts.calls(*MANAGED))
    return is_made or manager_of(facts, session) is not None


def reaches(facts: Facts, node: ast.AST, managed: Managed) -> bool:
    """Whether code sees what stands beside the supervisor under the name that the session uses."""
    home = facts.function(managed.session if managed.asked else managed.supervisor)
    return home is facts.function(node) or (home is None and not managed.asked)


def own_graph(facts: Facts, supervisor: ast.Call) -> ast.expr | None:
    """The graph that a supervisor is given under a name, which may not be the default one."""
    graph = argument(facts, supervisor, "graph")
    return graph if isinstance(graph, (ast.Name, ast.Attribute)) else None


def _managed(facts: Facts, session: ast.Call) -> Managed | Problem:
    receiver: ast.expr = session.func.value  # type: ignore[attr-defined]
    supervisor = facts.origins(receiver).only
    if not isinstance(supervisor, ast.Call) or facts.made_by(supervisor) is not Role.SUPERVISOR:
        return Problem(receiver, _MADE, _MAKE, cause_of(facts, receiver))
    if not is_first(facts, supervisor):
        return Problem(supervisor, _NESTED, _ALONE)
    place = _place(facts, session)
    if place is None:
        return Problem(session, _UNNAMED, _NAME)
    kept = _attribute(facts.statement(supervisor))
    is_kept = kept is not None and isinstance(receiver, ast.Attribute)
    found = Managed(session, supervisor, *place, _owner(kept), _owner(receiver) if is_kept else "")
    is_seen = is_kept or (kept is None and reaches(facts, session, found))
    return found if is_seen else Problem(receiver, _MADE, _MAKE)


def _place(facts: Facts, session: ast.Call) -> tuple[ast.stmt, str] | None:
    """The statement that gives the session a name, and the name."""
    statement = facts.statement(session)
    names: list[ast.expr | None] = []
    if isinstance(statement, ast.With):
        names = [i.optional_vars for i in statement.items if i.context_expr is session]
    elif isinstance(statement, ast.Assign) and statement.value is session:
        is_entered = getattr(session.func, "attr", "") == "managed_session"
        names = [] if is_entered else [statement.targets[0]]
    is_named = bool(names) and isinstance(names[0], (ast.Name, ast.Attribute))
    return (statement, ast.unparse(names[0])) if is_named and names[0] is not None else None


def _attribute(statement: ast.stmt) -> ast.expr | None:
    """`self.sv` of `self.sv = …`."""
    target = statement.targets[0] if isinstance(statement, ast.Assign) else None
    return target if isinstance(target, ast.Attribute) else None


def _owner(kept: ast.expr | None) -> str:
    """`self.` of `self.sv`."""
    return f"{ast.unparse(kept.value)}." if isinstance(kept, ast.Attribute) else ""
