"""Shares, files, rates, averaging, broadcasts, versions, blind spots: guilty and not guilty."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from random import Random
from typing import Any

import pytest

from distify.assistant.verify.record.beginnings import Start, Tiny, Versions
from distify.assistant.verify.record.endings import Blind
from distify.assistant.verify.record.events import (
    Applied,
    Broadcast,
    Collective,
    EpochEnd,
    Event,
    Examples,
    Iteration,
    Optimizer,
    Rate,
    Reduce,
    Shard,
    Shuffle,
    Times,
    Written,
)
from distify.assistant.verify.record.evidence import Alone, Evidence
from distify.assistant.verify.record.records import Worker
from distify.assistant.verify.record.verdict import CONVICTED, Verdict
from distify.assistant.verify.run.job import Job

from .build import (
    FIT,
    NAMES,
    added,
    again,
    changed,
    evidence,
    grades,
    of,
    program,
    rows,
    said,
    seen,
    sound,
    without,
)


def only(question: str, run: Evidence) -> Verdict:
    (verdict,) = of(question, run)
    return verdict


# ---------------------------------------------------------------- shares


def consumed(*steps: Sequence[str], via: str = "dataset") -> list[Event]:
    return [Examples(float(n), via, n, tuple(step)) for n, step in enumerate(steps, 1)]


def both(first: list[Event], second: list[Event], *more: Event) -> Evidence:
    return evidence(
        changed(0, *first, *more, drop=(Examples,)), changed(1, *second, *more, drop=(Examples,))
    )


EVERYTHING = [rows(0, step) for step in range(1, 7)]
ORDER = [EVERYTHING[n] for n in (3, 1, 5, 0, 2, 4)]
SHARD = Shard(0.3, 2, 0, "train.py:9")


def test_all_the_data_in_the_same_order() -> None:
    run = both(consumed(*EVERYTHING), consumed(*EVERYTHING), FIT)
    found = only("shards", run)
    assert (found.code, found.title) == ("D107", "every worker trains on all the data")
    assert found.where == "train.py:20"
    assert (
        "100 % of the 24 examples that worker 0 trained on were also seen by worker 1" in found.text
    )


@pytest.mark.parametrize(
    ("line", "grade"), [("rate=kept", "note"), ("rows=own", CONVICTED), ("rate=kep", CONVICTED)]
)
def test_all_the_data_with_the_rate_of_one(line: str, grade: str, tmp_path: Path) -> None:
    """A person says in the optimizer's line (6) that its rate stays: slow, and as one process."""
    program(tmp_path, "\n" * 5 + f"optimizer = SGD(0.1)  # distify: {line}\n")
    own = Optimizer(0.3, 0, "SGD", True, NAMES, 0.1, api="keras", where="train.py:6")
    run = both(consumed(*EVERYTHING), consumed(*EVERYTHING), FIT)
    workers = {
        rank: replace(each, events=(*without(each.events, Optimizer), own))
        for rank, each in run.workers.items()
    }
    run = replace(run, workers=workers, job=Job(tmp_path / "train.py"))
    assert {only(question, run).grade for question in ("shards", "rates")} == {grade}


def test_all_the_data_in_another_order() -> None:
    run = both(consumed(*EVERYTHING), consumed(*ORDER))
    assert only("shards", run).code == "D107"


def test_shares_of_another_order_on_each_worker() -> None:
    """Shuffled without a seed, then sharded: half of each share is in the other one, too."""
    run = both(consumed(*EVERYTHING[:4]), consumed(*EVERYTHING[2:]), SHARD)
    found = only("shards", run)
    assert (found.code, found.where) == ("H01", "train.py:9")
    assert "50 %" in found.text


def test_several_epochs_are_one_share() -> None:
    share = [EVERYTHING[:3], EVERYTHING[3:]]
    run = both(consumed(*share[0], *share[0]), consumed(*share[1], *share[1]))
    assert not said(run)
    again = both(consumed(*EVERYTHING, *EVERYTHING), consumed(*EVERYTHING, *ORDER))
    assert "24 examples" in only("shards", again).text


