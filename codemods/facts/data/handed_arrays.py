"""Which arguments of what hands out batches are its examples, and whether it counts by them.

`DataSet(images, labels)` takes slices of both, up to `images.shape[0]`: given a share of them, it
goes round in that share. One that counts to a number of its own would run past its end.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from ...program.node_fields import within
from ...program.records import NamedTuple
from ..facts import Facts
from ..passed_arguments import passed
from ..scopes import Function
from .array_lengths import length_of
from .arrays import is_array
from .lengths import is_list
from .sizes import is_size

_JOINED = ("builtins.list", "builtins.tuple", "builtins.zip", "numpy.array", "numpy.asarray")
_NUMBERS = ("numpy.random.permutation", "numpy.arange", "builtins.range")


class Inside(NamedTuple):
    """The code that an argument may get to: of a class all methods, else the generator."""

    start: Function
    functions: tuple[Function, ...]
    cls: ast.ClassDef | None


def inside_of(facts: Facts, made: ast.Call, gives: Function) -> Inside | None:
    """None where something out of sight may get the arguments, too."""
    if facts.callee(made) is gives:
        return Inside(gives, (gives,), None)
    cls = facts.classes.local(made.func)
    start = None if cls is None else facts.classes.method(cls, "__init__")
    if cls is None or start is None or facts.classes.has_unknown_base(cls):
        return None
    bodies = [n for each in facts.classes.ancestors(cls) for n in each.body]
    functions = tuple(n for n in bodies if isinstance(n, (ast.FunctionDef, ast.AsyncFunctionDef)))
    return Inside(start, functions, cls)


def examples_of(facts: Facts, made: ast.Call, inside: Inside) -> tuple[ast.expr, ...] | None:
    """The arrays that it takes slices of; None where it has none, or picks from others, too."""
    if facts.has_hidden_arguments(made):
        return None
    sliced, picked = _taken_from(facts, inside)
    found: list[ast.expr] = []
    for arg in inside.start.args.args:
        value = passed(made, inside.start, arg, facts.classes)
        if value not in (*made.args, *(k.value for k in made.keywords)):
            continue
        parts = list(_parts(facts, value))
        if sliced.isdisjoint(parts):
            if not picked.isdisjoint(parts):
                return None
            continue
        if not all(_is_many(facts, part) or _is_used_as(facts, arg, inside) for part in parts):
            return None
        found += parts
    return tuple(found) if found and not all(map(_is_empty, found)) else None


def zipped(facts: Facts, made: ast.Call) -> tuple[ast.expr, ...] | None:
    """What `zip` goes through, if all of it is arrays."""
    return tuple(made.args) if made.args and all(_is_many(facts, a) for a in made.args) else None


def is_given_nothing(made: ast.Call) -> bool:
    """`DataSet([], [], fake_data=True)`: it is no source of examples."""
    return bool(made.args) and all(map(_is_empty, made.args))


def _is_empty(part: ast.expr) -> bool:
    return isinstance(part, (ast.List, ast.Tuple)) and not part.elts


def _parts(facts: Facts, value: ast.AST | None) -> Iterator[ast.expr]:
    """`x` and `y` of `list(zip(x, y))`."""
    if isinstance(value, ast.Call) and facts.name(value.func) in _JOINED:
        for each in value.args:
            yield from _parts(facts, each)
    elif isinstance(value, ast.expr):
        yield value


def _is_many(facts: Facts, part: ast.expr) -> bool:
    return is_array(facts, part) or is_list(facts, part)


def _is_used_as(facts: Facts, arg: ast.arg, inside: Inside) -> bool:
    """Whether what gets it asks for its shape, say."""
    names = (n for n in within(inside.start) if isinstance(n, ast.Name) and n.id == arg.arg)
    return any(isinstance(n.ctx, ast.Load) and is_array(facts, n) for n in names)


def _taken_from(facts: Facts, inside: Inside) -> tuple[set[ast.AST], set[ast.AST]]:
    """What is behind all that slices are taken of, and behind what else is picked from."""
    sliced, picked = set[ast.AST](), set[ast.AST]()
    for node in (n for each in inside.functions for n in within(each)):
        if isinstance(node, ast.Subscript):
            behind = set(_behind(facts, node.value))
            (sliced if is_slice(facts, node) else picked).update(behind)
    return sliced, picked


def is_slice(facts: Facts, node: ast.Subscript) -> bool:
    """Whether it takes examples by their numbers: `x[i:j]`, `x[order]`, `x[order[i:j]]`."""
    first = node.slice.elts[0] if isinstance(node.slice, ast.Tuple) else node.slice
    if isinstance(first, ast.Slice):
        return True
    sources = facts.program.sources(node.slice, ())
    return any(isinstance(n, ast.Call) and facts.name(n.func) in _NUMBERS for n in sources)


def _behind(facts: Facts, expr: ast.expr) -> Iterator[ast.AST]:
    return facts.program.sources(expr, (), lambda node: is_size(facts, node))


def plain_length(facts: Facts, arrays: tuple[ast.expr, ...]) -> ast.expr | None:
    """One of them, or what is as long, that can be written once more."""
    return next(filter(None, (length_of(facts, each) for each in arrays)), None)
