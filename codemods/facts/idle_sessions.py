"""Sessions of eager programs that run nothing: they are made to let a GPU's memory grow.

`session = tf.compat.v1.InteractiveSession(config=config)`, once TensorFlow's own advice.
https://github.com/tensorflow/tensorflow/issues/24828.
"""

from __future__ import annotations

import ast

from ..library.names import in_v1
from ..library.sessions import PLAIN_MAKERS
from ..library.tensorflow_names import CONFIG
from .facts import Facts, recorded

_MAKERS = frozenset(name for name in in_v1(*PLAIN_MAKERS) if ".v1." in name)
_CONFIGS = in_v1(CONFIG, "GPUOptions")
_GRAPHS = in_v1("disable_eager_execution", "disable_v2_behavior")
_RUNS = frozenset({"run", "eval", "make_callable", "partial_run"})
_HARMLESS = frozenset(
    {"allow_growth", "allow_soft_placement", "gpu_options", "log_device_placement"}
)
_KEPT = "backend.set_session"


@recorded
def idle_sessions(facts: Facts) -> frozenset[ast.Call]:
    """The calls that make them; none where a graph may be built, which something runs."""
    made = [call for call in facts.index.calls if facts.name(call.func) in _MAKERS]
    if not made or any(facts.name(call.func) in _GRAPHS for call in facts.index.calls):
        return frozenset()
    if any(is_graph_run(facts, call) for call in facts.calls(*_RUNS)):
        return frozenset()
    return frozenset(call for call in made if _is_idle(facts, call))


def is_graph_run(facts: Facts, call: ast.Call) -> bool:
    """Whether a method of that name may run a graph: what other libraries call so doesn't."""
    return facts.name(call.func) is None and facts.callee(call) is None


def _is_idle(facts: Facts, session: ast.Call) -> bool:
    """Whether it is kept under a name that nothing reads, or for Keras, and grows at most."""
    statement = facts.statement(session)
    names = _bound(statement, session)
    loads = [load for name in names or () for load in facts.readers(name)]
    is_kept = names is not None and all(is_for_keras(facts, load) for load in loads)
    return (is_kept or is_for_keras(facts, session)) and _only_grows(facts, session)


def _bound(statement: ast.stmt, session: ast.Call) -> list[ast.Name] | None:
    """The names of the value; None where it goes elsewhere."""
    if isinstance(statement, ast.Expr):
        return [] if statement.value is session else None
    if not isinstance(statement, ast.Assign) or statement.value is not session:
        return None
    names = [target for target in statement.targets if isinstance(target, ast.Name)]
    return names if len(names) == len(statement.targets) else None


def is_for_keras(facts: Facts, value: ast.AST) -> bool:
    """`tf.compat.v1.keras.backend.set_session(session)`, as a statement."""
    call = facts.parent(value)
    is_given = isinstance(call, ast.Call) and call.args == [value]
    is_kept = is_given and (facts.name(call.func) or "").endswith(_KEPT)  # type: ignore[union-attr]
    return is_kept and isinstance(facts.parent(call), ast.Expr)  # type: ignore[arg-type]


def _only_grows(facts: Facts, session: ast.Call) -> bool:
    """Whether its configuration says nothing that Horovod's own lines don't."""
    if session.args or any(keyword.arg != "config" for keyword in session.keywords):
        return False
    return all(_is_harmless(facts, keyword.value) for keyword in session.keywords)


def _is_harmless(facts: Facts, config: ast.expr) -> bool:
    made = facts.origins(config).only
    if not isinstance(made, ast.Call) or facts.name(made.func) not in _CONFIGS or made.args:
        return False
    for keyword in made.keywords:
        is_options = keyword.arg == "gpu_options" and _is_harmless(facts, keyword.value)
        if keyword.arg not in _HARMLESS or not (keyword.arg != "gpu_options" or is_options):
            return False
    loads = facts.readers(config) if isinstance(config, ast.Name) else []
    return all(_is_setting(facts, load) for load in loads)


def _is_setting(facts: Facts, load: ast.AST) -> bool:
    """`config.gpu_options.allow_growth = True`, or where a call is given the configuration."""
    if isinstance(facts.parent(load), (ast.keyword, ast.Call)):
        return True
    path = setting(facts, load)
    return bool(path) and _HARMLESS.issuperset(path)


def setting(facts: Facts, load: ast.AST) -> list[str]:
    """The names behind a name that a statement assigns to; none where it doesn't."""
    path: list[str] = []
    node, parent = load, facts.parent(load)
    while isinstance(parent, ast.Attribute):
        path, node, parent = [*path, parent.attr], parent, facts.parent(parent)
    is_set = isinstance(parent, ast.Assign) and parent.targets == [node]
    return path if is_set else []


def is_config(facts: Facts, value: ast.AST | None) -> bool:
    """Whether a call makes a configuration of sessions, or a part of one."""
    return isinstance(value, ast.Call) and facts.name(value.func) in _CONFIGS
