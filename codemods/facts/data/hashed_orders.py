"""Where a set of texts is put in an order: another one in each process, so on each worker.

Python hashes texts with a number that each process draws (`PYTHONHASHSEED`). A vocabulary that is
numbered in that order gives a word another number on each worker.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from ...library.draws import SORTING
from ...library.words import words
from ...program.node_fields import within
from ..facts import Facts, recorded

_ORDERING = tuple(f"builtins.{name}" for name in ("list", "tuple", "enumerate", "zip", "iter"))
_SETS = ("builtins.set", "builtins.frozenset")
_ALGEBRA = frozenset({"union", "intersection", "difference", "symmetric_difference", "copy"})
_OF_TEXTS = words(
    "decode join lower upper strip lstrip rstrip read readline readlines read_text split "
    "rsplit splitlines tokenize word_tokenize"
)
_TEXTS = ("builtins.str", "builtins.open", "json.load", "os.listdir", "nltk.word_tokenize")
_STORING = frozenset({"append", "extend", "setdefault"})


def hashed_orders(facts: Facts) -> Iterator[ast.expr]:
    """The sets of texts that are gone through where the order counts."""
    for expr in _gone_through(facts):
        if _is_set_of_texts(facts, expr) and not _is_sorted(facts, expr):
            yield expr


def _gone_through(facts: Facts) -> Iterator[ast.expr]:
    for call in facts.calls_of(*_ORDERING):
        yield from call.args
    for node in facts.index.nodes(ast.ListComp):
        yield from (each.iter for each in node.generators)
    for loop in facts.index.nodes(ast.For):
        if any(_stores(node) for statement in loop.body for node in within(statement)):
            yield loop.iter


def _stores(node: ast.AST) -> bool:
    """Whether something is put behind what is there: `index[word] = len(index)`."""
    if isinstance(node, ast.Subscript):
        return isinstance(node.ctx, ast.Store)
    return isinstance(node, ast.Attribute) and node.attr in _STORING


def _is_set_of_texts(facts: Facts, expr: ast.expr) -> bool:
    return any(_has_texts(facts, node) for node in _sets(facts, expr))


def _sets(facts: Facts, expr: ast.expr) -> set[ast.AST]:
    """What makes the set that a value is, each once; empty where it may be something else.

    A set may be made of itself, round by round: `words = words.union(more)`.
    """
    found: set[ast.AST] = set()
    waiting = [expr]
    while waiting:
        made = facts.origins(waiting.pop()).nodes
        for node in set(made) - found:
            first = _first(node)
            if first is not None:
                waiting.append(first)
            elif not _is_new(facts, node):
                return set()
        if not made:
            return set()
        found.update(made)
    return found


def _first(node: ast.AST) -> ast.expr | None:
    """The set that an operation with others begins with."""
    if isinstance(node, ast.BinOp):
        return node.left
    func = node.func if isinstance(node, ast.Call) else None
    return func.value if isinstance(func, ast.Attribute) and func.attr in _ALGEBRA else None


def _is_new(facts: Facts, node: ast.AST) -> bool:
    is_made = isinstance(node, ast.Call) and facts.name(node.func) in _SETS
    return is_made or isinstance(node, (ast.Set, ast.SetComp))


def _has_texts(facts: Facts, made: ast.AST) -> bool:
    """Whether its elements are known to be texts; numbers are in the same order everywhere."""
    given = made.args if isinstance(made, ast.Call) else [made]
    return any(is_of_texts(facts, each) for each in given)


def is_of_texts(facts: Facts, expr: ast.AST) -> bool:
    """Whether texts are known to be among what a value is made from."""
    return any(_is_text(facts, node) for node in facts.program.ingredients_of([expr]))


def _is_text(facts: Facts, node: ast.AST) -> bool:
    if isinstance(node, ast.Call):
        method = getattr(node.func, "attr", "")
        return facts.name(node.func) in _TEXTS or method in _OF_TEXTS
    return isinstance(node, ast.JoinedStr) or _is_list_of_texts(node)


def _is_list_of_texts(node: ast.AST) -> bool:
    """`["cat", "dog"]`; a text by itself may be a path, a key or a type."""
    elements = node.elts if isinstance(node, (ast.List, ast.Tuple, ast.Set)) else []
    return bool(elements) and all(
        isinstance(each, ast.Constant) and isinstance(each.value, str) for each in elements
    )


def _is_sorted(facts: Facts, expr: ast.expr) -> bool:
    """`sorted(list(words))`, or `words.sort()` of what it gave."""
    return (facts.parent(expr) or expr) in put_in_order(facts)


@recorded
def put_in_order(facts: Facts) -> frozenset[ast.AST]:
    """What is made from what, in values that are sorted: `sorted(os.listdir(folder))`."""
    sorts = (c.func.value for c in facts.calls("sort") if isinstance(c.func, ast.Attribute))
    given = (c.args[0] for c in facts.calls_of(*SORTING) if c.args)
    return frozenset(facts.program.ingredients_of([*sorts, *given]))
