"""Examples that code of the program hands out in batches to a session, and that can be cut.

`DataSet(images, labels)` with a `next_batch`, or the generator `batch_iter(data, 32, epochs)`: each
worker gives it a share of the examples, and what it draws then is an order of that share.
"""

from __future__ import annotations

import ast

from ...program.node_fields import within
from ...program.records import NamedTuple
from ..by_rank import RANK, depends_on_rank
from ..causes import spelled
from ..declared import has_own_rows
from ..facts import Facts, recorded
from ..horovod import member
from ..training.pattern import runs_sessions
from ..training.session_runs import Run, fed, training_runs
from ..training.training_loops import is_delayed
from .arrays import is_array
from .batch_needs import order_matters
from .containers_of_arrays import TRAINING, Arrays, Container
from .handed_arrays import (
    Inside,
    examples_of,
    inside_of,
    is_given_nothing,
    is_slice,
    plain_length,
    zipped,
)
from .handed_counts import foreign_count
from .handed_uses import needed_whole
from .handing_calls import Fed, Handing, handing
from .lengths import Length
from .shares import shares_data


class Left(NamedTuple):
    """What hands out batches and gets all of the examples, and what is in the way of a share."""

    made: ast.Call
    place: ast.AST
    why: str


COUNTS = "`{}` counts by a number of its own, and not by the examples that it is given"
WHOLE = "all of what `{}` holds is used here, too"
UNNAMED = "the examples have no name where `{}` gets them"
STATE = "the model keeps its state from batch to batch"
BESIDE = "it is fed beside what `{}` hands out, and isn't cut alike"


class HandedBatches:
    """All that hands out batches to the training runs of a module."""

    def __init__(self, facts: Facts) -> None:
        self._facts = facts
        self.arrays: dict[ast.Call, Arrays] = {}
        self.inside: set[ast.AST] = set()  # the functions that see a share only
        self.left: list[Left] = []
        self.runs: set[ast.Call] = set()  # which are fed by nothing else
        if shares_data(facts) and runs_sessions(facts):
            self._find(list(training_runs(facts).values()))

    def has(self, node: ast.AST) -> bool:
        """Whether it stands in code that sees the share of one worker only."""
        return self._facts.function(node) in self.inside

    def is_share(self, number: ast.AST) -> bool:
        """Whether a number is reckoned from how many examples a worker has."""
        cut = {each for arrays in self.arrays.values() for each in arrays.held}
        return bool(cut) and not cut.isdisjoint(self._facts.program.sources(number, ()))

    def _find(self, runs: list[Run]) -> None:
        given = {run.call: fed(self._facts, run) for run in runs}
        found = {call: handing(self._facts, value) for call, value in given.items() if value}
        for call, behind in found.items():
            for each in behind.handings:
                self._judge(each, behind)
            sources = [h.made for h in behind.handings if not is_given_nothing(h.made)]
            if sources and all(made in self.arrays for made in sources):
                self.runs.add(call)
        is_fed = {call for call, behind in found.items() if behind.handings}
        if self.left or is_fed != self.runs:
            self.arrays, self.runs, self.inside = {}, set(), set()

    def _judge(self, each: Handing, behind: Fed) -> None:
        """Cut what it is given, or tell why not; nothing is said of what is given no arrays."""
        facts, made = self._facts, each.made
        inside = None if each.gives is None else inside_of(facts, made, each.gives)
        arrays = zipped(facts, made) if each.gives is None else None
        arrays = arrays if inside is None else examples_of(facts, made, inside)
        if arrays is None or self._is_by_hand(each, inside):
            return
        left: tuple[str, ast.AST] | None = (STATE, each.made)
        if not order_matters(facts):
            left = self._in_the_way(each, inside, arrays) or self._beside(behind)
        if left is not None:
            self.left.append(Left(made, left[1], left[0].format(spelled(made.func))))
            return
        found = self.arrays[made] = Arrays(made, TRAINING)
        found.held.update(dict.fromkeys(arrays, Container.ITSELF))
        found.length = Length(plain_length(facts, arrays) or arrays[0])
        self.inside.update(() if inside is None else inside.functions)

    def _is_by_hand(self, each: Handing, inside: Inside | None) -> bool:
        """Whether the program gives each worker other examples itself, before or in there."""
        if has_own_rows(self._facts, each.made):
            return True
        given = [*each.made.args, *(keyword.value for keyword in each.made.keywords)]
        functions = () if inside is None else inside.functions
        calls = (n for f in functions for n in within(f) if isinstance(n, ast.Call))
        return any(depends_on_rank(self._facts, value) for value in given) or any(
            member(self._facts, call.func) in RANK for call in calls
        )

    def _in_the_way(
        self, each: Handing, inside: Inside | None, arrays: tuple[ast.expr, ...]
    ) -> tuple[str, ast.AST] | None:
        facts = self._facts
        if plain_length(facts, arrays) is None or is_delayed(facts, each.made):
            return UNNAMED, each.made
        if inside is None or each.gives is None:
            return None
        number = foreign_count(facts, each.gives, inside, arrays)
        if number is not None:
            return COUNTS, number
        whole = needed_whole(facts, each.made, inside, arrays)
        return None if whole is None else (WHOLE, whole)

    def _beside(self, behind: Fed) -> tuple[str, ast.AST] | None:
        """`{x: data.next_batch(32), y: labels[i : i + 32]}`: those would be of other examples."""
        own = {n for h in behind.handings for n in within(h.gives or h.made)}
        for part in behind.parts:
            value = part.value
            if is_array(self._facts, value) and is_slice(self._facts, part):
                if own.isdisjoint(self._facts.program.sources(value, ())):
                    return BESIDE, part
        return None


@recorded
def handed_batches(facts: Facts) -> HandedBatches:
    """What a module hands out, decided once."""
    return HandedBatches(facts)
