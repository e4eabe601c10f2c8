"""**same**: on one worker the result does what the original did.

The result is specialised to one worker (rank 0, size 1; guards open, wrappers and broadcasts are
identities) and compared with the original, up to a closed list of normal forms. What remains is a
violation. The wrapper of an optimizer is an identity if it makes anew what it gets,
and choosing a GPU is nothing if TensorFlow has taken none yet.
"""

from __future__ import annotations

import ast
import builtins
from collections.abc import Collection, Iterator
from difflib import SequenceMatcher

from ..program.node_fields import within
from ..program.scopes import Scopes
from ..program.things import Library
from ..syntax.source import Source
from . import devices
from .case import Case, proved
from .devices import taken_before
from .normal_forms import fresh_names, names_of, normal
from .one_worker import Block, Imports, blocks, shape
from .proof import NOT_PROVED, Proof
from .remade import FIX, remade
from .unchanged import marked

HOW = "on one worker the result is the original, statement by statement"
OTHER = "on one worker this is not what the original does: `{}`"
MISSING = "on one worker the original also runs `{}` here"
LONGEST = 60


def prove(case: Case) -> Iterator[Proof]:
    """Compare each file that has changed with what it was."""
    files = {path: _File(case, path) for path in case.changed}
    found: list[Proof] = []
    for path, file in files.items():
        shared = {name for other in files.values() if other is not file for name in other.defines}
        for line, words in file.differences(shared, case.options.passes):
            found.append(Proof("same", NOT_PROVED, words, path, line))
    for wrapper, change in remade(case):
        answer = case.violated if change.is_certain else case.not_proved
        found.append(answer("same", wrapper, change.why, FIX))
    for taking, words in taken_before(case):
        found.append(case.not_proved("same", taking, words, devices.FIX, "H13"))
    yield from found or [proved("same", HOW)]


class _File:
    """One file of a result, beside what it was."""

    def __init__(self, case: Case, path: str) -> None:
        self._was, self._now = case.before.get(path) or Source(""), case.after[path]
        self._known = names_of(self._was.module)
        self._hidden = _hidden(self._was.module) | _hidden(self._now.module)
        self._given: dict[str, str] = {}
        if len(case.after) > 1:
            self._given.update(_handed_on(case, self._now.module))
            self._hidden.update(_hidden_by_stars(case, self._now.module))
        self.defines = fresh_names(self._now.module, self._known)

    def differences(self, shared: Collection[str], passes: int) -> Iterator[tuple[int, str]]:
        """The lines of the result where it is another program on one worker, with words."""
        own = self.defines | (frozenset(shared) - self._known)
        was, now = marked(self._was, self._now)
        for tree in (was, now) if self._hidden else ():
            _tell_apart(tree, self._hidden)
        normal(was, Imports(self._was.module, self._given))
        normal(now, Imports(self._now.module, self._given), own, passes)
        return differences(was.body, now.body)


def _handed_on(case: Case, tree: ast.Module) -> Iterator[tuple[str, str]]:
    """What a file has of libraries through other files: `from lib import tf`, or with a star.

    It was the same before: what those files import is compared there.
    """
    aliases = [a for node in within(tree) if isinstance(node, ast.ImportFrom) for a in node.names]
    names = {alias.asname or alias.name for alias in aliases}
    own = fresh_names(tree, ())
    seen: set[str] = set()
    for node in within(tree):
        if not isinstance(node, ast.Name) or node.id in seen or not isinstance(node.ctx, ast.Load):
            continue
        if node.id in names or ("*" in names and node.id not in own):
            seen.add(node.id)
            found = case.program.names(node)
            if len(found) == 1 and not found[0].startswith("builtins."):
                yield node.id, found[0]


def _hidden(tree: ast.Module) -> set[str]:
    """The builtins by whose names a file means variables of its module."""
    loads = [each for each in Scopes(tree).loads if hasattr(builtins, each[0].id)]
    return {node.id for node, scope in loads if scope.find(node.id) is scope.module}


def _hidden_by_stars(case: Case, tree: ast.Module) -> Iterator[str]:
    """Those that a star import of another file takes away."""
    if any(a.name == "*" for n in within(tree) if isinstance(n, ast.ImportFrom) for a in n.names):
        for node, scope in Scopes(tree).loads:
            if hasattr(builtins, node.id) and scope.find(node.id) is None:
                things = case.program.things(node)
                if any(not isinstance(thing, Library) for thing in things):
                    yield node.id


def _tell_apart(tree: ast.Module, hidden: Collection[str]) -> None:
    """Give them other names: they are not what a normal form knows by these."""
    for node in within(tree):
        if isinstance(node, ast.Name) and node.id in hidden:
            node.id = f"<{node.id}>"


def differences(was: Block, now: Block) -> Iterator[tuple[int, str]]:
    """Where two blocks differ: lines of the second, with words."""
    old, new = ([shape(each) for each in block] for block in (was, now))
    if old == new:
        return
    line = _line(now[0] if now else None, 1)
    for tag, i1, i2, j1, j2 in SequenceMatcher(None, old, new, autojunk=False).get_opcodes():
        if tag == "equal":
            continue
        inside = _inside(was[i1:i2], now[j1:j2])
        if inside is not None:
            yield from inside
            continue
        for statement in now[j1:j2]:
            yield _line(statement, line), OTHER.format(_short(statement))
        for statement in was[i1:i2] if j1 == j2 else ():
            yield _line(now[j1 - 1] if j1 else None, line), MISSING.format(_short(statement))


def _inside(was: Block, now: Block) -> list[tuple[int, str]] | None:
    """The differences in the blocks of compound statements with the same heads."""
    if len(was) != len(now) or not all(_head(a) == _head(b) for a, b in zip(was, now)):
        return None
    pairs = [pair for a, b in zip(was, now) for pair in zip(blocks(a), blocks(b))]
    return [each for a, b in pairs for each in differences(a, b)] if pairs else None


def _head(statement: ast.stmt) -> object:
    """A statement without what stands in its blocks."""
    inside = {id(block) for block in blocks(statement)}
    fields = [(name, getattr(statement, name, None)) for name in statement._fields]
    return (
        type(statement),
        *(
            None if id(value) in inside or name in ("handlers", "cases") else shape(value)
            for name, value in fields
        ),
    )


def _line(statement: ast.stmt | None, otherwise: int) -> int:
    return getattr(statement, "lineno", otherwise)


def _short(statement: ast.stmt) -> str:
    try:
        text = ast.unparse(ast.fix_missing_locations(statement)).split("\n")[0]
    except Exception:  # a form that no syntax spells
        text = type(statement).__name__
    return text if len(text) <= LONGEST else text[: LONGEST - 1] + "…"
