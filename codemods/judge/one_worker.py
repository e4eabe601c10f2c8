"""What a text is on one worker of a job: ranks and sizes are numbers, and guards open or close.

With `size` 1 the wrappers, broadcasts and averages are what they are to a program of one worker.
"""

from __future__ import annotations

import ast
from collections import Counter
from collections.abc import Iterable, Mapping

from ..library.horovod_alone import IDENTITIES, NOTHING, RANKS, SIZES, part
from ..library.names import normal
from ..program.node_fields import Transformer, within
from ..program.operators import COMPARISONS

Block = list[ast.stmt]
GONE = "<gone>"  # the name that stands for what does nothing on one worker
_BODIES = ("body", "orelse", "finalbody")


def shape(node: object) -> object:
    """What a node is, wherever it stands and whether it is read or bound: compared with `==`."""
    if isinstance(node, ast.expr_context):
        return None
    if isinstance(node, ast.AST):
        return (type(node), *[shape(getattr(node, field, None)) for field in node._fields])
    if isinstance(node, list):
        return tuple(map(shape, node))
    return (type(node), node)  # 1, 1.0 and True are three values


def gone() -> ast.expr:
    """What stands where something did that does nothing."""
    return ast.Name(GONE, ast.Load())


def is_gone(node: ast.AST | None) -> bool:
    """Whether a node stands for nothing, or is a part or a result of that."""
    while isinstance(node, (ast.Attribute, ast.Call)):
        node = node.func if isinstance(node, ast.Call) else node.value
    return isinstance(node, ast.Name) and node.id == GONE


class Imports:
    """The full names of what a module imports, at whatever level, and its own functions.

    `given`: those that other modules of its program hand on to it.
    """

    def __init__(self, tree: ast.Module, given: Mapping[str, str] | None = None) -> None:
        self._full: dict[str, str] = {}
        stores: Counter[str] = Counter()
        functions: set[str] = set()
        for node in within(tree):
            if isinstance(node, ast.Name):
                stores[node.id] += isinstance(node.ctx, ast.Store)
            elif isinstance(node, ast.Import):
                self._import(node)
            elif isinstance(node, ast.ImportFrom):
                self._import_from(node)
            elif isinstance(node, ast.arg):
                stores[node.arg] += 1
            elif isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
                functions.add(node.name)
        self._full.update(given or {})
        self._full.update(self._aliases(tree, stores))
        known = _written_out(tree, stores).items()
        self.texts = {name: value for name, value in known if isinstance(value.value, str)}
        self.functions = frozenset(functions)

    def _import(self, node: ast.Import) -> None:
        for alias in node.names:
            first = alias.name.partition(".")[0]
            self._full[alias.asname or first] = alias.name if alias.asname else first

    def _import_from(self, node: ast.ImportFrom) -> None:
        for alias in node.names if not node.level else ():
            self._full[alias.asname or alias.name] = f"{node.module}.{alias.name}"

    def _aliases(self, tree: ast.Module, stores: Mapping[str, int]) -> dict[str, str]:
        """The modules that have a second name: `L = tf.keras.layers`, bound there alone."""
        found = {}
        for each in tree.body:
            target = each.targets[0] if isinstance(each, ast.Assign) else None
            if isinstance(target, ast.Name) and stores[target.id] == 1:
                full = self._dotted(each.value)  # type: ignore[attr-defined]
                if full is not None and full.startswith("tensorflow."):
                    found[target.id] = full
        return found

    def full(self, expr: ast.AST) -> str | None:
        """The canonical dotted name of a name or attribute, through imports, else None."""
        found = self._dotted(expr)
        return None if found is None else normal(found)

    def _dotted(self, expr: ast.AST) -> str | None:
        if isinstance(expr, ast.Name):
            return self._full.get(expr.id, expr.id)
        if isinstance(expr, ast.Attribute):
            base = self._dotted(expr.value)
            return None if base is None else f"{base}.{expr.attr}"
        return None

    def part(self, expr: ast.AST) -> str:
        """The part of Horovod that an expression names, or nothing."""
        return part(self.full(expr))


