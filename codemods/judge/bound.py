"""**bound**: on every worker a name is bound wherever the original binds it.

The text is read as the workers of rank 0 and rank 1 run it, each with the guards that open and
close for it. A name that rank 0 always finds, rank 1 finds too; what a result adds is bound before
it is used, also by functions that are called above. Of what a person has written: nothing is
unbound by rank.
"""

from __future__ import annotations

import ast
import builtins
from collections import Counter
from collections.abc import Collection, Iterator

from ..library.effects import swallows
from ..program.order import Order
from ..program.program import Program
from ..program.scopes import Scopes
from ..program.versions import UNBOUND, Version
from ..syntax.source import Source, parse_module
from .case import Case, proved
from .normal_forms import fresh_names, names_of
from .one_worker import Imports, Worker, known_numbers
from .proof import VIOLATED, Proof

HOW = "each worker finds every name that rank 0 finds, and the result adds none too late"
BY_RANK = "`{}` is bound on rank 0 alone, and every worker reads it here: NameError on the others"
LATE = "`{}` may be read here before it is bound: NameError"
EARLY = "`{}` is read by `{}`, which is called in line {}, before it is bound: NameError"
FIX = "bind it on every worker, above the guard"
_BUILTINS = frozenset(dir(builtins)) | {"__file__", "__name__", "__doc__", "__path__"}
_DEFINITIONS = (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda)
Position = tuple[int, int, str]


def prove(case: Case) -> Iterator[Proof]:
    """Look at each file as two workers run it, and at what a result adds."""
    found = [proof for path in case.changed for proof in _file(case, path)]
    yield from found or [proved("bound", HOW)]


def _file(case: Case, path: str) -> Iterator[Proof]:
    now, was = case.after[path], case.before.get(path)
    if "horovod" not in now.text:
        return
    first, other = unbound(_seen_by(now, 0)), unbound(_seen_by(now, 1))
    for line, column, name in sorted(other - first):
        yield Proof("bound", VIOLATED, BY_RANK.format(name), path, line, column, FIX)
    if was is None:
        return
    known = Counter(name for *_, name in unbound(was.module))
    for line, column, name in sorted(first):
        known[name] -= 1
        if known[name] < 0:
            yield Proof("bound", VIOLATED, LATE.format(name), path, line, column)
    added = fresh_names(now.module, names_of(was.module)) | _new_imports(now.module, was.module)
    yield from _called_early(case, path, added)


def _seen_by(source: Source, rank: int) -> ast.Module:
    """The tree as a worker of this rank, of two, runs it."""
    tree = parse_module(source.text[len(source.bom) :])
    imports = Imports(tree)
    worker = Worker(imports, rank, 2)
    tree = worker.visit(tree)
    numbers = known_numbers(tree)
    return Worker(imports, rank, 2, numbers=numbers).visit(tree) if numbers else tree  # type: ignore[no-any-return]


def unbound(tree: ast.Module) -> set[Position]:
    """Where a name is read that may have no value there: line, column and name."""
    scopes, imports = Scopes(tree), Imports(tree)
    order = Order(tree, scopes)
    found = set()
    for node, version in order.reads.items():
        if isinstance(node, ast.Name) and _may_be_unbound(version, imports):
            found.add((node.lineno, node.col_offset, node.id))
    if not order.stars:  # whose names nobody knows
        nowhere = (node for node, scope in scopes.loads if scope.find(node.id) is None)
        found |= {(node.lineno, node.col_offset, node.id) for node in nowhere}
    return {each for each in found if each[2] not in _BUILTINS}


def _may_be_unbound(version: Version, imports: Imports) -> bool:
    """Whether a variable may have no value, if no known context manager swallows exceptions."""
    waiting, seen = [version], {version}
    while waiting:
        version = waiting.pop()
        if version is UNBOUND:
            return True
        args = version.args or []
        if version.kind == "swallow" and not any(
            _swallows(each, imports) for each in version.tests
        ):
            args = args[:1]
        waiting += (each for each in args if each not in seen)
        seen.update(args)
    return False


