"""Folders and paths: which folder is a worker's own, and which must not be there yet."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from ...library import files as table
from ...library.files import TEMPORARY
from ...library.words import words
from ...program.node_fields import within
from ..by_rank import depends_on_rank
from ..facts import Facts
from .nested_blocks import is_elif_chain

_SAVING = ("save", "dump", "export", "open", "to_", "ModelCheckpoint", "TFRecordWriter")
_THERE = ("exists", "isdir", "is_dir")  # what is true of a folder that is there
_PATH_NAMES = words("file filepath path filename fname file_prefix directory log_dir dir")


def is_private(facts: Facts, call: ast.Call) -> bool:
    """Whether it saves in a temporary folder, of which every worker makes one of its own."""
    func = call.func
    method = func.attr if isinstance(func, ast.Attribute) else (facts.name(func) or "")
    saves = method.rpartition(".")[2].startswith(_SAVING)
    if saves and any(depends_on_rank(facts, path) for path in _paths(call)):
        return True
    return (saves or any(k.arg == "file" for k in call.keywords)) and any(
        is_temporary(facts, argument)
        for argument in [*call.args, *(k.value for k in call.keywords)]
    )


def is_temporary(facts: Facts, path: ast.AST) -> bool:
    """Whether a path is made of a temporary one."""
    if next(facts.calls_of(*TEMPORARY), None) is None:  # in most programs nothing is
        return False
    made = (node for node in facts.program.ingredients(path) if isinstance(node, ast.Call))
    return any(facts.name(call.func) in TEMPORARY for call in made)


def is_staged(facts: Facts, copy: ast.Call) -> bool:
    """Whether files of all are copied to a folder of the worker's own, or by rank."""
    source, target = facts.argument(copy, "src", 0), facts.argument(copy, "dst", 1)
    if source is None or target is None:
        return False
    if depends_on_rank(facts, target):
        return True
    return is_temporary(facts, target) and not is_temporary(facts, source)


def _paths(call: ast.Call) -> Iterator[ast.expr]:
    """The arguments that may name a file, those of an `open` among them included."""
    calls = (argument for argument in call.args if isinstance(argument, ast.Call))
    opened = (inner for inner in calls if getattr(inner.func, "id", "") == "open")
    yield from (value for inner in opened for value in inner.args[:1])
    yield from call.args[:1]
    yield from (k.value for k in call.keywords if k.arg in _PATH_NAMES)


def is_exclusive(facts: Facts, call: ast.Call) -> bool:
    """Whether the new folder must not be there yet, which can be true for one worker only."""
    if facts.argument(call, "exist_ok", 2) is not None or is_checked_before(facts, call):
        return False
    around = (parent for parent in facts.parents(call) if isinstance(parent, ast.Try))
    return not any(parent.handlers for parent in around)


def is_checked_before(facts: Facts, call: ast.Call) -> bool:
    """Whether a folder is only made where a test around has not found it."""
    tests = (parent.test for parent in facts.parents(call) if isinstance(parent, ast.If))
    return any(asks_for_existence(facts, node) for test in tests for node in within(test))


def lone_test(facts: Facts, call: ast.Call) -> ast.If | None:
    """`if not os.path.exists(path):` around a call that makes the folder, and nothing else."""
    statement = facts.statement(call)
    choice = facts.parent(statement)
    if not isinstance(choice, ast.If) or choice.body != [statement] or choice.orelse:
        return None
    if not isinstance(statement, ast.Expr) or statement.value is not call:
        return None
    above = facts.parent(choice)
    if isinstance(above, ast.If) and is_elif_chain(above) and choice in above.orelse:
        return None
    test = choice.test
    asked = test.operand if isinstance(test, ast.UnaryOp) and isinstance(test.op, ast.Not) else None
    is_of_it = asked is not None and asks_for_existence(facts, asked)
    return choice if is_of_it and _is_of_same_path(facts, asked, call) else None  # type: ignore[arg-type]


def _is_of_same_path(facts: Facts, asked: ast.Call, made: ast.Call) -> bool:
    """Whether both calls get one path, which takes nothing but texts to compute."""
    if (getattr(asked.func, "attr", None) or asked.func.id) not in _THERE:  # type: ignore[attr-defined]
        return False
    paths = [_path_of(facts, call) for call in (asked, made)]
    if not all(paths) or ast.dump(paths[0]) != ast.dump(paths[1]):  # type: ignore[arg-type]
        return False
    calls = (node for node in within(paths[0]) if isinstance(node, ast.Call))  # type: ignore[arg-type]
    return all((facts.name(call.func) or "").startswith("os.path.") for call in calls)


def _path_of(facts: Facts, call: ast.Call) -> ast.expr | None:
    """What a call is asked for: its only argument, or what it is a method of."""
    if facts.name(call.func) is None:
        return call.func.value if isinstance(call.func, ast.Attribute) and not call.args else None
    return call.args[0] if len(call.args) == 1 and not call.keywords else None


def asks_for_existence(facts: Facts, node: ast.AST) -> bool:
    """Whether it is a call that asks for a file or a folder."""
    if not isinstance(node, ast.Call):
        return False
    name = facts.name(node.func)
    if name is not None and table.asks_for_existence(name, is_method=False):
        return True
    func = node.func
    return isinstance(func, ast.Attribute) and table.asks_for_existence(func.attr, is_method=True)
