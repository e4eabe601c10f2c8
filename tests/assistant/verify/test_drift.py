"""Drift: who is convicted, from which step on, and of what; and who is not."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from distify.assistant.verify.record.endings import End, Limited
from distify.assistant.verify.record.events import (
    Applied,
    Assigned,
    Broadcast,
    Callbacks,
    Collective,
    Event,
    Examples,
    Local,
    Optimizer,
    Rate,
    Reduce,
    State,
)
from distify.assistant.verify.record.evidence import Evidence
from distify.assistant.verify.record.records import Worker
from distify.assistant.verify.record.verdict import Verdict

from .build import (
    FIT,
    NAMES,
    STEPS,
    changed,
    evidence,
    grades,
    hashes,
    of,
    program,
    said,
    sound,
    states,
    without,
)

LOOP = "\n" * 11 + "optimizer.apply_gradients(pairs)\n"


def run(
    folder: Path = Path("/nowhere"),
    since: int = 1,
    drop: tuple[type[Event], ...] = (),
    add: tuple[Event, ...] = (),
    **more: Any,
) -> Evidence:
    """Two workers whose values differ from a step on."""
    both = [
        Worker(
            rank, (*without(sound(rank), State, *drop), *states(differ=differ, since=since), *add)
        )
        for rank, differ in ((0, ""), (1, "x"))
    ]
    return evidence(*both, folder=folder, **more)


def guilty(found: Evidence) -> Verdict:
    (verdict,) = [v for v in of("drift", found) if v.grade == "convicted"]
    return verdict


# ---------------------------------------------------------------- what explains it


def test_a_loop_without_a_broadcast(tmp_path: Path) -> None:
    found = guilty(run(program(tmp_path, LOOP), drop=(Broadcast,)))
    assert (found.code, found.where, found.ranks) == ("D202", "train.py:12", (1,))
    assert "from the first step on" in found.text
    assert "nothing was broadcast" in found.text
    assert found.evidence[0] == "2 of 2 values differ: dense/kernel and dense/bias"


def test_a_fit_without_a_broadcast() -> None:
    applied = Applied(0.5, 0, True, FIT.where)
    fit = replace(FIT, names=())
    found = guilty(run(drop=(Broadcast, Applied), add=(applied, fit)))
    assert (found.code, found.where) == ("D302", "train.py:20")


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("with tf.Session() as sess: pass", "D402"),
        ("with tf.train.MonitoredTrainingSession() as sess: pass", "D403"),
        ("tf.estimator.Estimator(model_fn).train(data)", "D404"),
        ("from tensorflow.compat.v1.estimator import Estimator", "D404"),
        ("estimators = 3", "D402"),
        ("# no Estimator and no MonitoredTrainingSession", "D402"),
        ("this can't be parsed: Estimator", "D402"),
    ],
)
def test_a_graph_without_a_broadcast(text: str, code: str, tmp_path: Path) -> None:
    graph = Optimizer(0.3, 0, "GradientDescentOptimizer", True, NAMES, 0.2, api="v1")
    found = run(program(tmp_path, text), drop=(Broadcast, Optimizer), add=(graph,))
    assert guilty(found).code == code


def test_a_broadcast_that_only_a_trace_saw() -> None:
    traced = Broadcast(0.6, 2, 0, NAMES, True, "train.py:14")
    found = guilty(run(drop=(Broadcast,), add=(traced,)))
    assert found.code == "D202"
    assert "traced into a graph" in found.text


def test_a_broadcast_that_no_session_ran() -> None:
    graph = Optimizer(0.3, 0, "GradientDescentOptimizer", True, NAMES, 0.2, api="v1")
    built = Broadcast(0.6, 2, 0, NAMES, True, "train.py:14")
    found = guilty(run(drop=(Broadcast, Optimizer), add=(graph, built)))
    assert found.code == "D402"
    assert "no session has run it" in found.text


def test_a_broadcast_before_the_weights_exist() -> None:
    found = guilty(run(drop=(Broadcast,), add=(Broadcast(0.6, 0, 0),)))
    assert found.code == "D202"
    assert "before the weights exist" in found.text


def two_models(differ: str, **more: Any) -> Evidence:
    """Two optimizers, of which the second one's model differs."""
    both = []
    for rank, other in ((0, ""), (1, differ)):
        found = [
            State(float(n), (n, n), hashes={**hashes(n), **hashes(n, other, ("gen/w:0",), 1)})
            for n in range(1, 4)
        ]
        second = [
            Optimizer(0.4, 1, "SGD", True, ("gen/w:0",), 0.2, api="keras"),
            Applied(0.5, 1, False, "train.py:30"),
            Reduce(0.4, "tape", "variables", 1, False, "train.py:29"),
        ]
        both.append(Worker(rank, (*without(sound(rank), State, End), *second, *found, End(9.0, 6))))
    return evidence(*both, **more)


