"""Takes names out of import statements."""

from __future__ import annotations

from collections.abc import Sequence

from ..syntax import LN, syms, token
from .removals import remove_statement

_LISTS = frozenset((syms.dotted_as_names, syms.import_as_names))
_ALIASES = frozenset((syms.dotted_as_name, syms.import_as_name))


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
