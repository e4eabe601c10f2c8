"""Prints one digest of everything that migrating all known programs gives, for promise 8.

Run by each Python, so it stays within what all of them know.
"""

from __future__ import annotations

import hashlib
import sys
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent


def programs() -> Iterator[tuple[str, str]]:
    """The examples, and every program that a rewrite is registered with."""
    from distify.codemods import rewrites

    for path in sorted((ROOT / "examples").glob("*.py")):
        yield path.name, path.read_text(encoding="utf-8")
    for rule in rewrites.all():
        yield f"{rule.code}-before", rule.before
        yield f"{rule.code}-after", rule.after
        for number, text in enumerate(rule.noop):
            yield f"{rule.code}-noop-{number}", text


def digest() -> str:
    """Everything counts: every step, place, finding and piece of evidence."""
    from distify.codemods.migrate import migrate

    total = hashlib.sha256()
    for name, text in programs():
        total.update(repr(migrate(text, name=name)).encode())
    return total.hexdigest()


if __name__ == "__main__":
    sys.stdout.write(digest() + "\n")