def test_only_the_second_model_was_not_broadcast() -> None:
    found = guilty(two_models("x"))
    assert (found.code, found.where) == ("D202", "train.py:30")
    assert "other variables were broadcast, these were not" in found.text
    assert "the variables of optimizer 1 only" in found.text
    assert "seen after steps 1 + 1" in found.text
    assert found.evidence[0] == "1 of 3 values differ: gen/w"


def test_a_tape_that_is_not_wrapped(tmp_path: Path) -> None:
    found = guilty(run(program(tmp_path, LOOP), since=2, drop=(Reduce, Collective)))
    assert (found.code, found.where) == ("D201", "train.py:12")
    assert "after step 1 (equal), seen after step 2" in found.text


def test_an_optimizer_that_is_not_wrapped() -> None:
    applied = Applied(0.5, 0, True, FIT.where)
    found = run(since=2, drop=(Reduce, Collective, Applied), add=(applied, FIT))
    assert guilty(found).code == "D105"


def test_a_train_step_that_applies_what_nobody_averages(tmp_path: Path) -> None:
    wrapped = Optimizer(0.3, 0, "DistributedSGD", True, NAMES, 0.2, distributed=True, api="keras")
    folder = program(tmp_path, LOOP + "def train_step(self): pass")
    found = run(folder, since=2, drop=(Reduce, Collective, Optimizer), add=(wrapped, FIT))
    assert list(said(found)) == ["D201"]


def test_metrics_that_are_averaged_are_no_gradients() -> None:
    metric = Collective(3.0, "allreduce", 2, "metrics.loss", (), "float32", where="train.py:40")
    found = run(since=2, drop=(Reduce, Collective), add=(metric,))
    assert guilty(found).code == "D201"


def test_half_of_the_gradients() -> None:
    half = Reduce(0.4, "tape", "variables", 1, False, "train.py:11")
    both = [
        Worker(
            rank,
            (
                *without(sound(rank), State, Reduce),
                half,
                *(
                    State(float(n), (n,), hashes={**hashes(n), "0/dense/bias:0#1": f"{n}{differ}"})
                    for n in range(1, 4)
                ),
            ),
        )
        for rank, differ in ((0, ""), (1, "x"))
    ]
    found = guilty(evidence(*both))
    assert "1 of 2 gradients are averaged" in found.text
    assert found.code in ("D201", "D105")


def rated(rank: int, second: float) -> tuple[Event, ...]:
    return Rate(1.0, 0, 1, 0.2), Rate(2.0, 0, 2, second), replace(FIT, names=("Plateau",) * rank)


def test_rates_that_differ() -> None:
    both = [
        Worker(
            rank,
            (*without(sound(rank), State), *states(differ=differ, since=2), *rated(rank, rate)),
        )
        for rank, differ, rate in ((0, "", 0.2), (1, "x", 0.02))
    ]
    found = evidence(*both)
    assert guilty(found).code == "D302"
    assert "step 2 was made with rate 0.2 on worker 0, 0.02 on 1" in guilty(found).text
    assert list(said(found)) == ["D302"]


def test_what_nothing_explains() -> None:
    found = guilty(run(since=3))
    assert (found.code, found.title) == ("H04", "the workers drift apart")
    assert "after step 2 (equal), seen after step 3" in found.text


def test_values_that_meet_again_and_part_again() -> None:
    """Equal at the second step only: a broadcast every now and then is not being in step."""
    parted = [State(float(n), (n,), hashes=hashes(n, "x" * (n != 2))) for n in range(1, 5)]
    assert said(evidence(changed(1, *parted)))


