"""Runs of a session that only read a variable, which may as well be left to one worker.

A monitored session runs its hooks with each, and they may do anything.
"""

from __future__ import annotations

import ast

from ...library.names import in_v1
from ...library.sessions import MANAGED, PLAIN_MAKERS
from ..facts import Facts
from ..training.session_runs import fed, session_runs

_PLAIN = in_v1(*PLAIN_MAKERS)
_STEP = in_v1("train.global_step")  # of a session: the number, by the variable
_VARIABLES = in_v1(
    "Variable",
    "get_variable",
    "train.get_global_step",
    "train.get_or_create_global_step",
    "train.create_global_step",
)


def reads_variable(facts: Facts, call: ast.Call) -> bool:
    """Whether a call gives the value of a variable, by a session that does nothing else."""
    if facts.name(call.func) in _STEP:
        return bool(call.args) and _is_plain(facts, call.args[0])
    run = next((run for run in session_runs(facts) if run.call is call), None)
    if run is None or run.session is None or fed(facts, run) is not None:
        return False
    return _is_plain(facts, run.session) and _is_variable(facts, run.fetches)


def _is_plain(facts: Facts, session: ast.expr) -> bool:
    made = facts.origins(session).nodes
    return bool(made) and all(isinstance(each, ast.Call) and _makes(facts, each) for each in made)


def _makes(facts: Facts, call: ast.Call) -> bool:
    is_managed = isinstance(call.func, ast.Attribute) and call.func.attr in MANAGED
    return is_managed or facts.name(call.func) in _PLAIN


def _is_variable(facts: Facts, fetched: ast.expr) -> bool:
    made = facts.origins(fetched).nodes
    calls = [each for each in made if isinstance(each, ast.Call)]
    return 0 < len(calls) == len(made) and all(facts.name(c.func) in _VARIABLES for c in calls)
