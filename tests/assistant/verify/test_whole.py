"""A job beside one process that came to its end: amounts, the course of rates, pairs."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from pathlib import Path

import pytest

from distify.assistant.verify.judges import verdicts
from distify.assistant.verify.judges._source_lines import numbered_sets
from distify.assistant.verify.judges.amounts import is_divided_twice
from distify.assistant.verify.judges.numbering import suspect
from distify.assistant.verify.record.endings import End, Limited
from distify.assistant.verify.record.events import (
    Collective,
    Event,
    Examples,
    Iteration,
    Optimizer,
    Rate,
    Reduce,
    State,
)
from distify.assistant.verify.record.evidence import Alone, Evidence
from distify.assistant.verify.record.records import Worker
from distify.assistant.verify.run.job import Job

from .build import NAMES, added, changed, evidence, grades, hashes, of, said

SCHEDULE = "CosineDecay"


def one(*events: Event, rate: float = 0.1, schedule: str | None = None) -> Alone:
    """One process that came to its end."""
    first = Optimizer(0.3, 0, "SGD", True, NAMES, rate, schedule, api="keras", where="train.py:6")
    return Alone("reference", Worker(0, (first, *events, End(9.0))), 0)


def took(steps: int, size: int, rank: int = 0, epochs: int = 1) -> list[Event]:
    """So many steps with examples of its own, in so many rounds."""
    length = steps // epochs
    rounds = [Iteration(0.1, 0, n * length) for n in range(epochs)]
    batches = [
        Examples(1.0, "dataset", n, tuple(f"{rank:04}{n % length:04}{i:08}" for i in range(size)))
        for n in range(steps)
    ]
    return [*rounds, *batches, State(8.5, (steps,), "end", hashes(steps))]


def job(steps: int, size: int, alone: Alone, epochs: int = 1) -> Evidence:
    both = [
        changed(
            rank,
            *took(steps, size, rank, epochs),
            drop=(Examples, Iteration, State),
        )
        for rank in (0, 1)
    ]
    return evidence(*both, reference=alone)


# ---------------------------------------------------------------- amounts


@pytest.mark.parametrize(
    ("steps", "size", "epochs", "of_one"),
    [
        (12, 4, 3, took(48, 4, epochs=6)),  # half of the epochs of a half
        (12, 2, 1, took(24, 4)),  # half of the steps of half a batch
        (6, 4, 2, took(26, 4, epochs=4)[:4] + took(26, 4)[1:]),  # a rest that doesn't go round
    ],
)
def test_what_is_divided_twice(steps: int, size: int, epochs: int, of_one: Sequence[Event]) -> None:
    alone = one(*of_one)
    run = job(steps, size, alone, epochs)
    assert is_divided_twice(run)
    assert "D106" not in said(run)  # it may end by what it learns
    run = replace(run, slower=alone)
    assert said(run)["D106"] == "the training is divided by the workers twice"


@pytest.mark.parametrize(
    ("steps", "size", "grade"),
    [
        (12, 4, "fine"),  # each its share
        (24, 2, "fine"),  # the batch of one process, shared
        (11, 4, "fine"),  # what doesn't go round is dropped
        (24, 4, "note"),  # as long as one process
        (7, 4, "note"),  # an end that may come by itself
    ],
)
def test_as_much_or_more_is_no_fault(steps: int, size: int, grade: str) -> None:
    run = job(steps, size, one(*took(24, 4)))
    assert grades("taken", run) == {grade}
    assert "D106" not in said(run)


@pytest.mark.parametrize("other", [took(52, 4), [*took(48, 4), Limited(8.0, 48)], None])
def test_an_end_by_values_is_no_division(other: list[Event] | None) -> None:
    """At a tenth of its rates one process makes other steps, or does not come to its end."""
    run = job(12, 4, one(*took(48, 4, epochs=6)), 3)
    run = replace(run, slower=one(*other) if other else None)
    assert grades("taken", run) == {"note"}
    assert "D106" not in said(run)


def test_one_process_that_was_cut_short_says_nothing() -> None:
    run = job(12, 4, one(*took(48, 4, epochs=6), Limited(8.0, 48)), 3)
    assert not of("taken", run)
    assert not of("pairs", run)
    assert not of("taken", replace(run, reference=None))


def test_half_the_examples_are_many_of_eight_workers() -> None:
    """`--as 8`: two of them run."""
    run = job(3, 4, one(*took(24, 4)))
    as_many = replace(run, job=Job(run.job.script, ranks=(0, 7), told=8))
    assert grades("taken", as_many) == {"fine"}


# ---------------------------------------------------------------- the course of a rate


def course(rates: Iterable[float], of_one: Iterable[float]) -> Evidence:
    """A schedule's rates in each step of the job, and of one process."""
    values = list(rates)
    optimizer = Optimizer(
        0.3, 0, "SGD", True, NAMES, values[0], SCHEDULE, api="keras", where="train.py:6"
    )
    last = State(8.0, (len(values),), "end", hashes(len(values)))
    told = [Rate(1.0, 0, n, rate) for n, rate in enumerate(values, 1)]
    both = [changed(r, optimizer, *told, drop=(Optimizer, State, Rate)) for r in (0, 1)]
    both = [Worker(w.rank, (*w.events, last)) for w in both]
    its = [Rate(1.0, 0, n, rate) for n, rate in enumerate(of_one, 1)]
    end = State(8.0, (len(its),), "end", hashes(len(its)))
    return evidence(*both, reference=one(*its, end, rate=its[0].value, schedule=SCHEDULE))


