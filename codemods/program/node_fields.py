"""In which fields of a node others stand, in the order of a walk: most fields never hold any."""

from __future__ import annotations

import ast

# Fields that never hold a node, or one that nobody asks for.
_PLAIN = (
    "ctx op ops id attr arg kind asname module level conversion is_async simple lineno rest str"
    " kwd_attrs type_comment type_ignores"
)
_TEXTS = {"name": "TypeAlias", "names": "Import ImportFrom"}  # a text, but for these nodes


class _Fields(dict[type, tuple[str, ...]]):
    """The fields of a type of node that can hold nodes, last evaluated first."""

    def __missing__(self, kind: type) -> tuple[str, ...]:
        self[kind] = found = tuple(reversed(_fields_with_nodes(kind)))
        return found


def _fields_with_nodes(kind: type) -> list[str]:
    if kind.__name__ in ("Constant", "MatchSingleton"):
        return []
    names: tuple[str, ...] = kind._fields  # type: ignore[attr-defined]
    held = [name for name in names if name not in _PLAIN.split()]
    held = [name for name in held if kind.__name__ in _TEXTS.get(name, kind.__name__).split()]
    return sorted(held, key="generators".__ne__)  # evaluated before what they are for


FIELDS = _Fields()


def nodes_in(node: ast.AST) -> list[ast.AST]:
    """The nodes in a node, last evaluated first: so they go on a stack."""
    found: list[ast.AST] = []
    for name in FIELDS[type(node)]:
        value = getattr(node, name, None)
        if not value:
            continue
        if type(value) is not list:
            found.append(value)
        elif None in value:  # `**other` has no key
            found += [part for part in reversed(value) if part is not None]
        else:
            found += value[::-1]
    return found
