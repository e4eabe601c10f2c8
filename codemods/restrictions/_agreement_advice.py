"""Advice for a decision that workers make differently: the code that makes them agree."""

from __future__ import annotations

import ast

from ..facts import Facts
from ..facts.agreement.averages import (
    decided_before,
    number_of_its_own,
    occurrences,
    value_of_its_own,
)
from ..facts.agreement.read_values import new_name, read_value
from ..facts.input_files import is_shared
from ..facts.sessions.supervisor_sessions import supervised
from ..facts.training.pattern import Pattern, training_of
from ..facts.training.session_runs import asked_alone, fetched_along, training_runs
from ..program.node_fields import within

IMPORT = "`import horovod.tensorflow as hvd` at the top, and "
AVERAGE = "average it first: {}`{} = float(hvd.allreduce({}.constant({})))` before {}"
TELL = "let worker 0 tell it first: {}`{} = hvd.broadcast_object({}{})` before {}"
INSTEAD = ", and write `{}` for `{}` in {}"
ALONE = "ask for the step in a run of its own, behind the one that takes it: `{}` in the next line"
EARLIER = "let the workers agree in line {} first: `{}` depends on it"


def agreed(facts: Facts, test: ast.expr, otherwise: str) -> str:
    """Code for the number that decides, here or in a line before; else plain words."""
    for name in within(test):
        if isinstance(name, ast.Name) and fetched_along(facts, name):
            alone = asked_alone(facts, name)
            code = alone and "{} = {}.run({})".format(name.id, *map(ast.unparse, alone))
            return ALONE.format(code) if code else otherwise
    return _made_alike(facts, test, otherwise)


def _made_alike(facts: Facts, test: ast.expr, otherwise: str) -> str:
    is_session = training_of(facts).pattern is Pattern.SESSION
    if not is_session and training_of(facts).pattern is not Pattern.GRADIENT_TAPE:
        return otherwise
    if is_session and (_session_at(facts, test) is None or supervised(facts).found):
        return otherwise  # the graph of a supervisor is finished: nothing can be told there
    code = averaged(facts, test, "this line")
    if code:
        return code
    read = None if is_session else read_value(facts, test)
    if read is not None:
        return _told(facts, *read)
    for name in within(test):
        if not isinstance(name, ast.Name) or is_shared(facts, name):
            continue
        earlier = decided_before(facts, name)
        if earlier is not None and earlier is not test:
            line = facts.place(earlier)[0]
            code = averaged(facts, earlier, f"line {line}")
            return f"{code}: `{name.id}` depends on it" if code else EARLIER.format(line, name.id)
    return otherwise


def _told(facts: Facts, value: ast.expr, loop: ast.stmt) -> str:
    """The line before a loop that gives all workers what stands in rank 0's file."""
    imported = "" if facts.has_horovod else IMPORT
    name, text, line = new_name(facts, value), ast.unparse(value), facts.place(value)[0]
    where = f"line {facts.place(loop)[0]}"
    begin = TELL.format(imported, name, text, ", root_rank=0", where)
    return begin + INSTEAD.format(name, text, f"line {line}")


def averaged(facts: Facts, test: ast.expr, where: str) -> str:
    """The line that averages the number by which an `if` decides; empty where none will do."""
    number = number_of_its_own(facts, test)
    if number is not None:
        return _line(facts, test, number.id, number.id, where)
    value = value_of_its_own(facts, test)
    if value is None:
        return ""
    found = sorted({node.lineno for node in occurrences(facts, value)})
    text, lines = ast.unparse(value), [str(line) for line in found]
    name = new_average(facts, value)
    places = f"lines {', '.join(lines[:-1])} and {lines[-1]}" if lines[1:] else f"line {lines[0]}"
    line = _line(facts, test, name, text, where)
    return line + INSTEAD.format(name, text, places)


def new_average(facts: Facts, value: ast.Call) -> str:
    """A name for the average of a value."""
    held = [n.attr for n in within(value.func) if isinstance(n, ast.Attribute)][1:]
    base = held[0] if held else next(n.id for n in within(value.func) if isinstance(n, ast.Name))
    is_session = training_of(facts).pattern is Pattern.SESSION
    name = "told" if is_session else f"average_{base}"
    return name if name not in facts.index.names else f"{base}_of_all"


def _line(facts: Facts, test: ast.expr, name: str, text: str, where: str) -> str:
    """What gives a name the same number on all workers: in a graph, an average needs a session."""
    imported = "" if facts.has_horovod else IMPORT
    if training_of(facts).pattern is Pattern.SESSION:
        return TELL.format(imported, name, text, _session_at(facts, test) or "", where)
    tensorflow = facts.names.name_of("tensorflow") or "tf"
    return AVERAGE.format(imported, name, tensorflow, text, where)


def _session_at(facts: Facts, test: ast.expr) -> str | None:
    """The argument that names the session whose steps a decision ends; None: none is known there.

    Nothing where the steps run in the default session.
    """
    here = facts.function(test)
    runs = [r for r in training_runs(facts).values() if facts.function(r.call) is here]
    names = {"" if r.session is None else f", session={ast.unparse(r.session)}" for r in runs}
    return names.pop() if len(names) == 1 else None
