"""What a project asks of each of its files, in a few words: a summary that can be kept."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from ..model import SyntaxProblem
from ..program.node_fields import within
from ..program.records import NamedTuple
from ..syntax.line_ends import BOM
from ..syntax.source import parse_module
from .numbers import Part, parts_of
from .outline import is_started, starts_something
from .paths import Import, places
from .quiet import is_quiet
from .unseen import unseen

PLAIN = -1  # the level of `import a, b`, where a relative import has its dots


class Imported(NamedTuple):
    """An import: what stands behind `from`, its dots, and the names, each with its new one."""

    module: str
    level: int
    names: tuple[str, ...]
    bound: tuple[str, ...]

    @property
    def node(self) -> Import:
        """As Python has it."""
        aliases = [ast.alias(name, None) for name in self.names]
        if self.level == PLAIN:
            return ast.Import(aliases)
        return ast.ImportFrom(self.module or None, aliases, self.level)


class Sketch(NamedTuple):
    """What a file imports, whether it does something when it is started, and what in it counts.

    `is_quiet`: importing it does no more than to bind names.
    """

    imports: tuple[Imported, ...] = ()
    is_entry: bool = False
    is_quiet: bool = False
    parts: tuple[Part, ...] = ()
    is_followed: bool = True  # whether it can be a part of a program that is known
    is_script: bool = False  # whether somebody starts it, not only a module that sets itself up
    handed: tuple[str, ...] = ()  # the names of its imports that it does more with than call them


UNREAD = Sketch(is_followed=False)


def sketch(text: str) -> Sketch:
    """The sketch of a file."""
    try:
        tree = parse_module(text.lstrip(BOM))
    except SyntaxProblem:
        return UNREAD
    is_followed = unseen(text) is None
    imports = tuple(_imports(tree))
    handed = tuple(sorted(_handed(tree, imports)))
    does_nothing = is_quiet(tree, text)
    parts = parts_of(tree) if does_nothing else ()
    starts, is_script = starts_something(tree), is_started(tree)
    return Sketch(imports, starts, does_nothing, parts, is_followed, is_script, handed)


def wanted(entry: str, path: str, of: Sketch) -> tuple[str, ...]:
    """The paths at which the modules that a file of an entry's project imports may stand."""
    return places(entry, path, [each.node for each in of.imports])


def _imports(tree: ast.Module) -> Iterator[Imported]:
    for node in within(tree):
        if isinstance(node, ast.Import):
            module, level = "", PLAIN
        elif isinstance(node, ast.ImportFrom):
            module, level = node.module or "", node.level
        else:
            continue
        names = tuple(alias.name for alias in node.names)
        yield Imported(module, level, names, tuple(a.asname or a.name for a in node.names))


def _handed(tree: ast.Module, imports: tuple[Imported, ...]) -> set[str]:
    """The names that are more than called somewhere."""
    bound = {name for each in imports for name in each.bound}
    nodes = list(within(tree))
    called = {node.func for node in nodes if isinstance(node, ast.Call)}
    names = (node for node in nodes if isinstance(node, ast.Name) and node not in called)
    return {name.id for name in names} & bound
