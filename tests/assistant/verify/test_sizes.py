"""The length of a step beside one of a single process, as the records tell it."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from distify.assistant.verify.judges._size import ratio, size_of
from distify.assistant.verify.record.endings import Blind
from distify.assistant.verify.record.events import (
    Element,
    Examples,
    Gradients,
    Optimizer,
    Rate,
    Reduce,
)
from distify.assistant.verify.record.evidence import Alone, Evidence
from distify.assistant.verify.record.records import Worker
from distify.assistant.verify.record.verdict import Verdict
from distify.assistant.verify.run.reference import wanted

from .build import (
    FIT,
    NAMES,
    added,
    alone,
    changed,
    evidence,
    grades,
    of,
    rows,
    sound,
    without,
)

SUMS = ((3.0, -1.0, 2.0, 9.0), (0.5, 0.25, 1.0, 2.0))


def times(factor: float) -> tuple[tuple[float, ...], ...]:
    """What was applied, as a multiple of what one process computes."""
    return tuple((a * factor, b * factor, c * factor, d * factor**2) for a, b, c, d in SUMS)


def sized(
    rate: float,
    factor: float | None = 1.0,
    batch: int = 4,
    op: str = "Average",
    cls: str = "SGD",
) -> Evidence:
    """A job, and a process with the rate 0.1 that takes four examples in a step."""
    optimizer = Optimizer(0.3, 0, cls, True, NAMES, rate, api="keras", where="train.py:6")
    took = [
        [Examples(float(n), "dataset", n, rows(rank, n, batch)) for n in range(1, 4)]
        for rank in range(2)
    ]
    kept = [] if factor is None else [Element(0.1, "dataset"), Gradients(2.0, 0, 2, times(factor))]
    reduced = Reduce(0.4, "tape", "variables", 2, False, "train.py:11", op)
    workers = [
        Worker(
            rank,
            (
                *without(sound(rank), Examples, Optimizer, Reduce),
                optimizer, reduced, *took[rank], *kept,
            ),
        )
        for rank in range(2)
    ]  # fmt: skip
    single = [replace(optimizer, rate=0.1), Examples(1.0, "dataset", 1, rows(5, 1, 4))]
    single += [Gradients(2.0, 0, 2, SUMS, n) for n in range(2)]
    return evidence(*workers, reference=Alone("reference", Worker(0, tuple(single)), 0))


def judged(found: Evidence) -> Verdict:
    (verdict,) = of("rates", found)
    return verdict


@pytest.mark.parametrize(
    ("given", "line"),
    [
        (sized(0.2), "2 times one of a single process, for 2 times the examples"),
        (sized(0.1, 2.0, op="Sum"), "2 times one of a single process, for 2 times the examples"),
        (sized(0.2, 1.0, op="Sum"), "2 times one of a single process, for 2 times the examples"),
        (sized(0.1, batch=2), "1 times one of a single process, for 1 times the examples"),
        (sized(0.2, 2.0, op="Sum", cls="Adam"), "(2 times)"),
        (sized(0.2, None), "(2 times)"),
        (sized(0.1, None, op="Sum"), "(1 times)"),
        (sized(0.1, None, batch=2), "(1 times)"),
    ],
)
def test_steps_that_are_as_long_as_they_should(given: Evidence, line: str) -> None:
    found = judged(given)
    assert found.grade == "fine"
    assert line in found.text


@pytest.mark.parametrize(
    ("given", "title", "line"),
    [
        (sized(0.2, 2.0, op="Sum"), "gradients are added up", "4 times one of a single process"),
        (sized(0.2, None, op="Sum"), "gradients are added up", "4 times one of a single process"),
        (sized(0.2, 0.5), "the loss is divided", "1 times one of a single process, for 2 times"),
        (sized(0.2, batch=2), "the batches are smaller", "2 times one of a single process, for 1"),
        (sized(0.1), "the learning rate is not scaled", "1 times one of a single process, for 2"),
        (sized(0.1, cls="Adam"), "the learning rate is not scaled", "2 times as many examples"),
    ],
)
def test_steps_of_another_length(given: Evidence, title: str, line: str) -> None:
    found = judged(given)
    assert (found.code, found.grade) == ("D104", "convicted")
    assert found.title.startswith(title)
    assert line in found.text


def test_adasum_finds_the_length_of_a_step_by_itself() -> None:
    assert judged(sized(0.1, None, op="Adasum")).grade == "note"


def test_gradients_that_are_no_multiple_say_nothing() -> None:
    """Dropout: each run draws for itself, and what Horovod was asked to do must do."""
    given = sized(0.2)
    other = Gradients(2.0, 0, 2, ((3.0, 1.0, -2.0, 9.0), (0.5, -0.25, 1.0, 2.0)))
    workers = {
        rank: Worker(rank, (*without(worker.events, Gradients), other))
        for rank, worker in given.workers.items()
    }
    given = replace(given, workers=workers)
    step = size_of(given, next(iter(given.workers[0].all(Optimizer))))
    assert (step.measured, step.gradients) == (False, 1.0)
    assert "chance in the model" in step.why
    assert judged(given).grade == "fine"


def test_the_ratio_of_gradients() -> None:
    assert ratio(times(2.0), SUMS) == pytest.approx(2.0)
    assert ratio(times(-1.0), SUMS) != pytest.approx(1.0)
    assert isinstance(ratio(SUMS[:1], SUMS), str)
    assert isinstance(ratio(SUMS, [[0.0, 0.0, 0.0, 9.0]] * 2), str)


def test_a_reference_that_left_too_early_measures_nothing() -> None:
    given = sized(0.2)
    assert given.reference is not None
    assert given.reference.worker is not None
    events = [e for e in given.reference.worker.events if getattr(e, "chunk", 1) != 0]
    alone = replace(given.reference, worker=Worker(0, tuple(events)))
    given = replace(given, reference=alone)
    assert not size_of(given, next(iter(given.workers[0].all(Optimizer)))).measured


def changing(*values: float) -> list[Any]:
    return [Rate(float(step), 0, step, value) for step, value in enumerate(values, 1)]


@pytest.mark.parametrize(
    ("many", "one", "grade"),
    [
        ((0.2, 0.02), (0.1, 0.01), "fine"),
        ((0.2, 0.01), (0.1, 0.01), "convicted"),
        ((0.2, 0.15, 0.1), (0.1, 0.01), "fine"),  # of other steps: not to be compared
    ],
)
def test_rates_that_are_changed_later(
    many: tuple[float, ...], one: tuple[float, ...], grade: str
) -> None:
    given = sized(0.2)
    assert given.reference is not None
    assert given.reference.worker is not None
    workers = {
        rank: Worker(rank, (*worker.events, *changing(*many)))
        for rank, worker in given.workers.items()
    }
    alone = Worker(0, (*given.reference.worker.events, *changing(*one)))
    given = replace(given, workers=workers, reference=replace(given.reference, worker=alone))
    assert judged(given).grade == grade


def test_a_reference_is_to_make_steps_where_rates_change() -> None:
    assert wanted(evidence()) == {"0": 0}
    both = [changed(r, *changing(0.2, 0.1), drop=(Rate,)) for r in (0, 1)]
    assert wanted(evidence(*both)) == {"0": 8}  # four steps of two workers
    assert wanted(evidence(Worker(0), Worker(1))) == {}


def test_a_warm_up_beside_a_schedule_has_no_effect() -> None:
    given = sized(0.2)
    warm = replace(FIT, names=("LearningRateWarmupCallback",))
    for schedule, grade in ((None, "fine"), ("ExponentialDecay", "convicted")):
        workers = {
            rank: Worker(
                rank,
                (
                    *(replace(e, schedule=schedule) if isinstance(e, Optimizer) else e
                      for e in worker.events),
                    warm,
                ),
            )
            for rank, worker in given.workers.items()
        }  # fmt: skip
        assert judged(replace(given, workers=workers)).grade == grade


def test_gradients_that_could_not_be_seen_hide_nothing_else() -> None:
    given = sized(0.2, None)
    blind = Blind(1.0, "gradients", "KeyError: 0")
    workers = {r: Worker(r, (*w.events, blind)) for r, w in given.workers.items()}
    given = replace(given, workers=workers)
    assert [verdict.grade for verdict in of("drift", given)] == ["fine"]
    assert judged(given).grade == "fine"


# ---------------------------------------------------------------- who sets a rate


def set_by(many: float, one: float, was: float, its: float, by: str) -> Evidence:
    """Rates that are set at a line after the optimizer was made with others, also alone."""
    job = Rate(1.0, 0, 1, many, "train.py:30", by, was)
    single = alone(rate=its)
    assert single.worker is not None
    its_own = Rate(1.0, 0, 1, one, "train.py:30", by, its)
    run = evidence(*(added(rank, job) for rank in (0, 1)))
    worker = Worker(0, (*single.worker.events, its_own))
    return replace(run, reference=replace(single, worker=worker))


def test_a_right_rate_that_a_callback_replaces_is_told_where_it_is_replaced() -> None:
    run = set_by(0.1, 0.1, 0.2, 0.1, "LearningRateScheduler")
    (found,) = of("rates", run)
    assert (found.code, found.where) == ("D104", "train.py:30")
    assert "LearningRateScheduler sets it, in the place of 0.2, which was right" in found.text
    assert "what its function returns" in found.fix


def test_a_rate_that_was_wrong_before_is_told_where_the_optimizer_is_made() -> None:
    (found,) = of("rates", set_by(0.05, 0.05, 0.1, 0.1, "LearningRateScheduler"))
    assert (found.code, found.where) == ("D104", "train.py:6")
    assert "sets it" not in found.text


def test_a_right_rate_that_is_set_is_no_fault() -> None:
    assert grades("rates", set_by(0.02, 0.01, 0.2, 0.1, "")) == {"fine"}


def test_a_rate_that_is_changed_later_is_told_where_it_is_set() -> None:
    first, second = Rate(1.0, 0, 1, 0.2), Rate(2.0, 0, 3, 0.01, "train.py:31", "Own", 0.2)
    single = alone()
    assert single.worker is not None
    its = (Rate(1.0, 0, 1, 0.1), Rate(2.0, 0, 5, 0.01, "train.py:31", "Own", 0.1))
    run = evidence(*(added(rank, first, second) for rank in (0, 1)))
    worker = Worker(0, (*single.worker.events, *its))
    (found,) = of("rates", replace(run, reference=replace(single, worker=worker)))
    assert (found.code, found.where) == ("D104", "train.py:31")
    assert "as Own sets it" in found.text


# ---------------------------------------------------------------- one batch of all workers


def together(given: Evidence, chunks: int = 1) -> Evidence:
    """The same, where one process took the rows of all workers at once."""
    assert given.reference is not None
    assert given.reference.worker is not None
    events = [e for e in given.reference.worker.events if not isinstance(e, Gradients)]
    events += [Gradients(2.0, 0, 2, SUMS, n) for n in range(chunks)]
    alone = replace(given.reference, worker=Worker(0, tuple(events)))
    return replace(given, reference=alone)


@pytest.mark.parametrize(
    ("given", "grade", "line"),
    [
        (together(sized(0.1, batch=2)), "fine", "the gradients of the same batch, equal to"),
        (together(sized(0.1, 0.5, batch=2)), "convicted", "the gradients of one process times 0.5"),
        (together(sized(0.1, batch=2), 2), "unchecked", "not compared: one process could not"),
        (together(sized(0.1, None, batch=2)), "unchecked", "not compared: the gradients or"),
    ],
)
def test_the_first_update_of_a_shared_batch_is_compared(
    given: Evidence, grade: str, line: str
) -> None:
    (found,) = of("updates", given)
    assert found.grade == grade
    assert line in found.text


def test_a_step_of_other_rows_is_not_compared() -> None:
    """Each of two workers takes a whole batch: the step of one process is another one."""
    assert of("updates", sized(0.2)) == []


def test_gradients_of_a_shared_batch_that_are_no_multiple_are_not_compared() -> None:
    """A loss that divides by its own mask, or couples rows."""
    given = together(sized(0.1, batch=2))
    other = Gradients(2.0, 0, 2, ((3.0, 1.0, -2.0, 9.0), (0.5, -0.25, 1.0, 2.0)))
    workers = {
        rank: Worker(rank, (*without(worker.events, Gradients), other))
        for rank, worker in given.workers.items()
    }
    (found,) = of("updates", replace(given, workers=workers))
    assert found.grade == "unchecked"
    assert "a loss that is no mean over the rows" in found.text