def falling(steps: int, after: int, rate: float = 0.1) -> list[float]:
    """Linear, down to nothing."""
    return [rate * max(0.0, 1 - step / after) for step in range(steps)]


@pytest.mark.parametrize(
    ("rates", "of_one", "fault"),
    [
        (falling(20, 20, 0.2), falling(40, 40), False),
        (falling(20, 22, 0.2), falling(40, 40), False),  # a rest that doesn't go round
        (falling(20, 40, 0.2), falling(40, 40), True),  # too slowly
        (falling(20, 10, 0.2), falling(40, 40), True),  # divided twice
        ([0.02, 0.1, *falling(20, 20, 0.2)[2:]], falling(40, 40), False),  # warmed up
        ([0.1, 0.15, *falling(20, 20, 0.2)[2:]], falling(40, 40), False),  # from the rate of one
        ([0.2] * 20, [0.1] * 20 + [0.01] * 20, True),  # a boundary that never comes
        ([0.2] * 10 + [0.02] * 10, [0.1] * 20 + [0.01] * 20, False),
        (falling(40, 40, 0.2), falling(40, 40), False),  # as many steps as one: both end together
        (falling(40, 80, 0.2), falling(40, 40), True),
        ([0.2] * 10 + [0.02] * 10, [0.1] * 20, False),  # one process did not come so far
    ],
)
def test_a_schedule_keeps_pace_with_the_examples(
    rates: list[float], of_one: list[float], fault: bool
) -> None:
    run = course(rates, of_one)
    found = [v for v in of("rates", run) if v.grade == "convicted"]
    assert [(v.code, v.where) for v in found] == [("D106", "train.py:6")] * fault, found


def test_a_course_is_asked_of_one_process_that_came_to_its_end() -> None:
    run = course([0.2] * 20, [0.1] * 20 + [0.01] * 20)
    assert said(run)
    assert run.reference is not None
    assert run.reference.worker is not None
    cut = replace(run.reference.worker, events=(*run.reference.worker.events, Limited(8.0, 40)))
    assert not said(replace(run, reference=replace(run.reference, worker=cut)))


def test_a_rate_that_a_program_sets_by_what_it_learns_has_no_course() -> None:
    run = course([0.2] * 20, [0.1] * 20 + [0.01] * 20)
    plain = {
        rank: Worker(
            rank,
            tuple(replace(e, schedule=None) if isinstance(e, Optimizer) else e for e in w.events),
        )
        for rank, w in run.workers.items()
    }
    assert not said(replace(run, workers=plain))


# ---------------------------------------------------------------- pairs


def paired(targets: Sequence[Sequence[int]], of_one: Sequence[int]) -> Evidence:
    """Inputs 0, 1, 2 … in turn on the workers, with the targets of each."""

    def examples(inputs: Sequence[int], own: Sequence[int]) -> Examples:
        names = tuple(f"{1 + n:016x}" for n in inputs)
        rows = tuple(f"{1 + n + (target << 32):016x}" for n, target in zip(inputs, own))
        return Examples(1.0, "dataset", 1, rows, names)

    many = len(of_one)
    both = [
        changed(rank, examples(range(rank, many, 2), own), drop=(Examples,))
        for rank, own in enumerate(targets)
    ]
    return evidence(*both, reference=one(examples(range(many), of_one)))


