"""How many steps sessions and Estimators make, where every worker trains on examples of its own.

Each step is one of all workers: they share the rounds of `for step in range(n)`, and `max_steps`.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator

from ...library.draws import NUMPY
from ...library.names import in_v1
from ...program.node_fields import within
from ..facts import Facts
from ..own_values import drawn, seeded
from ..training.estimator_training import (
    estimator_trainings,
    given,
    is_endless_input,
    ready_input,
    served,
)
from ..training.pattern import runs_sessions
from ..training.session_runs import Run, fed, session_runs, training_runs
from ..training.training_loops import loop_around, rounds_of, whole_round
from .array_loops import loops
from .drawn_batches import is_invented, is_sliding_window
from .handed_batches import handed_batches
from .loop_ends import step_limits
from .pipeline_shares import Shares, shares_of
from .pipelines import handles, is_endless, iterators_of_steps
from .uses import End, Use

_MNIST = "read_data_sets"  # shuffles by NumPy's global numbers
_NEXT = "next_batch"
_PICKS = ("choice", "randint", "integers", "random_integers")
_STOPS = in_v1("train.StopAtStepHook", "estimator.StopAtStepHook")
_COUNTS = ("num_steps", "last_step")
_OF_ESTIMATORS = ("steps", "max_steps")


def graph_rounds(facts: Facts, data: Shares) -> Iterator[ast.expr]:
    """The numbers of rounds of loops whose runs train on other examples on every worker."""
    if not runs_sessions(facts):
        yield from estimator_steps(facts, data)
        if any(shares_steps(facts, data, call) for call in estimator_trainings(facts)):
            yield from _last_steps(facts, ())
        return
    runs = [run for run in training_runs(facts).values() if is_own(facts, data, run)]
    whole = [run for run in training_runs(facts).values() if _is_whole(facts, data, run)]
    kept = {number for run in whole for number in _rounds(facts, run.call)}
    kept.update(number for loop in loops(facts) for number in loop.fewer)
    for run in runs:
        yield from (number for number in _rounds(facts, run.call) if number not in kept)
    has_shares = _has_shares(facts, data)
    if runs or has_shares:
        others = [r for r in training_runs(facts).values() if has_shares and r not in whole]
        limits = _last_steps(facts, (run.call for run in (*runs, *others)))
        yield from (number for number in limits if number not in kept)


def uncounted_rounds(facts: Facts, data: Shares) -> Iterator[ast.expr]:
    """What ends loops of examples that each worker draws for itself, and is no number in sight."""
    for run in training_runs(facts).values():
        loop = whole_round(facts, run.call)
        if isinstance(loop, ast.While) and fed(facts, run) is not None and is_own(facts, data, run):
            is_left = any(isinstance(node, (ast.Break, ast.Return)) for node in within(loop))
            if is_left or not isinstance(loop.test, ast.Constant):
                yield loop.test


def _is_whole(facts: Facts, data: Shares, run: Run) -> bool:
    """Whether a run goes through examples that every worker has all of: all of its rounds count."""
    given = fed(facts, run)
    if given is None or loops(facts) or is_own(facts, data, run):
        return False
    values = given.values if isinstance(given, ast.Dict) else [given]
    made = (facts.origins(value).nodes for value in values)
    return any(not isinstance(node, ast.Constant) for nodes in made for node in nodes)


def _rounds(facts: Facts, call: ast.Call) -> Iterator[ast.expr]:
    """Of the loop around a run, or around the calls of the function that has none."""
    function = facts.function(call)
    if function is None or loop_around(facts, call) is not None:
        yield from rounds_of(facts, call, with_while=True)
        return
    for site in facts.call_sites(function):
        yield from rounds_of(facts, site, with_while=True)


def _has_shares(facts: Facts, data: Shares) -> bool:
    """Whether the sessions of the module end where a share of the data does."""
    ends = [end for end in data.ends if end.use is Use.TRAINING]
    cut = bool(ends) and all(data.is_cut(way) for end in ends for way in end.ways)
    return cut or bool(loops(facts) or handed_batches(facts).arrays)


def _last_steps(facts: Facts, runs: Iterable[ast.Call]) -> Iterator[ast.expr]:
    """The numbers of steps behind which a hook stops the session, or the program its loop."""
    yield from step_limits(facts, runs)
    for call in facts.calls_of(*_STOPS):
        given = (facts.argument(call, name, number) for number, name in enumerate(_COUNTS))
        yield from (each for each in given if each is not None)


def is_own(facts: Facts, data: Shares, run: Run) -> bool:
    """Whether what a run is fed is drawn by each worker, or comes from data without end."""
    if run.call in handed_batches(facts).runs:
        return True
    given = fed(facts, run)
    ends = [
        end for end in data.ends if end.use is Use.TRAINING and end.by in iterators_of_steps(facts)
    ]
    if given is None or handles(facts, run):
        return bool(ends) and all(is_endless(way) for end in ends for way in end.ways)
    values = given.values if isinstance(given, ast.Dict) else [given]  # not by names
    return not ends and (is_invented(facts, values) or any(_is_picked(facts, v) for v in values))


def drawing_runs(facts: Facts) -> Iterator[ast.Call]:
    """The runs that take no step, and take examples from data that ends there: fewer steps then."""
    ends = [end for end in shares_of(facts).ends if end.use is Use.TRAINING]
    finite = {end.by for end in ends if not all(map(is_endless, end.ways))}
    drawn = finite & iterators_of_steps(facts)
    for run in session_runs(facts) if drawn else ():
        if run.call not in training_runs(facts):
            if not drawn.isdisjoint(facts.program.ingredients(run.fetches)):
                yield run.call


def _is_picked(facts: Facts, fed: ast.expr) -> bool:
    """Whether examples are picked by numbers that each worker draws for itself."""
    for node in facts.program.ingredients(fed):
        if isinstance(node, ast.Subscript) and _picks(facts, node):
            return not is_sliding_window(facts, node.value)
        if isinstance(node, ast.Call) and getattr(node.func, "attr", "") == _NEXT:
            return _is_mnist(facts, node) and NUMPY not in seeded(facts)
    return False


def _picks(facts: Facts, node: ast.Subscript) -> bool:
    place = node.slice.lower if isinstance(node.slice, ast.Slice) else node.slice
    made = () if place is None or drawn(facts, place) is None else facts.program.ingredients(place)
    names = {getattr(each.func, "attr", "") for each in made if isinstance(each, ast.Call)}
    return not names.isdisjoint(_PICKS)


def _is_mnist(facts: Facts, call: ast.Call) -> bool:
    made = (n for n in facts.program.ingredients(call.func) if isinstance(n, ast.Call))
    return any((facts.name(n.func) or "").endswith(_MNIST) for n in made)


def estimator_steps(facts: Facts, data: Shares) -> Iterator[ast.expr]:
    """The numbers of steps that the workers share: of `train`, and of hooks that stop it."""
    for call in estimator_trainings(facts):
        if shares_steps(facts, data, call):
            numbers = (given(facts, call, name) for name in _OF_ESTIMATORS)
            yield from (number for number in numbers if number is not None)


def shares_steps(facts: Facts, data: Shares, call: ast.Call) -> bool:
    """Whether each worker has examples of its own in every step of a `train`."""
    made = ready_input(facts, call)
    if made is not None:
        return is_endless_input(facts, made)
    ends = ends_of(facts, data, call)
    ways = [way for end in ends for way in end.ways]
    return bool(ways) and all(data.is_cut(way) or is_endless(way) for way in ways)


def ends_of(facts: Facts, data: Shares, call: ast.Call) -> list[End]:
    """The ends of the pipelines that a `train` takes its examples from."""
    ends = (end for end in data.ends if end.use is Use.TRAINING)
    return [end for end in ends if end.by is call or call in served(facts, end.by)]
