"""**bound**: on every worker a name is bound wherever the original binds it.

The text is read as the workers of rank 0 and rank 1 run it, each with the guards that open and
close for it. A name that rank 0 always finds, rank 1 finds too; what a result adds is bound before
it is used, also by functions that are called above. Of what a person has written: nothing is
unbound by rank.
"""

from __future__ import annotations

import ast
from collections.abc import Collection, Iterator
from functools import cache, partial
from typing import Callable

from ..library.effects import swallows
from ..program.node_fields import within
from ..program.order import Order
from ..program.scope import BUILTINS
from ..program.scopes import Scopes
from ..program.versions import UNBOUND, Version
from ..syntax.source import Source, parse_module
from .callers import DEFINITIONS, callers
from .case import Case, proved
from .normal_forms import fresh_names, names_of
from .one_worker import Imports, Worker, known_numbers
from .proof import VIOLATED, Proof
from .started import unstarted

HOW = "each worker finds every name that rank 0 finds, and the result adds none too late"
BY_RANK = "`{}` is bound on rank 0 alone, and every worker reads it here: NameError on the others"
LATE = "`{}` may be read here before it is bound: NameError"
EARLY = "`{}` is read by `{}`, which is called in line {}, before it is bound: NameError"
FIX = "bind it on every worker, above the guard"
_KNOWN = BUILTINS | {"__path__"}  # which a package knows
_BINDING = (ast.FunctionDef, ast.ClassDef, ast.Import, ast.ImportFrom, ast.Return, ast.Continue)
Position = tuple[int, int, str]


def prove(case: Case) -> Iterator[Proof]:
    """Look at each file as two workers run it, and at what a result adds."""
    found = [proof for path in case.changed for proof in _file(case, path)]
    found += unstarted(case)
    yield from found or [proved("bound", HOW)]


def _file(case: Case, path: str) -> Iterator[Proof]:
    now, was = case.after[path], case.before.get(path)
    if "horovod" not in now.text:
        return
    whole = unbound(now.module)
    first = whole
    if _binds_by_rank(now.module):
        first, other = unbound(_seen_by(now, 0)), unbound(_seen_by(now, 1))
        for line, column, name in sorted(other - first):
            yield Proof("bound", VIOLATED, BY_RANK.format(name), path, line, column, FIX)
    if was is None:
        return
    added = fresh_names(now.module, names_of(was.module)) | _new_imports(now.module, was.module)
    late = first | {each for each in whole if each[2] in added}
    known = {name for *_, name in unbound(was.module)} if late else set()
    for line, column, name in sorted(late):
        if name not in known:
            yield Proof("bound", VIOLATED, LATE.format(name), path, line, column)
    yield from _called_early(case, path, added)


def _binds_by_rank(module: ast.Module) -> bool:
    """Whether something is bound under a condition that may hang on the rank."""
    for node in within(module):
        if isinstance(node, (ast.If, ast.While)):
            inside = (n for s in (*node.body, *node.orelse) for n in within(s))
            if any(isinstance(n, _BINDING) or _is_store(n) for n in inside):
                return True
    return False


def _is_store(node: ast.AST) -> bool:
    return isinstance(node, ast.Name) and not isinstance(node.ctx, ast.Load)


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
    scopes = Scopes(tree)
    order = Order(tree, scopes)
    imports = cache(partial(Imports, tree))  # which few trees are asked for
    found = set()
    for node, version in order.reads.items():
        if isinstance(node, ast.Name) and _may_be_unbound(version, imports):
            found.add((node.lineno, node.col_offset, node.id))
    if not order.stars:  # whose names nobody knows
        nowhere = (node for node, scope in scopes.loads if scope.find(node.id) is None)
        found |= {(node.lineno, node.col_offset, node.id) for node in nowhere}
    return {each for each in found if each[2] not in _KNOWN}


def _may_be_unbound(version: Version, imports: Callable[[], Imports]) -> bool:
    """Whether a variable may have no value, if no known context manager swallows exceptions."""
    waiting, seen = [version], {version}
    while waiting:
        version = waiting.pop()
        if version is UNBOUND:
            return True
        args = version.args or []
        ends = [each for each in version.tests if version.kind == "swallow"]
        if ends and not any(_swallows(each, imports()) for each in ends):
            args = args[:1]
        waiting += (each for each in args if each not in seen)
        seen.update(args)
    return False


def _swallows(context: ast.AST, imports: Imports) -> bool:
    called = context.func if isinstance(context, ast.Call) else context
    return swallows(imports.full(called) or str(getattr(called, "attr", "")))


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
    known = callers(case, module) if homes else None
    told: set[str] = set()
    for name, function, use in _readers(module, homes):
        early = known.first(function, homes[name]) if known and name not in told else None
        if early is not None:
            told.add(name)
            why = EARLY.format(name, getattr(function, "name", "a function"), early.lineno)
            yield case.violated("bound", use, why)


def _binds(statement: ast.stmt) -> Iterator[str]:
    if isinstance(statement, (ast.Import, ast.ImportFrom)):
        yield from ((a.asname or a.name).partition(".")[0] for a in statement.names)
    elif isinstance(statement, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
        yield statement.name
    else:
        stores = (n for n in within(statement) if isinstance(n, ast.Name))
        yield from (n.id for n in stores if isinstance(n.ctx, ast.Store))


def _readers(module: ast.Module, names: Collection[str]) -> Iterator[tuple[str, ast.AST, ast.Name]]:
    """The innermost functions that read these global names, each with a place."""
    scopes = Scopes(module)
    home = scopes.of[module]
    for node, scope in scopes.loads:
        if node.id in names and scope.find(node.id) is home:
            function = scope.frame.node
            if isinstance(function, DEFINITIONS):
                yield node.id, function, node
