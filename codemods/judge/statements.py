"""Statements in the form in which a program and its result on one worker are compared.

Blocks without what does nothing on one worker, tapes that end where their gradients are asked for,
and values in place of the names that only the result has.
"""

from __future__ import annotations

import ast
from collections.abc import Collection, Iterator
from copy import deepcopy

from ..library.horovod_alone import (
    DROPPED,
    KERAS_CHOICE,
    MAKES,
    NO_SETTINGS,
    PINNED,
    QUIET,
    SESSIONS,
)
from ..library.optimizers import OPTIMIZER_RATES
from ..library.tensorflow_names import TAPE
from ..program.node_fields import Transformer, children, within
from .expressions import constant_of, helper, method_of
from .one_worker import Block, Imports, blocks, is_gone, shape

DEFINITIONS = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)


class Blocks:
    """Blocks without the statements that do nothing on one worker."""

    def __init__(self, imports: Imports, fresh: Collection[str]) -> None:
        self._imports, self._fresh = imports, fresh
        self._read: set[str] | None = None  # the names that are read; None: not asked yet

    def clean(self, node: ast.AST) -> None:
        """Clean all blocks below a node, the innermost first."""
        if isinstance(node, ast.Module):
            self._read = set(_read_outside(node, frozenset()))
            self._runs = any(method_of(n) in ("run", "eval") for n in within(node))
        for block in blocks(node):
            for statement in block:
                self.clean(statement)
            block[:] = [each for s in block for each in self._left(s)] or [ast.Pass()]
            _rates_put_in(block)
            _put_in_lists(block, self._imports)
        if isinstance(node, ast.Module):
            node.body = [s for s in node.body if not isinstance(s, ast.Pass)]

    def _left(self, statement: ast.stmt) -> Iterator[ast.stmt]:
        if isinstance(statement, (ast.With, ast.AsyncWith)):
            yield from self._with(statement)
        elif not (self._does_nothing(statement) or self._is_of_helpers(statement)):
            yield statement

    def _does_nothing(self, statement: ast.stmt) -> bool:
        if isinstance(statement, ast.Pass):
            return True
        if isinstance(statement, (ast.Import, ast.ImportFrom)):
            return self._is_new_import(statement)
        if isinstance(statement, (ast.If, ast.For, ast.While)):
            return self._is_empty(statement)
        return self._is_flag(statement) or self._pins(statement) or self._is_idle(statement)

    def _is_idle(self, statement: ast.stmt) -> bool:
        """Whether it makes a session, or its configuration, for nobody."""
        if not isinstance(statement, ast.Assign) or not isinstance(statement.value, ast.Call):
            return False
        made = self._imports.full(statement.value.func) or ""
        (target, *others) = statement.targets
        is_read = not isinstance(target, ast.Name) or target.id in (self._read or ())
        is_known = made in NO_SETTINGS or (made in SESSIONS and not self._runs)
        return is_known and not others and not is_read

    def _is_new_import(self, statement: ast.Import | ast.ImportFrom) -> bool:
        names = [alias.asname or alias.name for alias in statement.names]
        module = getattr(statement, "module", None) or names[0]
        full = [alias.name for alias in statement.names]
        statement.names = [a for a in statement.names if (a.asname or a.name) not in self._fresh]
        if not statement.names:
            return True
        of_horovod = module.split(".")[0] == "horovod" or full[0].split(".")[0] == "horovod"
        return of_horovod or full[0] in ("os", "contextlib", "weakref", "tensorflow")

    def _is_empty(self, statement: ast.stmt) -> bool:
        """Whether nothing is left in it, and what it asks changes nothing."""
        if any(not isinstance(s, ast.Pass) for block in blocks(statement) for s in block):
            return False
        head = statement.iter if isinstance(statement, ast.For) else statement.test  # type: ignore[attr-defined]
        is_of_flags = method_of(head) == "values" and self._is_fresh(head.func.value)  # type: ignore[union-attr]
        return is_of_flags or is_quiet(head, self._imports)

    def _is_flag(self, statement: ast.stmt) -> bool:
        """`done = tf.Variable(False)`, `done.assign(True)`, `flags = {}` of a new name."""
        if isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Call):
            call = statement.value
            return method_of(call) == "assign" and self._is_fresh(call.func.value)  # type: ignore[attr-defined]
        if not isinstance(statement, ast.Assign) or len(statement.targets) != 1:
            return False
        value = statement.value
        if isinstance(value, ast.Call) and value.args:
            value = value.args[0] if method_of(value) == "Variable" else value
        is_table = isinstance(value, ast.Dict) and not value.keys
        is_first = is_table or isinstance(constant_of(value), bool)
        return self._is_fresh(statement.targets[0]) and is_first

    def _is_fresh(self, node: ast.AST) -> bool:
        if isinstance(node, ast.Subscript):
            return self._is_fresh(node.value)
        name = f".{node.attr}" if isinstance(node, ast.Attribute) else getattr(node, "id", "")
        return name in self._fresh

    def _pins(self, statement: ast.stmt) -> bool:
        """Whether it only chooses a GPU."""
        if isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Call):
            call = statement.value
            name = self._imports.full(call.func) or ""
            chooses = name == "os.environ.setdefault" and constant_of(call.args[0]) == KERAS_CHOICE
            return name in DROPPED or chooses
        if not isinstance(statement, ast.Assign):
            return False
        value = statement.value
        if isinstance(value, ast.Call) and (self._imports.full(value.func) or "") in DROPPED:
            return True
        return any(_ends_in(statement.targets[0], word.split(".")) for word in PINNED)

    def _is_of_helpers(self, statement: ast.stmt) -> bool:
        is_definition = isinstance(statement, DEFINITIONS)
        return is_definition and helper(statement.name, self._fresh) is not None  # type: ignore[attr-defined]

    # -- tapes --------------------------------------------------------------------------------

    def _with(self, statement: ast.With | ast.AsyncWith) -> Iterator[ast.stmt]:
        """A tape ends where its gradients are first asked for: what follows may stand behind."""
        if all(isinstance(s, ast.Pass) for s in statement.body) and self._is_graph(statement):
            return
        tapes = [item for item in statement.items if self._is_tape(item.context_expr)]
        others = statement.items[: len(statement.items) - len(tapes)]
        if tapes and others and tapes == statement.items[len(others) :]:
            inner = ast.copy_location(ast.With(tapes, statement.body), statement)
            statement.items, statement.body = others, [*self._with(inner)]
            yield statement
            return
        if len(tapes) != len(statement.items):
            yield statement
            return
        names = {shape(t.optional_vars) for t in tapes if t.optional_vars is not None}
        for number, each in enumerate(statement.body):
            if any(method_of(n) in ("gradient", "jacobian") and shape(n.func.value) in names  # type: ignore[attr-defined]
                   for n in within(each)):  # fmt: skip
                behind = statement.body[number:]
                statement.body = statement.body[:number] or [ast.Pass()]
                yield statement
                yield from behind
                return
        yield statement

    def _is_graph(self, statement: ast.With | ast.AsyncWith) -> bool:
        """Whether it only enters a graph, in which nothing is left to make."""
        return all(method_of(item.context_expr) == "as_default" for item in statement.items)

    def _is_tape(self, expr: ast.expr) -> bool:
        name = self._imports.full(expr.func) if isinstance(expr, ast.Call) else None
        return name == TAPE


