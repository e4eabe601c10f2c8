"""The parts of calls, indices and bindings by which rows are taken, put in order and handed on."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from ..library import examples
from ..library.element_counts import SPLITTING
from ..program.node_fields import within
from ..program.program import Program

_CUTTING = ("shard", "slice", "range", "arange", "islice")


def arguments_of(call: ast.Call) -> list[ast.expr]:
    """All that a call is given, by position or name; of `*pair`, the pair."""
    given = [*call.args, *(keyword.value for keyword in call.keywords)]
    return [each.value if isinstance(each, ast.Starred) else each for each in given]


def unseeded(call: ast.Call) -> list[ast.expr]:
    """All that is given but seeds: with one of its own a worker has an order of its own."""
    seeds = [k.value for k in call.keywords if k.arg in examples.SEED_ARGUMENTS]
    return [each for each in arguments_of(call) if each not in seeds]


def is_beginning(index: ast.expr) -> bool:
    """`order[:8]`: a pick, where `order[i : i + 8]` goes through all of them."""
    is_slice = isinstance(index, ast.Slice) and isinstance(index.upper, ast.Constant)
    return is_slice and index.lower is None  # type: ignore[attr-defined]


def parts(index: ast.expr) -> list[ast.expr]:
    """The numbers of an index: `a`, `b` of `[a:b]`, of `[:, a]`."""
    if isinstance(index, ast.Tuple):
        return [part for each in index.elts for part in parts(each)]
    if isinstance(index, ast.Slice):
        return [each for each in (index.lower, index.upper, index.step) if each is not None]
    return [index]


def bound(node: ast.AST) -> Iterator[str]:
    """The names that a statement, a loop or a parameter binds."""
    if isinstance(node, ast.arg):
        yield node.arg
    targets = node.targets if isinstance(node, ast.Assign) else []
    if isinstance(node, (ast.For, ast.comprehension, ast.AugAssign, ast.AnnAssign, ast.NamedExpr)):
        targets = [node.target]
    for target in targets:
        yield from (name.id for name in within(target) if isinstance(name, ast.Name))


def pairs(target: ast.expr, value: ast.expr) -> Iterator[tuple[ast.expr, ast.expr]]:
    """What an assignment binds to what, one by one."""
    if isinstance(target, ast.Tuple) and isinstance(value, ast.Tuple):
        yield from zip(target.elts, value.elts)
    else:
        yield target, value


def switch(call: ast.Call, otherwise: bool) -> bool:
    """Whether a call puts into an order by chance what it gives."""
    for keyword in call.keywords:
        if keyword.arg in examples.SHUFFLE_ARGUMENTS:
            return not (isinstance(keyword.value, ast.Constant) and not keyword.value.value)
    return otherwise


def share_arguments(node: ast.AST) -> list[ast.expr]:
    """What says which share it is: arguments of `shard` and `range`, parts of an index, tests."""
    if isinstance(node, ast.Slice):
        return [each for each in (node.lower, node.step) if each is not None]
    if isinstance(node, ast.Compare):  # `numbers % hvd.size() == hvd.local_rank()`
        sides = [node.left, *node.comparators]
        return sides if any(isinstance(getattr(n, "op", None), ast.Mod) for n in sides) else []
    func = node.func if isinstance(node, ast.Call) else None
    name = getattr(func, "attr", "") or getattr(func, "id", "")
    if not isinstance(node, ast.Call) or name not in _CUTTING:
        return []
    return [*node.args, *(keyword.value for keyword in node.keywords)]


def split_arguments(program: Program, node: ast.AST) -> Iterator[ast.expr]:
    """`np.split(x, hvd.size())[hvd.local_rank()]`: the index, and into how many parts."""
    if not isinstance(node, ast.Subscript) or isinstance(node.slice, (ast.Slice, ast.Tuple)):
        return
    for made in program.origins(node.value).nodes:
        names = program.names(made.func) if isinstance(made, ast.Call) else ()
        if isinstance(made, ast.Call) and SPLITTING.intersection(names):
            yield from (node.slice, *made.args[1:2])
