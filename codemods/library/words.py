"""Tables that are written as plain words."""

from __future__ import annotations


def words(text: str) -> frozenset[str]:
    """The words of a text."""
    return frozenset(text.split())


def table(text: str) -> frozenset[str]:
    """`module: name name` lines as canonical names; an indented line continues the one before."""
    found: set[str] = set()
    module = ""
    for line in text.strip().splitlines():
        if not line.startswith(" "):
            module, _, line = line.partition(":")
        found.update(f"{module}.{name}" for name in line.split())
    return frozenset(found)
