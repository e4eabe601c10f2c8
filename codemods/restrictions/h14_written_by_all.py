"""Every worker of a graph program writes its checkpoints to the same place.

https://horovod.readthedocs.io/en/stable/tensorflow.html, step 6; of other programs D203 sees to it.
"""

from __future__ import annotations

from collections.abc import Iterator

from ..facts import Facts
from ..facts.causes import spelled
from ..facts.workers.shared_folders import shared_folders
from ..model import Finding
from . import hazard
from ._finding import warning

MESSAGE = "every worker writes to `{}` here: files that many write at once are spoiled"
FIX = "let rank 0 alone write: `{0} if hvd.rank() == 0 else None`, or a guard around the call"


@hazard(code="H14", name="written-by-all")
def written_by_all(facts: Facts) -> Iterator[Finding]:
    """Warnings: on machines of their own the workers may have folders of their own."""
    for call, path in shared_folders(facts):
        text = spelled(path)
        yield warning(facts, call, "H14", MESSAGE.format(text), FIX.format(text))