@pytest.mark.parametrize("via", ["dataset", "model", "feed", "graph"])
def test_shares_of_their_own(via: str) -> None:
    epochs = [[*seen(rank, via=via), again(rank, via=via)] for rank in range(2)]
    found = only("shards", both(*epochs))
    assert (found.grade, found.text) == ("fine", "none of 32 examples was seen by two of them")


def test_examples_that_never_come_back_may_be_changed_at_random() -> None:
    """A random crop of the same image is another one to the model, and to its fingerprint."""
    found = only("shards", both(seen(0), seen(1)))
    assert found.grade == "note"
    assert "random changes" in found.text
    shared_out = both([*seen(0), SHARD], [*seen(1), SHARD])
    assert only("shards", shared_out).grade == "fine"


def epochs(rank: int, *rows: tuple[tuple[str, ...], ...], marks: tuple[Event, ...]) -> Worker:
    """A worker whose epochs take these batches, and what tells their ends."""
    batches = [batch for epoch in rows for batch in epoch]
    taken = [Examples(float(n), "dataset", n, batch) for n, batch in enumerate(batches, 1)]
    return Worker(rank, (*without(sound(rank), Examples), *taken, *marks))


def drawn(*numbers: int) -> tuple[tuple[str, ...], ...]:
    """Batches of four examples each."""
    names = [f"{number:016}" for number in numbers]
    return tuple(tuple(names[at : at + 4]) for at in range(0, len(names), 4))


@pytest.mark.parametrize(
    "marks", [(EpochEnd(1.0, 4),), (Iteration(0.1, 0, 0), Iteration(1.0, 0, 4))], ids=["end", "new"]
)
def test_shares_of_an_order_of_ones_own_in_each_epoch(marks: tuple[Event, ...]) -> None:
    """Over two epochs each worker sees nearly all; in each of them it has other examples."""
    first = epochs(0, drawn(*range(16)), drawn(*range(8, 24)), marks=marks)
    second = epochs(1, drawn(*range(8, 24)), drawn(*range(16)), marks=marks)
    line = Shuffle(0.1, False, "train.py:3")
    run = evidence(replace(first, events=(*first.events, line)), second)
    (found,) = [v for v in of("shards", run) if v.grade == "convicted"]
    assert (found.code, "50 % of the 16 examples" in found.text) == ("H01", True)


def picked(rank: int, *orders: Sequence[int]) -> list[Event]:
    """One pass over rounds that are drawn anew, without a mark between them: every other one."""
    names = [f"{number:016}" for order in orders for number in order[rank::2]]
    return consumed(*(names[at : at + 4] for at in range(0, len(names), 4)))


ORDERS = [Random(seed).sample(range(32), 32) for seed in range(3)]


@pytest.mark.parametrize("orders", [ORDERS[:2], ORDERS, (*ORDERS[:2], ORDERS[2][:24])])
def test_rounds_of_one_order_that_is_cut_anew(orders: Sequence[Sequence[int]]) -> None:
    """In the second round a worker sees what another one saw in the first."""
    run = both(picked(0, *orders), picked(1, *orders))
    found = only("shards", run)
    assert (found.grade, f"{len(orders)} rounds of 4 steps with 32 examples" in found.text) == (
        "fine", True,
    )  # fmt: skip


@pytest.mark.parametrize(
    ("mine", "others"),
    [
        ((ORDERS[0], ORDERS[1]), (ORDERS[2], ORDERS[0])),  # each draws an order of its own
        ((ORDERS[0],), (ORDERS[1],)),
        ((ORDERS[0], ORDERS[1]), (ORDERS[0], ORDERS[2])),  # from the second round on
    ],
)
def test_rounds_of_orders_of_their_own(
    mine: Sequence[Sequence[int]], others: Sequence[Sequence[int]]
) -> None:
    run = both(picked(0, *mine), picked(1, *others))
    assert only("shards", run).grade != "fine"


