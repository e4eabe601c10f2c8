"""`importlib.import_module("models." + name)`: imports of modules by names that are made.

What is written out of a name bounds what it may be: `models.?` is any module below `models`. A name
of which the package isn't written out may be any module at all: it is none of these.
"""

from __future__ import annotations

import ast
import re
from collections import Counter
from collections.abc import Iterator

from ..program.node_fields import within
from ..program.records import NamedTuple
from .import_paths import INSTALLED, OPEN, Import

MODULE, FUNCTION = "importlib", "import_module"
_OWN_PACKAGE = ("__package__", "__name__")
_OWN = "<own>"  # the package of the file itself
_DEEPEST = 8  # names that lead to names
_NAME = re.compile(r"(?P<dots>\.*)(?P<name>[\w?]+(?:\.[\w?]+)*)")
_PLACE = re.compile(r"\{[^{}]*\}|%[sd]")


class Fetch(NamedTuple):
    """A call that imports by a name; `node` is an import of all that this may be.

    The name has `instead` where what the import names begins with `of`.
    """

    call: ast.Call
    node: Import
    of: str = ""
    instead: str = ""

    def key(self, dotted: str) -> str:
        """The name that gives the module which the import knows by this one."""
        return self.instead + dotted[len(self.of) :]


def fetches(tree: ast.Module, text: str) -> list[Fetch]:
    """The calls of a file whose modules have a known package, but those of libraries."""
    if f"{FUNCTION}(" not in text:
        return []
    nodes = list(within(tree))
    stores = Counter(_bound(nodes))
    calls = (n for n in nodes if isinstance(n, ast.Call) and _imports(n.func, stores))
    names = _Names(nodes, stores)
    return [found for call in calls if (found := _fetch(call, names)) is not None]


def _bound(nodes: list[ast.AST]) -> Iterator[str]:
    """Each name as often as something binds it, imports of `importlib` aside."""
    for node in nodes:
        if isinstance(node, ast.Name) and not isinstance(node.ctx, ast.Load):
            yield node.id
        elif isinstance(node, ast.arg):
            yield node.arg
        elif isinstance(node, (ast.Import, ast.ImportFrom)):
            yield from (each for alias in node.names for each in _other_name(node, alias))
        elif not isinstance(node, ast.alias) and isinstance(getattr(node, "name", None), str):
            yield node.name  # type: ignore[attr-defined]
        elif isinstance(node, (ast.Global, ast.Nonlocal)):
            yield from node.names


def _other_name(node: Import, alias: ast.alias) -> Iterator[str]:
    is_from = isinstance(node, ast.ImportFrom)
    usual = (MODULE, FUNCTION) if is_from else ("", MODULE)
    full = (getattr(node, "module", ""), alias.name)
    if full != usual or alias.asname not in (None, alias.name):
        yield alias.asname or alias.name.partition(".")[0]


def _imports(func: ast.expr, stores: Counter[str]) -> bool:
    if isinstance(func, ast.Attribute) and func.attr == FUNCTION:
        return isinstance(func.value, ast.Name) and func.value.id == MODULE and not stores[MODULE]
    return isinstance(func, ast.Name) and func.id == FUNCTION and not stores[FUNCTION]


def _fetch(call: ast.Call, names: _Names) -> Fetch | None:
    given: dict[str | None, ast.expr] = dict(zip(("name", "package"), call.args))
    given.update((keyword.arg, keyword.value) for keyword in call.keywords)
    if len(call.args) not in (1, 2) or given.keys() - {"name", "package"}:
        return None
    text, of, instead = names.text(given["name"]), "", ""
    package = names.text(given["package"]) if "package" in given else ""
    if text.startswith("."):
        level = len(text) - len(text.lstrip("."))
        if not package or OPEN in package:
            return None
        if package != _OWN:
            of, instead = f"{package.rsplit('.', level - 1)[0]}.", text[:level]
            text = of + text[level:]
    elif text.startswith(f"{_OWN}."):
        text = text[len(_OWN) :]
    found = _NAME.fullmatch(text)
    node = _import(found["dots"], found["name"]) if found is not None else None
    if found is None or node is None:
        return None
    return Fetch(call, ast.copy_location(node, call), of, instead or found["dots"])


def _import(dots: str, name: str) -> Import | None:
    words = name.split(".")
    if dots:
        last = next((n for n, word in enumerate(words) if OPEN in word), len(words) - 1)
        names = [ast.alias(".".join(words[last:]), None)]
        return ast.ImportFrom(".".join(words[:last]) or None, names, len(dots))
    is_known = OPEN not in words[0] and words[0] not in INSTALLED
    return ast.Import([ast.alias(name, None)]) if is_known else None


class _Names:
    """What texts are, as far as they are written out."""

    def __init__(self, nodes: list[ast.AST], stores: Counter[str]) -> None:
        assigned = (n for n in nodes if isinstance(n, ast.Assign) and len(n.targets) == 1)
        pairs = ((n.targets[0], n.value) for n in assigned)
        self._values = {
            target.id: value
            for target, value in pairs
            if isinstance(target, ast.Name) and stores[target.id] == 1 and not stores["*"]
        }

    def text(self, expr: ast.expr) -> str:
        """The text with OPEN where anything may stand."""
        return re.sub(rf"\{OPEN}+", OPEN, self._text(expr, 0))

    def _text(self, expr: ast.expr, depth: int) -> str:
        if depth > _DEEPEST:
            return OPEN
        if isinstance(expr, ast.Constant):
            return expr.value if isinstance(expr.value, str) else OPEN
        if isinstance(expr, ast.Name):
            return self._named(expr.id, depth)
        if isinstance(expr, ast.JoinedStr):
            return "".join(self._text(each, depth + 1) for each in expr.values)
        if isinstance(expr, ast.FormattedValue):
            is_plain = expr.conversion == -1 and expr.format_spec is None
            return self._text(expr.value, depth + 1) if is_plain else OPEN
        if isinstance(expr, ast.BinOp):
            return self._operated(expr, depth)
        return self._called(expr, depth) if isinstance(expr, ast.Call) else OPEN

    def _named(self, name: str, depth: int) -> str:
        if name in _OWN_PACKAGE:
            return _OWN
        return self._text(self._values[name], depth + 1) if name in self._values else OPEN

    def _operated(self, expr: ast.BinOp, depth: int) -> str:
        left = self._text(expr.left, depth + 1)
        if isinstance(expr.op, ast.Add):
            return left + self._text(expr.right, depth + 1)
        return _PLACE.sub(OPEN, left) if isinstance(expr.op, ast.Mod) else OPEN

    def _called(self, call: ast.Call, depth: int) -> str:
        func = call.func
        if not isinstance(func, ast.Attribute) or func.attr not in ("format", "join"):
            return OPEN
        text = self._text(func.value, depth + 1)
        if func.attr == "format":
            return _PLACE.sub(OPEN, text)
        parts = call.args[0] if len(call.args) == 1 else None
        if not isinstance(parts, (ast.List, ast.Tuple)) or any(
            isinstance(each, ast.Starred) for each in parts.elts
        ):
            return OPEN
        return text.join(self._text(each, depth + 1) for each in parts.elts)
