"""Are shares equally long? How many elements a value has, by the number of workers: a domain.

A share that is taken of so many examples as the workers divide is as long on all of them. Of any
other number somebody gets one more, and may take a step more: that is certain of a number that is
written down and doesn't go round, and nobody can tell of one that isn't written.
"""

from __future__ import annotations

import ast
from collections.abc import Hashable
from enum import IntEnum
from typing import Any, Optional

from ..library import element_counts as table
from ..library.agreement import COUNTERS, is_rank, is_size, is_told
from ..library.array_names import EVEN_SPLITS, SPLIT
from ..library.datasets import BATCHING, CHOOSING
from ..library.effects import gives_all
from ..library.examples import SEED_ARGUMENTS
from ..library.launchers import ENVIRONMENT, SIZES, VARIABLES
from ..library.names import normal
from ..program.domain import Domain, Operands
from ..program.influences import KEY
from ..program.node_fields import within
from ..program.origins import Kind, Origin
from ..program.parts import COMPREHENSIONS, given_by
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
_YIELDS = (ast.Yield, ast.YieldFrom)
_FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef)


class Count(IntEnum):
    """A number, or how many elements there are; the larger one wins where values meet."""

    NOTHING = 0
    SIZE = 1  # the number of workers itself
    WHOLE = 2  # the workers divide it
    SAME = 3  # all workers have it
    ODD = 4  # the same, and it is written down: the usual numbers of workers don't divide it
    SHARE = 5  # of a share, and all of these are equally long
    OWN = 6  # one worker may have more than another
    REST = 7  # a share of an odd number: one worker has more than another
    CHOSEN = 8  # of a share, by what stands in it: each worker has another number


