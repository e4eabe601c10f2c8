"""Tapes that are asked while they record, and what their `with` holds besides."""

from __future__ import annotations

import ast

from ..facts import Facts
from ..flow import GRADIENT
from ..problems import Problem
from ..roles import Role
from .tape_blocks import With


def fleeting(facts: Facts, receiver: ast.expr) -> list[ast.Call]:
    """What makes the tapes that record where they are asked, and would stop by that."""
    made = set(facts.origins(receiver).nodes)
    found = {
        creation: None
        for block in facts.parents(receiver)
        if isinstance(block, (ast.With, ast.AsyncWith))
        for item in block.items
        for creation in facts.origins(item.context_expr).nodes
        if creation in made and isinstance(creation, ast.Call)
    }
    return [creation for creation in found if not _is_made_persistent(facts, creation)]


def is_persistent(facts: Facts, receiver: ast.expr) -> bool:
    """Whether it may be a tape that can be asked more than once."""
    made = facts.origins(receiver).nodes
    return any(isinstance(node, ast.Call) and _is_made_persistent(facts, node) for node in made)


def _is_made_persistent(facts: Facts, creation: ast.Call) -> bool:
    value = facts.argument(creation, "persistent", 0)
    return value is not None and not (isinstance(value, ast.Constant) and not value.value)


def takes_persistent(facts: Facts, creation: ast.Call) -> bool:
    """Whether it is TensorFlow's own tape, of which it can be seen what it is given."""
    is_seen = not any(isinstance(each, ast.Starred) for each in creation.args)
    is_named = all(keyword.arg is not None for keyword in creation.keywords)
    return facts.name(creation.func) == "tensorflow.GradientTape" and is_seen and is_named


def may_be_left(facts: Facts, block: With) -> bool:
    """Whether statements may leave the block: what else it holds (a file, a device) must stay."""
    return all(facts.role(item.context_expr) is Role.TAPE for item in block.items)


def last_tapes(facts: Facts, block: With) -> int:
    """How many items at the end of a `with`, behind others, are tapes; 0 if others follow one.

    They may get a `with` of their own inside, where all stand on a line without parentheses.
    """
    are_tapes = [facts.role(item.context_expr) is Role.TAPE for item in block.items]
    count = sum(are_tapes)
    is_last = count < len(are_tapes) and all(are_tapes[-count:])
    first, last = block.items[0].context_expr, block.items[-1].optional_vars
    lines = {block.lineno, getattr(last, "end_lineno", 0)}
    text = facts.source.text[slice(*facts.source.offsets(block))]
    is_plain = isinstance(block, ast.With) and first.lineno == block.lineno and len(lines) == 1
    return count if is_last and is_plain and not text[4:].lstrip().startswith("(") else 0


def is_recorded_by_another(block: With, leaving: list[ast.stmt]) -> bool:
    """Whether another tape of the block differentiates what these statements compute."""
    if len(block.items) == 1:
        return False
    nodes = [node for statement in leaving for node in ast.walk(statement)]
    names = [node for node in nodes if isinstance(node, ast.Name)]
    bound = {name.id for name in names if isinstance(name.ctx, ast.Store)}
    targets = [target for call in nodes if isinstance(call, ast.Call) for target in _targets(call)]
    return any(
        isinstance(name, ast.Name) and name.id in bound
        for target in targets
        for name in ast.walk(target)
    )


def _targets(call: ast.Call) -> list[ast.expr]:
    """What a call asks for the gradients of; nothing if it asks for none."""
    if not isinstance(call.func, ast.Attribute) or call.func.attr not in (*GRADIENT, "minimize"):
        return []
    return [*call.args[:1], *(k.value for k in call.keywords if k.arg in ("target", "loss"))]


def is_one_a_line(block: With) -> bool:
    """Whether every statement of the block begins a line."""
    lines = [block.lineno, *(statement.lineno for statement in block.body)]
    return len(set(lines)) == len(lines)


def still_records(receiver: ast.expr) -> Problem:
    """Why a tape can't be asked at this place."""
    why = "Horovod's tape can't compute gradients while the tape still records"
    return Problem(receiver, why, "move tape.gradient(…) below the with block")
