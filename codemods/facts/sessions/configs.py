"""Which configuration every session gets: one that the program makes, or none.

Horovod's guide for TensorFlow 1 gives each process one GPU by `ConfigProto.gpu_options`.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from ...library.names import in_v1
from ...program.records import NamedTuple
from ..causes import cause_of
from ..facts import Facts, recorded
from ..gradients.naming import SIMPLE, bound_to
from ..problems import Problem
from ..roles import Role

_CONFIG = in_v1("ConfigProto")
_ARGUMENT = "config", 2  # Session(target="", graph=None, config=None)
_GROWTH = "allow_growth"
_VISIBLE = "visible_device_list"
_UNKNOWN = "unknown: where the configuration of this session is made"
_MAKE = "make it in this file, under a name of its own: `config = tf.ConfigProto()`"
_HIDDEN = "its configuration may be hidden in * or **"
_PASS = "pass config= by name"
_NESTED = "no statement can be put before this session for its configuration"
_ALONE = "make the session in a statement of its own"
_CLUSTER = "this session runs on a cluster of its own"
_LOCAL = "leave the target out: Horovod's workers are processes of their own"
_PINNED = "this makes one GPU visible to every worker of a machine"
_DROP = "leave it out: each worker is given the GPU of its own number"


class SessionConfig(NamedTuple):
    """A session without a configuration, or with one: made here under a name, or in the call."""

    session: ast.Call
    made: ast.Call | None = None
    name: str | None = None
    grows: bool = False  # whether the program lets it take memory bit by bit


class Configs(NamedTuple):
    """The configurations to write or amend, and the sessions of which that can't be done."""

    found: tuple[SessionConfig, ...]
    problems: tuple[Problem, ...]


@recorded
def configs(facts: Facts) -> Configs:
    """What every session of the module is configured with."""
    found: list[SessionConfig] = []
    problems: list[Problem] = []
    for session in facts.creations(Role.SESSION):
        one = _config(facts, session)
        (problems if isinstance(one, Problem) else found).append(one)  # type: ignore[arg-type]
    return Configs(tuple(found), (*problems, *_pinned(facts)))


def _config(facts: Facts, session: ast.Call) -> SessionConfig | Problem:
    target = facts.argument(session, "target", 0)
    if target is not None and not (isinstance(target, ast.Constant) and not target.value):
        return Problem(session, _CLUSTER, _LOCAL)
    given = facts.argument(session, *_ARGUMENT)
    if given is None and facts.has_hidden_arguments(session):
        return Problem(session, _HIDDEN, _PASS)
    if given is None or isinstance(given, ast.Call):
        if not is_first(facts, session):
            return Problem(session, _NESTED, _ALONE)
    if given is None or (isinstance(given, ast.Constant) and given.value is None):
        return SessionConfig(session)
    made = facts.origins(given).only
    if not isinstance(made, ast.Call) or facts.name(made.func) not in _CONFIG:
        return Problem(given, _UNKNOWN, _MAKE, cause_of(facts, given))
    name = bound_to(facts, made)
    if name is None and made is not given:
        return Problem(given, _UNKNOWN, _MAKE, cause_of(facts, given))
    return SessionConfig(session, made, name, _grows(facts, name))


def is_first(facts: Facts, session: ast.Call) -> bool:
    """Whether a statement before that of the session runs right before it is made."""
    statement = facts.statement(session)
    if isinstance(statement, ast.With):
        items = [item.context_expr for item in statement.items]
        return session in items
    return isinstance(statement, SIMPLE) and not any(
        isinstance(node, (ast.Lambda, ast.IfExp, ast.BoolOp)) for node in facts.parents(session)
    )


def _grows(facts: Facts, name: str | None) -> bool:
    stores = facts.index.attribute_stores.get(_GROWTH, ())
    return any(ast.unparse(target).partition(".")[0] == name for target, _ in stores)


def _pinned(facts: Facts) -> Iterator[Problem]:
    for target, _ in facts.index.attribute_stores.get(_VISIBLE, ()):
        yield Problem(target, _PINNED, _DROP)