@pytest.mark.parametrize("broadcasts", [1, 2])
def test_what_is_set_back_and_broadcast_again(broadcasts: int) -> None:
    """Each fold begins with weights of a worker's own, which its first step brings together."""
    apart = [State(float(n), (n,), hashes=hashes(n, "x" * (n in (2, 4)))) for n in range(1, 6)]
    sent = [Broadcast(0.6, 2, 0, NAMES, False, "train.py:14")] * broadcasts
    both = [
        Worker(rank, (*without(sound(rank), State, Broadcast), *sent, *own))
        for rank, own in enumerate(([replace(s, hashes=hashes(s.steps[0])) for s in apart], apart))
    ]
    found = evidence(*both)
    if broadcasts == 1:
        assert guilty(found).code == "H04"
    else:
        assert not said(found)
        text = "differed after step 2 and step 4 only, and were brought together each time"
        assert text in of("drift", found)[0].text


# ---------------------------------------------------------------- a step that is left out


def ended(rank: int, made: tuple[int, ...], value: str, *more: Event) -> Worker:
    """In step for four steps, and then at its end after so many."""
    values = hashes(9, value)
    return Worker(
        rank, (*without(sound(rank), End), *more, State(9.0, made, "end", values), End(9.0, 9))
    )


def test_a_step_that_one_worker_leaves_out_shifts_the_count() -> None:
    """All that were compared after equal numbers of steps agreed; the last values do not."""
    found = evidence(ended(0, (9,), "a"), ended(1, (8,), "b"))
    verdict = guilty(found)
    assert (verdict.code, verdict.where) == ("H03", "train.py:12")
    assert "step 9 on worker 0 and step 8 on worker 1" in verdict.text
    assert "2 of 2 values differ at the end: dense/bias and dense/kernel" in verdict.evidence
    assert list(said(found)) == ["H03"]


def test_a_step_left_out_of_one_of_two_optimizers() -> None:
    """The sums are equal, the steps are not."""
    found = evidence(ended(0, (9, 8), "a"), ended(1, (8, 9), "b"))
    assert list(said(found)) == ["H03"]
    assert grades("steps", found) <= {"convicted"}


def test_steps_of_another_number_that_change_nothing_are_in_step() -> None:
    count = [{**hashes(9), "0/slot/iteration:0#0": f"{n}"} for n in (9, 8)]
    last = [State(9.0, (9 - r,), "end", count[r]) for r in (0, 1)]
    both = [Worker(r, (*without(sound(r), End), last[r], End(9.0, 9 - r))) for r in (0, 1)]
    assert not said(evidence(*both))
    assert grades("drift", evidence(*both)) == {"fine"}


def test_an_optimizer_of_one_worker_alone_is_no_step_left_out() -> None:
    own = State(9.0, (9, 3), "end", {**hashes(9), "1/probe/w:0#0": "7"})
    found = evidence(ended(0, (9,), ""), Worker(1, (*without(sound(1), End), own, End(9.0, 12))))
    assert not said(found)
    assert grades("drift", found) == {"fine"}


def test_uneven_ends_without_a_variable_in_common_prove_nothing() -> None:
    other = State(9.0, (8,), "end", {"0/other/w:0#0": "7"})
    found = evidence(ended(0, (9,), ""), Worker(1, (*without(sound(1), End), other, End(9.0, 8))))
    assert grades("drift", found) == {"unchecked"}


JOIN = Collective(8.0, "join", 9, steps=8, where="train.py:40")


@pytest.mark.parametrize(
    "why", [(JOIN, Collective(8.5, "broadcast", 10, "dense/kernel")), (Limited(8.0, 8),)]
)
def test_workers_that_may_end_after_other_numbers_of_steps(why: tuple[Event, ...]) -> None:
    found = evidence(ended(0, (9,), "a", *why), ended(1, (8,), "b", *why))
    assert not said(found)


def test_who_joined_and_got_nothing_of_what_followed() -> None:
    found = guilty(evidence(ended(0, (9,), "a", JOIN), ended(1, (8,), "b", JOIN)))
    assert (found.code, found.where) == ("D202", "train.py:40")
    assert "step 9 on worker 0 and step 8 on worker 1" in found.text
    assert "root_rank=last" in found.fix
    alike = evidence(ended(0, (9,), "a", JOIN), ended(1, (8,), "a", JOIN))
    assert not said(alike)


