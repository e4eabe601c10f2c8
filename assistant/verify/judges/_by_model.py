"""The model's answer about a run: its graphs, and what the run itself saw of the same faults."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING

from ..model import load
from ..model.fault import Answer
from ..model.judged import Seen, judged
from ..record.endings import Blind
from ..record.events import Applied, Optimizer
from ..record.verdict import CONVICTED, Verdict
from ._compared_states import compare
from ._seen import everyone, first_place
from ._words import variable

if TYPE_CHECKING:
    from ..model.graph import Graph
    from ..record.evidence import Evidence


def modelled(evidence: Evidence, verdicts: Sequence[Verdict]) -> Answer:
    """Judges the training graphs that the workers left behind. Raises OSError."""
    graphs, problems = load.read(evidence.folder)
    seen = Seen(
        drifted=frozenset(_drifts(evidence)),
        hung=any(v.question == "hang" and v.grade == CONVICTED for v in verdicts),
        applied_outside=_applied_outside(evidence),
        problems=(*problems, *_blind(evidence), *_without_graph(evidence, graphs)),
    )
    return judged(graphs, evidence.job.workers, seen)


def _drifts(evidence: Evidence) -> Iterator[str]:
    for point in compare(evidence).points:
        for key in point.differing:
            yield variable(key).removeprefix("slot ")


def _applied_outside(evidence: Evidence) -> str | None:
    applied = [
        each
        for worker in everyone(evidence)
        for each in worker.all(Applied)
        if not each.traced and each.where
    ]
    return first_place(applied)


def _blind(evidence: Evidence) -> Iterator[str]:
    """What the probe could not write of the graphs."""
    whys = {
        each.why
        for worker in everyone(evidence)
        for each in worker.all(Blind)
        if each.what == "model"
    }
    yield from sorted(whys)


def _without_graph(evidence: Evidence, graphs: Mapping[int, Iterable[Graph]]) -> Iterator[str]:
    """Optimizers that made steps, and none in a graph that was written."""
    for worker in everyone(evidence):
        mine = graphs.get(worker.rank, ())
        known = {name.partition("#")[0] for graph in mine for name in graph.trained}
        for each in worker.all(Optimizer) if known else ():
            missing = [name.removesuffix(":0") for name in each.variables]
            missing = [name for name in missing if name not in known]
            if missing:
                which = each.cls if each.cls != "none" else "what the program assigns itself"
                yield f"{which} trains {missing[0]} outside of the graphs that were seen"
                return
