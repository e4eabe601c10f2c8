"""What could the probe not see?"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from ..record.beginnings import Tiny
from ..record.endings import Blind
from ..record.verdict import Verdict, note, unchecked
from . import SEEN, judge
from ._seen import everyone
from ._words import count, listed, workers

if TYPE_CHECKING:
    from ..record.evidence import Evidence


@judge(order=80, asks="what could not be seen")
def blind(evidence: Evidence) -> Iterator[Verdict]:
    """Every blind spot, once; records that could not be read are one, too."""
    found: dict[str, dict[str, list[int]]] = {}
    for worker in everyone(evidence):
        for each in worker.all(Blind):
            ranks = found.setdefault(each.what, {}).setdefault(each.why, [])
            ranks += [worker.rank] if worker.rank not in ranks else []
    for what, whys in found.items():
        ranks = sorted({rank for each in whys.values() for rank in each})
        text = f"{'; '.join(whys) or 'for no known reason'} ({workers(ranks)})"
        yield unchecked(SEEN.get(what, what), text, ranks=tuple(ranks))
    for worker in everyone(evidence):
        if worker.unreadable:
            text = f"{count(worker.unreadable, 'line')} of worker {worker.rank} could not be read"
            yield unchecked("some records", text, ranks=(worker.rank,))
    yield from _tiny(evidence)


def _tiny(evidence: Evidence) -> Iterator[Verdict]:
    loaders = {each.loader for worker in everyone(evidence) for each in worker.all(Tiny)}
    if loaders:
        text = f"{listed(sorted(loaders))} gave small synthetic arrays; losses mean nothing"
        yield note("the data is not the real one (--data tiny)", text)
