"""Keras 2 for TensorFlow 2.16 and later, which bring Keras 3 (rules.md, Versions)."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import Union

from ...program.node_fields import within
from ...program.records import NamedTuple
from ..facts import Facts
from ..keras_target import brings_keras_3
from ..keras_version import asks_for_legacy, is_keras_3
from ..roots import roots
from .import_order import STANDARD
from .import_places import horovod_place, init_place, missing_modules, tensorflow_place

_Import = Union[ast.Import, ast.ImportFrom]


def is_needed(facts: Facts) -> bool:
    """Whether the program has to ask for Keras 2, where `tf.keras` would be Keras 3."""
    return brings_keras_3(facts) and not is_keras_3(facts)


class LegacyKeras(NamedTuple):
    """Where Keras 2 is asked for: before the first import of anything but the standard library."""

    place: ast.stmt
    os: str  # the name that the os module has there already, empty if it has none
    is_taken: bool  # whether the module means something else by `os`
    later: tuple[ast.Import, ...]  # imports of `os` below, which move up


def legacy_keras(facts: Facts) -> LegacyKeras | None:
    """The setting that the program lacks; None if it needs none."""
    place = next((s for s in facts.body if _imports_others(s)), None)
    if not is_needed(facts) or place is None or asks_for_legacy(facts):
        return None
    name, is_taken = _os_before(facts, place), _is_taken(facts)
    later = () if name or is_taken else tuple(_imports_of_os(facts, place))
    return LegacyKeras(place, name, is_taken, later)


def _imports_of_os(facts: Facts, first: ast.stmt) -> Iterator[ast.Import]:
    """Those behind `first`, and beside which no other rule puts lines."""
    horovod = horovod_place(facts) if missing_modules(facts) else None
    beside = {place.beside for place in (horovod, tensorflow_place(facts)) if place is not None}
    kept = {first, init_place(facts), *beside}
    for statement in facts.body:
        if isinstance(statement, ast.Import) and "os" in _bound(statement):
            if statement not in kept:
                yield statement


def _bound(statement: ast.Import) -> set[str]:
    return {alias.asname or alias.name for alias in statement.names}


def direct_keras(facts: Facts) -> list[_Import]:
    """Imports of `keras` itself, which no setting turns into Keras 2."""
    return [
        node
        for node in within(facts.module)
        if isinstance(node, (ast.Import, ast.ImportFrom)) and "keras" in roots(node)
    ]


def _imports_others(statement: ast.stmt) -> bool:
    nodes = [n for n in within(statement) if isinstance(n, (ast.Import, ast.ImportFrom))]
    return any(roots(node) - STANDARD or getattr(node, "level", 0) for node in nodes)


def _os_before(facts: Facts, place: ast.stmt) -> str:
    """The name of the os module where it is imported before `place`."""
    for statement in facts.body[: facts.body.index(place)]:
        if isinstance(statement, ast.Import):
            for alias in statement.names:
                if alias.name == "os":
                    return alias.asname or "os"
    return ""


def _is_taken(facts: Facts) -> bool:
    """Whether the module means something else by `os`."""
    return "os" in facts.index.names and facts.names.imports().get("os") != "os"
