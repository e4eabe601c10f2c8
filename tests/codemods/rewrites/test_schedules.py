"""What each schedule of D501 keeps and runs again, for every number of steps up to 256."""

from __future__ import annotations

import functools
import math

import pytest
from bench.taped import Tape, function, ran

from distify.codemods.rewrites import _loop_functions, _recomputation, _time_steps
from distify.codemods.rewrites._loop_functions import Form
from distify.codemods.rewrites._schedules import BINOMIAL, HALVES, SEGMENTS

LENGTHS = range(1, 257)
SOME = (*range(1, 20), 31, 32, 33, 64, 100)
FORMS = {
    "loop": lambda form: _loop_functions.written(form, "run", first_part="first_part"),
    "layers": lambda form: _recomputation.written(
        getattr(_recomputation, NAMES[form.schedule]),
        "run",
        base=form.base,
        snapshots=form.snapshots,
    ),
    "steps": lambda form: _time_steps.written(
        getattr(_time_steps, NAMES[form.schedule]), "run", base=form.base, snapshots=form.snapshots
    ),
}
NAMES = {HALVES: "HALVES", SEGMENTS: "SEGMENTS", BINOMIAL: "BINOMIAL"}
each_form = pytest.mark.parametrize("how", FORMS)


def tapes(how: str, form: Form, is_costly: bool = False) -> dict[int, Tape]:
    """What each number of steps takes; of what is alike, or costs a lot, some of them."""
    lengths = LENGTHS if how == "loop" and not is_costly else SOME
    text = FORMS[how](form)
    return {count: ran(text, "run", count, how) for count in lengths}


@each_form
def test_halves_keep_log2_t_and_run_half_of_the_steps_again_at_each_cut(how: str) -> None:
    @functools.cache
    def runs(steps: int) -> int:
        half = steps // 2
        return steps if steps < 2 else runs(half) + half + runs(steps - half)

    for count, tape in tapes(how, Form()).items():
        assert tape.most <= 1 + math.ceil(math.log2(count))
        assert tape.runs == runs(count) <= count * (1 + math.ceil(math.log2(count)) / 2) + 1


@each_form
@pytest.mark.parametrize("snapshots", [1, 2, 3, 5, 9])
def test_binomial_keeps_no_more_than_it_is_told_and_runs_the_fewest(
    how: str, snapshots: int
) -> None:
    for count, tape in tapes(how, Form(BINOMIAL, snapshots=snapshots), snapshots < 3).items():
        assert tape.most <= snapshots + 1  # and the step whose gradients are taken
        assert tape.runs == count + fewest(count, snapshots)
        assert tape.runs <= count * (1 + times(count, snapshots))


@functools.cache
def fewest(steps: int, snapshots: int) -> int:
    """Steps that must be run again, tried for every first part; one snapshot is the beginning."""
    if steps < 2:
        return 0
    if snapshots == 1:
        return steps * (steps - 1) // 2
    return min(
        first + fewest(steps - first, snapshots - 1) + fewest(first, snapshots)
        for first in range(1, steps)
    )


def times(steps: int, snapshots: int) -> int:
    """How often any step is run again at most: the bound of Griewank."""
    return next(r for r in range(steps + 1) if math.comb(snapshots + r, snapshots) >= steps)


@each_form
def test_segments_run_every_step_twice_at_most_and_keep_two_roots(how: str) -> None:
    for count, tape in tapes(how, Form(SEGMENTS)).items():
        size = round(count**0.5)
        assert tape.runs < 2 * count or count == 1
        assert tape.most <= math.ceil(count / size) + size - 1


@each_form
@pytest.mark.parametrize("base", [2, 4, 8])
def test_a_base_saves_runs_for_what_it_keeps(how: str, base: int) -> None:
    for count, tape in tapes(how, Form(base=base), is_costly=True).items():
        plain = ran(FORMS[how](Form()), "run", count, how)
        assert tape.runs <= plain.runs
        assert tape.most <= plain.most + base - 1
    assert tape.runs < plain.runs


def test_binomial_is_halves_bettered() -> None:
    """With as many states as halves keep, fewer steps are run again."""
    for count in (16, 64, 256):
        halves = ran(FORMS["loop"](Form()), "run", count)
        binomial = ran(FORMS["loop"](Form(BINOMIAL, snapshots=halves.most - 1)), "run", count)
        assert binomial.runs < halves.runs
        assert binomial.most <= halves.most


def test_outputs_come_in_order_and_what_is_run_over_is_passed_on() -> None:
    for schedule in (HALVES, SEGMENTS, BINOMIAL):
        for is_over in (False, True):
            form = Form(schedule, is_over=is_over, gives=True, snapshots=3)
            for count in (0, 1, 2, 7, 16):
                assert giving(form, count) == (count, [f"{n} of {n}" for n in range(count)])


def giving(form: Form, count: int) -> object:
    """What a function gives whose steps give outputs, too."""
    tape = Tape()

    def step(item: int, state: int) -> tuple[int, str]:
        return tape.step(item, state), f"{item} of {state}"

    run = function(_loop_functions.written(form, "run", first_part="first_part"), "run", tape)
    return run(step, list(range(count)), 0)