def test_the_shuffle_before_a_shard_is_pointed_at() -> None:
    marks = (
        EpochEnd(1.0, 4), Shuffle(0.1, True, "train.py:2"), Shuffle(0.1, False, "train.py:3"),
        Shard(0.2, 2, 0, "train.py:4"),
    )  # fmt: skip
    run = evidence(
        epochs(0, drawn(*range(16)), marks=marks), epochs(1, drawn(*range(8, 24)), marks=marks)
    )
    assert [v.where for v in of("shards", run) if v.code == "H01"] == ["train.py:3"]


def test_epochs_whose_shares_are_drawn_anew_by_all_alike() -> None:
    """The seed is the same: within each epoch nobody has what another has."""
    marks = (EpochEnd(1.0, 4),)
    first = epochs(0, drawn(*range(16)), drawn(*range(16, 32)), marks=marks)
    second = epochs(1, drawn(*range(16, 32)), drawn(*range(16)), marks=marks)
    assert grades("shards", evidence(first, second)) == {"fine"}


def test_natural_duplicates_convict_nobody() -> None:
    """Half of all examples are one of ten common ones, on each worker and within each."""

    def share(rank: int) -> list[Event]:
        common = [[f"c{n}" for n in range(5)], [f"c{n}" for n in range(5, 10)]] * 2
        return consumed(*([*five, *rows(rank, n, 5)] for n, five in enumerate(common)))

    found = only("shards", both(share(0), share(1)))
    assert found.grade == "unchecked"
    assert "50 % of the 40 examples" in found.text
    assert "no more than duplicates" in found.text


def test_a_twin_or_two_of_few_examples_convict_nobody() -> None:
    run = both(consumed(["a", "b", "c", "d"]), consumed(["a", "e", "f", "g"]))
    assert only("shards", run).grade == "unchecked"


def test_examples_that_are_all_alike_can_not_be_told_apart() -> None:
    run = both(consumed(["1"] * 4, ["1"] * 4), consumed(["1"] * 4, ["1"] * 4))
    assert only("shards", run).grade == "unchecked"
    assert "can't be told apart" in only("shards", run).text


def test_one_batch_for_ever_is_worth_a_word_and_no_fault() -> None:
    batch = rows(0, 1)
    run = both(consumed(batch, batch, batch), consumed(batch, batch, batch))
    found = only("shards", run)
    assert (found.grade, found.code) == ("note", "D107")


def test_fingerprints_compare_only_within_one_way_of_seeing() -> None:
    run = both(consumed(*EVERYTHING), consumed(*EVERYTHING, via="model"))
    assert only("shards", run).grade == "unchecked"


def test_no_examples_seen_is_not_fine() -> None:
    run = both([], [])
    assert only("shards", run).text == "no worker's examples could be seen"
    assert only("shards", both(seen(0), [])).grade == "unchecked"


def test_three_workers_of_which_two_share() -> None:
    whole = evidence()
    shares = {0: seen(0), 1: seen(1), 2: seen(0)}
    three = {
        rank: Worker(rank, (*without(sound(rank, 3), Examples), *new))
        for rank, new in shares.items()
    }
    run = replace(whole, workers=three, job=replace(whole.job, workers=3))
    assert only("shards", run).ranks == (0, 2)


# ---------------------------------------------------------------- files


def wrote(path: str, *ranks: int, where: str | None = "train.py:30") -> list[Worker]:
    return [added(rank, Written(5.0, path, "open", where)) for rank in ranks]


def test_a_file_of_two_writers(tmp_path: Path) -> None:
    run = evidence(*wrote(f"{tmp_path}/out/model.h5", 0, 1), folder=tmp_path)
    found = only("files", run)
    assert (found.code, found.where, found.ranks) == ("D203", "train.py:30", (0, 1))
    assert "out/model.h5 by workers 0 and 1" in found.text


def test_a_checkpoint_is_one_fault_of_several_files() -> None:
    events = [Written(5.0, f"/c/ckpt-1.{part}", "checkpoint", "train.py:30") for part in "abcdef"]
    found = only("files", evidence(added(0, *events), added(1, *events)))
    assert "/c/ckpt-1.a, /c/ckpt-1.b, /c/ckpt-1.c and 3 more" in found.text


