"""How tf.data pipelines are built: for every dataset the ways its elements come, source first.

https://www.tensorflow.org/api_docs/python/tf/data/Dataset
"""

from __future__ import annotations

import ast

from ...library.datasets import JOINING
from ..facts import Facts
from .dataset_domain import Datasets
from .links import Found, PipelineStep
from .stages import Stage, Way, is_endless


class Pipelines:
    """Follows datasets backwards; an empty answer means that something can't be followed."""

    def __init__(self, facts: Facts) -> None:
        self._facts = facts
        self._datasets = Datasets(facts)
        self._stages: dict[PipelineStep, Stage] = {}
        self._joining: set[ast.expr] = set()

    def is_source(self, call: ast.Call) -> bool:
        """Whether it makes a dataset of something else."""
        return self._datasets.is_source(call)

    def found(self, expr: ast.expr | int) -> Found:
        """What is known of the datasets that a value may be."""
        return self._facts.program.value(self._datasets.domain, expr)

    def ways(self, expr: ast.expr) -> tuple[Way, ...]:
        """Every way to the dataset `expr`, source first; none if it may be anything else."""
        found = self.found(expr)
        return self.known_ways(found) if found.is_complete else ()

    def known_ways(self, found: Found) -> tuple[Way, ...]:
        """The ways that are known to lead to a value, which may be something else as well."""
        return tuple(sorted(map(self._way, found.links), key=_places, reverse=True))

    def _way(self, link: PipelineStep) -> Way:
        return tuple(map(self._stage, reversed([each for each in link.back() if each.expr])))

    def _stage(self, link: PipelineStep) -> Stage:
        if link not in self._stages:
            assert link.expr is not None
            endless = link.before is None and self._has_endless_arms(link.expr)
            self._stages[link] = Stage(link.expr, link.method, link.is_whole, endless)
        return self._stages[link]

    def _has_endless_arms(self, call: ast.expr) -> bool:
        """Whether it joins datasets of which none ends."""
        if call in self._joining:  # one of them is made of what it makes itself
            return False
        self._joining.add(call)
        arms = self.arms(call) if isinstance(call, ast.Call) else []
        return bool(arms) and all(ways and all(map(is_endless, ways)) for ways in arms)

    def arms(self, call: ast.Call) -> list[tuple[Way, ...]]:
        """The ways to each dataset that `zip` or `sample_from_datasets` joins."""
        name = (self._facts.name(call.func) or "").rpartition(".")[2]
        if name not in JOINING:
            return []
        stack, found = list(call.args[: 1 if name != "zip" else None]), []
        while stack:
            expr = stack.pop()
            if isinstance(expr, (ast.Tuple, ast.List)):
                stack += expr.elts
            else:
                found.append(self.ways(expr))
        return found


def _places(way: Way) -> list[tuple[int, int]]:
    """The places from the end back to the source: what was bound last comes first."""
    return [(stage.expr.lineno, stage.expr.col_offset) for stage in reversed(way)]
