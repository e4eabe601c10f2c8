"""Other ways to train together: sets of workers, one that applies, rounds of steps of one's own."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from distify.assistant.verify.judges._sets import sets
from distify.assistant.verify.record.endings import End
from distify.assistant.verify.record.events import (
    Applied,
    Broadcast,
    Collective,
    Differentiated,
    Event,
    Optimizer,
    Reduce,
    State,
)
from distify.assistant.verify.record.evidence import Evidence
from distify.assistant.verify.record.records import Worker
from distify.assistant.verify.run.job import Job

from .build import (
    NAMES,
    changed,
    evidence,
    grades,
    hashes,
    of,
    said,
    sound,
    states,
    without,
)

# ---------------------------------------------------------------- sets


def in_sets(*differ: str, members: tuple[tuple[int, ...], ...] = ((0, 1), (2, 3))) -> Evidence:
    """Four workers, and by what the values of each differ."""
    workers = []
    for rank, own in enumerate(differ):
        mine = next((each for each in members if rank in each), None)
        reduce = Reduce(0.4, "tape", "variables", 2, False, "train.py:11", "Average", NAMES, mine)
        events = without(sound(rank), State, Reduce)
        workers.append(Worker(rank, (*events, reduce, *states(differ=own))))
    return evidence(*workers, job=Job(evidence().job.script, workers=4))


def test_each_set_trains_a_model_of_its_own() -> None:
    run = in_sets("", "", "x", "x")
    assert sets(run) == [(0, 1), (2, 3)]
    assert not said(run)
    texts = [verdict.text for verdict in of("drift", run)]
    assert [text.partition(":")[0] for text in texts] == ["workers 0 and 1", "workers 2 and 3"]


def test_a_set_that_drifts_is_convicted() -> None:
    run = in_sets("", "", "x", "y")
    assert said(run)
    (found,) = [v for v in of("drift", run) if v.grade == "convicted"]
    assert found.text.startswith("workers 2 and 3: worker 3 and worker")
    assert found.ranks == (3,)


@pytest.mark.parametrize("members", [((0, 1, 2, 3),), ((0, 1),), ((0, 1), (1, 2, 3)), ()])
def test_what_is_no_partition_is_judged_as_one(members: tuple[tuple[int, ...], ...]) -> None:
    run = in_sets("", "", "x", "x", members=members)
    assert len(sets(run)) < 2
    assert said(run)


def test_calls_of_a_set_are_compared_among_its_members() -> None:
    def calls(rank: int, name: str, members: tuple[int, ...]) -> Worker:
        call = Collective(0.4, "allreduce", 1, name, (2,), "float32", members=members)
        last = Collective(8.0, "allreduce", 2, "end", (), "float32")
        return changed(rank, call, last, drop=(Collective,))

    both = [calls(0, "a", (0,)), calls(1, "b", (1,))]
    assert grades("collectives", evidence(*both)) == {"fine"}
    together = [calls(0, "a", (0, 1)), calls(1, "b", (0, 1))]
    assert grades("collectives", evidence(*together)) == {"note"}


# ---------------------------------------------------------------- one applies


def sent(*differ: str) -> Evidence:
    """Worker 1 never applies; by what its weights differ at each reduction."""

    def taken(rank: int) -> list[Event]:
        own = differ if rank else [""] * len(differ)
        return [Differentiated(float(n), n, hashes(n, each)) for n, each in enumerate(own, 1)]

    idle = without(sound(1), State, Optimizer, Applied, End)
    return evidence(changed(0, *sound(0), *taken(0)), Worker(1, (*idle, *taken(1), End(9.0, 0))))


@pytest.mark.parametrize(
    ("differ", "grade"), [(("", "", ""), "fine"), (("x", "", ""), "fine"), (("", "x"), "convicted")]
)
def test_a_worker_that_applies_nothing(differ: tuple[str, ...], grade: str) -> None:
    run = sent(*differ)
    assert grades("drift", run) == {grade}
    assert grades("steps", run) == {"note"}
    assert "is sent to worker 1" in of("drift", run)[0].text


# ---------------------------------------------------------------- rounds


def rounds(*equal: int, last: int = 8) -> Evidence:
    """Weights that are equal after some steps only, and are reduced by hand."""
    call = Collective(0.4, "allreduce", 1, "weight", (2, 1), "float32", where="train.py:30")
    workers = []
    for rank in (0, 1):
        made = [
            State(float(n), (n,), hashes={**weights, "0/slot/m#0": f"{n} {rank}"})
            for n, weights in ((n, hashes(n, f"{rank}" * (n not in equal))) for n in range(1, last))
        ]
        workers.append(changed(rank, *made, call, drop=(State, Reduce, Collective)))
    return evidence(*workers)


def test_weights_that_are_averaged_every_few_steps() -> None:
    run = rounds(3, 6)
    assert not said(run)
    (found,) = of("drift", run)
    assert (found.grade, "every 3 steps" in found.text) == ("unchecked", True)


@pytest.mark.parametrize("equal", [(), (1, 2)])
def test_workers_that_never_meet_again_are_convicted(equal: tuple[int, ...]) -> None:
    assert said(rounds(*equal))


# ---------------------------------------------------------------- steps without averaging


def test_a_step_that_is_not_averaged_as_those_before(tmp_path: Any) -> None:
    calls = [
        Collective(n / 10, "allreduce", n, None, (2, 1), "float32", steps=step, where="train.py:20")
        for n, step in enumerate((0, 0, 1, 1), 1)
    ]
    applied = [
        Applied(0.5, 0, False, "train.py:12", "program", 0, ("train.py:12", "train.py:20")),
        Applied(2.5, 0, False, "train.py:12", "program", 2, ("train.py:12", "train.py:24")),
    ]
    both = [
        changed(
            rank, *states(differ="x" * rank, since=3), *calls, *applied,
            drop=(State, Reduce, Collective, Applied),
        )
        for rank in (0, 1)
    ]  # fmt: skip
    (found,) = [v for v in of("drift", evidence(*both)) if v.grade == "convicted"]
    assert (found.code, found.where) == ("D201", "train.py:24")
    assert "step 3 is made without any averaging, after steps with 2 allreduce" in found.text


def test_variables_whose_gradients_are_not_among_the_averaged_ones() -> None:
    """Two models in one step; a tape of the first is wrapped."""
    others = ("critic/kernel:0", "critic/bias:0")
    second = Optimizer(0.3, 1, "SGD", True, others, 0.2, api="keras", where="train.py:7")
    both = []
    for rank in (0, 1):
        values = [
            State(float(n), (n, n), hashes={**hashes(n), **hashes(n, own, others, 1)})
            for n, own in enumerate(("", f"{rank}", f"{rank}", f"{rank}"), 1)
        ]
        reduce = Reduce(0.4, "tape", "variables", 2, True, "train.py:11", "Average", NAMES)
        applied = Applied(0.5, 1, True, "train.py:13", "program")
        events = without(sound(rank), State, Reduce)
        both.append(Worker(rank, (*events, second, reduce, applied, *values)))
    (found,) = [v for v in of("drift", evidence(*both)) if v.grade == "convicted"]
    assert (found.code, found.where) == ("D201", "train.py:13")
    assert "only these variables are averaged: dense/bias and dense/kernel" in found.text
    assert "not averaged: critic/kernel and critic/bias" in found.text


def test_what_the_workers_broadcast_is_no_round() -> None:
    run = rounds(3, 6)
    sent = Broadcast(0.6, 2, 0, NAMES, False, "train.py:14")
    workers = {r: replace(w, events=(*w.events, sent)) for r, w in run.workers.items()}
    assert not said(replace(run, workers=workers))


# ---------------------------------------------------------------- who has joined


@pytest.mark.parametrize("ending", ["done", "failed"])
def test_calls_behind_a_join_are_not_compared(ending: str) -> None:
    """Who has joined takes part in whatever the others call."""
    call = Collective(0.4, "allreduce", 1, "a", (2,), "float32")
    join = Collective(0.5, "join", 2, steps=2)
    early = changed(0, call, join, drop=(Collective,))
    late = changed(1, call, replace(call, n=2), replace(join, n=3), drop=(Collective,))
    assert "H02" not in said(evidence(early, late, ending=ending))
    assert {v.code for v in of("collectives", evidence(early, late))} == {""}
    other = changed(1, replace(call, name="b"), join, drop=(Collective,))
    assert {v.code for v in of("collectives", evidence(early, other))} == {"H02"}
