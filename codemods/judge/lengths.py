"""Are shares equally long? How many elements a value has, by the number of workers: a domain.

A share that is taken of so many examples as the workers divide is as long on all of them. Of any
other number somebody gets one more, and may take a step more.
"""

from __future__ import annotations

import ast
from collections.abc import Hashable
from enum import IntEnum
from typing import Any, Optional

from ..library import element_counts as table
from ..library.agreement import COUNTERS, is_rank, is_size, is_told
from ..library.effects import gives_all
from ..library.examples import SEED_ARGUMENTS
from ..library.names import normal
from ..program.domain import Domain, Operands
from ..program.origins import Kind, Origin
from ..program.parts import COMPREHENSIONS
from ..program.program import Program
from ..program.things import Box, Library

Bound = Optional[ast.expr]
_OFTEN = 8  # a number that this divides goes round for the usual numbers of workers
_CEILS = ("ceil", "round")
# They give as many as they are given, or as many as the shortest of these.
_PASSING = (
    *("builtins.iter", "builtins.list", "builtins.map", "builtins.reversed", "builtins.sorted"),
    *("builtins.tuple", "builtins.zip"),
)
_SPLITS = ("numpy.split", "tensorflow.split")


class Count(IntEnum):
    """A number, or how many elements there are; the larger one wins where values meet."""

    NOTHING = 0
    SIZE = 1  # the number of workers itself
    WHOLE = 2  # the workers divide it
    SAME = 3  # all workers have it
    SHARE = 4  # of a share, and all of these are equally long
    OWN = 5  # one worker may have more than another