@pytest.mark.parametrize(("values", "fault"), [("b", True), ("before", False)])
def test_who_joined_is_looked_at_behind_its_last_step(values: str, fault: bool) -> None:
    """It takes part in averaging a metric at the end, and keeps its weights, or it gets others."""
    behind = State(7.9, (8,), "behind", hashes(9, values))
    metric = Collective(8.5, "allreduce", 10, "metric")
    early = ended(1, (8,), "b", JOIN, behind, metric)
    assert bool(said(evidence(ended(0, (9,), "a", JOIN, metric), early))) == fault


def test_uneven_ends_of_a_job_that_failed_are_not_compared() -> None:
    found = evidence(ended(0, (9,), "a"), ended(1, (8,), "b"), ending="failed")
    assert "H03" not in {v.code for v in of("drift", found)}


def test_steps_left_out_of_what_a_program_keeps_local() -> None:
    told = [Local(0.1, name) for name in NAMES]
    found = evidence(ended(0, (9,), "a", *told), ended(1, (8,), "b", *told))
    assert "convicted" not in grades("drift", found)


def test_the_line_that_sets_a_weight_is_named() -> None:
    """Averaged and broadcast, and then a callback sets what differs."""
    sets = Assigned(2.5, "dense/kernel:0", "train.py:33", 2)
    found = guilty(run(since=3, add=(sets, replace(sets, name="other:0", where="train.py:1"))))
    assert (found.code, found.where) == ("H04", "train.py:33")
    assert "train.py:33 gives dense/kernel a value" in found.text
    earlier = replace(sets, steps=0)
    assert guilty(run(since=3, add=(earlier,))).where != "train.py:33"


def test_callbacks_that_some_workers_have_are_named() -> None:
    rates = [Rate(1.0, 0, 2, rate) for rate in (0.2, 0.1)]
    some = replace(FIT, names=(*FIT.names, "ReduceLROnPlateau", "CSVLogger"))
    both = [
        changed(rank, *states(differ="x" * rank, since=2), rates[rank], (some, FIT)[rank])
        for rank in (0, 1)
    ]
    text = guilty(evidence(*both)).text
    assert "ReduceLROnPlateau runs on worker 0 only" in text
    assert "CSVLogger" not in text  # which is to be on one worker


# ---------------------------------------------------------------- who is not convicted


def test_moving_statistics_are_each_workers_own() -> None:
    found = evidence(
        *(changed(rank, *states(moving={"bn/moving_mean:0#0": f"{rank}"})) for rank in (0, 1))
    )
    assert not said(found)
    (told,) = [v for v in of("drift", found) if v.grade == "note"]
    assert "bn/moving_mean: every worker gathers them" in told.text


def test_equal_moving_statistics_are_not_worth_a_word() -> None:
    found = evidence(*(changed(rank, *states(moving={"bn/m": "1"})) for rank in (0, 1)))
    assert grades("drift", found) == {"fine"}


def test_a_broadcast_after_some_steps() -> None:
    """The first states differ, as each worker starts from weights of its own; then never again."""
    late = [State(float(n), (n,), hashes=hashes(n, "x" * (n < 3))) for n in range(1, 5)]
    found = evidence(changed(1, *late))
    assert not said(found)
    assert "differed up to step 2 and are equal since step 3" in of("drift", found)[0].text


def test_variables_that_a_program_keeps_local() -> None:
    told = [Local(0.1, name) for name in NAMES]
    found = evidence(changed(0, *states(), *told), changed(1, *states(differ="x"), *told))
    assert not said(found)
    (told_of,) = [v for v in of("drift", found) if v.grade == "note"]
    assert "dense/kernel and dense/bias differ" in told_of.text


def test_another_variable_than_the_one_that_is_kept_local() -> None:
    told = Local(0.1, NAMES[1])
    found = evidence(changed(0, *states(), told), changed(1, *states(differ="x"), told))
    assert guilty(found)
    assert "1 of 2 values differ: dense/kernel" in of("drift", found)[0].evidence[0]


def test_a_name_of_the_programs_own_keeps_no_variable_local(tmp_path: Path) -> None:
    text = "local_layers = [layer for layer in model.layers]\n"
    assert guilty(run(program(tmp_path, text), since=2))


def at_the_end(rank: int, differ: str, *behind: State) -> Worker:
    """The last step is seen at the end only, as it always is."""
    last = State(5.0, (STEPS,), "end", hashes(STEPS, differ))
    return changed(rank, *states(STEPS - 1), *behind, last)


