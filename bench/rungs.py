"""On which rung of the ladder the results of the examples share their data, for docs/precision.md.

python bench/rungs.py
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from distify.codemods.judge.proof import WORDS
from distify.codemods.migrate import migrate

EXAMPLES = Path(__file__).resolve().parents[1] / "examples"
OTHERS = "no share: each worker draws examples of its own, or there is nothing to share out"
HEAD = """
## Where shares are cut

The results of the examples, by the highest place at which they share their data out among the
workers; one program may do so at several.

| Rung | Shared by | Results |
|---|---|---|"""


class Result(NamedTuple):
    """An example that is migrated, and the rungs on which it shares its data."""

    name: str
    rungs: tuple[int, ...]


def results(folder: Path = EXAMPLES) -> Iterator[Result]:
    """Those that are written."""
    for path in sorted(folder.rglob("*.py")):
        done = migrate(path.read_text("utf-8"))
        sizes = [proof for proof in done.proofs if proof.obligation == "size"]
        if done.steps and not done.blocked and sizes:
            yield Result(path.relative_to(folder).as_posix(), sizes[0].rungs)


def table() -> Iterator[str]:
    """A row for each rung."""
    yield from HEAD.splitlines()
    found = list(results())
    for rung, words in WORDS.items():
        yield f"| {rung} | {words} | {sum(rung in each.rungs for each in found)} |"
    yield f"| – | {OTHERS} | {sum(not each.rungs for each in found)} |"


if __name__ == "__main__":
    names = [f"{','.join(map(str, each.rungs)) or '-'} {each.name}" for each in results()]
    print("\n".join(names if "--names" in sys.argv else table()))