class Lengths:
    """The lengths of the values of one program."""

    def __init__(self, program: Program) -> None:
        self._program = program
        self._numbers: Domain[Count] = Domain(
            *(Count.NOTHING, Count.SAME, max, self._number), suppose=self._number, at=self._chosen
        )
        self._lengths: Domain[Count] = Domain(
            *(Count.NOTHING, Count.SAME, max, self._length), suppose=self._length, at=self._cut
        )

    def of(self, expr: ast.expr) -> Count:
        """How many elements a value has."""
        return self._program.value(self._lengths, expr)

    def number(self, expr: ast.expr) -> Count:
        """What a number is."""
        return self._program.value(self._numbers, expr)

    # -- numbers --------------------------------------------------------------------------------

    def _number(self, origin: Origin, operands: Operands[Count]) -> Count:
        if origin.kind is Kind.CONSTANT:
            is_round = isinstance(origin.name, int) and origin.name % _OFTEN == 0
            return Count.WHOLE if is_round else Count.SAME
        node, values = origin.node, operands.of(origin)
        if isinstance(node, (ast.BinOp, ast.AugAssign)) and len(values) == 2:
            return self._reckoned(node, *values)
        if isinstance(origin.node, ast.Call) and origin.kind is not Kind.MEMBER:
            return self._called(origin, origin.node, operands)
        if isinstance(origin.name, tuple) and "shape" in origin.name:
            return _most(operands.of(origin, "of"))
        return _most(values)

    def _reckoned(self, node: ast.BinOp | ast.AugAssign, left: Count, right: Count) -> Count:
        if Count.OWN in (left, right):
            return Count.OWN
        if isinstance(node.op, ast.Mult) and min(left, right) <= Count.WHOLE:
            return Count.WHOLE
        if isinstance(node.op, (ast.Add, ast.Sub)) and max(left, right) == Count.WHOLE:
            return Count.WHOLE
        taken = node.right if isinstance(node, ast.BinOp) else node.value
        is_rest = isinstance(taken, ast.BinOp) and isinstance(taken.op, ast.Mod)
        if isinstance(node.op, ast.Sub) and is_rest and self.number(taken.right) is Count.SIZE:  # type: ignore[attr-defined]
            return Count.WHOLE  # `n - n % hvd.size()`
        return Count.SAME

    def _called(self, origin: Origin, call: ast.Call, operands: Operands[Count]) -> Count:
        name = self._name(origin, operands)
        if is_size(name):
            return Count.SIZE
        if is_rank(name):
            return Count.OWN
        if name == "builtins.len" and call.args:
            return _of_length(self.of(call.args[0]))
        if is_told(name):
            return Count.SAME
        labels = [label for label, _ in origin.operands if label != "func"]
        return max(_most(operands.of(origin, *labels)), Count.SAME) if labels else Count.SAME

    def _chosen(self, key: Hashable, value: Count) -> Count:
        """`len(x) if hvd.rank() == hvd.size() - 1 else end`."""
        if isinstance(key, ast.IfExp) and any(self._is_own(n) for n in ast.walk(key.test)):
            return Count.OWN
        if isinstance(key, ast.Subscript) and getattr(key.value, "attr", "") == "shape":
            return _of_length(self.of(key.value.value))  # type: ignore[attr-defined]
        return value

    def _is_own(self, node: ast.AST) -> bool:
        is_number = isinstance(node, (ast.Name, ast.Call, ast.Attribute))
        return is_number and self.number(node) is Count.OWN  # type: ignore[arg-type]

    # -- lengths --------------------------------------------------------------------------------

    def _length(self, origin: Origin, operands: Operands[Count]) -> Count:
        if origin.kind is Kind.CONSTANT:
            return Count.SAME
        if isinstance(origin.thing, Box):
            found = self._of_box(origin.node or origin.thing.origin)
            return max(_most(operands.of(origin)), Count.WHOLE) if found is None else found
        if isinstance(origin.node, ast.Call) and origin.kind is not Kind.MEMBER:
            return self._made(origin, origin.node, operands)
        return max(_most(operands.of(origin)), Count.WHOLE)

    def _of_box(self, node: Hashable) -> Count | None:
        """How many elements Python's own functions and comprehensions give."""
        if isinstance(node, COMPREHENSIONS):
            return _most([self._of_generator(each) for each in node.generators])
        if not isinstance(node, ast.Call) or not node.args:
            return None
        name = normal(next(iter(self._program.names(node.func)), ""))
        if name in COUNTERS:
            return self._counted(node)
        if name == "itertools.islice":
            lower, upper, step = as_bounds(node.args[1:])
            return self._between(self.of(node.args[0]), lower, upper, step)
        if name in _PASSING or gives_all(name):
            return _most([self.of(each) for each in node.args if not isinstance(each, ast.Starred)])
        return None

    def _counted(self, call: ast.Call) -> Count:
        """`range(n)`: not by what shows how far it is."""
        if len(call.args) == 3:
            return self._strided(*call.args)
        return _most([self.number(each) for each in call.args])

    def _of_generator(self, made: ast.comprehension) -> Count:
        """`for i in range(n) if i % hvd.size() == hvd.rank()` takes each so many."""
        whole = self.of(made.iter)
        own = [test for test in made.ifs if any(self._is_own(n) for n in ast.walk(test))]
        if not own:
            return whole
        is_even = whole <= Count.WHOLE and len(made.ifs) == 1 and self._deals(own[0])
        return Count.SHARE if is_even else Count.OWN

    def _deals(self, test: ast.expr) -> bool:
        if not isinstance(test, ast.Compare) or not isinstance(test.ops[0], ast.Eq):
            return False
        sides = (test.left, test.comparators[0])
        turns = [n for n in sides if isinstance(n, ast.BinOp) and isinstance(n.op, ast.Mod)]
        return len(turns) == 1 and self._by_workers([turns[0].right])

    def _made(self, origin: Origin, call: ast.Call, operands: Operands[Count]) -> Count:
        name = self._name(origin, operands)
        if name:
            return self._named(name, call, origin, operands)
        whole = _most(operands.of(origin, "func", "receiver"))
        return self._of_method(getattr(call.func, "attr", ""), call, whole)

    def _named(self, name: str, call: ast.Call, origin: Origin, operands: Operands[Count]) -> Count:
        labels = [label for label, _ in origin.operands if label not in ("func", "receiver")]
        given = _most(operands.of(origin, *labels)) if labels else Count.SAME
        first = call.args[0] if call.args else None
        if name in COUNTERS and call.args:
            return self._counted(call)
        if name == "numpy.array_split" and self._by_workers(call.args[1:2]):
            whole = _most(operands.of(origin, 0))
            return Count.SHARE if whole <= Count.WHOLE else Count.OWN
        if name in _SPLITS and self._by_workers(call.args[1:2]):
            return Count.SHARE  # else it fails
        if table.is_read(name):
            is_own = given >= Count.SHARE or any(map(self._is_own, ast.walk(call)))
            return Count.OWN if is_own else Count.SAME
        if table.is_round(name):
            return Count.WHOLE
        if table.is_made(name) and first is not None:
            return self.number(_first(first))
        return Count.OWN if table.is_unknown(name) and self._is_told_own(call) else given

    def _is_told_own(self, call: ast.Call) -> bool:
        """Whether a call is told the worker's number, but for what only chance goes by."""
        named = [k.value for k in call.keywords if k.arg not in SEED_ARGUMENTS]
        return any(self._is_own(n) for each in (*call.args, *named) for n in ast.walk(each))

    def _of_method(self, method: str, call: ast.Call, whole: Count) -> Count:
        given = [*call.args, *(k.value for k in call.keywords)]
        if method in table.DRAWING:
            sizes = [k.value for k in call.keywords if k.arg == "size"]
            sizes += [each for each in call.args if isinstance(each, ast.Tuple)]
            sizes += call.args[:1] if method in table.DRAWING_SO_MANY else []
            return self.number(_first(sizes[0])) if sizes else whole
        if method == "shard" and any(map(self._is_own, given)):
            return Count.SHARE if whole <= Count.WHOLE else Count.OWN
        if method == "take" and given:
            return self.number(given[0])
        if method == "repeat" and not given:
            return Count.SAME  # without an end
        if method == "unbatch" and self._is_of_groups(call.func):
            return Count.WHOLE
        if method in table.SIFTING and whole is Count.SHARE:
            return Count.OWN
        return whole

    def _is_of_groups(self, func: ast.expr) -> bool:
        """`data.batch(hvd.size(), drop_remainder=True)` that is taken apart."""
        made = func.value if isinstance(func, ast.Attribute) else None
        is_batch = isinstance(made, ast.Call) and getattr(made.func, "attr", "") == "batch"
        return is_batch and self._by_workers(made.args[:1])  # type: ignore[union-attr]

    def _by_workers(self, given: list[ast.expr]) -> bool:
        return bool(given) and self.number(given[0]) is Count.SIZE

    # -- parts ----------------------------------------------------------------------------------

    def _cut(self, key: Hashable, value: Count) -> Count:
        if not isinstance(key, ast.Subscript) or not value:
            return value
        index: Any = key.slice.elts[0] if isinstance(key.slice, ast.Tuple) else key.slice
        bounds = self._bounds(index)
        if bounds is None:
            return value
        return self._between(value, *bounds)

    def _between(self, value: Count, lower: Bound, upper: Bound, step: Bound) -> Count:
        """Of what has so many, from one to another."""
        if step is not None and lower is not None and self._is_own(lower):
            whole = value if upper is None else self.number(upper)
            return Count.SHARE if whole <= Count.WHOLE and self._by_workers([step]) else Count.OWN
        if upper is not None and self.number(upper) is Count.OWN:
            return self._block(lower, upper)
        if lower is not None and self.number(lower) is Count.OWN:
            return Count.OWN  # as far as it goes
        return value if upper is None else self.number(upper)

    def _bounds(self, index: ast.expr) -> tuple[Bound, Bound, Bound] | None:
        """Of `a:b:c`, and of `slice(a, b, c)`, also under a name."""
        if isinstance(index, ast.Slice):
            return index.lower, index.upper, index.step
        for made in self._program.origins(index).nodes:
            if isinstance(made, ast.Call) and getattr(made.func, "id", "") == "slice":
                return as_bounds(made.args)
        return None

    def _block(self, lower: ast.expr | None, upper: ast.expr) -> Count:
        """`x[rank * n : (rank + 1) * n]`: equally long where there are at least N times n."""
        if not isinstance(upper, ast.BinOp) or lower is None:
            return self._of_names(lower, upper)
        rounds = self._rows_of(upper) or self._rows_of(lower)
        return Count.SHARE if rounds is not None and self._is_floor(rounds) else Count.OWN

    def _of_names(self, lower: ast.expr | None, upper: ast.expr) -> Count:
        made = [self._program.origins(each).nodes for each in (lower, upper) if each is not None]
        is_clear = len(made) == 2 and all(len(nodes) == 1 for nodes in made)
        found = [next(iter(nodes)) for nodes in made] if is_clear else []
        if len(found) < 2 or not all(isinstance(each, ast.BinOp) for each in found):
            return Count.OWN
        return self._block(*found)  # type: ignore[arg-type]

    def _rows_of(self, number: ast.expr) -> ast.expr | None:
        """`n` of `(rank + 1) * n`."""
        if not isinstance(number, ast.BinOp) or not isinstance(number.op, ast.Mult):
            return None
        sides = [number.left, number.right]
        others = [side for side in sides if self.number(side) is not Count.OWN]
        return others[0] if len(others) == 1 else None

    def _is_floor(self, rows: ast.expr) -> bool:
        """Whether it is not rounded up: by `ceil`, `-(-n // size)` or `n // size + 1`."""
        for node in self._program.ingredients(rows):
            if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub):
                return False
            if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Add):
                return False
            name = getattr(node.func, "attr", "") if isinstance(node, ast.Call) else ""
            if name in _CEILS:
                return False
        return True

    def _strided(self, first: ast.expr, end: ast.expr, step: ast.expr) -> Count:
        """`range(hvd.rank(), n, hvd.size())`."""
        if self.number(first) is not Count.OWN:
            return max(self.number(end), Count.SAME)
        is_even = self.number(end) <= Count.WHOLE and self._by_workers([step])
        return Count.SHARE if is_even else Count.OWN

    def _name(self, origin: Origin, operands: Operands[Count]) -> str:
        names = [t.name for t in operands.things(origin, "func") if isinstance(t, Library)]
        return normal(origin.name or (names[0] if len(names) == 1 else ""))


def as_bounds(arguments: list[ast.expr]) -> tuple[Bound, Bound, Bound]:
    """What `slice` is given, as `lower:upper:step`."""
    given: list[Bound] = [None if _is_none(each) else each for each in arguments]
    start: list[Bound] = [None] if len(given) == 1 else []
    lower, upper, step = (start + given + [None, None, None])[:3]
    return lower, upper, step


def _is_none(node: ast.expr) -> bool:
    return isinstance(node, ast.Constant) and node.value is None


def _first(size: ast.expr) -> ast.expr:
    """`n` of `(n, 4)`."""
    return size.elts[0] if isinstance(size, ast.Tuple) and size.elts else size


def _most(values: list[Count]) -> Count:
    return max(values, default=Count.SAME)


def _of_length(length: Count) -> Count:
    """The number that `len` says."""
    return Count.SAME if length is Count.SHARE else length