def test_what_a_worker_sets_behind_its_last_step_is_worth_a_note() -> None:
    behind = State(4.9, (STEPS,), "behind", hashes(STEPS))
    found = evidence(at_the_end(0, "best", behind), at_the_end(1, "", behind))
    assert not said(found)
    assert grades("drift", found) == {"fine", "note"}


def test_a_last_step_that_workers_make_differently_is_none_of_that() -> None:
    apart = [State(4.9, (STEPS,), "behind", hashes(STEPS, differ)) for differ in ("x", "")]
    assert guilty(evidence(at_the_end(0, "x", apart[0]), at_the_end(1, "", apart[1])))
    assert guilty(evidence(at_the_end(0, "x"), at_the_end(1, "")))


def test_the_last_state_of_one_is_not_compared_with_a_step_of_another() -> None:
    """Worker 0 restored its best values at the end; worker 1 joined for one step more."""
    end = State(5.0, (STEPS,), "end", hashes(STEPS, "best"))
    joins = Collective(8.0, "join", 9)
    found = evidence(changed(0, *states(STEPS - 1), end, joins), changed(1, *states(STEPS), joins))
    assert not said(found)


def test_layers_that_are_numbered_otherwise() -> None:
    """Keras counts the layers that were made, and worker 0 made one more."""
    named = [
        State(float(n), (n,), hashes=hashes(n, names=("dense_1/kernel:0", "dense_1/bias:0")))
        for n in range(1, 5)
    ]
    assert not said(evidence(changed(1, *named)))
    differing = [
        State(float(n), (n,), hashes=hashes(n, "x", names=("dense_1/kernel:0", "dense_1/bias:0")))
        for n in range(1, 5)
    ]
    assert said(evidence(changed(1, *differing)))


def test_steps_that_only_one_worker_was_seen_after() -> None:
    """A worker that was faster has states that the other one lacks."""
    more = [*states(6)]
    found = evidence(changed(1, *more))
    assert not said(found)
    assert "4 comparisons up to step 4" in of("drift", found)[0].text


def test_a_last_state_in_the_middle_of_a_step() -> None:
    """Of a job that failed the last states are compared only where a next step was begun."""
    both = [
        changed(rank, *states(1), State(9.0, (2,), "end", hashes(2, "half" * rank)))
        for rank in (0, 1)
    ]
    assert not said(evidence(*both, ending="failed"))


def test_averaging_by_hand() -> None:
    by_hand = Collective(0.4, "allreduce", 1, "g", (2,), "float32", where="train.py:33")
    both = [changed(r, by_hand, drop=(Reduce, Collective)) for r in (0, 1)]
    found = evidence(*both)
    assert not said(found)
    assert "calls allreduce on its own" in of("averaging", found)[0].text


# ---------------------------------------------------------------- what proves nothing


@pytest.mark.parametrize(
    ("change", "why"),
    [
        (without(sound(1, made=0), State), "worker 1 made no optimizer step"),
        ([*without(sound(1), State), *states(9)[6:]], "never seen after the same number of steps"),
        ([], "worker 1 made no optimizer step"),
        (
            [*without(sound(1), State), *(State(1.0, (n,)) for n in range(1, 5))],
            "never seen after the same number",
        ),
    ],
)
def test_workers_that_can_not_be_compared(change: list[Event], why: str) -> None:
    found = evidence(Worker(1, tuple(change)))
    (told,) = of("drift", found)
    assert told.grade == "unchecked"
    assert why in told.text


def test_a_third_worker_without_records() -> None:
    whole = evidence()
    found = replace(whole, job=replace(whole.job, workers=3))
    (told,) = of("drift", found)
    assert (told.grade, told.text) == ("unchecked", "worker 2 left no records")


def test_of_three_workers_the_one_that_differs_is_named() -> None:
    three = {
        rank: Worker(rank, (*without(sound(rank, 3), State), *states(differ="x" * (rank == 2))))
        for rank in range(3)
    }
    whole = evidence()
    found = replace(whole, workers=three, job=replace(whole.job, workers=3))
    assert guilty(found).ranks == (2,)
    assert "worker 2 and worker 0 differ" in guilty(found).text


def test_examples_have_no_part_in_it() -> None:
    found = evidence(*(changed(rank, drop=(Examples, Callbacks)) for rank in (0, 1)))
    assert grades("drift", found) == {"fine"}
