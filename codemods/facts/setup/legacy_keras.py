"""Keras 2 for TensorFlow 2.16 and later, which bring Keras 3 (rules.md, Versions)."""

from __future__ import annotations

import ast
from typing import Union

from ..facts import Facts
from .import_order import STANDARD
from .setup import Lines, horovod_place, init_place, tensorflow_place

KERAS_3 = (2, 16)
_SETTING = '{os}.environ.setdefault("TF_USE_LEGACY_KERAS", "1")'
_Import = Union[ast.Import, ast.ImportFrom]


def is_needed(facts: Facts) -> bool:
    """Whether the program runs where `tf.keras` is Keras 3."""
    return facts.options.tensorflow >= KERAS_3


def legacy_keras(facts: Facts) -> dict[ast.AST, Lines | tuple[str, ...]]:
    """The setting, before the first import of anything but the standard library.

    A later `import os` moves up: its name, by the statement it goes from. It stays where another
    rule puts lines beside it.
    """
    place = next((s for s in facts.module.body if _imports_others(s)), None)
    if not is_needed(facts) or place is None or _is_set(facts):
        return {}
    name = _os_before(facts, place)
    if name:
        return {place: Lines(before=f"\n{_SETTING.format(os=name)}\n\n")}
    name = facts.fresh("os") if _is_taken(facts) else "os"
    imported = "import os" if name == "os" else f"import os as {name}"
    kept = {init_place(facts), *horovod_place(facts), *tensorflow_place(facts)}
    imports = [s for s in facts.module.body if isinstance(s, ast.Import) and s not in kept]
    later = [s for s in imports if name in _bound(s)]
    lines = Lines(before=f"{imported}\n\n{_SETTING.format(os=name)}\n\n")
    return {**dict.fromkeys(later, (name,)), place: lines}


def _bound(statement: ast.Import) -> set[str]:
    return {alias.asname or alias.name for alias in statement.names}


def direct_keras(facts: Facts) -> list[_Import]:
    """Imports of `keras` itself, which no setting turns into Keras 2."""
    return [
        node
        for node in ast.walk(facts.module)
        if isinstance(node, (ast.Import, ast.ImportFrom)) and "keras" in _roots(node)
    ]


def _roots(node: _Import) -> set[str]:
    """The top-level packages that an import names; relative ones have none."""
    if isinstance(node, ast.Import):
        return {alias.name.split(".")[0] for alias in node.names}
    return set() if node.level else {(node.module or "").split(".")[0]}


def _imports_others(statement: ast.stmt) -> bool:
    nodes = [n for n in ast.walk(statement) if isinstance(n, (ast.Import, ast.ImportFrom))]
    return any(_roots(node) - STANDARD or getattr(node, "level", 0) for node in nodes)


def _is_set(facts: Facts) -> bool:
    return any(
        isinstance(node, ast.Constant) and node.value == "TF_USE_LEGACY_KERAS"
        for node in ast.walk(facts.module)
    )


def _os_before(facts: Facts, place: ast.stmt) -> str:
    """The name of the os module where it is imported before `place`."""
    for statement in facts.module.body[: facts.module.body.index(place)]:
        if isinstance(statement, ast.Import):
            for alias in statement.names:
                if alias.name == "os":
                    return alias.asname or "os"
    return ""


def _is_taken(facts: Facts) -> bool:
    """Whether the module means something else by `os`."""
    return "os" in facts.index.names and facts.names.imports().get("os") != "os"
