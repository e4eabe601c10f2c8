"""Which configuration every session gets, and whether one can be made in front of it."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from ...library.estimators import RUN_CONFIGS
from ...library.estimators import position as position_of_estimator
from ...library.names import in_v1
from ...library.sessions import CREATORS, position, takes
from ...library.tensorflow_names import CONFIG
from ...program.node_fields import within
from ...program.records import NamedTuple
from ..causes import Problem, cause_of
from ..facts import Facts, recorded
from ..roles import Role
from ..value_parts import SIMPLE, bound_to

# -- lines in front of a session -----------------------------------------------------------------
# Whether lines can be put right before a session is made, which stand there for it alone.


def is_first(facts: Facts, session: ast.Call) -> bool:
    """Whether a statement before that of the session runs right before it alone is made."""
    statement = facts.statement(session)
    parts: list[ast.AST] = [statement] if isinstance(statement, SIMPLE) else []
    if isinstance(statement, ast.With):
        parts = [item.context_expr for item in statement.items]
    inside = [node for part in parts for node in within(part)]
    around = {session, *facts.parents(session)}
    others = (node for node in inside if node not in around and _makes_session(facts, node))
    return session in inside and not any(True for _ in others) and not _is_lazy(facts, session)


def _makes_session(facts: Facts, node: ast.AST) -> bool:
    return isinstance(node, ast.Call) and facts.made_by(node) is Role.SESSION


def _is_lazy(facts: Facts, session: ast.Call) -> bool:
    """Whether an expression around it may leave it out, or put it off."""
    lazy = (ast.Lambda, ast.IfExp, ast.BoolOp)
    return any(isinstance(node, lazy) for node in facts.parents(session))


# -- configs -------------------------------------------------------------------------------------
# Which configuration every session gets: one that the program makes, or none.
#
# Horovod's guide for TensorFlow 1 gives each process one GPU by `ConfigProto.gpu_options`.

_CONFIG = in_v1(CONFIG)
_GROWTH = "allow_growth"
_VISIBLE = "visible_device_list"
_UNKNOWN = "nobody can tell where the configuration of this session is made"
_MAKE = "make it in this file, under a name of its own: `config = tf.ConfigProto()`"
HIDDEN = "its configuration may be among what `*` or `**` hands on here"
PASS = "pass config= by name"
_NESTED = "no statement can be put before this session for its configuration"
_ALONE = "make the session in a statement of its own"
_CLUSTER = "this session runs on a cluster of its own"
_LOCAL = "leave the target out: Horovod's workers are processes of their own"
_OTHERS = "this session has a chief, and waits for it"
_ALL_CHIEFS = "leave `is_chief` out: Horovod's workers are all their own chiefs"
_MAKER = "nobody can tell what makes this session"
_BY_RUN = "`config=tf.estimator.RunConfig()`, in this file"
_BY_CHIEF = "`session_creator=tf.train.ChiefSessionCreator()`, in this file"
_PINNED = "this makes one GPU visible to every worker of a machine"
_DROP = "leave it out: each worker is given the GPU of its own number"


class SessionConfig(NamedTuple):
    """What takes a configuration, and which: none, one with a name, or one made in the call.

    `session` is a session, its creator, or an Estimator's configuration; or what lacks one of
    these, which is made by `through` then.
    """

    session: ast.Call
    argument: str = "config"
    position: int | None = None
    made: ast.Call | None = None
    name: str | None = None
    grows: bool = False  # whether the program lets it take memory bit by bit
    through: str = ""


class Configs(NamedTuple):
    """The configurations to write or amend, and the sessions of which that can't be done."""

    found: tuple[SessionConfig, ...]
    problems: tuple[Problem, ...]


@recorded
def configs(facts: Facts) -> Configs:
    """What every session of the module is configured with."""
    found: list[SessionConfig] = []
    problems: list[Problem] = []
    made = [_of_session(facts, session) for session in facts.creations(Role.SESSION)]
    for one in (*made, *(_of_estimator(facts, each) for each in facts.creations(Role.ESTIMATOR))):
        (problems if isinstance(one, Problem) else found).append(one)  # type: ignore[arg-type]
    return Configs(tuple(found), (*problems, *_pinned(facts)))


def _of_session(facts: Facts, session: ast.Call) -> SessionConfig | Problem:
    """What a session is configured with, perhaps by what creates it."""
    where = position(facts.kind(session) or "", "session_creator")
    if where is None:
        return _config(facts, session)
    found = SessionConfig(session, "session_creator", where, through="train.ChiefSessionCreator")
    return _through(facts, found, CREATORS, _BY_CHIEF)


