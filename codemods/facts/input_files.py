"""Files that a program only reads, such as its configuration: they are the same on all workers.

Like the program itself and its data, an input is there before the run. What a run writes is not: it
is on the machine of the worker that has written it, and only once it has done so.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import Callable

from ..judge.own import Level
from ..library.agreement import OPENED, gives
from ..library.names import normal
from .by_rank import EXITS
from .facts import Facts, recorded
from .own_values import is_seen_alike, own
from .walks import reached

_TEXTS = ("write_text", "write_bytes")
_MISSING = frozenset(
    f"builtins.{name}"
    for name in ("Exception", "BaseException", "OSError", "IOError", "FileNotFoundError")
)


def is_shared(facts: Facts, expr: ast.expr) -> bool:
    """Whether every worker computes the same value, as far as the module says."""
    return is_seen_alike(facts, expr) or is_of_inputs(facts, expr)


def is_of_inputs(facts: Facts, expr: ast.expr) -> bool:
    """Whether files say it that are there before the run, and nothing makes it a worker's own."""
    return own(facts, expr).level is Level.READ and is_input(facts, expr)


def is_input(facts: Facts, expr: ast.AST) -> bool:
    """Whether all files that are read for a value are there before the run."""
    return not _made_from_new(facts)(expr)


def new_files(facts: Facts) -> Iterator[ast.AST]:
    """What opens files that are not there before the run, or that it writes itself."""
    return (n for n in facts.index.calls if opens(facts, n) and not _is_there(facts, n))


@recorded
def _made_from_new(facts: Facts) -> Callable[[ast.AST], bool]:
    return facts.program.sought(lambda n: opens(facts, n) and not _is_there(facts, n))


def opens(facts: Facts, node: ast.AST) -> bool:
    """Whether it is a call that opens a file."""
    name = facts.name(node.func) if isinstance(node, ast.Call) else None
    return name is not None and gives(normal(name)) == OPENED


def _is_there(facts: Facts, opened: ast.AST) -> bool:
    """Whether the path is spelled out or an option, and nothing is written there."""
    if not isinstance(opened, ast.Call) or _is_to_write(facts, opened):
        return False
    path = _path(facts, opened)
    if path is None or _may_be_missing(facts, opened):
        return False
    if not is_seen_alike(facts, path):
        return False
    read = _spelling(facts, path)
    return not any(_may_be(facts, read, written) for written in _written(facts))


def _may_be_missing(facts: Facts, opened: ast.AST) -> bool:
    """Whether the program asks first, or goes on without: `if os.path.exists(path):`."""
    ways = reached([opened], lambda node: _callers(facts, node))
    parents = (parent for each in ways for parent in facts.parents(each))
    around = [p for p in parents if isinstance(p, (ast.If, ast.IfExp, ast.Try))]
    tests = (p.test for p in around if not isinstance(p, ast.Try))
    handlers = (h for p in around if isinstance(p, ast.Try) for h in p.handlers)
    caught = (h.type for h in handlers if not _ends(facts, h.body[-1]))
    names = [facts.name(e) if e else None for t in caught for e in getattr(t, "elts", [t])]
    is_caught = any(name is None or name in _MISSING for name in names)
    return is_caught or not all(is_seen_alike(facts, test) for test in tests)


def _ends(facts: Facts, statement: ast.stmt) -> bool:
    """Whether the program is at its end there, so that it doesn't go on without the file."""
    call = statement.value if isinstance(statement, ast.Expr) else None
    is_exit = isinstance(call, ast.Call) and facts.name(call.func) in EXITS
    return is_exit or isinstance(statement, ast.Raise)


def _callers(facts: Facts, node: ast.AST) -> list[ast.Call]:
    function = facts.function(node)
    return [] if function is None else facts.call_sites(function)


def _path(facts: Facts, opened: ast.Call) -> ast.expr | None:
    return facts.argument(opened, "file", 0) or facts.argument(opened, "name", 0)


@recorded
def _written(facts: Facts) -> tuple[ast.expr, ...]:
    """The paths of text files that the program writes or copies to."""
    return tuple(_paths_written(facts))


def _paths_written(facts: Facts) -> Iterator[ast.expr]:
    for call in facts.index.calls:
        on = call.func if isinstance(call.func, ast.Attribute) else None
        is_opened = on is not None and on.attr == "open" and _is_to_write(facts, call)
        if opens(facts, call):
            path = _path(facts, call) if _is_to_write(facts, call) else None
        elif on is not None and (on.attr in _TEXTS or is_opened):
            path = on.value
        else:
            is_moved = (facts.name(call.func) or "").startswith(("shutil.", "os.re"))
            path = facts.argument(call, "dst", 1) if is_moved else None
        if path is not None:
            yield path


def _is_to_write(facts: Facts, opened: ast.Call) -> bool:
    """Whether the mode, where it is written out, says so."""
    mode = facts.argument(opened, "mode", int(opens(facts, opened)))
    text = mode.value if isinstance(mode, ast.Constant) else None
    return isinstance(text, str) and bool(set(text) & set("wax+"))


def _may_be(facts: Facts, read: frozenset[str], written: ast.expr) -> bool:
    """Whether the file may be the one that is read; of several, each may be."""
    made = facts.origins(written)
    spelling = _spelling(facts, written)
    is_one = made.complete and len(made.nodes) == 1
    return read == spelling if is_one else read <= spelling


def _spelling(facts: Facts, path: ast.expr) -> frozenset[str]:
    """The texts that a path is made of, and the names of its options."""
    parts = facts.program.ingredients(path, lambda node: opens(facts, node))
    return frozenset(text for part in parts for text in _texts(part))


def _texts(node: ast.AST) -> Iterator[str]:
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        yield node.value
    elif isinstance(node, ast.Attribute):
        yield f".{node.attr}"