class Worker(Transformer):
    """Rewrites a tree to what the worker of this rank, of so many, runs of it.

    `passes`: how many batches each worker adds up for a step, which scales rates as workers do;
    `numbers`: what names are known to be.
    """

    def __init__(
        self,
        imports: Imports,
        rank: int,
        size: int,
        passes: int = 1,
        numbers: Mapping[str, ast.Constant] | None = None,
    ) -> None:
        self._imports, self.rank, self.size, self._passes = imports, rank, size, passes
        self._numbers = numbers or {}

    @property
    def is_alone(self) -> bool:
        """Whether there is no other worker."""
        return self.size == 1

    # -- Horovod ------------------------------------------------------------------------------

    def visit_Call(self, node: ast.Call) -> ast.AST:
        """Ranks and sizes; what Horovod's calls give one worker alone."""
        told = self._told(node) if self.is_alone else None
        if told is not None:
            return self.visit(told)  # type: ignore[no-any-return]
        self.generic_visit(node)
        name = self._imports.part(node.func)
        if name in RANKS:
            return ast.Constant(self.rank)
        if name in SIZES:
            return ast.Constant(self.size)
        if not self.is_alone:
            return node
        if name in NOTHING or is_gone(node.func):
            return gone()
        if name in IDENTITIES and (node.args or node.keywords):
            return node.args[0] if node.args else node.keywords[0].value
        return self._call(node)

    def _told(self, node: ast.Call) -> ast.expr | None:
        """The x of `int(hvd.broadcast(x, root_rank=0))`, which travels as an array."""
        is_number = self._imports.full(node.func) in ("int", "float", "bool") and node.args
        inner = node.args[0] if is_number else None
        if isinstance(inner, ast.Call) and self._imports.part(inner.func) == "broadcast":
            return inner.args[0] if inner.args else None
        return None

    def _call(self, node: ast.Call) -> ast.AST:
        """`max(1, n)` of a share of n is n; what is nothing is no argument."""
        if self._imports.full(node.func) == "max" and len(node.args) == 2 and not node.keywords:
            least, most = node.args
            if isinstance(least, ast.Constant) and least.value == 1:
                return most
        if any(is_gone(arg) for arg in node.args) and len(node.args) == 1:
            return gone() if isinstance(node.func, ast.Attribute) else node
        node.keywords = [each for each in node.keywords if not is_gone(each.value)]
        return node

    def visit_Attribute(self, node: ast.Attribute) -> ast.AST:
        """A part of nothing is nothing."""
        self.generic_visit(node)
        return gone() if is_gone(node.value) else node

    def visit_Name(self, node: ast.Name) -> ast.AST:
        """What a name is known to be."""
        return self._numbers.get(node.id, node) if isinstance(node.ctx, ast.Load) else node

    def visit_List(self, node: ast.List) -> ast.AST:
        """A list without what does nothing; `[*x]` is x."""
        self.generic_visit(node)
        node.elts = [each for each in node.elts if not _adds_nothing(each)]
        is_copy = len(node.elts) == 1 and isinstance(node.elts[0], ast.Starred)
        return node.elts[0].value if is_copy and self.is_alone else node  # type: ignore[attr-defined]

    # -- numbers and truth --------------------------------------------------------------------

    def visit_BinOp(self, node: ast.BinOp) -> ast.AST:
        """Numbers are reckoned; `x * 1`, `x // 1`, `x / 1`, `x ** 1` are x on one worker."""
        if (
            self._passes > 1
            and _number(node.right) == self._passes
            and self._ends_in_size(node.left)
        ):
            return self.visit(node.left)  # type: ignore[no-any-return]
        self.generic_visit(node)
        left, right = _number(node.left), _number(node.right)
        if left is not None and right is not None and {left, right} & {0, 1}:
            return _reckoned(node, left, right) or node
        if self.is_alone and right == 1 and isinstance(node.op, _NEUTRAL):
            return node.left
        if self.is_alone and 0 in (left, right) and isinstance(node.op, ast.Mult):
            return ast.Constant(0)
        if self.is_alone and left == 1 and isinstance(node.op, ast.Mult):
            return node.right
        if self.is_alone and right == 0 and isinstance(node.op, (ast.Add, ast.Sub)):
            return node.left
        return node

    def _ends_in_size(self, node: ast.AST) -> bool:
        """Whether it is the number of workers, or something times that."""
        last = node.right if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Mult) else node
        return isinstance(last, ast.Call) and self._imports.part(last.func) in SIZES

    def visit_Compare(self, node: ast.Compare) -> ast.AST:
        """A comparison of two numbers is true or false."""
        self.generic_visit(node)
        if len(node.ops) != 1:
            return node
        left, right = _number(node.left), _number(node.comparators[0])
        compare = COMPARISONS.get(type(node.ops[0]))
        if left is None or right is None or compare is None:
            return node
        return ast.Constant(bool(compare(left, right)))

    def visit_UnaryOp(self, node: ast.UnaryOp) -> ast.AST:
        """`not True` is False."""
        self.generic_visit(node)
        known = _truth(node.operand)
        return (
            ast.Constant(not known) if isinstance(node.op, ast.Not) and known is not None else node
        )

    def visit_BoolOp(self, node: ast.BoolOp) -> ast.AST:
        """`True and x` is x."""
        self.generic_visit(node)
        decides = isinstance(node.op, ast.Or)
        left = [each for each in node.values if _truth(each) is not (not decides)]
        if any(_truth(each) is decides for each in left):
            first = next(i for i, each in enumerate(left) if _truth(each) is decides)
            left = left[: first + 1]
        if not left:
            return ast.Constant(not decides)
        if len(left) == 1:
            return left[0]
        node.values = left
        return node

    def visit_IfExp(self, node: ast.IfExp) -> ast.AST:
        """What is chosen, where that is known."""
        self.generic_visit(node)
        known = _truth(node.test)
        return node if known is None else (node.body if known else node.orelse)

    # -- statements ---------------------------------------------------------------------------

    def visit_If(self, node: ast.If) -> ast.AST | Block:
        """A guard opens or closes."""
        self.generic_visit(node)
        known = _truth(node.test)
        if known is None:
            return node
        return (node.body if known else node.orelse) or ast.Pass()

    def visit_Assert(self, node: ast.Assert) -> ast.AST:
        """What holds is not asked: `assert hvd.size() == 1 or batches`."""
        self.generic_visit(node)
        return ast.Pass() if _truth(node.test) is True else node

    def visit_Expr(self, node: ast.Expr) -> ast.AST | None:
        """A statement that does nothing on one worker alone is none."""
        self.generic_visit(node)
        is_nothing = is_gone(node.value) or isinstance(node.value, ast.Constant)
        return node if not (self.is_alone and is_nothing) else ast.Pass()

    def visit_Assign(self, node: ast.Assign) -> ast.AST | None:
        """`x = x`, as of a wrapper around x, is nothing; so is a name for nothing."""
        self.generic_visit(node)
        if not self.is_alone or len(node.targets) != 1:
            return node
        value = node.value
        if isinstance(value, ast.Call) and self._imports.full(value.func) in ("int", "float"):
            value = value.args[0] if len(value.args) == 1 else value
        return ast.Pass() if shape(node.targets[0]) == shape(value) else node