def test_files_of_two_lines_are_two_faults() -> None:
    events = [Written(5.0, f"/{line}", "open", f"train.py:{line}") for line in (3, 4)]
    run = evidence(added(0, *events), added(1, *events))
    assert [v.where for v in of("files", run)] == ["train.py:3", "train.py:4"]


def test_downloads_of_all_workers() -> None:
    run = evidence(*wrote("/home/me/.keras/datasets/mnist.npz", 0, 1, where="train.py:5"))
    assert (only("files", run).code, only("files", run).where) == ("H01", "train.py:5")


@pytest.mark.parametrize("path", ["/root/.cache/matplotlib/fonts.json", "/root/.config/x"])
def test_caches_of_libraries_are_no_fault(path: str) -> None:
    run = evidence(*wrote(path, 0, 1))
    assert grades("files", run) == {"note", "fine"}


def test_files_of_one_worker_each() -> None:
    run = evidence(*wrote("/a", 0), *wrote("/b", 1))
    assert only("files", run).text == "2 files written"


def test_the_same_path_on_two_machines_is_two_files() -> None:
    here, there = (
        sound(0),
        [replace(e, host="there") if isinstance(e, Start) else e for e in sound(1)],
    )
    write = Written(5.0, "/m", "open", "train.py:30")
    run = evidence(Worker(0, (*here, write)), Worker(1, (*there, write)))
    assert not said(run)


# ---------------------------------------------------------------- rates


def rated(many: float | None, one: float | None, **more: Any) -> Evidence:
    """A job with one rate, and its reference with another one."""
    first = Optimizer(0.3, 0, "SGD", True, NAMES, many, api="keras", where="train.py:6")
    reference = Optimizer(0.3, 0, "SGD", True, NAMES, one, api="keras")
    single = Alone("reference", Worker(0, (reference,)), 0)
    return evidence(*(changed(r, first) for r in (0, 1)), reference=single, **more)


@pytest.mark.parametrize(
    ("many", "one", "title"),
    [
        (0.1, 0.1, "the learning rate is not scaled"),
        (0.05, 0.03, "the learning rate is scaled wrongly"),
        (0.4, 0.1, "the learning rate is scaled wrongly"),
        (0.2, 0.0, "the learning rate is scaled wrongly"),
    ],
)
def test_rates_that_are_not_scaled(many: float, one: float, title: str) -> None:
    found = only("rates", rated(many, one))
    assert (found.code, found.title, found.where) == ("D104", title, "train.py:6")
    assert f"{many:g} on 2 workers, {one:g} on one" in found.text


@pytest.mark.parametrize(("rank", "grade"), [(0, {"note"}), (1, {"unchecked"})])
def test_a_rate_stays_where_every_step_takes_the_same_batch(rank: int, grade: set[str]) -> None:
    """One share of all examples in one step: nobody knows how many steps one process takes."""
    assert grades("rates", _unscaled([*[rows(0, 1)] * 4], [*[rows(rank, 1)] * 4])) == grade


def test_a_rate_that_stays_is_a_fault_where_an_epoch_has_several_steps() -> None:
    epoch = [[rows(rank, 1), rows(rank, 2)] for rank in range(2)]
    assert grades("rates", _unscaled(*(each * 2 for each in epoch))) == {"convicted"}


def test_a_rate_that_stays_is_a_fault_where_no_second_epoch_was_seen() -> None:
    assert grades("rates", _unscaled([rows(0, 1)], [rows(1, 1)])) == {"convicted"}


def _unscaled(first: list[tuple[str, ...]], second: list[tuple[str, ...]]) -> Evidence:
    """A job with the rate of one worker, and what its workers took in each step."""
    run = rated(0.1, 0.1)
    workers = {
        number: Worker(number, (*without(run.workers[number].events, Examples), *consumed(*given)))
        for number, given in enumerate((first, second))
    }
    return replace(run, workers=workers)