def _ends_in(target: ast.AST, names: list[str]) -> bool:
    """Whether an attribute, or a key, is the last of these names, behind the others."""
    if isinstance(target, ast.Subscript):
        return constant_of(target.slice) == names[-1]
    for name in reversed(names):
        if not (isinstance(target, ast.Attribute) and target.attr == name):
            return False
        target = target.value
    return True


def _rates_put_in(block: Block) -> None:
    """`o = SGD(0.1)` and `o.learning_rate = r` behind it are `o = SGD(r)`."""
    for number in range(len(block) - 1, 0, -1):
        made, put = block[number - 1], block[number]
        if not (isinstance(made, ast.Assign) and isinstance(put, ast.Assign)):
            continue
        call, target = made.value, put.targets[0]
        is_rate = isinstance(target, ast.Attribute) and target.attr == "learning_rate"
        is_own = is_rate and shape(target.value) == shape(made.targets[0])  # type: ignore[attr-defined]
        cls = getattr(getattr(call, "func", None), "id", "").strip("<>")
        if is_own and isinstance(call, ast.Call) and cls in OPTIMIZER_RATES:
            call.args[:1] = [put.value]
            call.keywords = [k for k in call.keywords if k.arg != "learning_rate"]
            del block[number]


def _put_in_lists(block: Block, imports: Imports) -> None:
    """`a = [b]` and `a.append(c)` or `a += [c]` are `a = [b, c]`; `a.insert(0, c)` is in front."""
    number = 1
    while number < len(block):
        made, put = block[number - 1], block[number]
        items = _list_of(made, put)
        number += 1
        if items is not None and _put_in(items, put, imports):
            number -= 1
            del block[number]


def _put_in(items: list[ast.expr], put: ast.stmt, imports: Imports) -> bool:
    """Put what a statement adds to a list into it, if it is known to do no more."""
    if isinstance(put, ast.AugAssign):
        added = put.value.elts if isinstance(put.value, ast.List) else None
        items += added or ()
        return added is not None
    call = put.value if isinstance(put, ast.Expr) else None
    if not isinstance(call, ast.Call) or call.keywords or not call.args:
        return False
    method, (*where, item) = method_of(call), call.args
    if method == "append" and not where:
        items.append(item)
        return True
    is_first = method == "insert" and [constant_of(each) for each in where] == [0]
    if is_first and is_quiet(item, imports):
        items.insert(0, item)
        return True
    return False


