"""What a project asks of each of its files, in a few words: a summary that can be kept."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from ..model import SyntaxProblem
from ..program.node_fields import within
from ..program.records import NamedTuple
from ..syntax.line_ends import BOM
from ..syntax.source import parse_module
from .outline import is_started, starts_something
from .paths import Import, places

PLAIN = -1  # the level of `import a, b`, where a relative import has its dots


class Imported(NamedTuple):
    """An import: what stands behind `from`, its dots, and the names."""

    module: str
    level: int
    names: tuple[str, ...]

    @property
    def node(self) -> Import:
        """As Python has it."""
        aliases = [ast.alias(name, None) for name in self.names]
        if self.level == PLAIN:
            return ast.Import(aliases)
        return ast.ImportFrom(self.module or None, aliases, self.level)


class Sketch(NamedTuple):
    """What a file imports, and whether it does something when it is started."""

    imports: tuple[Imported, ...] = ()
    is_entry: bool = False
    is_script: bool = False  # whether somebody starts it, not only a module that sets itself up


def sketch(text: str) -> Sketch:
    """The sketch of a file; of what can't be parsed, that of nothing."""
    try:
        tree = parse_module(text.lstrip(BOM))
    except SyntaxProblem:
        return Sketch()
    return Sketch(tuple(_imports(tree)), starts_something(tree), is_started(tree))


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
        yield Imported(module, level, tuple(alias.name for alias in node.names))
