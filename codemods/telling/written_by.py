"""Which rules have written a line of a program that is Horovod's already.

The program is taken back to one worker, as the judge compares it, and rewritten again: the rule
that makes the statement anew is the one that has written it, whoever wrote it there.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from ..judge.normal_forms import fresh_names, names_of
from ..judge.one_worker import Imports, Worker
from ..judge.statements import Blocks, Names
from ..migrate import migrate
from ..model import Options
from ..program.node_fields import within
from ..syntax.source import Source, parse_module

HOROVOD = "horovod"
_IMPORTS = (ast.Import, ast.ImportFrom)


def written_by(text: str, line: int, options: Options) -> tuple[str, ...]:
    """The codes of the rules, in their order; none where no rule makes such a statement.

    Raises SyntaxProblem.
    """
    source = Source(text)
    statement = _innermost(source.module, line)
    if statement is None:
        return ()
    for known in _known(source.module):
        single = _on_one_worker(parse_module(text), known)
        found = _made(single, _shape(statement), options)
        if found:
            return found
    return ()


def _made(single: str, shape: str, options: Options) -> tuple[str, ...]:
    """The rules that make such a statement of a program on one worker."""
    seen = migrate(single, options._replace(only_look=False, repair=frozenset()))
    before = _shapes(parse_module(seen.before))
    for step in seen.steps:
        now = _shapes(parse_module(step.text))
        if shape in now and shape not in before:
            places = {line for line, _ in step.places}
            met = (s for s in seen.steps if places & {line for line, _ in s.places})
            return tuple(dict.fromkeys((*(s.code for s in met if s.code <= step.code), step.code)))
        before = now
    return ()


def _on_one_worker(tree: ast.Module, known: set[str]) -> str:
    """The text that a program is on one worker, without what does nothing there."""
    imports, own = Imports(tree), fresh_names(tree, known)
    imported = [each for each in tree.body if isinstance(each, _IMPORTS) and not _is_horovod(each)]
    tree = Worker(imports, 0, 1).visit(tree)
    for _ in range(2):  # what is put in place of a name may be Horovod's again
        Blocks(imports, own).clean(tree)
        Names(imports, own).put_in(tree)
        tree = Worker(imports, 0, 1).visit(tree)
    Blocks(imports, own).clean(tree)
    body = [each for each in _Plain().visit(tree).body if not isinstance(each, _IMPORTS)]
    tree.body = [*imported, *body]
    return ast.unparse(ast.fix_missing_locations(tree))


def _is_horovod(statement: ast.stmt) -> bool:
    names = [each.name for each in getattr(statement, "names", ())]
    return any(
        name.startswith(HOROVOD) for name in (*names, getattr(statement, "module", "") or "")
    )


class _Plain(ast.NodeTransformer):
    """Takes out what is there for many workers alone: whole shares, lists in lists, bars."""

    def visit_Subscript(self, node: ast.Subscript) -> ast.AST:
        """`x[slice(0, len(x), 1)]`, `x[0::1]`."""
        self.generic_visit(node)
        part = node.slice
        ends = list(part.args) if isinstance(part, ast.Call) else []
        if isinstance(part, ast.Slice):
            ends = [
                part.lower or ast.Constant(0),
                part.upper or ast.Constant(0),
                part.step or ast.Constant(1),
            ]
        is_share = len(ends) == 3 and _is(ends[0], 0) and _is(ends[2], 1)
        return node.value if is_share else node

    def visit_List(self, node: ast.List) -> ast.AST:
        """`[a, *[b]]`."""
        self.generic_visit(node)
        found: list[ast.expr] = []
        for each in node.elts:
            is_list = isinstance(each, ast.Starred) and isinstance(each.value, ast.List)
            found += each.value.elts if is_list else [each]  # type: ignore[attr-defined]
        node.elts = found
        return node

    def visit_Call(self, node: ast.Call) -> ast.AST:
        """`verbose=1`, `callbacks=[]`, which hold where nobody says so; `data.shard(1, 0)`."""
        self.generic_visit(node)
        node.keywords = [k for k in node.keywords if not _is_default(k)]
        func, args = node.func, node.args
        if isinstance(func, ast.Attribute) and func.attr == "shard" and len(args) == 2:
            return func.value if _is(args[0], 1) and _is(args[1], 0) else node
        if isinstance(func, ast.Attribute) and func.attr == "take" and len(args) == 1:
            return func.value if ast.unparse(args[0]).startswith("len(") else node
        return node


def _is(node: ast.AST | None, value: int) -> bool:
    return isinstance(node, ast.Constant) and node.value == value


def _innermost(module: ast.Module, line: int) -> ast.stmt | None:
    """The smallest statement that a line belongs to."""
    around = [
        node
        for node in within(module)
        if isinstance(node, ast.stmt) and node.lineno <= line <= (node.end_lineno or node.lineno)
    ]
    return min(around, key=lambda s: (s.end_lineno or s.lineno) - s.lineno, default=None)


def _shapes(module: ast.Module) -> set[str]:
    return {_shape(node) for node in within(module) if isinstance(node, ast.stmt)}


def _shape(statement: ast.stmt) -> str:
    """A statement without its layout, and without what stands in its blocks."""
    text = ast.unparse(statement)
    return text.partition("\n")[0] if getattr(statement, "body", None) else text


def _known(module: ast.Module) -> Iterator[set[str]]:
    """The names that a program may have but for Horovod's lines: few of them, or all but shares."""
    horovod = {
        each.asname or each.name
        for node in within(module)
        if isinstance(node, ast.Import)
        for each in node.names
        if each.name.startswith(HOROVOD)
    }
    given, names = dict(_given(module, horovod)), names_of(module)
    yield names - set(given)
    yield names - {name for name, value in given.items() if _is_share(value)}


def _is_share(value: ast.expr) -> bool:
    return isinstance(value, ast.Call) and ast.unparse(value.func) == "slice"


def _given(module: ast.Module, horovod: set[str]) -> Iterator[tuple[str, ast.expr]]:
    """The names that are assigned from what speaks of Horovod, and from nothing else."""
    own: dict[str, bool] = {}
    values: dict[str, ast.expr] = {}
    for node in within(module):
        if isinstance(node, ast.Assign):
            speaks = any(isinstance(n, ast.Name) and n.id in horovod for n in within(node.value))
            for target in node.targets:
                if isinstance(target, ast.Name):
                    own[target.id] = own.get(target.id, True) and speaks
                    values[target.id] = node.value
    yield from ((name, values[name]) for name, is_own in own.items() if is_own)


def _is_default(keyword: ast.keyword) -> bool:
    is_empty = isinstance(keyword.value, ast.List) and not keyword.value.elts
    return (
        _is(keyword.value, 1)
        if keyword.arg == "verbose"
        else keyword.arg == "callbacks" and is_empty
    )