@pytest.mark.parametrize(("many", "one"), [(0.2, 0.1), (0.20000001, 0.1), (0.0, 0.0)])
def test_rates_that_are_scaled(many: float, one: float) -> None:
    assert grades("rates", rated(many, one)) == {"fine"}


def test_the_rate_of_the_first_step_is_what_counts() -> None:
    run = rated(None, None)
    assert run.reference is not None
    assert run.reference.worker is not None
    single = replace(
        run.reference.worker, events=(*run.reference.worker.events, Rate(1, 0, 1, 0.1))
    )
    steps = (Rate(1.0, 0, 1, 0.2), Rate(2.0, 0, 2, 0.15))
    workers = {r: replace(w, events=(*w.events, *steps)) for r, w in run.workers.items()}
    run = replace(run, workers=workers, reference=replace(run.reference, worker=single))
    assert grades("rates", run) == {"fine"}


def test_a_rate_that_stays_where_nobody_sees_an_example() -> None:
    """It may be right: all of a full batch is shared out."""
    run = rated(0.1, 0.1)
    unseen = {r: replace(w, events=without(w.events, Examples)) for r, w in run.workers.items()}
    assert grades("rates", replace(run, workers=unseen)) == {"unchecked"}
    assert grades("rates", run) == {CONVICTED}


def test_scaling_by_the_root_is_a_choice() -> None:
    assert grades("rates", rated(0.1 * 2**0.5, 0.1)) == {"note"}


def test_a_rate_that_is_warmed_up_is_not_judged_by_its_first_steps() -> None:
    run = rated(0.1, 0.1)
    warm = replace(FIT, names=(*FIT.names, "LearningRateWarmupCallback"))
    workers = {r: replace(w, events=(*w.events, warm)) for r, w in run.workers.items()}
    assert grades("rates", replace(run, workers=workers)) == {"unchecked"}


@pytest.mark.parametrize(
    ("rates", "grade"),
    [
        ((0.1, 0.15, 0.2, 0.2), "fine"),  # as D208 writes it, whatever sets it
        ((0.11, 0.15), "unchecked"),  # the run ended before the warm-up
        ((0.1, 0.1, 0.1), "convicted"),
        ((0.05, 0.1, 0.2), "convicted"),  # it begins below the rate of one worker
        ((0.1, 0.3), "convicted"),
        ((0.1, 0.2, 0.1), "convicted"),  # it doesn't stay where it comes to
    ],
)
def test_a_rate_that_grows_is_judged_by_where_it_comes_to(
    rates: tuple[float, ...], grade: str
) -> None:
    run = rated(rates[0], 0.1)
    steps = tuple(Rate(float(step), 0, step, rate) for step, rate in enumerate(rates, 1))
    workers = {r: replace(w, events=(*w.events, *steps)) for r, w in run.workers.items()}
    assert grades("rates", replace(run, workers=workers)) == {grade}


@pytest.mark.parametrize(
    ("text", "limit", "grade"),
    [
        ("opt.learning_rate = whole * warm_up\n", 4, "unchecked"),
        ("opt.learning_rate = whole * warm_up\n", 0, "convicted"),  # it has come to its end
        ("print(opt.learning_rate == 1)\n", 4, "convicted"),
    ],
)
def test_a_rate_that_had_no_time_to_grow(text: str, limit: int, grade: str, tmp_path: Path) -> None:
    script = tmp_path / "train.py"
    script.write_text(text)
    run = rated(0.1, 0.1)
    run = replace(run, job=replace(run.job, script=script, limit_steps=limit))
    assert grades("rates", run) == {grade}


@pytest.mark.parametrize(
    ("reference", "why"),
    [
        (None, "--no-reference"),
        (Alone("reference", None, 1), "never came to a training step"),
        (Alone("reference", Worker(0), None, hung=True), "hung"),
        (Alone("reference", Worker(0, (Optimizer(0.1, 5),)), 0), "could not be read"),
    ],
)
def test_a_rate_without_one_to_compare_with(reference: Alone | None, why: str) -> None:
    found = only("rates", evidence(reference=reference))
    assert found.grade == "unchecked"
    assert why in found.text


