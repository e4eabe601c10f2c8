"""How each worker gets a slice of arrays (D107), each `slice` made once."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING

from ..edits import At, FoldCall, Insert, Wrap
from ..facts.data.array_loops import loops
from ..facts.data.data_lengths import TRAINING, VALIDATION, Arrays, Container, first_place
from ..facts.data.fit_arrays import arrays_of_fits
from ..facts.data.handed_batches import handed_batches
from ..facts.data.no_rounds import data_of_shares, rounds_of_shares
from ..facts.data.pipeline_shares import shares_of
from ..facts.gradients.batch_rows import full_rows
from ._new_code import code, fresh, hvd
from ._share_edits import CUT, CUT_UNPACKED, length

if TYPE_CHECKING:
    from ..facts import Facts

NAMES = {TRAINING: "shard", VALIDATION: "val_shard"}
SLICE = "{name} = slice({hvd}.rank(), {length} // {hvd}.size() * {hvd}.size(), {hvd}.size())\n"
# The mean over no rows is no number, without a word.
ENOUGH = """\
if {hvd}.size() > 1 and len({array}) < {hvd}.size():
    raise ValueError(f"{{{hvd}.size()}} workers can't share out {{len({array})}} rows")
"""
_OF_NO_LIST = (ast.Sub, ast.Div, ast.Pow)
_OF_EACH = (*_OF_NO_LIST, ast.Add, ast.Mult)  # what is done to each row by itself
# Nothing would be trained, without a word.
BATCHES = 'assert {hvd}.size() == 1 or {number}, "a worker\'s share is less than a batch"\n'


def of_arrays(facts: Facts) -> Iterator[At]:
    """All arrays that each worker takes a slice of."""
    yield from enough_batches(facts)
    yield from of_loops(facts)
    yield from of_fits(facts)
    yield from of_handed(facts)
    yield from of_full_batch(facts)


def of_loops(facts: Facts) -> Iterator[At]:
    """The arrays that a loop takes its batches of."""
    for loop in loops(facts):
        name = fresh(facts, NAMES[TRAINING])
        own = ", ".join(f"{array}[{name}]" for array in loop.arrays)
        lines = shard(facts, name, f"len({loop.arrays[0]})") + f"{', '.join(loop.arrays)} = {own}"
        insert = (
            Insert(after=lines + "\n", fold=True) if loop.is_behind else Insert(lines, fold=True)
        )
        yield At(loop.before, insert)


def enough_batches(facts: Facts) -> Iterator[At]:
    """An error where a share has no whole batch for a loop that trains on such."""
    for rounds in (*rounds_of_shares(facts), *data_of_shares(facts)):
        number = code(facts, rounds.number)
        whole = number if isinstance(rounds.number, (ast.Name, ast.Attribute)) else f"({number})"
        whole += ".cardinality() != 0" if rounds.is_data else ""
        line = BATCHES.format(hvd=hvd(facts), number=whole)
        yield At(rounds.statement, Insert(after=line) if rounds.is_behind else Insert(line))


def of_fits(facts: Facts) -> Iterator[At]:
    """The arrays that `fit` is given."""
    yield from _of(facts, arrays_of_fits(facts))


def of_handed(facts: Facts) -> Iterator[At]:
    """The arrays that code of the program hands out in batches, or makes a dataset of."""
    yield from _of(facts, handed_batches(facts).arrays.values())
    yield from _of(facts, shares_of(facts).handed.values())


def of_full_batch(facts: Facts) -> Iterator[At]:
    """The arrays of which each step takes all rows."""
    found = full_rows(facts)
    if found is not None:
        name = fresh(facts, NAMES[TRAINING])
        first, horovod = code(facts, found.reads[0]), hvd(facts)
        lines = shard(facts, name, f"len({first})") + ENOUGH.format(array=first, hvd=horovod)
        yield At(found.behind, Insert(after=lines, fold=True))
        yield from (
            At(read, Wrap(CUT[Container.ITSELF].format(shard=name))) for read in found.reads
        )


def _of(facts: Facts, found: Iterable[Arrays]) -> Iterator[At]:
    cut: dict[ast.AST, Wrap] = {}
    calls: dict[ast.AST, None] = {}
    found = list(found)
    for arrays in found:
        name = fresh(facts, NAMES[arrays.purpose])
        for value, held in arrays.held.items():
            rows = rows_of(value) if held is Container.ITSELF else value
            cut[rows] = Wrap(cutting(facts, value, held, name))
        calls[arrays.call] = None
        if arrays.is_first and arrays.length is not None:
            line = shard(facts, name, length(facts, arrays.length))
            others = [a for a in found if a.purpose == arrays.purpose and a.is_first]
            place = arrays.call if len(others) > 1 else first_place(facts, arrays)
            yield At(place, Insert(line, fold=True))
    yield from (At(expr, edit) for expr, edit in cut.items())
    yield from (At(call, FoldCall()) for call in calls)


def rows_of(value: ast.expr) -> ast.expr:
    """What holds the rows of an array that is reckoned with numbers: `x` of `(x - 1) / 255.0`."""
    rows = value
    while isinstance(rows, ast.BinOp):
        number, other = rows.right, rows.left
        if _is_number(other):
            number, other = other, number
        if not _is_number(number) or not isinstance(rows.op, _OF_EACH) or _may_repeat(rows, other):
            return value
        rows = other
    return rows


def _is_number(node: ast.expr) -> bool:
    return isinstance(node, ast.Constant) and isinstance(node.value, (int, float))


def _may_repeat(product: ast.BinOp, rows: ast.expr) -> bool:
    """Whether it may be a list so many times over: `[a, b] * 2`."""
    is_array = isinstance(rows, ast.BinOp) and isinstance(rows.op, _OF_NO_LIST)
    sides = (product.left, product.right)
    is_whole = any(isinstance(getattr(side, "value", None), int) for side in sides)
    return isinstance(product.op, ast.Mult) and is_whole and not is_array


def cutting(facts: Facts, value: ast.expr, held: Container, name: str) -> str:
    """How the arrays that a value holds are cut; what is unpacked there is no tuple before."""
    is_unpacked = isinstance(facts.parent(value), ast.Starred) and held is not Container.DICT
    return (CUT_UNPACKED if is_unpacked else CUT[held]).format(shard=name)


def shard(facts: Facts, name: str, length: str) -> str:
    """The statement that makes the slice of a worker."""
    return SLICE.format(name=name, hvd=hvd(facts), length=length)