MANY = list(range(100, 160))
LABELS = [n % 3 for n in range(60)]


@pytest.mark.parametrize(
    ("targets", "of_one", "expected"),
    [
        ((MANY[::2], MANY[1::2]), MANY, "fine"),
        ((MANY[::2], MANY[::2]), MANY, "D107"),  # the targets of worker 0
        ((MANY[1::2], MANY[::2]), MANY, "unchecked"),  # drawn by chance, or of others
        ((LABELS[::2], [(n + 1) % 3 for n in LABELS[1::2]]), LABELS, "H01"),
        ((LABELS[::2], LABELS[1::2]), LABELS, "fine"),
    ],
)
def test_inputs_have_the_targets_of_one_process(
    targets: Sequence[Sequence[int]], of_one: Sequence[int], expected: str
) -> None:
    (found,) = of("pairs", paired(targets, of_one))
    assert (found.code or found.grade) == expected


def test_what_one_process_was_given_is_none_of_its_own() -> None:
    """The examples of worker 1, with its targets."""
    run = paired((LABELS[::2], [(n + 1) % 3 for n in LABELS[1::2]]), LABELS)
    theirs = [replace(e, given=True) for e in run.workers[1].all(Examples)]
    assert run.reference is not None
    assert run.reference.worker is not None
    worker = run.reference.worker
    alone = replace(run.reference, worker=replace(worker, events=(*theirs, *worker.events)))
    (found,) = of("pairs", replace(run, reference=alone))
    assert found.code == "H01"


def test_few_examples_or_other_inputs_say_nothing() -> None:
    assert not of("pairs", paired((MANY[:8:2], MANY[:8:2]), MANY[:8]))
    run = paired((MANY[::2], MANY[::2]), MANY)
    elsewhere = added(1, Examples(2.0, "dataset", 2, ("f" * 16,) * 40, tuple(map(str, range(40)))))
    assert not of("pairs", replace(run, workers={**run.workers, 1: elsewhere}))


# ---------------------------------------------------------------- rounds, joins, sets


def test_weights_that_are_left_out_of_the_averages_are_named() -> None:
    call = Collective(0.4, "allreduce", 1, "weight", (2, 1), "float32", where="train.py:30")
    both = []
    for rank in (0, 1):
        made = [
            State(
                float(n),
                (n,),
                hashes={
                    "0/dense/kernel:0#0": f"{n}" + f"{rank}" * (n not in (3, 6)),
                    "0/dense/bias:0#1": f"{n}{rank}",
                },
            )
            for n in range(1, 8)
        ]
        both.append(changed(rank, *made, call, drop=(State, Reduce, Collective)))
    (found,) = [v for v in of("drift", evidence(*both)) if v.grade == "convicted"]
    assert (found.code, found.where) == ("D201", "train.py:30")
    assert "every 3 steps only these are averaged: dense/kernel; never: dense/bias" in found.text
    assert "D104" not in said(evidence(*both))


def test_a_worker_that_has_joined_is_left_behind() -> None:
    both = [
        changed(
            rank,
            *[State(float(n), (n,), hashes=hashes(n, "x" * rank * (n > 2))) for n in range(1, 5)],
            Collective(2.5, "join", 9, steps=2 + 2 * rank, where="train.py:30"),
            drop=(State,),
        )
        for rank in (0, 1)
    ]
    (found,) = [v for v in of("drift", evidence(*both)) if v.grade == "convicted"]
    assert (found.code, found.where) == ("D202", "train.py:30")
    assert "joined after 2 steps" in found.text


def test_steps_behind_a_join_whose_outcome_is_sent_are_not_compared_by_their_number() -> None:
    """Worker 0 joins after two steps, gets what came out, and all train on for two steps."""

    def run(sent: float = 5.5, end: str = "") -> Evidence:
        both = []
        for rank in (0, 1):
            made = 4 + 2 * rank
            told = [
                State(float(n), (n,), hashes=hashes(n, "x" * rank * (n > 2 - (sent > 5))))
                for n in range(1, made)
            ]
            join = Collective(5.0, "join", 9, steps=2 + 2 * rank, where="train.py:30")
            call = Collective(sent, "broadcast", 10, "dense/kernel")
            last = State(8.0, (made,), "end", hashes(9, end * rank))
            both.append(changed(rank, *told, join, call, last, End(9.0, made), drop=(State, End)))
        return evidence(*both)

    assert grades("drift", run()) == {"fine"}
    assert grades("drift", run(end="x")) == {"unchecked"}
    assert list(said(run(sent=0.1))) == ["D202"]  # no more than the first weights