def _swallows(context: ast.AST, imports: Imports) -> bool:
    called = context.func if isinstance(context, ast.Call) else context
    name = imports.full(called) or getattr(called, "attr", "")
    return swallows(name)


def _new_imports(now: ast.Module, was: ast.Module) -> set[str]:
    """The names that the result imports in its module and the original doesn't."""
    return set(_imported(now)) - set(_imported(was))


def _imported(tree: ast.Module) -> Iterator[str]:
    for statement in tree.body:
        if isinstance(statement, (ast.Import, ast.ImportFrom)):
            for alias in statement.names:
                yield (alias.asname or alias.name).partition(".")[0]


# -- functions that are called above -----------------------------------------------------------


def _called_early(case: Case, path: str, added: Collection[str]) -> Iterator[Proof]:
    """Functions that read a name of the module, and run before it is bound."""
    module = case.after[path].module
    homes = {
        name: number
        for number, statement in reversed(list(enumerate(module.body)))
        for name in _binds(statement)
        if name in added
    }
    callers = _Callers(case.program, module)
    for name, number in homes.items():
        for function, use in _readers(module, name):
            early = callers.first(function, number)
            if early is not None:
                called = getattr(function, "name", "a function")
                why = EARLY.format(name, called, early.lineno)
                yield case.violated("bound", use, why)
                break


def _binds(statement: ast.stmt) -> Iterator[str]:
    if isinstance(statement, (ast.Import, ast.ImportFrom)):
        yield from ((a.asname or a.name).partition(".")[0] for a in statement.names)
    elif isinstance(statement, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
        yield statement.name
    else:
        stores = (n for n in ast.walk(statement) if isinstance(n, ast.Name))
        yield from (n.id for n in stores if isinstance(n.ctx, ast.Store))


def _readers(module: ast.Module, name: str) -> Iterator[tuple[ast.AST, ast.Name]]:
    """The outermost functions that read a global name, each with a place."""
    scopes = Scopes(module)
    home = scopes.of[module]
    inside = {n: f for f in ast.walk(module) if isinstance(f, _DEFINITIONS) for n in ast.walk(f)}
    for node, scope in scopes.loads:
        if node.id == name and scope.find(name) is home and node in inside:
            yield inside[node], node


class _Callers:
    """Which statements of a module run a function, as soon as the module is read."""

    def __init__(self, program: Program, module: ast.Module) -> None:
        self._program, self._body = program, module.body
        self._runs: dict[ast.AST, list[tuple[int, ast.AST | None, ast.expr]]] = {}
        for number, statement in enumerate(module.body):
            self._look(statement, number, None)

    def _look(self, node: ast.AST, number: int, inside: ast.AST | None) -> None:
        """Note what each expression below a node may run, and in which function it stands."""
        waiting = [(node, inside)]
        while waiting:
            node, inside = waiting.pop()
            if isinstance(node, (ast.Name, ast.Attribute)) and isinstance(node.ctx, ast.Load):
                for function in self._functions(node):
                    self._runs.setdefault(function, []).append((number, inside, node))
            own = node if isinstance(node, _DEFINITIONS) else inside
            for field, child in ast.iter_fields(node):
                is_head = field in ("decorator_list", "args", "returns")
                for each in child if isinstance(child, list) else [child]:
                    if isinstance(each, ast.AST):
                        waiting.append((each, inside if is_head else own))

    def _functions(self, expr: ast.expr) -> Iterator[ast.AST]:
        """The functions that an expression may be; of a class its `__init__`."""
        yield from self._program.functions(expr).nodes
        for cls in self._program.classes(expr).nodes:
            for each in getattr(cls, "body", ()):
                if isinstance(each, _DEFINITIONS) and each.name == "__init__":
                    yield each

    def first(self, function: ast.AST, limit: int) -> ast.expr | None:
        """What runs a function in one of the statements before this number."""
        waiting, seen = [function], {function}
        while waiting:
            for number, inside, node in self._runs.get(waiting.pop(), ()):
                if inside is None and number < limit:
                    return node
                if inside is not None and inside not in seen:
                    seen.add(inside)
                    waiting.append(inside)
        return None
