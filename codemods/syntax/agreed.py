"""Values of which a check at run time shows that all workers have the same, or it fails on all.

    assert len(set(map(repr, hvd.allgather_object(steps)))) == 1, "workers disagree about steps"

Behind that line the name counts as agreed, as far as what `repr` tells is all of the value: of an
array that is not so. It is read from the tree alone, and kept with the names that it covers.
"""

from __future__ import annotations

import ast
import builtins
from collections.abc import Iterable, Iterator

from ..program.node_fields import within

GATHER = "allgather_object"
LINE = (
    "assert len(set(map(repr, {hvd}.allgather_object({value})))) == 1, "
    '"workers disagree about {name}"'
)
_MARK = "is_agreed"
_WHOLE = frozenset({"tolist"})  # methods that give all of an array
# What takes one number, or raises.
_NUMBERS = frozenset({"range", "trange", "int", "float", "take", "skip", "repeat", "batch"})
_KEYWORDS = frozenset({"steps_per_epoch", "epochs", "batch_size", "validation_steps", "steps"})
# Modules whose functions give no arrays; what is read by them is text, numbers, lists of these.
_PLAIN = frozenset({"json", "yaml", "os", "glob", "pathlib", "math", "re", "csv"})
_BUILTINS = frozenset(dir(builtins)) - {"getattr", "next", "eval", "exec", "__import__"}
_SINGLE = frozenset({"int", "float", "bool", "len", "str", "repr"})  # they give one
_MADE = (ast.BinOp, ast.UnaryOp, ast.List, ast.Tuple, ast.Set, ast.Dict)
_INERT = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef, ast.Lambda)


def is_agreed(node: object) -> bool:
    """Whether such a line stands above a name, and nothing may change its value between."""
    return getattr(node, _MARK, False)


def mark(module: ast.Module) -> None:
    """Marks the names of a module that such lines cover."""
    names = set(_horovod(module))
    if not names:
        return
    shown = _Shown(module)
    for node in within(module):
        for field in ("body", "orelse", "finalbody"):
            block = getattr(node, field, None)
            if isinstance(block, list):
                _mark_in(block, names, shown)


def _horovod(module: ast.Module) -> Iterator[str]:
    """What Horovod, or its function, is called in a module."""
    for node in within(module):
        if isinstance(node, ast.Import):
            for each in node.names:
                if each.name.startswith("horovod.") and each.asname:
                    yield each.asname
        elif isinstance(node, ast.ImportFrom) and (node.module or "").startswith("horovod"):
            yield from (each.asname or each.name for each in node.names)


def _mark_in(block: list[ast.stmt], names: set[str], shown: _Shown) -> None:
    """Marks what stands behind such lines in one block."""
    for at, statement in enumerate(block):
        found = asserted(statement, names)
        if found is None:
            continue
        name, is_whole = found
        is_plain = is_whole or shown.is_plain(name)
        for later in block[at + 1 :]:
            if _binds(later, name):
                break
            for load, parent in _loads(later, name):
                if is_plain or _takes_number(load, parent):
                    setattr(load, _MARK, True)
            if _may_change(later, name):
                break


def asserted(statement: ast.stmt, names: Iterable[str]) -> tuple[str, bool] | None:
    """The name that such a line asks about, and whether it asks for all of an array."""
    test = statement.test if isinstance(statement, ast.Assert) else None
    if not isinstance(test, ast.Compare) or ast.unparse(test.comparators[0]) != "1":
        return None
    gathered = [
        node
        for node in within(test)
        if isinstance(node, ast.Call) and _called(node) == GATHER and len(node.args) == 1
    ]
    if len(gathered) != 1 or not isinstance(test.ops[0], ast.Eq):
        return None
    func, asked = gathered[0].func, gathered[0].args[0]
    root = func.value if isinstance(func, ast.Attribute) else func
    if not isinstance(root, ast.Name) or root.id not in names:
        return None
    shown = ast.unparse(test.left).replace(ast.unparse(gathered[0]), "*")
    is_whole = isinstance(asked, ast.Call) and _called(asked) in _WHOLE and not asked.args
    value: ast.AST = asked.func.value if is_whole else asked  # type: ignore[attr-defined]
    if shown != "len(set(map(repr, *)))" or not isinstance(value, ast.Name):
        return None
    return value.id, is_whole


def _called(call: ast.Call) -> str:
    found: str = getattr(call.func, "attr", getattr(call.func, "id", ""))
    return found