class Lengths:
    """The lengths of the values of one program."""

    def __init__(self, program: Program) -> None:
        self._program = program
        self._numbers: Domain[Count] = Domain(
            *(Count.NOTHING, Count.SAME, max, self._number), suppose=self._number, at=self._chosen
        )
        self._lengths: Domain[Count] = Domain(
            *(Count.NOTHING, Count.SAME, max, self._length),
            suppose=self._length,
            at=self._cut,
            has_influences=True,
        )

    def of(self, expr: ast.expr) -> Count:
        """How many elements a value has."""
        return self._program.value(self._lengths, expr)

    def number(self, expr: ast.expr) -> Count:
        """What a number is."""
        return self._program.value(self._numbers, expr)

    def cuts(self, node: ast.AST, count: Count) -> bool:
        """Whether a value gets its number of elements here, and what it is made of hasn't it."""
        if not isinstance(node, (ast.Subscript, *COMPREHENSIONS, ast.Call)):
            return False
        made = _made_of(node)
        if self.of(node) is not count or self._is_followed(node):
            return False
        return all(max(self.of(each), self.number(each)) < count for each in made)

    def _is_followed(self, node: ast.AST) -> bool:
        """Whether it calls a function or a class of the program, in which the cut is."""
        program, called = self._program, node.func if isinstance(node, ast.Call) else None
        if called is None:
            return False
        return bool(program.functions(called).nodes or program.classes(called).nodes)

    def deals(self, numbers: ast.expr) -> bool:
        """Whether each worker goes through every so many numbers: `range(hvd.rank(), n, 4)`."""
        given = numbers.args if isinstance(numbers, ast.Call) else []
        return len(given) == 3 and self.number(given[0]) >= Count.OWN

    def asks(self, test: ast.expr) -> bool:
        """Whether a test asks for the length of what is not as long on all workers."""
        return self.number(test) >= Count.OWN

    def most_workers(self, node: ast.AST) -> int | None:
        """A small number that the workers share out, `4 // hvd.size()`: of more, each has none."""
        if not isinstance(node, ast.BinOp) or not isinstance(node.op, ast.FloorDiv):
            return None
        made = self._program.origins(node.left)
        known = [n.value for n in (node.left, *made.nodes) if isinstance(n, ast.Constant)]
        numbers = [each for each in known if type(each) is int and 0 < each < _OFTEN]
        is_small = bool(numbers) and len(numbers) == len(known) and made.complete
        return max(numbers) if is_small and self._by_workers([node.right]) else None

    # -- numbers --------------------------------------------------------------------------------

    def _number(self, origin: Origin, operands: Operands[Count]) -> Count:
        if origin.kind is Kind.CONSTANT:
            return _written(origin.name)
        node, values = origin.node, operands.of(origin)
        if isinstance(node, (ast.BinOp, ast.AugAssign)) and len(values) == 2:
            taken = node.right if isinstance(node, ast.BinOp) else node.value
            return self._reckoned(node.op, values[0], values[1], taken)
        if isinstance(origin.node, ast.Call) and origin.kind is not Kind.MEMBER:
            return self._called(origin, origin.node, operands)
        if isinstance(origin.name, tuple) and _written(origin.name[-1]) in (Count.SIZE, Count.OWN):
            return _written(origin.name[-1])  # `os.environ["OMPI_COMM_WORLD_SIZE"]`
        if isinstance(origin.name, tuple) and "shape" in origin.name:
            return _most(operands.of(origin, "of"))
        return _most(values)

    def _reckoned(
        self, op: ast.operator, left: Count, right: Count, taken: ast.expr | None = None
    ) -> Count:
        most = max(left, right)
        if most >= Count.OWN:
            return most
        if isinstance(op, ast.Mult):
            return Count.WHOLE if min(left, right) <= Count.WHOLE else Count.SAME
        if not isinstance(op, (ast.Add, ast.Sub)):
            return Count.SAME
        if isinstance(op, ast.Sub) and taken is not None and self._is_rest(taken):
            return Count.WHOLE  # `n - n % hvd.size()`
        if min(left, right) <= Count.WHOLE:  # `len(x) - 7`
            return Count.WHOLE if most == Count.WHOLE else max(most, Count.SAME)
        return Count.SAME

    def _is_rest(self, taken: ast.expr) -> bool:
        made = [taken, *self._program.origins(taken).nodes]
        rests = [n for n in made if isinstance(n, ast.BinOp) and isinstance(n.op, ast.Mod)]
        return bool(rests) and all(self.number(n.right) <= Count.WHOLE for n in rests)

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
        given = _most(operands.of(origin, *labels)) if labels else Count.SAME
        is_kept = name in ENVIRONMENT or table.keeps_number(name)
        return given if is_kept or given >= Count.SHARE else Count.SAME

    def _chosen(self, key: Hashable, value: Count) -> Count:
        """`len(x) if hvd.rank() == hvd.size() - 1 else end`."""
        if isinstance(key, ast.IfExp) and any(self._is_own(n) for n in ast.walk(key.test)):
            return Count.OWN
        if isinstance(key, ast.Subscript) and self._is_own(key.slice):
            return max(value, Count.OWN)  # `ends[hvd.rank()]`
        if isinstance(key, ast.Subscript) and getattr(key.value, "attr", "") == "shape":
            return _of_length(self.of(key.value.value))  # type: ignore[attr-defined]
        return value

    def _is_own(self, node: ast.AST) -> bool:
        is_number = isinstance(node, (ast.Name, ast.Call, ast.Attribute))
        return is_number and self.number(node) >= Count.OWN  # type: ignore[arg-type]

    # -- lengths --------------------------------------------------------------------------------

    def _length(self, origin: Origin, operands: Operands[Count]) -> Count:
        if origin.kind is Kind.CONSTANT:
            return Count.SAME
        if isinstance(origin.thing, Box):
            found = self._of_box(origin.node or origin.thing.origin)
            return max(_most(operands.of(origin)), Count.WHOLE) if found is None else found
        if isinstance(origin.node, ast.Call) and origin.kind is not Kind.MEMBER:
            return self._made(origin, origin.node, operands)
        return max(_most(operands.of(origin)), self._picked(origin, operands), Count.WHOLE)

    def _picked(self, origin: Origin, operands: Operands[Count]) -> Count:
        """`x[numbers]`: as many as there are numbers, where these are a share."""
        keys = operands.influences.get(origin, ())
        found = _most([operands.at(n) for label, n in keys if label == KEY])
        return found if found >= Count.SHARE else Count.NOTHING

    def _of_box(self, node: Hashable) -> Count | None:
        """How many elements Python's own functions, comprehensions and generators give."""
        if isinstance(node, tuple) and node[1:] == ("yields",):
            return self._given_by(node[0])
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
        if len(call.args) == 2:
            return self._apart(*call.args)
        return _most([self.number(each) for each in call.args])

    def _of_generator(self, made: ast.comprehension) -> Count:
        """`for i in range(n) if i % hvd.size() == hvd.rank()` takes each so many."""
        whole = self.of(made.iter)
        own = [test for test in made.ifs if any(self._is_own(n) for n in ast.walk(test))]
        if not own:
            return whole
        is_dealt = len(made.ifs) == 1 and self._deals(own[0])
        return _share_of(whole) if is_dealt else Count.OWN

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
        classes = self._program.classes(call.func).nodes
        methods = [method for cls in classes for method in _giving(cls)]
        if methods:
            return _most([self._given_by(each) for each in methods])
        whole = _most(operands.of(origin, "func", "receiver"))
        return self._of_method(getattr(call.func, "attr", ""), call, whole)

    def _named(self, name: str, call: ast.Call, origin: Origin, operands: Operands[Count]) -> Count:
        labels = [label for label, _ in origin.operands if label not in ("func", "receiver")]
        given = _most(operands.of(origin, *labels)) if labels else Count.SAME
        first = call.args[0] if call.args else None
        if name in COUNTERS and call.args:
            return self._counted(call)
        if table.is_length(name):
            return Count.SAME
        if name == SPLIT and self._by_workers(call.args[1:2]):
            return _share_of(_most(operands.of(origin, 0)))
        if name.endswith(table.FROM_GENERATOR) and first is not None:
            return _most([self._given_by(n) for n in self._program.functions(first).nodes])
        if name in EVEN_SPLITS and self._by_workers(call.args[1:2]):
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
            return _share_of(whole)
        if method == "take" and given:
            return self.number(given[0])
        if method == "skip" and given:
            return self._left(whole, given[0])
        if method == "repeat" and not given:
            return Count.SAME  # without an end
        if method == "unbatch" and self._is_of_groups(call.func):
            return Count.WHOLE
        if method in table.SIFTING | CHOOSING:
            return self._sifted(call, whole)
        if method in BATCHING and (whole is Count.ODD or _drops_rest(call)):
            return {Count.ODD: Count.SAME, Count.REST: Count.OWN}.get(whole, whole)
        return whole

    def _sifted(self, call: ast.Call, whole: Count) -> Count:
        """`filter(lambda i, _: i % hvd.size() == hvd.rank())` deals, others ask its values."""
        functions = (f for each in call.args[:1] for f in self._program.functions(each).nodes)
        tests = [test for function in functions for test in given_by(function)]
        if any(self._is_own(n) for test in tests for n in within(test)):
            return _share_of(whole) if all(map(self._deals, tests)) else Count.OWN
        return Count.CHOSEN if whole >= Count.SHARE else Count.SAME

    def _given_by(self, generator: ast.AST) -> Count:
        """What `__len__` says; as often as the loops go around that give an element.

        Unless there is no end to them.
        """
        if getattr(generator, "name", "") == "__len__":
            return _most([self.number(each) for each in given_by(generator)])
        loops = [n for n in within(generator) if isinstance(n, (ast.For, ast.While))]
        giving = [n for n in loops if any(isinstance(each, _YIELDS) for each in within(n))]
        if any(isinstance(n, ast.While) and _is_endless(n) for n in giving):
            return Count.SAME
        rounds = [self.of(n.iter) for n in giving if isinstance(n, ast.For)]
        tests = [n.test for n in giving if isinstance(n, ast.While)]
        compared = [n for test in tests for n in within(test) if isinstance(n, ast.Compare)]
        return _most([*rounds, *(self._asked(n) for n in compared)])

    def _asked(self, asked: ast.Compare) -> Count:
        return _most([self.number(each) for each in (asked.left, *asked.comparators)])

    def _is_of_groups(self, func: ast.expr) -> bool:
        """`data.batch(8 * hvd.size(), drop_remainder=True)` that is taken apart."""
        made = func.value if isinstance(func, ast.Attribute) else None
        if not isinstance(made, ast.Call) or getattr(made.func, "attr", "") != "batch":
            return False
        sizes = [*made.args[:1], *(k.value for k in made.keywords if k.arg == "batch_size")]
        return _drops_rest(made) and any(self.number(n) <= Count.WHOLE for n in sizes)

    def _by_workers(self, given: list[ast.expr]) -> bool:
        return bool(given) and self.number(given[0]) is Count.SIZE

    # -- parts ----------------------------------------------------------------------------------

    def _cut(self, key: Hashable, value: Count) -> Count:
        if not isinstance(key, ast.Subscript) or not value:
            return value
        index: Any = key.slice.elts[0] if isinstance(key.slice, ast.Tuple) else key.slice
        bounds = self._bounds(index)
        if bounds is not None:
            return self._between(value, *bounds)
        masks = [n for n in self._program.origins(index).nodes if isinstance(n, ast.Compare)]
        return max(self._masked(value, n) for n in masks) if masks else value

    def _masked(self, whole: Count, mask: ast.Compare) -> Count:
        """`x[numbers % hvd.size() == hvd.rank()]`, and `x[x > 0]`."""
        if any(map(self._is_own, ast.walk(mask))):
            return _share_of(whole) if self._deals(mask) else Count.OWN
        return Count.CHOSEN if whole >= Count.SHARE else Count.SAME

    def _between(self, value: Count, lower: Bound, upper: Bound, step: Bound) -> Count:
        """Of what has so many, from one to another."""
        if step is not None and lower is not None and self._is_own(lower):
            whole = value if upper is None else self.number(upper)
            return _share_of(whole) if self._by_workers([step]) else Count.OWN
        if upper is not None and self.number(upper) >= Count.OWN:
            return self._block(lower, upper)
        if lower is not None and self.number(lower) >= Count.OWN:
            return Count.OWN  # as far as it goes
        if upper is None:
            return value if lower is None else self._left(value, lower)
        return self.number(upper) if lower is None else self._apart(lower, upper)

    def _apart(self, lower: ast.expr, upper: ast.expr) -> Count:
        """How many there are from one number to another."""
        return self._left(self.number(upper), lower)

    def _left(self, whole: Count, taken: ast.expr) -> Count:
        """What is left of so many behind the first ones."""
        return self._reckoned(ast.Sub(), whole, self.number(taken), taken)

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
        if self.number(first) < Count.OWN:
            return max(self.number(end), Count.SAME)
        return _share_of(self.number(end)) if self._by_workers([step]) else Count.OWN

    def _name(self, origin: Origin, operands: Operands[Count]) -> str:
        names = [t.name for t in operands.things(origin, "func") if isinstance(t, Library)]
        return normal(origin.name or (names[0] if len(names) == 1 else ""))


