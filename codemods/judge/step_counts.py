"""A schedule that counts the steps of all workers: `step = step * hvd.size()` is no larger rate.

What Keras gives the `__call__` of a schedule is a number of steps. N times as many have no power
of N: what is reckoned with them is a rate by its base, wherever on its way it is.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from ..library.agreement import is_size
from ..program.domain import Domain, Operands
from ..program.node_fields import within
from ..program.origins import Origin
from ..program.program import Program
from .exponents import POWERS, Powers

_SCHEDULES = ("LearningRateSchedule",)


def powers_of(module: ast.Module, program: Program) -> Domain[Powers]:
    """The domain of the powers of N, for which such a product is as its step."""
    products = frozenset(_products(module, program))

    def create(origin: Origin, operands: Operands[Powers]) -> Powers:
        values = operands.of(origin)
        is_count = origin.node in products and len(values) == 2
        return values[0] if is_count else POWERS.create(origin, operands)

    return Domain(POWERS.bottom, POWERS.unknown, POWERS.join, create, suppose=create)


def _products(module: ast.Module, program: Program) -> Iterator[ast.AST]:
    """`step * hvd.size()`, which becomes the step of a `__call__` of a schedule."""
    for cls in (node for node in within(module) if isinstance(node, ast.ClassDef)):
        bases = [name for base in cls.bases for name in program.names(base)]
        for method in cls.body if any(n.endswith(_SCHEDULES) for n in bases) else ():
            if isinstance(method, ast.FunctionDef) and method.name == "__call__":
                yield from _of_step(method, program)


def _of_step(method: ast.FunctionDef, program: Program) -> Iterator[ast.AST]:
    names = [each.arg for each in method.args.args]
    for statement in method.body if len(names) == 2 else ():
        product = statement.value if isinstance(statement, ast.Assign) else None
        if isinstance(product, ast.BinOp) and isinstance(product.op, ast.Mult):
            same = [*statement.targets, product.left]  # type: ignore[attr-defined]
            size = product.right.func if isinstance(product.right, ast.Call) else product.right
            is_own = {getattr(each, "id", "") for each in same} == {names[1]}
            if is_own and any(map(is_size, program.names(size))):
                yield product
