"""Puts lines beside import statements, and takes names out of them."""

from __future__ import annotations

from collections.abc import Sequence

from ..facts.setup import Lines
from ..syntax import LN, syms, token
from ._statements import insert_after, insert_before, remove_statement

_LISTS = frozenset((syms.dotted_as_names, syms.import_as_names))
_ALIASES = frozenset((syms.dotted_as_name, syms.import_as_name))


def insert(statement: LN, lines: Lines) -> None:
    """Insert source lines before or behind a statement of the module."""
    while statement.parent.type != syms.file_input:
        statement = statement.parent
    for _ in range(lines.distance):
        statement = statement.prev_sibling if lines.before else statement.next_sibling
    if lines.before:
        insert_before(statement, lines.before)
    else:
        insert_after(statement, lines.after)


def drop_names(statement: LN, names: Sequence[str]) -> None:
    """Remove what binds `names`, and the whole statement when it binds nothing else."""
    lists = [child for child in statement.children if child.type in _LISTS]
    items = [child for child in lists[0].children if child.type != token.COMMA] if lists else []
    gone = [item for item in items if _bound(item) in names]
    if len(gone) == len(items):
        remove_statement(statement)
        return
    for item in gone:
        _drop(item)


def _bound(item: LN) -> str:
    """The name that one imported thing is bound to."""
    last = item.children[-1] if item.type in _ALIASES else item
    return str(last).strip().split(".")[0]


def _drop(item: LN) -> None:
    """Remove an item of a list with the comma behind it, the last one with the comma before it."""
    following, before = item.next_sibling, item.prev_sibling
    if following is not None:
        after = following.next_sibling
        if after is not None:
            after.prefix = item.prefix
        following.remove()
    elif before is not None:
        before.remove()
    item.remove()