def test_updates_by_hand_have_no_rate() -> None:
    none = Optimizer(0.3, 0, "", api="none", variables=NAMES)
    run = evidence(*(changed(r, none) for r in (0, 1)))
    assert only("rates", run).grade == "unchecked"


def test_rates_that_differ_between_workers() -> None:
    run = evidence(added(0, Rate(1.0, 0, 3, 0.2)), added(1, Rate(1.0, 0, 3, 0.1)))
    assert "in step 3: 0.2 on worker 0, 0.1 on worker 1" in of("rates", run)[0].text
    assert list(said(run)) == ["D302"]


def test_rates_of_other_steps_are_not_compared() -> None:
    run = evidence(added(0, Rate(1.0, 0, 3, 0.2)), added(1, Rate(1.0, 0, 4, 0.1)))
    assert not said(run)


# ---------------------------------------------------------------- averaging and broadcasts


def test_averaged_by_the_tape_and_by_the_optimizer() -> None:
    again = Reduce(0.5, "optimizer", "variables", 2, True, "train.py:12")
    found = only("averaging", evidence(added(0, again), added(1, again)))
    assert (found.code, found.where, found.places) == ("D105", "train.py:12", ("train.py:11",))


def test_a_tape_for_one_model_and_an_optimizer_for_the_other() -> None:
    other = Reduce(0.5, "optimizer", "variables", 2, True, "train.py:22")
    applied = Applied(0.5, 1, True, "train.py:23")
    run = evidence(added(0, other, applied), added(1, other, applied))
    assert not said(run)


@pytest.mark.parametrize(("names", "codes"), [(("w:0", "b:0"), ["D105"]), (("v:0",), [])])
def test_a_fit_for_one_model_and_an_eager_loop_for_the_other(
    names: tuple[str, ...], codes: list[str]
) -> None:
    """A compiled step is averaged once, an eager one in each step: counts say nothing."""
    tapes = [Reduce(0.5, "tape", "variables", 1, False, "train.py:21", "Average", names)] * 3
    fit = Reduce(0.5, "optimizer", "variables", 2, True, "train.py:12", "Average", ("w:0", "b:0"))
    runs = (changed(rank, fit, *tapes, drop=(Reduce,)) for rank in (0, 1))
    assert list(said(evidence(*runs))) == codes


def test_a_fit_and_a_tape_one_behind_the_other() -> None:
    """Each way averages the same variables once, and each is applied at a line of its own."""
    names = ("w:0", "b:0")
    fit = Reduce(0.5, "optimizer", "variables", 2, True, "train.py:12", "Average", names)
    tapes = [Reduce(0.6, "tape", "variables", 2, False, "train.py:21", "Average", names)] * 3
    applied = [Applied(0.5, 0, True, "train.py:12"), Applied(0.6, 1, False, "train.py:22")]
    both = [changed(rank, fit, *tapes, *applied, drop=(Reduce, Applied)) for rank in (0, 1)]
    assert not said(evidence(*both))
    once = [changed(rank, fit, *tapes, applied[1], drop=(Reduce, Applied)) for rank in (0, 1)]
    assert list(said(evidence(*once))) == ["D105"]


def test_a_tape_that_is_asked_twice() -> None:
    """A persistent tape, or two tapes whose gradients are applied together."""
    again = Reduce(0.5, "tape", "variables", 2, False, "train.py:12")
    assert not said(evidence(added(0, again), added(1, again)))


def test_slopes_at_ones_own_inputs_are_averaged() -> None:
    inner = Reduce(0.5, "tape", "other", 1, False, "train.py:9")
    found = only("averaging", evidence(added(0, inner), added(1, inner)))
    assert (found.code, found.where) == ("D201", "train.py:9")


def test_workers_in_step_though_nothing_is_averaged() -> None:
    """All the same data from the same weights: equal, and no distributed training."""
    run = evidence(*(changed(r, drop=(Reduce, Collective)) for r in (0, 1)))
    assert only("averaging", run).code == "D201"


