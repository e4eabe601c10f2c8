"""Which folder is a worker's own, which must not be there yet, and which is made to be filled."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import Callable

from ...library import file_effects
from ...library import file_effects as table
from ...library.callbacks import CHECKPOINT
from ...library.downloads import BUILDS, UNPACKS, download
from ...library.file_effects import TEMPORARY
from ...library.words import words
from ...program.node_fields import within
from ..by_rank import depends_on_rank
from ..facts import Facts
from ..training.call_graph import CallGraph, call_graph
from .evaluation import is_elif_chain
from .file_paths import is_path

# -- folders -------------------------------------------------------------------------------------
# Folders and paths: which folder is a worker's own, and which must not be there yet.

_CHECKPOINT = CHECKPOINT.rpartition(".")[2]
_SAVING = ("save", "dump", "export", "open", "to_", _CHECKPOINT, "TFRecordWriter")
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


# -- filled folders ------------------------------------------------------------------------------
# Folders that are made and filled where a test has not found them: for rank 0 alone.
#
# A worker that made the folder first would let rank 0 find it, and write nothing into it.

Writes = Callable[[ast.Call], bool]


def makes_folder(facts: Facts, call: ast.Call) -> bool:
    """Whether a call makes a folder."""
    name, func = facts.name(call.func), call.func
    if name is not None:
        return file_effects.makes_folder(name)
    return isinstance(func, ast.Attribute) and func.attr == "mkdir" and is_path(facts, func.value)


def filled(facts: Facts, writes: Writes) -> frozenset[ast.Call]:
    """The calls that make a folder only where a test has not found it, as what fills it."""
    made = {c for c in facts.index.calls if makes_folder(facts, c) and not _is_own(facts, c)}
    if not made:
        return frozenset()
    graph = call_graph(facts)
    found: set[ast.Call] = set()
    for block in _unless_there(facts):
        calls = _calls(block)
        run = [*calls, *_calls(home for call in calls for home in _running(graph, call))]
        if any(map(writes, run)) and not any(_downloads(facts, call) for call in run):
            found.update(calls)
    return frozenset(made & _with_helpers(facts, found))


def _is_own(facts: Facts, call: ast.Call) -> bool:
    """Whether every worker has such a folder of its own."""
    given = [*call.args, call.func]
    return any(depends_on_rank(facts, path) or is_temporary(facts, path) for path in given)


def _unless_there(facts: Facts) -> Iterator[list[ast.stmt]]:
    """What is only run where a test has not found a file or a folder."""
    for node in within(facts.module):
        if not isinstance(node, ast.If):
            continue
        tested = list(facts.program.ingredients(node.test))
        if not any(asks_for_existence(facts, each) for each in tested):
            continue
        if any(map(_negates, tested)):
            yield node.body
        else:
            yield node.orelse
            if isinstance(node.body[-1], (ast.Return, ast.Continue)):
                block, number = facts.block(node)
                yield block[number + 1 :]


def _negates(node: ast.AST) -> bool:
    """`not found`, `found is False`."""
    if isinstance(node, ast.Compare):
        return any(isinstance(c, ast.Constant) and c.value is False for c in node.comparators)
    return isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not)


def _calls(nodes: Iterator[ast.AST] | list[ast.stmt]) -> list[ast.Call]:
    return [node for each in nodes for node in within(each) if isinstance(node, ast.Call)]


def _running(graph: CallGraph, call: ast.Call) -> Iterator[ast.AST]:
    for function in graph.called(call):
        yield from graph.running(function)


def _downloads(facts: Facts, call: ast.Call) -> bool:
    """Whether the workers take turns there (D207), so that each finds what is missing."""
    name = facts.name(call.func)
    if name is None:
        return isinstance(call.func, ast.Attribute) and call.func.attr in (BUILDS, UNPACKS)
    return download(name) is not None


def _with_helpers(facts: Facts, found: set[ast.Call]) -> set[ast.Call]:
    """With the calls in functions that are called from nowhere else."""
    rest = list(found)
    while rest:
        home = facts.callee(rest.pop())
        sites = [] if home is None else facts.call_sites(home)
        if home is None or not found.issuperset(sites) or facts.escapes(home):
            continue
        inner = [call for call in _calls([*_body(home)]) if call not in found]
        found.update(inner)
        rest.extend(inner)
    return found


def _body(home: ast.AST) -> list[ast.stmt]:
    body = getattr(home, "body", [])
    return body if isinstance(body, list) else []
