"""Which scope a name means, and what binds it: as Python has it."""

from __future__ import annotations

import ast
import symtable
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from distify.codemods.program.bindings import Bindings
from distify.codemods.program.index import Index
from distify.codemods.program.order import Order
from distify.codemods.program.parts import COMPREHENSIONS

UNNAMED = (*COMPREHENSIONS, ast.Lambda)
ROOT = Path(__file__).resolve().parents[3]


def meaning(text: str) -> str:
    """What `seen`, where the text reads it last, means: the owner of the name, and its kinds."""
    index = Index(ast.parse(text))
    use = max(index.loads["seen"], key=lambda node: (node.lineno, node.col_offset))  # type: ignore[attr-defined]
    scope = index.scope_of(use).find("seen")
    bindings = Bindings(index, Order(index.module, index.scopes)).of(use)
    if scope is None or not bindings:
        return "nothing"
    owner = getattr(scope.node, "name", type(scope.node).__name__)
    return f"{owner}: {' '.join(binding.kind for binding in bindings)}"


MEANINGS = {
    "seen": "nothing",
    "seen = 1\nseen": "Module: assign",
    "seen: int = 1\nseen": "Module: assign",
    "seen: int\nseen": "nothing",
    "seen = 1\nseen += 2\nseen": "Module: assign aug",
    "seen = 1\ndel seen\nseen": "Module: assign other",
    "(a, [seen, *b]) = c\nseen": "Module: assign",
    "(a, *seen) = c\nseen": "Module: assign",
    "for seen in a:\n    seen": "Module: for",
    "async def f():\n    async for seen in a:\n        seen": "f: for",
    "with a as seen:\n    seen": "Module: with",
    "async def f():\n    async with a as seen:\n        seen": "f: with",
    "with a:\n    seen": "nothing",
    "try:\n    a\nexcept E as seen:\n    seen": "Module: other",
    "try:\n    a\nexcept E:\n    seen": "nothing",
    "import seen\nseen": "Module: import",
    "import seen.deep\nseen": "Module: import",
    "import a as seen\nseen": "Module: import",
    "import seen as a\nseen": "nothing",
    "from a import seen\nseen": "Module: import",
    "from a import b as seen\nseen": "Module: import",
    "from a import *\nseen": "nothing",
    "def seen():\n    pass\nseen": "Module: def",
    "async def seen():\n    pass\nseen": "Module: def",
    "class seen:\n    pass\nseen": "Module: class",
    "def f(seen):\n    seen": "f: param",
    "def f(*seen):\n    seen": "f: param",
    "def f(**seen):\n    seen": "f: param",
    "def f(*, seen):\n    seen": "f: param",
    "def f(seen, /):\n    seen": "f: param",
    "def f(seen):\n    pass\nseen": "nothing",
    "lambda seen: seen": "Lambda: param",
    "seen = 1\nlambda seen=seen: 1": "Module: assign",
    "seen = 1\n@seen\ndef f(seen):\n    pass": "Module: assign",
    "seen = 1\ndef f(a: seen, b=seen):\n    seen = 2": "Module: assign",
    "seen = 1\nclass C(seen):\n    seen = 2": "Module: assign",
    "seen = 1\nclass C:\n    seen = 2\n    def f(self):\n        seen": "Module: assign",
    "class C:\n    seen = 2\n    a = seen": "C: assign",
    "class C:\n    seen = 2\n    def f(self):\n        seen": "nothing",
    "def f():\n    seen = 1\n    def g():\n        seen": "f: assign",
    "seen = 1\ndef f():\n    seen = 2\nseen": "Module: assign",
    "def f():\n    global seen\n    seen = 1\nseen": "Module: assign",
    "def f():\n    seen = 1\n    if a:\n        global seen\nseen": "Module: assign",
    "def f():\n    global seen\n    seen": "nothing",
    "seen = 1\ndef f():\n    seen = 2\n    def g():\n        global seen\n        seen": "Module: assign",
    "def f():\n    seen = 1\n    def g():\n        nonlocal seen\n        seen = 2\n    seen": "f: assign assign",
    "class C:\n    global seen\n    seen = 1\nseen": "Module: assign",
    "[seen for seen in a]": "ListComp: for",
    "{seen: 1 for seen in a}": "DictComp: for",
    "{seen for a, seen in b}": "SetComp: for",
    "list(seen for seen in a)": "GeneratorExp: for",
    "[seen for seen in a]\nseen": "nothing",
    "seen = 1\n[1 for seen in seen]": "Module: assign",
    "seen = 1\n[b for a in c for seen in seen]": "ListComp: for",
    "seen = 1\n[1 for a in b if seen for seen in c]": "ListComp: for",
    "[seen := a for a in b]\nseen": "Module: assign",
    "def f():\n    [[seen := a for a in b] for c in d]\n    seen": "f: assign",
    "class C:\n    seen = 1\n    a = [b for b in seen]": "C: assign",
    "class C:\n    seen = 1\n    a = [seen for b in c]": "nothing",
}


@pytest.mark.parametrize("text", MEANINGS)
def test_what_a_name_means(text: str) -> None:
    assert meaning(text) == MEANINGS[text]


@pytest.mark.skipif(sys.version_info < (3, 10), reason="this Python does not know it")
@pytest.mark.parametrize("pattern", ["seen", "[*seen]", "{'a': 1, **seen}", "[1] as seen"])
def test_a_pattern_binds(pattern: str) -> None:
    assert meaning(f"match a:\n    case {pattern}:\n        seen") == "Module: other"


@pytest.mark.skipif(sys.version_info < (3, 10), reason="this Python does not know it")
def test_a_pattern_that_binds_nothing() -> None:
    assert meaning("match a:\n    case [_, *_]:\n        seen") == "nothing"


def scopes(table: symtable.SymbolTable) -> Iterator[symtable.SymbolTable]:
    """The tables that Python makes of functions, classes and lambdas; comprehensions vary."""
    yield table
    for child in table.get_children():
        yield from scopes(child)


@pytest.mark.parametrize(
    "path",
    sorted((ROOT / "examples").glob("tape_*.py")) + sorted((ROOT / "codemods").rglob("*.py"))[::9],
    ids=lambda path: path.stem,
)
def test_the_scopes_bind_what_pythons_own_symbol_tables_say(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    index = Index(ast.parse(text))
    found = Bindings(index, Order(index.module, index.scopes))
    every = {node: set(found.inside(scope)) for node, scope in index.scopes.of.items()}
    ours = {_key(node): names for node, names in every.items() if not isinstance(node, UNNAMED)}
    inner = [names for node, names in every.items() if isinstance(node, UNNAMED)]
    inlined = {name for names in inner for name in names}  # since Python 3.12
    for table in scopes(symtable.symtable(text, path.name, "exec")):
        key = (table.get_name(), table.get_lineno())
        if key in ours:
            bound = {s.get_name() for s in table.get_symbols() if _is_bound(s)}
            declared = {s.get_name() for s in table.get_symbols() if s.is_annotated()}
            assert bound ^ ours.pop(key) <= inlined | declared  # `a: int` binds nothing
    assert not ours


def _key(node: ast.AST) -> tuple[str, int]:
    return getattr(node, "name", "top"), getattr(node, "lineno", 0)


def _is_bound(symbol: symtable.Symbol) -> bool:
    here = symbol.is_assigned() or symbol.is_imported() or symbol.is_parameter()
    own = (here or symbol.is_namespace()) and symbol.is_local()
    return own and not symbol.get_name().startswith((".", "__conditional"))