def _loads(statement: ast.stmt, name: str) -> Iterator[tuple[ast.Name, ast.AST]]:
    """The uses of a name in a statement, each with what holds it; none of functions made there."""
    waiting: list[ast.AST] = [statement]
    while waiting:
        node = waiting.pop()
        if isinstance(node, _INERT):
            continue
        for child in ast.iter_child_nodes(node):
            if isinstance(child, ast.Name) and child.id == name and isinstance(child.ctx, ast.Load):
                yield child, node
            waiting.append(child)


def _binds(statement: ast.stmt, name: str) -> bool:
    """Whether a statement may give the name another value."""
    return any(not {name, "*"}.isdisjoint(_bound(node)) for node in within(statement))


def _may_change(statement: ast.stmt, name: str) -> bool:
    """Whether what the name holds may be changed in place: a method, a part, code that gets it."""
    for load, parent in _loads(statement, name):
        if isinstance(parent, ast.Attribute):
            return True
        if isinstance(parent, ast.Subscript) and not isinstance(parent.ctx, ast.Load):
            return True
        if isinstance(parent, ast.Call) and not _keeps(parent) and not _takes_number(load, parent):
            return True
    return False


def _keeps(call: ast.Call) -> bool:
    """Whether a call leaves its arguments as they are: those of Python's own functions do."""
    return isinstance(call.func, ast.Name) and call.func.id in _BUILTINS


def _takes_number(load: ast.Name, parent: ast.AST) -> bool:
    """Whether an array can't stand there: a number is asked for."""
    if isinstance(parent, ast.Call):
        return load in parent.args and _called(parent) in _NUMBERS
    if isinstance(parent, ast.keyword):
        return parent.arg in _KEYWORDS
    return False


class _Shown:
    """Which names of a module hold what `repr` shows whole: texts, numbers, and what holds such."""

    def __init__(self, module: ast.Module) -> None:
        self._values: dict[str, list[ast.expr | None]] = {}
        self._asked: set[str] = set()
        told: set[ast.AST] = set()  # targets of assignments, which say what the name holds
        for node in within(module):
            if isinstance(node, (ast.Assign, ast.AnnAssign)):
                targets = node.targets if isinstance(node, ast.Assign) else [node.target]
                for target in targets:
                    if isinstance(target, ast.Name):
                        told.add(target)
                        self._values.setdefault(target.id, []).append(node.value)
        for node in within(module):
            if node not in told:
                for name in _bound(node):
                    self._values.setdefault(name, []).append(None)

    def is_plain(self, name: str) -> bool:
        """Whether all that a name is bound to is such a value, as far as the text says."""
        values = self._values.get(name, [])
        if not values or name in self._asked:
            return False
        self._asked.add(name)
        found = all(value is not None and self._is_shown(value) for value in values)
        self._asked.discard(name)
        return found

    def _is_shown(self, value: ast.expr) -> bool:
        """Whether the value is one: its calls are Python's own, or of plain modules."""
        if isinstance(value, ast.Name):
            return self.is_plain(value.id)
        if isinstance(value, ast.Call):
            name = value.func.id if isinstance(value.func, ast.Name) else ""
            given = [*value.args, *(each.value for each in value.keywords)]
            is_own = name in _BUILTINS and all(map(self._is_shown, given))
            return name in _SINGLE or is_own or _is_plain_call(value)
        parts = [each for each in ast.iter_child_nodes(value) if isinstance(each, ast.expr)]
        is_made = isinstance(
            value, (ast.BinOp, ast.UnaryOp, ast.List, ast.Tuple, ast.Set, ast.Dict)
        )
        return isinstance(value, ast.Constant) or (is_made and all(map(self._is_shown, parts)))


def _bound(node: ast.AST) -> Iterator[str]:
    """The names that a node binds by itself."""
    if isinstance(node, ast.Name):
        yield from () if isinstance(node.ctx, ast.Load) else [node.id]
    elif isinstance(node, (ast.Global, ast.Nonlocal)):
        yield from node.names
    elif isinstance(node, ast.alias):
        yield (node.asname or node.name).partition(".")[0]
    else:  # a function, a class, a parameter, what is caught, a part of a pattern
        names = (getattr(node, field, None) for field in ("name", "arg", "rest"))
        yield from (name for name in names if isinstance(name, str))


def _is_plain_call(call: ast.Call) -> bool:
    """`json.load(file)`, `glob.glob("*.jpg")`, `open("steps.txt").read().split()`."""
    if not isinstance(call.func, ast.Attribute):
        return False
    root: ast.expr = call.func
    while isinstance(root, (ast.Attribute, ast.Call)):
        root = root.func if isinstance(root, ast.Call) else root.value
    return isinstance(root, ast.Name) and root.id in {*_PLAIN, "open"}
