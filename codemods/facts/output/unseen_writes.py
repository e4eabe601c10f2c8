"""Whether code of the program, which every worker runs, may write where nobody sees it.

What is seen is written by rank 0 alone (D203, D204); a note is for the rest.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from ...library.words import words
from ...program.node_fields import within
from ..facts import Facts
from ..names import KERAS
from ..roles import Role
from ..scopes import FunctionNode
from ..training.call_graph import CallGraph
from .effects import Effects
from .outputs import is_output
from .writing_methods import role

# Libraries that write by functions only that D203 and D204 know.
_KNOWN = tuple(
    f"{name}."
    for name in words("tensorflow builtins numpy horovod matplotlib time os sklearn math datetime")
)
_METHODS = words(
    "add append apply_gradients as_default assign assign_add assign_sub clear "
    "evaluate extend insert pop predict predict_on_batch read remove reset_state reset_states "
    "set_weights setdefault sort update update_state"
)


def class_writes_unseen(facts: Facts, cls: ast.ClassDef) -> bool:
    """Whether a callback may; what a base out of sight does is not known."""
    for ancestor in facts.classes.ancestors(cls):
        local = [facts.classes.local(base) for base in ancestor.bases]
        names = [facts.name(base) or "" for base in ancestor.bases]
        if any(own is None and not name.startswith(KERAS) for own, name in zip(local, names)):
            return True
    functions = [n for a in facts.classes.ancestors(cls) for n in a.body]
    return any(writes_unseen(facts, n) for n in functions if isinstance(n, FunctionNode))


def writes_unseen(facts: Facts, code: ast.AST) -> bool:
    """Whether a function, or a lambda, may; with the functions that it calls."""
    return not all(_is_seen(facts, call) for call in _calls(facts, code))


def _calls(facts: Facts, code: ast.AST) -> Iterator[ast.Call]:
    graph = facts.record(CallGraph)
    calls = (n for n in within(code) if isinstance(n, ast.Call) and not _is_inherited(n))
    inner = (function for call in calls for function in graph.called(call))
    reached = {code, *(f for start in inner for f in graph.running(start))}
    for each in reached:
        yield from (node for node in within(each) if isinstance(node, ast.Call))


def _is_seen(facts: Facts, call: ast.Call) -> bool:
    name = facts.name(call.func)
    if facts.callee(call) is not None or is_output(facts, call):
        return True
    if name is not None and name.startswith(_KNOWN):
        return True
    if facts.record(Effects).skippable(call) or _is_inherited(call):
        return True
    if isinstance(call.func, ast.Attribute):
        return call.func.attr in _METHODS or role(facts, call.func.value) is Role.MODEL
    return role(facts, call.func) is Role.MODEL


def _is_inherited(call: ast.Call) -> bool:
    """`super().on_epoch_end(…)`."""
    made = call.func.value if isinstance(call.func, ast.Attribute) else None
    name = made.func if isinstance(made, ast.Call) else None
    return isinstance(name, ast.Name) and name.id == "super"
