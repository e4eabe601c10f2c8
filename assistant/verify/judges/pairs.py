"""Do the workers' inputs have the targets that they have on one process? (D107, H01)

The same inputs with other targets: each worker has taken its share of the one and not of the other,
or numbers labels in an order of its own (that of a set, which is another one in each Python). Where
the targets of worker 0 are those of one process, they are not drawn by chance.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from ..record.events import Examples
from ..record.verdict import Verdict, convicted, fine, unchecked
from . import judge
from ._epochs import common_via
from ._seen import everyone, first_place, fits_of
from ._whole import alone
from ._words import count, workers

if TYPE_CHECKING:
    from ..record.evidence import Evidence
    from ..record.records import Worker

ASKS = "whether inputs have the targets that they have on one process"
ENOUGH = 20  # examples of a worker
MOST = (
    0.8  # of a worker's inputs are to be known: in the place of some one process was given others
)
ALL, NONE = 0.9, 0.5  # as many are its own; as few may be, as some targets are alike
TOGETHER = (
    "cut inputs and targets in the same way: `x[hvd.rank()::hvd.size()]` and "
    "`y[hvd.rank()::hvd.size()]`, or one `Dataset.shard` of both"
)
SORTED = "number them in an order that all Pythons share: `enumerate(sorted(set(names)))`"
Pairs = Mapping[str, str]  # examples by their inputs


@dataclass(frozen=True)
class Matched:
    """Of a worker's examples: those whose inputs one process has, and whose targets, too."""

    rank: int
    inputs: int
    both: int
    renumbered: bool  # the others' targets are those of one process under other names

    @property
    def share(self) -> float:
        """How many of the inputs have their targets."""
        return self.both / self.inputs


@judge(order=56, asks=ASKS, sees=("examples",))
def pairs(evidence: Evidence) -> Iterator[Verdict]:
    """Silent where one process did not come to its end, or inputs don't come with targets."""
    found = matched(evidence)
    if not found:
        return
    wrong = [each for each in found if each.share <= NONE]
    if all(each.share >= ALL for each in found):
        text = f"{count(sum(each.inputs for each in found), 'example')} compared"
        yield fine(ASKS, text)
    elif wrong and any(each.share >= ALL for each in found):
        yield _mispairing(evidence, wrong)
    else:
        text = "their targets are others than on one process: drawn by chance, or of other examples"
        yield unchecked(ASKS, text)


def _mispairing(evidence: Evidence, wrong: Sequence[Matched]) -> Verdict:
    renumbered = all(each.renumbered for each in wrong)
    numbers = ", ".join(f"{each.inputs - each.both} of {each.inputs}" for each in wrong)
    text = f"{numbers} of the inputs of {workers(each.rank for each in wrong)} have other targets"
    if renumbered:
        text += ": the same ones, renumbered, as by the order of a set, which each Python has anew"
    return convicted(
        "H01" if renumbered else "D107",
        "the labels are numbered otherwise" if renumbered else "targets of other examples",
        f"{text}; what worker 0 trains on is what one process has",
        ranks=tuple(each.rank for each in wrong),
        where=first_place(fits_of(evidence)),
        fix=SORTED if renumbered else TOGETHER,
    )


def matched(evidence: Evidence) -> list[Matched]:
    """What targets the inputs of each worker have; nothing where one process has other inputs."""
    one = alone(evidence)
    via = None if one is None else common_via([one, *everyone(evidence)])
    if one is None or via is None:
        return []
    known = _pairs(one, via)
    found = [_of(worker, via, known) for worker in everyone(evidence)]
    return [each for each in found if each is not None] if all(found) else []


def _pairs(run: Worker, via: str) -> Pairs:
    """Inputs that come with one target only."""
    pairs, several = dict[str, str](), set[str]()
    for each in run.all(Examples):
        own = each.via == via and not each.given
        for inputs, row in zip(each.inputs, each.rows) if own else ():
            if pairs.setdefault(inputs, row) != row:
                several.add(inputs)
    return {inputs: row for inputs, row in pairs.items() if inputs not in several}


def _of(worker: Worker, via: str, known: Pairs) -> Matched | None:
    mine = _pairs(worker, via)
    common = [inputs for inputs in mine if inputs in known]
    if len(common) < max(ENOUGH, MOST * len(mine)):
        return None
    both = sum(mine[inputs] == known[inputs] for inputs in common)
    return Matched(worker.rank, len(common), both, _is_renumbered(mine, known, common))


def _is_renumbered(mine: Pairs, known: Pairs, common: Sequence[str]) -> bool:
    """Whether each target of one process has become one other, always the same; and few are there.

    The fingerprint of an example is the sum of those of its parts.
    """
    became: dict[int, set[int]] = {}
    for inputs in common:
        before, after = (_target(row, inputs) for row in (known[inputs], mine[inputs]))
        became.setdefault(before, set()).add(after)
    return all(len(each) == 1 for each in became.values()) and 2 * len(became) < len(common)


def _target(row: str, inputs: str) -> int:
    return (int(row, 16) - int(inputs, 16)) % (1 << 64)