def as_bounds(arguments: list[ast.expr]) -> tuple[Bound, Bound, Bound]:
    """What `slice` is given, as `lower:upper:step`."""
    given: list[Bound] = [None if _is_none(each) else each for each in arguments]
    start: list[Bound] = [None] if len(given) == 1 else []
    lower, upper, step = (start + given + [None, None, None])[:3]
    return lower, upper, step


def _written(value: object) -> Count:
    """Of a number that is written down, and of the name under which a launcher tells one."""
    if isinstance(value, str):
        return Count.SIZE if value in SIZES else Count.OWN if value in VARIABLES else Count.SAME
    if not isinstance(value, int) or isinstance(value, bool):
        return Count.SAME
    return Count.ODD if value % _OFTEN else Count.WHOLE


def _share_of(whole: Count) -> Count:
    """One of as many shares as there are workers."""
    if whole is Count.ODD:
        return Count.REST
    return Count.SHARE if whole <= Count.WHOLE else max(whole, Count.OWN)


def _drops_rest(call: ast.Call) -> bool:
    """`data.batch(32, drop_remainder=True)`."""
    said = [k.value for k in call.keywords if k.arg == "drop_remainder"]
    return any(isinstance(each, ast.Constant) and each.value is True for each in said)


def _made_of(node: ast.AST) -> list[ast.expr]:
    """What a part, a list or a call is made of."""
    if isinstance(node, ast.Subscript):
        return [node.value, *([] if isinstance(node.slice, ast.Slice) else [node.slice])]
    if not isinstance(node, ast.Call):
        return [each.iter for each in node.generators]  # type: ignore[attr-defined]
    of_method = [node.func.value] if isinstance(node.func, ast.Attribute) else []
    given = [*node.args, *(keyword.value for keyword in node.keywords)]
    return [*of_method, *given]


def _giving(cls: ast.AST) -> list[ast.AST]:
    """The method of a class that says how long it is, else what gives its elements."""
    methods = [each for each in cls.body if isinstance(each, _FUNCTIONS)]  # type: ignore[attr-defined]
    said: list[ast.AST] = [each for each in methods if each.name == "__len__"]
    return said or [each for each in methods if each.name == "__iter__"]


def _is_endless(loop: ast.While) -> bool:
    return isinstance(loop.test, ast.Constant)


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