_NEUTRAL = (ast.Mult, ast.FloorDiv, ast.Div, ast.Pow)


def known_numbers(tree: ast.Module) -> dict[str, ast.Constant]:
    """The names that a module binds once, to what it writes out: `is_chief = hvd.rank() == 0`."""
    stores = Counter(
        n.id for n in within(tree) if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Store)
    )
    return _written_out(tree, stores)


def _written_out(tree: ast.Module, stores: Mapping[str, int]) -> dict[str, ast.Constant]:
    found = {}
    for statement in tree.body:
        if isinstance(statement, ast.Assign) and isinstance(statement.value, ast.Constant):
            for target in statement.targets:
                if isinstance(target, ast.Name) and stores[target.id] == 1:
                    found[target.id] = statement.value
    return found


def _adds_nothing(element: ast.expr) -> bool:
    value = element.value if isinstance(element, ast.Starred) else element
    is_empty = isinstance(element, ast.Starred) and isinstance(value, ast.List) and not value.elts
    return is_gone(value) or is_empty


def _number(node: ast.AST) -> int | float | None:
    value = getattr(node, "value", None) if isinstance(node, ast.Constant) else None
    return value if isinstance(value, (int, float)) and not isinstance(value, bool) else None


def _reckoned(node: ast.BinOp, left: float, right: float) -> ast.AST | None:
    """The number that an operator makes of two, of which one is neutral."""
    if right == 1 and isinstance(node.op, _NEUTRAL):
        return ast.Constant(left)
    if left == 1 and isinstance(node.op, (ast.Mult, ast.Pow)):
        return ast.Constant(right if isinstance(node.op, ast.Mult) else 1)
    if isinstance(node.op, (ast.Add, ast.Sub)):
        return ast.Constant(left + right if isinstance(node.op, ast.Add) else left - right)
    if isinstance(node.op, ast.Mult):
        return ast.Constant(left * right)
    return None


def _truth(node: ast.AST) -> bool | None:
    return bool(node.value) if isinstance(node, ast.Constant) else None


def blocks(node: ast.AST) -> Iterable[Block]:
    """The lists of statements that a node holds, itself or in its handlers and cases."""
    for field in _BODIES:
        found = getattr(node, field, None)
        if isinstance(found, list) and found and isinstance(found[0], ast.stmt):
            yield found
    for each in (*getattr(node, "handlers", ()), *getattr(node, "cases", ())):
        yield each.body
