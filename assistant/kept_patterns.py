"""Regular expressions that a hook needs, kept compiled: to compile a hundred takes an eighth of it.

What `re` makes of a pattern is a list of numbers, from which the C part makes the object at once.
The lists lie with the kept imports, and are believed as these are, by the Python that made them.
"""

from __future__ import annotations

import contextlib
import marshal
import re
import sys
from collections.abc import Collection, Iterator
from typing import Any

Pattern = tuple[Any, ...]  # text or bytes and flags, then what `_sre.compile` takes
SHARE = 8  # once one pattern in so many is new, all are written again
_cache: dict[tuple[Any, ...], re.Pattern[Any]] = getattr(re, "_cache", {})


def read(path: str) -> int:
    """Give `re` what is kept, and return how many patterns that are."""
    with contextlib.suppress(Exception):  # `re` compiles the rest as ever
        with open(path, "rb") as file:
            version, found = marshal.loads(file.read())
        if version == sys.version:
            _cache.update(_made(found))
            return len(found)
    return 0


def _made(found: Collection[Pattern]) -> dict[tuple[Any, ...], re.Pattern[Any]]:
    import _sre  # type: ignore[import-not-found]

    made = {}
    for pattern, flags, *code, names in found:
        made[type(pattern), pattern, flags] = _sre.compile(pattern, *code, tuple(names))
    return made


def packed(known: int) -> bytes | None:
    """What is to be kept; None where hardly more than the `known` ones were compiled since."""
    patterns = [key[1:] for key in _cache if key[0] in (str, bytes)]
    if len(patterns) - known <= known // SHARE:
        return None
    with contextlib.suppress(Exception):  # another Python may compile in another way
        return marshal.dumps((sys.version, list(_code_of(patterns))))
    return None


def _code_of(patterns: Collection[tuple[Any, ...]]) -> Iterator[Pattern]:
    """What `re` hands to its C part."""
    compiler: Any
    parser: Any
    if sys.version_info >= (3, 11):
        from re import _compiler as compiler
        from re import _parser as parser
    else:
        import sre_compile as compiler
        import sre_parse as parser
    for pattern, given in patterns:
        flags = int(given)  # Python 3.13 has a 0 of its own for `re.sub` without flags
        tree = parser.parse(pattern, flags)
        state, code = tree.state, [int(each) for each in compiler._code(tree, flags)]
        names: list[str | None] = [None] * state.groups
        for name, number in state.groupdict.items():
            names[number] = name
        yield pattern, flags, flags | state.flags, code, state.groups - 1, state.groupdict, names