def _list_of(made: ast.stmt, put: ast.stmt) -> list[ast.expr] | None:
    """The elements of a list that a statement makes, if the next one adds to it."""
    if not isinstance(made, (ast.Assign, ast.AnnAssign)) or not isinstance(made.value, ast.List):
        return None
    if isinstance(put, ast.AugAssign) and isinstance(put.op, ast.Add):
        grown: ast.AST = put.target
    elif isinstance(put, ast.Expr) and method_of(put.value):
        grown = put.value.func.value  # type: ignore[attr-defined]
    else:
        return None
    targets = made.targets if isinstance(made, ast.Assign) else [made.target]
    return made.value.elts if [*map(shape, targets)] == [shape(grown)] else None


def is_quiet(expr: ast.AST, imports: Imports) -> bool:
    """Whether evaluating an expression changes nothing and nobody sees when it is done."""
    for node in within(expr):
        if isinstance(node, (ast.Await, ast.Yield, ast.YieldFrom, ast.NamedExpr)):
            return False
        if isinstance(node, ast.Call) and not is_gone(node):
            name = imports.full(node.func) or ""
            if name not in QUIET and name not in DROPPED and not MAKES.search(name):
                return False
    return True


# -- names -------------------------------------------------------------------------------------


class Names:
    """Puts values in place of the names that only a result has."""

    def __init__(self, imports: Imports, fresh: Collection[str]) -> None:
        self._imports, self._fresh = imports, fresh

    def put_in(self, tree: ast.Module) -> None:
        """Do so in the whole tree, scope by scope, the outermost first."""
        self._scope(tree, {})

    def _scope(self, scope: ast.AST, around: dict[str, ast.expr]) -> None:
        known = dict(around)
        for block in blocks(scope):
            self._block(block, known, scope)
        for inner in _inner(scope):
            self._scope(inner, known)

    def _block(self, block: Block, known: dict[str, ast.expr], scope: ast.AST) -> None:
        left: Block = []
        for number, statement in enumerate(block):
            _Put(known).visit_own(statement)
            name = self._named(statement)
            if name is not None:
                value = statement.value  # type: ignore[attr-defined]
                quiet = is_quiet(value, self._imports)
                if quiet or self._is_next(name, block[number + 1 :]):
                    known[name] = value
                    continue
                if not _uses(name, scope):
                    statement = ast.copy_location(ast.Expr(value), statement)
            left.append(statement)
            if not isinstance(statement, DEFINITIONS):
                for inner in blocks(statement):
                    self._block(inner, known, scope)
        block[:] = left or [ast.Pass()]

    def _named(self, statement: ast.stmt) -> str | None:
        if isinstance(statement, ast.Assign) and len(statement.targets) == 1:
            target = statement.targets[0]
            if isinstance(target, ast.Name) and target.id in self._fresh:
                return target.id
        return None

    def _is_next(self, name: str, behind: Block) -> bool:
        """Whether the value is used once, before anything else has an effect."""
        for number, statement in enumerate(behind):
            uses = _uses(name, statement)
            if uses:
                return uses == 1 and not self._is_used(name, behind[number + 1 :])
            if self._named(statement) is None:
                return False
        return False

    def _is_used(self, name: str, behind: Block) -> bool:
        """Whether a name is read before it is bound anew."""
        for statement in behind:
            if _uses(name, statement):
                return True
            if self._named(statement) == name:
                return False
        return False


def _uses(name: str, node: ast.AST) -> int:
    return sum(_is_load(n) and n.id == name for n in within(node))  # type: ignore[attr-defined]


def _read_outside(node: ast.AST, own: Collection[str]) -> Iterator[str]:
    """The names that are read below a node, but for those that functions bind for themselves."""
    for child in children(node):
        if isinstance(child, (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda)):
            inside = {n.arg for n in within(child.args) if isinstance(n, ast.arg)}
            yield from _read_outside(child, {*own, *inside})
        elif _is_load(child):
            if child.id not in own:  # type: ignore[attr-defined]
                yield child.id  # type: ignore[attr-defined]
        else:
            yield from _read_outside(child, own)


def _is_load(node: ast.AST) -> bool:
    return isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load)


def _inner(scope: ast.AST) -> Iterator[ast.AST]:
    """The functions and classes whose blocks stand in a scope."""
    waiting = children(scope)
    while waiting:
        node = waiting.pop()
        if isinstance(node, DEFINITIONS):
            yield node
        else:
            waiting += children(node)


class _Put(Transformer):
    """Puts values in place of names, in a statement but not in its blocks."""

    def __init__(self, known: dict[str, ast.expr]) -> None:
        self._known = known

    def visit_own(self, statement: ast.stmt) -> None:
        """The expressions of a statement itself."""
        for field, value in ast.iter_fields(statement):
            if isinstance(value, ast.AST):
                setattr(statement, field, self.visit(value))
            elif isinstance(value, list) and value and not isinstance(value[0], ast.stmt):
                found = [self.visit(v) if isinstance(v, ast.AST) else v for v in value]
                setattr(statement, field, found)

    def visit_Name(self, node: ast.Name) -> ast.AST:
        """The value of a name, a copy for each."""
        if isinstance(node.ctx, ast.Load) and node.id in self._known:
            return deepcopy(self._known[node.id])
        return node
