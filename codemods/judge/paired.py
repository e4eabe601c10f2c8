"""**paired**: what meets in one step is cut by the same index in the same order.

Inputs, targets and weights of a `fit`, the arrays of one data set, and those that one statement
cuts: where a rank is in the index of one of them, it is in that of each. What comes out of sight is
taken for what it is called with. Of two indices it is asked whether both take every so many-th
example or both a block of them; whether they are the same numbers is not asked yet.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence

from ..library.horovod_alone import RANKS, SHARES, part
from ..library.names import normal
from ..library.step_arguments import (
    ARRAYS_OF,
    DATASETS_OF,
    FIT_ARGUMENTS,
    PARTS_OF,
    WEIGHTS_OF_ROWS,
)
from ..library.waiting_calls import OF_ITSELF
from ..program.node_fields import within
from .case import Case, proved
from .proof import Proof
from .streams import Streams

HOW = "where one array of a step is cut by rank, all of them are"
APART = (
    "`{}` is cut by the worker's rank, and `{}`, which meets it in a step, isn't: "
    "examples are trained on with the targets of others"
)
UNLIKE = (
    "`{}` is every so many-th of its examples here, and `{}`, which meets it in a step, a block of "
    "them: examples are trained on with the targets of others"
)
FIX = "cut both by the same index"
MOVED = (
    "`{}` draws another order here on each worker, as some of them have drawn once more in line "
    "{}: the shares that are cut from it overlap, and leave examples out"
)
SEED_AGAIN = "draw there from a generator of its own (`np.random.default_rng()`), or seed again"
STEPS, BLOCK = "steps", "block"
_NAMED = (ast.Name, ast.Attribute, ast.Subscript)  # no counts and ranges, which a call gives


def prove(case: Case) -> Iterator[Proof]:
    """Compare what each call, and each statement that cuts several arrays, brings together."""
    cuts = _Cuts(case)
    found = [
        proof
        for source in case.after.values()
        for node in within(source.module)
        for proof in _at(case, node, cuts)
    ]
    found += _moved(case, cuts)
    yield from found or [proved("paired", HOW)]


def _at(case: Case, node: ast.AST, cuts: _Cuts) -> Iterator[Proof]:
    # A gradient that is computed from a share is no share, in a `zip` with its variable.
    is_zip = isinstance(node, ast.Call) and getattr(node.func, "id", "") == "zip"
    cut = cuts.itself if is_zip else cuts.behind
    is_own = isinstance(node, ast.Call) and bool(cuts.runs(node.func))
    for together in () if is_own else _groups(node, cuts):  # a `fit` of its own does what it likes
        answers = [cut(each) for each in together]
        if any(answers) and not all(answers):
            whole = together[answers.index(False)]
            words = (ast.unparse(together[answers.index(True)]), ast.unparse(whole))
            yield case.violated("paired", whole, APART.format(*words), FIX)
        elif any(answers):
            yield from _unlike(case, together, cuts)


def _moved(case: Case, cuts: _Cuts) -> Iterator[Proof]:
    """Shares of an order that is no longer the same on all workers, each draw once."""
    if not any("rank" in source.text and "random" in source.text for source in case.after.values()):
        return
    streams = Streams(case)
    told: set[ast.AST] = set()
    for source in case.after.values():
        for node in within(source.module):
            for drawn in cuts.drawn_for(node, streams):
                other = streams.moved_before(drawn)
                if other is not None and drawn not in told:
                    told.add(drawn)
                    why = MOVED.format(ast.unparse(drawn.func), case.place(other).line)
                    yield case.violated("paired", drawn, why, SEED_AGAIN)


def _unlike(case: Case, together: Sequence[ast.expr], cuts: _Cuts) -> Iterator[Proof]:
    """Of arrays that are all cut, a pair that is cut in two ways."""
    ways = [cuts.ways(each) for each in together]
    every = [each for each, way in zip(together, ways) if way == {STEPS}]
    blocks = [each for each, way in zip(together, ways) if way == {BLOCK}]
    if every and blocks:
        why = UNLIKE.format(ast.unparse(every[0]), ast.unparse(blocks[0]))
        yield case.violated("paired", blocks[0], why, FIX)


def _groups(node: ast.AST, cuts: _Cuts) -> Iterator[Sequence[ast.expr]]:
    """The expressions that meet: arrays of a `fit`, of a data set, of one assignment."""
    if isinstance(node, ast.Call) and getattr(node.func, "id", "") == "zip":
        yield [each for each in map(cuts.array, node.args) if isinstance(each, _NAMED)]
    elif isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
        yield _arrays(node, ARRAYS_OF.get(node.func.attr, ()))
        if node.func.attr in DATASETS_OF and node.args:
            yield getattr(node.args[0], "elts", ())
    elif isinstance(node, ast.Assign) and isinstance(node.value, ast.Tuple):
        targets = getattr(node.targets[0], "elts", ())
        if [_name(each) for each in targets] == [_name(each) for each in node.value.elts]:
            yield node.value.elts


def _arrays(call: ast.Call, names: Sequence[str]) -> list[ast.expr]:
    """The arguments that hold one element an example, but for those that hold none."""
    is_fit = getattr(call.func, "attr", "") == "fit"
    names = [*names, *WEIGHTS_OF_ROWS] if is_fit else names
    found = {n: a for n, a in zip(FIT_ARGUMENTS if is_fit else names, call.args) if n in names}
    found.update((k.arg, k.value) for k in call.keywords if k.arg is not None and k.arg in names)
    return [each for each in found.values() if not isinstance(each, ast.Constant)]


def _name(node: ast.AST) -> str:
    """The name of an array, also of a part of it."""
    while isinstance(node, (ast.Subscript, ast.Starred)):
        node = node.value
    return ast.unparse(node)


class _Cuts:
    """Asks whether an index of an expression is reckoned with a rank."""

    def __init__(self, case: Case) -> None:
        self._program = case.program
        self._by_rank = self._program.sought(self._is_rank)
        self.behind = self._program.sought(
            self._is_cut, _is_no_array
        )  # of what it is computed from, too

    def runs(self, func: ast.expr) -> tuple[ast.AST, ...]:
        """The functions of the program that a call runs."""
        return self._program.functions(func).nodes

    def itself(self, expr: ast.expr) -> bool:
        """Whether the value itself is cut, under whatever name."""
        keys = map(self._program.key, self._program.follow(expr))
        return any(isinstance(key, ast.AST) and self._is_cut(key) for key in keys)

    def array(self, expr: ast.expr) -> ast.expr:
        """The array of which a function gives the parts, in their order."""
        while isinstance(expr, ast.Call) and expr.args and self._gives_parts(expr):
            expr = expr.args[0]
        return expr

    def ways(self, expr: ast.expr) -> set[str]:
        """How a value is cut: every so many-th element, a block of them, or who knows."""
        keys = map(self._program.key, self._program.follow(expr))
        return {self._way(key) for key in keys if isinstance(key, ast.AST) and self._is_cut(key)}

    def drawn_for(self, node: ast.AST, streams: Streams) -> list[ast.Call]:
        """What is drawn for the order, or the numbers, of which a node is a share by rank."""
        if not (isinstance(node, ast.Subscript) and isinstance(node.slice, ast.Slice)):
            return []
        if not self._by_rank(node.slice):
            return []
        parts = self._program.ingredients(node.value, _is_no_array)
        return [each for each in parts if isinstance(each, ast.Call) and streams.draws(each)]

    def _gives_parts(self, call: ast.Call) -> bool:
        names = [*map(normal, self._program.names(call.func))]
        return bool(names) and all(name in PARTS_OF for name in names)

    def _way(self, cut: ast.AST) -> str:
        if not isinstance(cut, ast.Subscript):
            return STEPS
        made = self._program.origins(cut.slice).nodes
        found = {
            _step(each) for each in ([cut.slice] if isinstance(cut.slice, ast.Slice) else made)
        }
        return found.pop() if len(found) == 1 else ""

    def _is_rank(self, node: ast.AST) -> bool:
        return isinstance(node, ast.Call) and any(
            part(name) in RANKS for name in self._program.names(node.func)
        )

    def _is_cut(self, node: ast.AST) -> bool:
        if isinstance(node, ast.Subscript):
            return self._by_rank(node.slice)
        if not (isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute)):
            return False
        return node.func.attr in SHARES  # the share of whomever: two of one data set meet


def _step(index: ast.AST) -> str:
    """Whether a slice, or a call that makes one, goes in steps."""
    if isinstance(index, ast.Slice):
        return BLOCK if index.step is None else STEPS
    if isinstance(index, ast.Call) and getattr(index.func, "id", "") == "slice":
        return STEPS if len(index.args) > 2 else BLOCK
    return ""


def _is_no_array(node: ast.AST) -> bool:
    """Whether it is a gradient, which meets variables that nobody cuts."""
    func = getattr(node, "func", None)
    return isinstance(func, ast.Attribute) and func.attr in OF_ITSELF
