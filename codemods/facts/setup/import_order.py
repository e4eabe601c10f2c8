"""Where a new import belongs: at its sorted place among sorted imports (isort, ruff's I001)."""

from __future__ import annotations

import ast
from typing import Union

from ...library.words import words
from ..facts import Facts

_IMPORTS = (ast.Import, ast.ImportFrom)
_Import = Union[ast.Import, ast.ImportFrom]
_Key = tuple[int, str, str]
# Fixed, so that every Python says the same; a group that mixes these with others is not sorted.
STANDARD = words(
    """
    __future__ abc argparse ast asyncio base64 bisect builtins calendar cmath codecs collections
    concurrent configparser contextlib copy csv ctypes dataclasses datetime decimal difflib enum
    errno faulthandler fnmatch fractions functools gc getpass glob gzip hashlib heapq html http
    importlib
    inspect io itertools json logging math multiprocessing numbers operator os pathlib pdb pickle
    pkgutil platform pprint queue random re select shelve shlex shutil signal site socket sqlite3
    ssl stat statistics string struct subprocess sys tarfile tempfile textwrap threading time timeit
    traceback types typing unicodedata unittest urllib uuid warnings weakref xml zipfile zlib
    """
)


def sorted_place(facts: Facts, module: str, beside: ast.stmt) -> tuple[_Import, bool] | None:
    """The import that `import module` goes before (True) or after (False), beside another import.

    None where the imports around are not sorted.
    """
    group = _group(facts, beside)
    keys = [_key(statement) for statement in group]
    if not group or keys != sorted(keys) or any(not _is_alone(s) for s in group):
        return None
    if len({_is_standard(statement) for statement in group} | {module in STANDARD}) > 1:
        return None
    new = (0, module.lower(), module)
    later = next((s for s, key in zip(group, keys) if key > new), None)
    if later is None:
        return group[-1], False
    if not _has_comment(facts, later):
        return later, True
    number = group.index(later)  # its comment stays its own
    return (group[number - 1], False) if number else None


def _has_comment(facts: Facts, statement: ast.stmt) -> bool:
    """Whether a comment stands directly above a statement."""
    above = facts.source.lines[: statement.lineno - 1][-1:]
    return any(line.lstrip().startswith("#") for line in above)


def _group(facts: Facts, statement: ast.stmt) -> list[_Import]:
    """The imports around one without a blank line or another statement between them."""
    body = facts.body
    if not isinstance(statement, _IMPORTS) or statement not in body:
        return []
    first = last = body.index(statement)
    while first > 0 and _touch(facts, body[first - 1], body[first]):
        first -= 1
    while last + 1 < len(body) and _touch(facts, body[last], body[last + 1]):
        last += 1
    return [s for s in body[first : last + 1] if isinstance(s, _IMPORTS)]


def _touch(facts: Facts, upper: ast.stmt, lower: ast.stmt) -> bool:
    if not isinstance(upper, _IMPORTS) or not isinstance(lower, _IMPORTS):
        return False
    end = upper.end_lineno or upper.lineno
    return end < lower.lineno and all(
        line.strip() for line in facts.source.lines[end : lower.lineno - 1]
    )


def _key(statement: _Import) -> _Key:
    """`import …` comes before `from … import …`, each by its module."""
    name = _module(statement)
    return (int(isinstance(statement, ast.ImportFrom)), name.lower(), name)


def _module(statement: _Import) -> str:
    if isinstance(statement, ast.Import):
        return statement.names[0].name
    return "." * statement.level + (statement.module or "")


def _is_alone(statement: _Import) -> bool:
    """One module in one statement: isort writes `import a, b` as two."""
    return isinstance(statement, ast.ImportFrom) or len(statement.names) == 1


def _is_standard(statement: _Import) -> bool:
    return _module(statement).split(".")[0] in STANDARD
