"""Lists the notes that distify may tell of a program, each with what it is about.

A note that is only a doubt names the obligation that decides it of the result.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).resolve().parents[1]
RESTRICTIONS = ROOT / "codemods" / "restrictions"
MEANING = {
    "COST": "cost: the training is right, and not as fast as it may be",
    "LOOK": "look: what is shown, saved, measured or scheduled is for a person to look at",
    "SIZE": "doubt: decided by *size*",
    "UPDATE": "doubt: decided by *update*",
    "WRITERS": "doubt: decided by *writers*",
}
_LONGEST = 90


class Note(NamedTuple):
    """A place of the code that tells a note: its module, code, words and kind."""

    module: str
    code: str
    words: str
    kind: str


def notes() -> Iterator[Note]:
    """Every note of every restriction."""
    for path in sorted(RESTRICTIONS.glob("*.py")):
        tree = ast.parse(path.read_text("utf-8"))
        texts = dict(_texts(tree))
        calls = [n for n in ast.walk(tree) if isinstance(n, ast.Call) and _is_note(n)]
        for call in sorted(calls, key=lambda call: call.lineno):
            kinds = [k.value for k in call.keywords if k.arg == "kind"]
            code = call.args[2]
            told = code.value if isinstance(code, ast.Constant) else ast.unparse(code)
            yield Note(path.stem, str(told), _words(call.args[3], texts), ast.unparse(kinds[0]))


def table() -> Iterator[str]:
    """The rows of the page."""
    yield "| Code | What is told | What it is about |"
    yield "|---|---|---|"
    for note in notes():
        code = "D501" if note.code == "RECOMPUTE" else note.code
        yield f"| {code} | {note.words} | {MEANING.get(note.kind, _either(note.kind))} |"


def _either(kind: str) -> str:
    return f"{MEANING['UPDATE']}; of a person's own share: look" if kind == "kind" else kind


def _is_note(call: ast.Call) -> bool:
    return isinstance(call.func, ast.Name) and call.func.id == "note"


def _texts(tree: ast.Module) -> Iterator[tuple[str, str]]:
    """The texts that the names and functions of a module stand for, those above first."""
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef):
            returned = [n.value for n in ast.walk(node) if isinstance(n, ast.Return) and n.value]
            yield from ((node.name, text) for each in returned for text in _written(each, tree)[:1])
    for node in ast.walk(tree):
        if isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name):
            yield from ((node.targets[0].id, text) for text in _written(node.value, tree)[:1])


def _written(value: ast.AST, tree: ast.Module) -> list[str]:
    """The texts in an expression, or of the names of the module in it."""
    found = _strings(value)
    names = {n.id for n in ast.walk(value) if isinstance(n, ast.Name)}
    for node in tree.body if not found else ():
        if isinstance(node, ast.Assign) and getattr(node.targets[0], "id", "") in names:
            found += _strings(node.value)
    return found


def _strings(value: ast.AST) -> list[str]:
    """The sentences in an expression."""
    parts = [n.value for n in ast.walk(value) if isinstance(n, ast.Constant)]
    return [part for part in parts if isinstance(part, str) and " " in part]


def _words(message: ast.expr, texts: dict[str, str]) -> str:
    """The beginning of what is told, as far as it is written down."""
    names = [n.id for n in ast.walk(message) if isinstance(n, ast.Name) and n.id in texts]
    text = texts[names[0]] if names else "what is so of a callback that every worker runs"
    text = text.replace("|", "\\|").strip("; :")
    return text if len(text) <= _LONGEST else text[: _LONGEST - 1] + "…"