# ---------------------------------------------------------------- an order of each worker's own


@pytest.mark.parametrize(
    ("steps", "of_one", "grade"),
    [
        (24, took(24, 4, 0, 2), "convicted"),
        (12, took(24, 4, 0, 2), "note"),
        (12, took(24, 4, 0, 1), "convicted"),  # twice as many: all take the share of worker 0
    ],
)
def test_all_the_data_in_an_order_of_ones_own_where_the_epochs_are_divided(
    steps: int, of_one: list[Event], grade: str
) -> None:
    """One process makes two epochs of twelve batches."""

    def own(rank: int) -> list[Event]:
        found = took(steps, 4, 0, steps // 12)
        batches = [each.rows for each in found if isinstance(each, Examples)]
        turned = iter(batches[rank:12] + batches[:rank] + batches[12:])
        return [replace(e, rows=next(turned)) if isinstance(e, Examples) else e for e in found]

    both = [changed(r, *own(r), drop=(Examples, Iteration, State)) for r in (0, 1)]
    run = evidence(*both, reference=one(*of_one))
    assert grades("shards", run) == {grade}


# ---------------------------------------------------------------- numbers of a set


def named(*names: str) -> list[Event]:
    """Twenty-four examples for each name, and the end of what took them."""
    rows = [tuple(f"{name:>4}{n:012}" for n in range(24)) for name in names]
    taken = [Examples(float(n), "model", n, each) for n, each in enumerate(rows, 1)]
    return [*taken, State(8.5, (len(rows),), "end", hashes(len(rows)))]


def numbered(mine: str, hashed: tuple[str, ...], first: str = "a") -> Evidence:
    """Worker 1 takes `mine`, one process "a" and "b", and another one `hashed`."""
    both = [changed(r, *named(n), drop=(Examples, State)) for r, n in enumerate((first, mine))]
    run = evidence(*both, reference=one(*named("a", "b")))
    return replace(run, hashed=one(*named(*hashed)))


def test_examples_that_another_order_of_sets_explains() -> None:
    run = numbered("y", ("x", "y"))
    assert suspect(run) == 1
    (found,) = [v for v in of("numbering", run) if v.grade == "convicted"]
    assert (found.code, found.ranks) == ("H01", (1,))
    assert "24 of 24 examples of worker 1 are none that one process has" in found.text


@pytest.mark.parametrize(
    ("mine", "hashed", "first", "rank"),
    [
        ("b", ("a", "b"), "a", None),  # one process has them
        ("y", ("a", "b"), "a", 1),  # a rank, or a file of its own: no order explains it
        ("y", ("x", "y"), "x", None),  # chance: those of worker 0 are unknown, too
    ],
)
def test_examples_that_no_order_of_sets_explains(
    mine: str, hashed: tuple[str, ...], first: str, rank: int | None
) -> None:
    run = numbered(mine, hashed, first)
    assert suspect(run) == rank
    assert "numbering" not in {v.question for v in verdicts(run)}


def test_a_job_that_was_not_suspected_is_not_run_with_other_hashes() -> None:
    run = replace(numbered("y", ("x", "y")), hashed=None)
    assert "H01" not in said(run)


@pytest.mark.parametrize(
    ("text", "lines"),
    [
        ("n = {w: i for i, w in enumerate(set(words))}\n", [1]),
        ("s = {w for w in words}\nfor w in s:\n    pass\n", [2]),
        ("n = list(sorted(set(words)))\nm = sorted(list({1, 2}))\n", []),
        ("s = set(words)\nif 'a' in s:\n    print(len(s))\n", []),
    ],
)
def test_lines_that_take_a_set_in_its_order(text: str, lines: list[int], tmp_path: Path) -> None:
    (tmp_path / "train.py").write_text(text)
    assert numbered_sets(tmp_path, "train.py") == lines