def test_nothing_broadcast_and_equal_all_the_same() -> None:
    run = evidence(*(changed(r, drop=(Broadcast,)) for r in (0, 1)))
    assert (only("broadcast", run).grade, only("broadcast", run).code) == ("note", "D202")
    empty = evidence(*(changed(r, Broadcast(0.5, 0, 0)) for r in (0, 1)))
    assert only("broadcast", empty).grade == "note"
    assert not said(run) | said(empty)


def test_a_broadcast_is_fine() -> None:
    assert only("broadcast", evidence()).text == "2 variables broadcast"


# ---------------------------------------------------------------- the rest


@pytest.mark.parametrize(
    ("keras", "grade"),
    [("keras 2.15.0", "fine"), ("tf_keras 2.18.0", "fine"), ("keras 3.4.1", "fine"),
     (None, "unchecked")],
)  # fmt: skip
def test_versions_of_keras(keras: str | None, grade: str) -> None:
    versions = Versions(0.1, "2.18", keras, "0.28.1")
    run = evidence(*(changed(r, versions) for r in (0, 1)))
    assert only("keras3", run).grade == grade


@pytest.mark.parametrize(("spent", "told"), [(0.5, False), (0.99, False), (1.5, True)])
def test_the_probes_own_time_is_told_where_it_is_much(spent: float, told: bool) -> None:
    run = evidence(added(1, Times(1.0, 1, 1.0, 1.0), Times(2.0, 4, 10.0, spent)))
    assert bool(of("time", run)) == told
    assert "15 %" in of("time", run)[0].text if told else True


def test_blind_spots_are_told_once_with_all_workers() -> None:
    spot = Blind(1.0, "loss", "XLA")
    run = evidence(added(0, spot, spot), added(1, spot, Blind(2.0, "loss", "other")))
    assert only("blind", run).text == "XLA; other (workers 0 and 1)"


def test_lines_that_could_not_be_read_are_told() -> None:
    run = evidence(replace(evidence().workers[1], unreadable=3))
    assert only("blind", run).text == "3 lines of worker 1 could not be read"


def test_tiny_data_is_told() -> None:
    run = evidence(added(0, Tiny(1.0, "mnist")), added(1, Tiny(1.0, "mnist")))
    found = only("blind", run)
    assert (found.grade, found.text.startswith("mnist gave small")) == ("note", True)


def test_a_fit_of_keras_3_that_nobody_averages_is_convicted() -> None:
    versions = Versions(0.1, "2.18.1", "keras 3.15.1", "0.28.1")
    drop = (Versions, Reduce, Optimizer, Collective)
    run = evidence(*(changed(rank, versions, FIT, drop=drop) for rank in (0, 1)))
    (found,) = of("keras3", run)
    assert (found.grade, found.code, found.where) == (CONVICTED, "D100", "train.py:20")
    averaged = evidence(*(changed(rank, versions, FIT, drop=drop[:1]) for rank in (0, 1)))
    (named,) = of("keras3", averaged)
    assert (named.grade, named.code) == ("note", "D100")
    assert "BroadcastGlobalVariablesCallback" in named.text


def test_what_a_program_of_keras_3_averages_itself_acquits_it() -> None:
    versions = Versions(0.1, "2.20.0", "keras 3.15.1", "0.28.1")
    fit = replace(FIT, names=("BroadcastState", "AverageMetrics"))
    drop = (Versions, Reduce, Optimizer)
    by_hand = Collective(1.0, 1, "allreduce", traced=True, where="train.py:5")
    run = evidence(*(changed(rank, versions, fit, by_hand, drop=drop) for rank in (0, 1)))
    assert grades("keras3", run) == {"fine"}
    assert CONVICTED not in grades("averaging", run)


def test_the_words_of_a_fix_are_those_for_keras_3() -> None:
    versions = Versions(0.1, "2.20.0", "keras 3.15.1", "0.28.1")
    drop = (Versions, Reduce, Optimizer, Collective)
    run = evidence(*(changed(rank, versions, drop=drop) for rank in (0, 1)))
    (found,) = of("averaging", run)
    assert found.grade == CONVICTED
    assert "DistributedOptimizer" not in found.fix
