"""Makes findings of a restriction from the node that violates it."""

from __future__ import annotations

import ast
from collections.abc import Collection

from ..facts import Facts, Role
from ..facts.causes import Cause, Problem, cause_of, spelled
from ..library.agreement import GENERATOR, gives
from ..library.draws import draw as row_of
from ..model import BLOCKED, NOTE, WARNING, Finding

Place = ast.AST
ANY: Collection[Role] = ()
# What a note is about: what a result costs; what a person has to look at, though it trains right;
# or a doubt, by the name of the obligation that decides it of the result: no doubt stands beside
# what is written.
COST, LOOK = "cost", "look"
SIZE, UPDATE, WRITERS = "size", "update", "writers"
LOOPS = (ast.For, ast.AsyncFor, ast.While)


def finding(facts: Facts, node: Place, code: str, message: str, fix: str) -> Finding:
    """A finding that blocks the file, at `node`."""
    line, column = _position(facts, node)
    return Finding(line, column, code, message, fix, BLOCKED)


def note(
    facts: Facts, node: Place, code: str, message: str, fix: str = "", *, kind: str
) -> Finding:
    """A remark at `node` that blocks nothing, of one of the kinds above."""
    found = finding(facts, node, code, message, fix)
    return found._replace(severity=NOTE, kind=kind)


def warning(facts: Facts, node: Place, code: str, message: str, fix: str) -> Finding:
    """What is wrong at `node`, though the file can be completed around it."""
    return finding(facts, node, code, message, fix)._replace(severity=WARNING)


def traced(
    facts: Facts, found: Finding, node: Place, value: Place | None, wanted: Collection[Role] = ANY
) -> Finding:
    """The finding at what keeps a value from being known; `node` is what needs the value.

    `wanted`: the roles of which no value is to blame.
    """
    return moved(facts, found, node, None if value is None else cause_of(facts, value, wanted))


def moved(facts: Facts, found: Finding, node: Place, cause: Cause | None) -> Finding:
    """The finding at its cause; the line where it matters is told where that is another one."""
    if cause is None:
        return found
    line, column = _position(facts, cause.place)
    message = f"{found.message}, because {cause.why}" if cause.why else found.message
    if line != found.line:
        message += f"; it reaches {_named(facts, node)} in line {found.line}"
    found = found._replace(line=line, column=column, reaches=found.line, cause=cause.why)
    return found._replace(message=message, fix=cause.fix or found.fix)


def stopped(facts: Facts, code: str, problem: Problem) -> Finding:
    """What the facts say can't be done, as a finding that blocks the file."""
    found = finding(facts, problem.node, code, problem.why, problem.fix)
    return moved(facts, found, problem.node, problem.cause)


def drawn_at(facts: Facts, found: Finding, node: Place, draw: Place) -> Finding:
    """The finding at the draw that nobody seeds, with the line that seeds it for a fix."""
    called = draw.func if isinstance(draw, ast.Call) else draw
    cause = Cause(draw, f"nobody seeds `{spelled(called)}`")
    row = None if facts.name(called) is None else row_of(facts.name(called) or "")
    fix = f"seed it for all workers alike: `{_seed(facts, called)}`"
    found = found._replace(fix=row.fix if row is not None and row.seeds else fix)
    return moved(facts, found, node, cause)


def _seed(facts: Facts, called: Place) -> str:
    """`np.random.seed(0)` before the draw, or what makes the generator that draws."""
    name, module = facts.name(called), getattr(called, "value", None)
    if name is None:
        return f"{spelled(module)} = numpy.random.default_rng(0)" if module else "seed=0"
    if gives(name) == GENERATOR:
        return f"{spelled(called)}(0)"
    parent = spelled(module) if module is not None else name.rpartition(".")[0]
    return f"{parent}.{'set_seed' if name.startswith('tensorflow.') else 'seed'}(0)"


def _position(facts: Facts, node: Place) -> tuple[int, int]:
    """Where a node begins; a method of a chain over several lines has a line of its own."""
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
        span = facts.source.span(node.func)
        if span.line != span.end_line:
            return span.end_line, span.end_column - len(node.func.attr)
    return facts.place(node)


def _named(facts: Facts, node: Place) -> str:
    """A loop, the method of a call or of that which takes it, else what stands there."""
    while isinstance(facts.parent(node), (ast.keyword, ast.Call)):
        node = facts.index.parents[node]
    if isinstance(node, LOOPS):
        return "the loop"
    called = node.func if isinstance(node, ast.Call) else node
    return f"`{called.attr if isinstance(called, ast.Attribute) else spelled(called)}`"
