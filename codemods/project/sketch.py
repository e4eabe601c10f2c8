"""What a project asks of each of its files, in a few words: a summary that can be kept."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from functools import cache

from ..model import SyntaxProblem
from ..program.node_fields import within
from ..program.records import NamedTuple
from ..syntax.line_ends import BOM
from ..syntax.source import parse_module
from .bound_and_used import Part, parts_of
from .fetches import fetches
from .import_paths import Import, places
from .outline import is_started, starts_something
from .quiet import is_quiet, quiet_decorators
from .search_path import NOTHING, Added, added_words

PLAIN = -1  # the level of `import a, b`, where a relative import has its dots


class Imported(NamedTuple):
    """An import: what stands behind `from`, its dots, the names, and what they are called."""

    module: str
    level: int
    names: tuple[str, ...]
    bound: tuple[str, ...] = ()

    @property
    def node(self) -> Import:
        """As Python has it; nobody changes it."""
        return _node(self)


@cache
def _node(each: Imported) -> Import:
    """Modules have the same imports many times."""
    aliases = [ast.alias(name, None) for name in each.names]
    if each.level == PLAIN:
        return ast.Import(aliases)
    return ast.ImportFrom(each.module or None, aliases, each.level)


class Sketch(NamedTuple):
    """What a file imports, and whether it does something when it is started."""

    imports: tuple[Imported, ...] = ()
    is_entry: bool = False
    is_script: bool = False  # whether somebody starts it, not only a module that sets itself up
    parts: tuple[Part, ...] = ()
    is_quiet: bool = False  # whether importing it does no more than to bind names
    added: tuple[str, ...] = ()  # folders that it adds to Python's search path

    @property
    def names(self) -> frozenset[str]:
        """The variables of the module, if it is quiet."""
        return frozenset(name for part in self.parts for name in part.binds.split())


def sketch(text: str) -> Sketch:
    """The sketch of a file; of what can't be parsed, that of nothing."""
    try:
        tree = parse_module(text.lstrip(BOM))
    except SyntaxProblem:
        return Sketch()
    parts = parts_of(tree, quiet_decorators(tree))
    starts = starts_something(tree), is_started(tree)
    added = added_words(tree, text)
    imports = (*_imports(tree), *_fetched(tree, text))
    return Sketch(imports, *starts, parts, is_quiet(tree, text), added)


def wanted(entry: str, path: str, of: Sketch, added: Added = NOTHING) -> tuple[str, ...]:
    """The paths at which the modules that a file of an entry's project imports may stand."""
    found = (place for each in of.imports for place in _wanted(entry, path, each, added))
    return tuple(dict.fromkeys(found))


def _wanted(entry: str, path: str, each: Imported, added: Added) -> tuple[str, ...]:
    """The same for one import, of which only a relative one asks for the file."""
    return _places(entry, path if each.level > 0 else "", each, added)


@cache
def _places(entry: str, path: str, each: Imported, added: Added) -> tuple[str, ...]:
    return places(entry, path, [each.node], added)


def _fetched(tree: ast.Module, text: str) -> Iterator[Imported]:
    """What is imported by names that are made: nothing is bound by that."""
    for node in (each.node for each in fetches(tree, text)):
        names = tuple(alias.name for alias in node.names)
        if isinstance(node, ast.Import):
            yield Imported("", PLAIN, names)
        else:
            yield Imported(node.module or "", node.level, names)


def _imports(tree: ast.Module) -> Iterator[Imported]:
    for node in within(tree):
        if isinstance(node, ast.Import):
            module, level = "", PLAIN
        elif isinstance(node, ast.ImportFrom):
            module, level = node.module or "", node.level
        else:
            continue
        names = tuple(alias.name for alias in node.names)
        plain = level == PLAIN
        bound = (a.asname or (a.name.partition(".")[0] if plain else a.name) for a in node.names)
        yield Imported(module, level, names, tuple(bound))
