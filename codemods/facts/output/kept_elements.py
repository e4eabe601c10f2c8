"""Elements of a list that rank 0 alone keeps: whether it may as well put them in by itself, later.

`callbacks = [a, b]` of which b is for rank 0 becomes a list of a alone, to which rank 0 appends b.
"""

from __future__ import annotations

import ast
from collections.abc import Collection, Iterator, Sequence
from itertools import takewhile

from ...program.records import NamedTuple
from ..facts import Facts
from .callback_lists import may_have_a_name
from .effects import Effects

_PLAIN = (ast.Expr, ast.Assign, ast.AnnAssign, ast.Return, ast.With)
_BOUND = (ast.Assign, ast.AnnAssign)
_AROUND = (ast.Call, ast.keyword, ast.withitem)


class KeptElements(NamedTuple):
    """Elements of one list for rank 0, the list, and what that is bound to, if anything."""

    display: ast.List
    elements: tuple[ast.expr, ...]
    name: ast.expr | None
    first: int = 0  # how many of the elements are the first ones of the list


def grown_by(facts: Facts, elements: Collection[ast.expr]) -> Iterator[tuple[ast.List, ast.stmt]]:
    """The lists of nothing else that a statement adds to another: `a += [b]`, `a.extend([b])`."""
    for display in dict.fromkeys(map(facts.parent, elements)):
        if isinstance(display, ast.List) and all(each in elements for each in display.elts):
            around = facts.parent(display)
            if isinstance(around, ast.AugAssign):
                yield display, around
            elif isinstance(around, ast.Call) and _extends(facts, around):
                yield display, facts.statement(around)


def _extends(facts: Facts, call: ast.Call) -> bool:
    is_method = isinstance(call.func, ast.Attribute) and call.func.attr == "extend"
    return is_method and isinstance(facts.parent(call), ast.Expr)


def guarded_wholes(
    facts: Facts, statements: Collection[ast.stmt], later: Collection[KeptElements]
) -> Iterator[ast.stmt]:
    """What goes under a guard: each of the statements, or the `if` that holds nothing else.

    That goes along with its neighbour; alone its test is better made longer.
    """
    known = {facts.statement(each.display) for each in later}
    for statement in sorted(dict.fromkeys(statements), key=lambda s: s.lineno):
        whole, place = facts.parent(statement), statement
        if isinstance(whole, ast.If) and whole.body == [statement] and not whole.orelse:
            block, number = facts.block(whole)
            place = whole if number and block[number - 1] in known else statement
        known.add(place)
        yield place


def put_in_later(facts: Facts, elements: Collection[ast.expr]) -> Iterator[KeptElements]:
    """The lists that end with elements for rank 0, which nothing keeps from being put in there."""
    for display in dict.fromkeys(map(facts.parent, elements)):
        if isinstance(display, ast.List):
            kept = [each for each in display.elts if each in elements]
            first, name = _first(facts, display, kept), _bound(facts, display)
            staying = display.elts[first : len(display.elts) - len(kept) + first]
            is_between = any(each in kept for each in staying)
            is_free = name is not None or (not first and _may_come_first(facts, display))
            if is_free and not is_between and not _has_comment(facts, display, staying, first):
                yield KeptElements(display, tuple(kept), name, first)


def _first(facts: Facts, display: ast.List, kept: Sequence[ast.expr]) -> int:
    """1 where the first element alone is for rank 0, and may be made behind the others."""
    is_first = display.elts[0] in kept and len(kept) < len(display.elts)
    return int(is_first and may_have_a_name(facts, display.elts[0]))


def _bound(facts: Facts, display: ast.List) -> ast.expr | None:
    """`callbacks`, or `self.callbacks`, of `callbacks = […]`."""
    statement = facts.parent(display)
    if not isinstance(statement, _BOUND) or isinstance(facts.parent(statement), ast.ClassDef):
        return None
    targets = statement.targets if isinstance(statement, ast.Assign) else [statement.target]
    is_name = isinstance(targets[0], ast.Name) or (
        isinstance(targets[0], ast.Attribute) and isinstance(targets[0].value, ast.Name)
    )
    return targets[0] if len(targets) == 1 and is_name else None


def _may_come_first(facts: Facts, display: ast.List) -> bool:
    """Whether the list of a call may be made before all else that its statement does."""
    statement = facts.statement(display)
    around = list(takewhile(lambda n: n is not statement, facts.parents(display)))
    is_plain = isinstance(statement, _PLAIN) and all(isinstance(n, _AROUND) for n in around)
    if not is_plain or not isinstance(facts.parent(display), (ast.keyword, ast.Return)):
        return False
    if isinstance(statement, ast.With) and statement.items[0] not in around:
        return False
    inside = {display, *around}
    others = [part for n in around if isinstance(n, ast.Call) for part in _parts(n, inside)]
    effects = Effects(facts)
    return all(map(effects.skippable, others))


def _parts(call: ast.Call, inside: Collection[ast.AST]) -> Iterator[ast.AST]:
    """What a call evaluates, but for what is looked at; a lambda is only made."""
    parts = (part for part in (call.func, *call.args, *call.keywords) if part not in inside)
    yield from (p for p in parts if not isinstance(getattr(p, "value", p), ast.Lambda))


def _has_comment(facts: Facts, display: ast.List, staying: Sequence[ast.expr], first: int) -> bool:
    """Whether a comment stands beside the elements, or above them, in lines of their own."""
    text, (begin, end) = facts.source.text, facts.source.offsets(display)
    if staying and not first:
        begin = text.find("\n", facts.source.offsets(staying[-1])[1])
    return 0 <= begin < end and "#" in text[begin:end]