def _of_estimator(facts: Facts, made: ast.Call) -> SessionConfig | Problem:
    """What the sessions of an Estimator are configured with, by its own configuration."""
    where = position_of_estimator(facts.kind(made) or "", "config")
    found = SessionConfig(made, "config", where, through="estimator.RunConfig")
    return _through(facts, found, RUN_CONFIGS, _BY_RUN)


def _through(
    facts: Facts, lacking: SessionConfig, makers: frozenset[str], fix: str
) -> SessionConfig | Problem:
    """What hands a configuration on: that of the program's own, else one that is lacking."""
    taker = lacking.session
    given = facts.argument(taker, lacking.argument, lacking.position)
    made = None if given is None else _maker(facts, given)
    if isinstance(made, ast.Call) and (facts.name(made.func) in makers or _replaces(facts, made)):
        return _config(facts, made, "session_config" if makers is RUN_CONFIGS else "config")
    if facts.has_hidden_arguments(taker):
        return Problem(taker, HIDDEN, PASS)
    if given is not None and not (isinstance(given, ast.Constant) and given.value is None):
        return Problem(given, _MAKER, fix, cause_of(facts, given))
    return lacking if is_first(facts, taker) else Problem(taker, _NESTED, _ALONE)


def _maker(facts: Facts, given: ast.expr) -> ast.AST | None:
    """What makes it; `RunConfig().replace(session_config=…)` is a copy with another one."""
    made = facts.origins(given).only
    while isinstance(made, ast.Call) and _is_replace(facts, made):
        if _replaces(facts, made):
            return made
        made = facts.origins(made.func.value).only  # type: ignore[attr-defined]
    return made


def _is_replace(facts: Facts, call: ast.Call) -> bool:
    is_method = isinstance(call.func, ast.Attribute) and call.func.attr == "replace"
    others = {"model_dir", None}.isdisjoint(keyword.arg for keyword in call.keywords)
    return is_method and others and facts.name(call.func) is None


def _replaces(facts: Facts, call: ast.Call) -> bool:
    """Whether a copy of a `RunConfig` gets a configuration of its own."""
    if not _is_replace(facts, call) or facts.argument(call, "session_config") is None:
        return False
    made = facts.origins(call.func.value).only  # type: ignore[attr-defined]
    return isinstance(made, ast.Call) and facts.name(made.func) in RUN_CONFIGS


def argument(facts: Facts, session: ast.Call, name: str) -> ast.expr | None:
    """What a session, or its creator, is given by that name or in its place."""
    return facts.argument(session, name, position(_kind(facts, session), name))


def _kind(facts: Facts, session: ast.Call) -> str:
    return facts.kind(session) or facts.name(session.func) or ""


def why_clustered(facts: Facts, session: ast.Call) -> Problem | None:
    """Why a session, or a supervisor, can't be one of a process of its own; None where it can."""
    for name in ("target", "master"):
        target = argument(facts, session, name) if takes(_kind(facts, session), name) else None
        if target is not None and not (isinstance(target, ast.Constant) and not target.value):
            return Problem(session, _CLUSTER, _LOCAL)
    chief = facts.argument(session, "is_chief", position(_kind(facts, session), "is_chief"))
    if chief is not None and not (isinstance(chief, ast.Constant) and chief.value is True):
        return Problem(chief, _OTHERS, _ALL_CHIEFS)
    return None


def _config(facts: Facts, session: ast.Call, name: str = "config") -> SessionConfig | Problem:
    elsewhere = why_clustered(facts, session)
    if elsewhere is not None:
        return elsewhere
    where = position(_kind(facts, session), name)
    given = facts.argument(session, name, where)
    if given is None and facts.has_hidden_arguments(session):
        return Problem(session, HIDDEN, PASS)
    if given is None or isinstance(given, ast.Call):
        if not is_first(facts, session):
            return Problem(session, _NESTED, _ALONE)
    if given is None or (isinstance(given, ast.Constant) and given.value is None):
        return SessionConfig(session, name, where)
    made = facts.origins(given).only
    if not isinstance(made, ast.Call) or facts.name(made.func) not in _CONFIG:
        return Problem(given, _UNKNOWN, _MAKE, cause_of(facts, given))
    bound = bound_to(facts, made)
    if bound is None and made is not given:
        return Problem(given, _UNKNOWN, _MAKE, cause_of(facts, given))
    return SessionConfig(session, name, where, made, bound, _grows(facts, bound))


def _grows(facts: Facts, name: str | None) -> bool:
    stores = facts.attribute_stores.get(_GROWTH, ())
    return any(ast.unparse(target).partition(".")[0] == name for target, _ in stores)


def _pinned(facts: Facts) -> Iterator[Problem]:
    for target, _ in facts.attribute_stores.get(_VISIBLE, ()):
        yield Problem(target, _PINNED, _DROP)
