"""Jobs that don't come to their end: who left, who waits where, what failed, and whose fault."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from distify.assistant.verify.judges import verdicts
from distify.assistant.verify.record.endings import BrokenOff, End, Error, Limited
from distify.assistant.verify.record.events import (
    Callbacks,
    Collective,
    Digest,
    Event,
    Examples,
    Iteration,
    Planned,
    Reduce,
    Shard,
    Skipped,
    State,
)
from distify.assistant.verify.record.evidence import Alone, Evidence, Stall, Waiting
from distify.assistant.verify.record.records import Worker
from distify.assistant.verify.record.verdict import Verdict, exit_code
from distify.assistant.verify.run.job import Job

from .build import (
    FIT,
    added,
    alone,
    changed,
    evidence,
    failing,
    grades,
    hung,
    of,
    program,
    rows,
    said,
    seen,
    sound,
    states,
    without,
)

SHUT = "Horovod has been shut down. This was caused by an exception on one of the ranks"
GONE = Error(8.0, "HorovodInternalError", SHUT, where="train.py:11")


def only(question: str, run: Evidence) -> Verdict:
    (verdict,) = of(question, run)
    return verdict


def made(rank: int, steps: int, *more: Event, ends: bool = True) -> Worker:
    """A worker after so many steps, at its end or still running."""
    kept = without(sound(rank, made=steps), End)
    end = [End(9.0, steps)] if ends else []
    return Worker(rank, (*kept, *more, *end))


def shut(*early: Event, late: tuple[Event, ...] = (), steps: int = 4) -> Evidence:
    """Worker 1 ends after four steps; worker 0 is told so in its fifth."""
    both = (made(0, 4, *late, GONE, ends=False), made(1, steps, *early))
    return evidence(*both, ending="failed", exit_codes={0: 1, 1: 0})


# ---------------------------------------------------------------- one worker leaves early


def test_uneven_shards() -> None:
    shard = Shard(0.3, 2, 1, "train.py:9")
    run = shut(shard, late=(replace(shard, index=0), *seen(0, 5)[-1:]))
    found = only("steps", run)
    assert (found.code, found.where, found.ranks) == ("D107", "train.py:9", (1,))
    assert "worker 1 ended after 4 steps while worker 0 went on to the next" in found.text
    assert "examples consumed: 20 by 0, 16 by 1" in found.text
    assert list(said(run)) == ["D107"]


def in_epochs(run: Evidence, *lengths: int) -> Evidence:
    """The run, of whose workers each sees so many batches again and again."""
    workers = {}
    for (rank, worker), length in zip(run.workers.items(), lengths):
        again = [
            Examples(float(n), "dataset", n, rows(rank, n % length)) for n in range(1, 6 - rank)
        ]
        workers[rank] = Worker(rank, (*without(worker.events, Examples), *again))
    return replace(run, workers=workers)


@pytest.mark.parametrize(
    ("skip", "why"),
    [
        (Skipped(3.0, 3, True, 4, "train.py:9"), "after 3 steps worker 1 took examples"),
        (Skipped(3.0, 3, False, 4, "train.py:9"), "not all finite (NaN)"),
        (Skipped(3.0, 3, True, 1, "train.py:9"), "1 of them where a batch has 4"),
    ],
)
def test_a_step_that_one_worker_skips(skip: Skipped, why: str) -> None:
    both = Skipped(1.0, 1, True, 4, "train.py:9")  # all look at one example first
    found = only("steps", shut(both, skip, late=(both,)))
    assert (found.code, found.where) == ("H12", "train.py:9")
    assert why in found.text


def test_elements_that_all_workers_gather_are_none_that_one_skips() -> None:
    both = (Skipped(1.0, 1), Skipped(2.0, 2))
    assert only("steps", shut(*both, late=both)).code != "H12"


def test_fewer_epochs_of_as_many_steps() -> None:
    found = only("steps", in_epochs(shut(FIT, late=(FIT,)), 2, 2))
    assert (found.code, found.where, found.ranks) == ("D302", "train.py:20", (1,))
    assert "the workers make different numbers of epochs" in found.title
    assert "worker 1 made 2 epochs of 2 steps each" in found.text
    assert "initial_epoch=int(hvd.broadcast(epoch, root_rank=0))" in found.fix


def test_fewer_epochs_in_a_loop_of_ones_own() -> None:
    assert only("steps", in_epochs(shut(), 2, 2)).code == "H03"


STOPS = """\
for epoch in range(40):
    for x, y in data:
        step(x, y)
    if good_enough():
        if epoch > 3:
            break
"""


def test_a_loop_of_ones_own_that_ends_by_a_value_of_ones_own(tmp_path: Path) -> None:
    run = in_epochs(shut(), 2, 2)
    (tmp_path / "train.py").write_text("\n" * 10 + STOPS)
    waits = [
        replace(e, where="train.py:13") if isinstance(e, Error) else e
        for e in run.workers[0].events
    ]
    waiting = {**run.workers, 0: Worker(0, tuple(waits))}
    run = replace(run, job=Job(tmp_path / "train.py"), workers=waiting)
    found = only("steps", run)
    assert (found.code, found.where) == ("H03", "train.py:14")
    assert "worker 1 made 2 epochs of 2 steps each" in found.text
    assert "hvd.allreduce(value)" in found.fix


@pytest.mark.parametrize("lengths", [(3, 2), (2, 3), (9, 9), (3, 3)])
def test_epochs_that_are_not_as_long_or_not_over_are_no_fewer(lengths: tuple[int, int]) -> None:
    shard = Shard(0.3, 2, 1, "train.py:9")
    assert only("steps", in_epochs(shut(shard, late=(shard,)), *lengths)).code == "D107"


@pytest.mark.parametrize("code", [143, -15, 137, -9])
def test_a_worker_on_its_way_out_that_the_launcher_ends(code: int) -> None:
    run = shut(Shard(0.3, 2, 1, "train.py:9"))
    found = only("steps", replace(run, exit_codes={0: 1, 1: code}))
    assert (found.code, found.ranks) == ("D107", (1,))


def test_a_worker_that_failed_by_itself_did_not_leave() -> None:
    run = shut(Shard(0.3, 2, 1, "train.py:9"))
    assert "D107" not in said(replace(run, exit_codes={0: 1, 1: 3}))


def test_a_fit_that_only_one_worker_calls() -> None:
    """Its collectives are in a graph that was traced before: they have no line of their own."""
    own = replace(FIT, where="train.py:30")
    told = replace(GONE, where="train.py:30")
    late = made(0, 5, FIT, own, told, ends=False)
    run = evidence(late, made(1, 4, FIT), ending="failed", exit_codes={0: 1, 1: 0})
    found = only("steps", run)
    assert (found.code, found.where) == ("H02", "train.py:30")


def test_a_callback_on_one_worker_stops_it() -> None:
    stops = replace(FIT, names=(*FIT.names, "EarlyStopping"))
    found = only("steps", shut(stops, late=(FIT,)))
    assert (found.code, found.where) == ("D302", "train.py:20")
    assert "EarlyStopping runs on worker 1 only" in found.text


def test_a_callback_that_follows_each_workers_own_metrics() -> None:
    stops = replace(FIT, names=(*FIT.names, "EarlyStopping"))
    found = only("steps", shut(stops, late=(stops,)))
    assert found.code == "D302"
    assert "by that worker's own metrics" in found.text


def test_a_callback_that_follows_averaged_metrics_is_not_the_cause() -> None:
    stops = replace(FIT, names=(*FIT.names, "MetricAverageCallback", "EarlyStopping"))
    assert only("steps", shut(stops, late=(stops,))).code == "D107"
    wrong = replace(stops, names=("EarlyStopping", "MetricAverageCallback"))
    assert only("steps", shut(wrong, late=(wrong,))).code == "D302"


def test_a_callback_that_nobody_knows() -> None:
    own = replace(FIT, names=("MyCallback",))
    run = shut(own, late=(own,))
    run = replace(run, workers={r: _unseen(w) for r, w in run.workers.items()})
    assert only("steps", run).code == "H03"


def _unseen(worker: Worker) -> Worker:
    return replace(worker, events=tuple(without(worker.events, Examples)))


def test_no_reason_at_all() -> None:
    run = shut()
    run = replace(run, workers={r: _unseen(w) for r, w in run.workers.items()})
    assert only("steps", run).code == "H03"


def test_a_collective_of_one_worker_after_the_training() -> None:
    alone = Collective(7.0, "allreduce", 9, "m", (), "float32", where="train.py:50")
    gone = replace(GONE, where="train.py:50")
    both = (Worker(0, (*without(made(0, 4).events, End), alone, gone)), made(1, 4))
    found = only("steps", evidence(*both, ending="failed"))
    assert (found.code, found.where) == ("H02", "train.py:50")


def test_steps_on_one_worker_only() -> None:
    none = Worker(1, tuple(without(sound(1, made=0), Collective, Reduce)))
    run = evidence(made(0, 0, GONE, ends=False), none, ending="failed")
    found = only("steps", run)
    assert (found.code, found.where) == ("H02", "train.py:11")
    assert exit_code(verdicts(run)) == 1


@pytest.mark.parametrize("code", ["D107", "H03"])
def test_different_numbers_without_any_averaging(code: str) -> None:
    """Nobody waits where nothing is averaged; the job comes to its end."""
    shard = [Shard(0.3, 2, 1, "train.py:9")] * (code == "D107")
    drop = (Reduce, Collective, Examples, End, State)
    both = [
        Worker(r, (*without(sound(r), *drop), *shard, *states(4 + r), End(9.0, 4 + r)))
        for r in (0, 1)
    ]
    run = evidence(*both)
    found = only("steps", run)
    assert (found.code, found.ranks) == (code, (0,))
    assert "worker 0 ended after 4 steps, worker 1 made 5" in found.text


def test_different_numbers_of_a_job_that_averages_were_not_all_seen() -> None:
    run = evidence(made(0, 4), made(1, 2))
    assert only("steps", run).grade == "unchecked"
    assert not said(run)


def test_an_end_of_another_worker_that_is_swallowed() -> None:
    """Both made as many steps as are seen: the one that is too many failed without a word."""
    off = BrokenOff(8.0, "train.py:11")
    run = evidence(made(0, 4, off), made(1, 4))
    found = only("steps", run)
    assert (found.code, found.ranks, found.where) == ("H03", (0,), "train.py:11")
    assert exit_code(verdicts(run)) == 1
    told = evidence(made(0, 4, off, GONE, ends=False), made(1, 4), ending="failed")
    assert "swallows" not in only("steps", told).text  # it ended the program: nothing is hidden
    killed = evidence(made(0, 4, off, ends=False), made(1, 4), ending="failed")
    assert "H03" not in {each.code for each in of("steps", killed)}  # before it could say so


def test_a_worker_that_joins_may_make_fewer_steps() -> None:
    join = Collective(8.0, "join", 9, where="train.py:40")
    run = evidence(made(0, 4, join), made(1, 2, join))
    assert only("steps", run).grade == "note"
    assert not said(run)


def test_a_limit_ends_all_workers_on_purpose() -> None:
    both = [Worker(r, (*without(sound(r), End), Limited(8.0, 4))) for r in (0, 1)]
    run = evidence(*both)
    assert only("steps", run).text == "4 steps on every worker; ended there by --limit-steps"
    one = evidence(both[0], ending="failed")
    assert not said(one)


# ---------------------------------------------------------------- hangs


def waits(rank: int, where: str, kind: str | None = "allreduce", **more: Any) -> Waiting:
    return Waiting(rank, where, kind, steps=4, by="record", **more)


def test_workers_that_wait_in_different_places(tmp_path: Path) -> None:
    run = evidence(
        made(0, 4, ends=False),
        made(1, 4, ends=False),
        **hung(waits(0, "train.py:11"), waits(1, "train.py:30", "broadcast", name="w")),
        folder=program(tmp_path, "x\n" * 40),
    )
    found = only("hang", run)
    assert (found.code, found.ranks, found.where) == ("H02", (0, 1), "train.py:11")
    assert found.places == ("train.py:30",)
    assert found.evidence == (
        "worker 0 waits in allreduce at train.py:11 after 4 steps",
        "worker 1 waits in broadcast w at train.py:30 after 4 steps",
    )
    assert exit_code(verdicts(run)) == 1


def test_a_worker_that_left_is_the_reason_of_a_hang() -> None:
    shard = Shard(0.3, 2, 1, "train.py:9")
    gone = Waiting(1, None, steps=4, ended=True, exit_code=0)
    run = evidence(
        made(0, 4, shard, ends=False), made(1, 4, shard), **hung(waits(0, "train.py:11"), gone)
    )
    found = only("hang", run)
    assert (found.code, found.title) == (
        "D107",
        "the job hangs: the shares of the workers are uneven",
    )
    assert "worker 1 had ended after 4 steps" in found.evidence
    assert grades("steps", run) == {"unchecked"}


@pytest.mark.parametrize(
    ("one", "other", "fix"),
    [
        (Planned(0.2, 16, "train.py:9"), Planned(0.2, 15, "train.py:9"), "`n = len(x)"),
        (Iteration(0.2, 0, 0, 16, where="train.py:9"), Iteration(0.2, 0, 0, 15), "ds.take"),
    ],
)
def test_shares_of_other_lengths_are_the_reason_of_a_hang(
    one: Event, other: Event, fix: str
) -> None:
    """Whatever the workers wait in: one is at its next step, the other behind its epoch."""
    both = waits(0, "train.py:11"), waits(1, "train.py:30", "broadcast", name="w")
    run = evidence(made(0, 4, one, ends=False), made(1, 4, other, ends=False), **hung(*both))
    found = only("hang", run)
    assert (found.code, found.where) == ("D107", "train.py:9")
    assert "16 on worker 0, 15 on worker 1" in found.text
    assert fix in found.fix


def test_shares_of_one_length_or_of_none_explain_nothing() -> None:
    for length in (16, None):
        both = waits(0, "train.py:11"), waits(1, "train.py:30", "broadcast", name="w")
        each = Iteration(0.2, 0, 0, length), Iteration(0.2, 0, 0, 16)
        run = evidence(*(made(r, 4, e, ends=False) for r, e in enumerate(each)), **hung(*both))
        assert only("hang", run).code == "H02"


def test_data_that_makes_no_steps_is_no_share() -> None:
    """As what is tested on behind the training, of which rank 0 may have more."""
    both = waits(0, "train.py:11"), waits(1, "train.py:30", "broadcast", name="w")
    each = Iteration(0.2, 0, 4, 16), Iteration(0.2, 0, 4, 8)
    run = evidence(*(made(r, 4, e, ends=False) for r, e in enumerate(each)), **hung(*both))
    assert only("hang", run).code == "H02"


def test_a_fit_of_one_worker_alone_is_no_share() -> None:
    both = waits(0, "train.py:11"), waits(1, "train.py:30", "broadcast", name="w")
    each = Planned(0.2, 1, "train.py:5"), Planned(0.2, 16, "train.py:9")
    run = evidence(*(made(r, 4, e, ends=False) for r, e in enumerate(each)), **hung(*both))
    assert only("hang", run).code == "H02"


def test_horovod_names_who_is_missing() -> None:
    elsewhere = Waiting(1, "train.py:30", None, steps=4)
    run = evidence(
        made(0, 4, ends=False), made(1, 4, ends=False), **hung(waits(0, "train.py:11"), elsewhere)
    )
    assert only("hang", run).grade == "unchecked"  # it may be slow
    assert run.hang is not None
    stalled = replace(run, hang=replace(run.hang, stalls=(Stall("g", (0,), (1,)),)))
    assert only("hang", stalled).code == "H02"


def test_a_program_that_stands_still_by_itself() -> None:
    both = (Waiting(0, "train.py:3", steps=0), Waiting(1, "train.py:3", steps=0))
    run = evidence(made(0, 0, ends=False), made(1, 0, ends=False), **hung(*both))
    found = only("hang", run)
    assert found.grade == "unchecked"
    assert "none of them waits in a collective" in found.text
    assert exit_code(verdicts(run)) == 2


def test_all_in_the_same_collective_wait_for_the_network() -> None:
    both = (waits(0, "train.py:11"), waits(1, "train.py:11"))
    run = evidence(made(0, 4, ends=False), made(1, 4, ends=False), **hung(*both))
    assert not said(run)
    assert only("hang", run).grade == "unchecked"
    assert exit_code(verdicts(run)) == 2


def test_a_hang_of_which_nothing_is_known() -> None:
    run = evidence(made(0, 4, ends=False), made(1, 4, ends=False), ending="hang")
    assert only("hang", run).grade == "unchecked"


def test_a_failure_before_the_hang_is_no_early_end() -> None:
    error = Error(5.0, "ValueError", "no", where="train.py:7")
    gone = Waiting(1, None, ended=True, exit_code=1)
    run = evidence(
        made(0, 4, ends=False), failing(1, error, 4), **hung(waits(0, "train.py:11"), gone)
    )
    assert not said(run)
    assert "worker 1 had failed before" in only("hang", run).text


# ---------------------------------------------------------------- failures


def fails(error: Error, *ranks: int, folder: Path = Path("/nowhere"), **more: Any) -> Evidence:
    """A job in which these workers (both, if none is named) fail by that exception."""
    both = [failing(rank, error) for rank in (ranks or (0, 1))]
    return evidence(*both, ending="failed", folder=folder, **more)


TAPE = "horovod.tensorflow:_DistributedGradientTape.gradient"
WRAP = "horovod._keras:create_distributed_optimizer"
SCHEDULE = "keras.src.optimizers.schedules.learning_rate_schedule:PiecewiseConstantDecay.__init__"


def test_a_class_that_the_wrapper_does_not_know_is_to_be_registered() -> None:
    message = "Cannot deserialize object of type `WarmUp`. If `WarmUp` is a custom class, please …"
    error = Error(0.5, "TypeError", message, where="train.py:9", inside=WRAP)
    (told,) = of("ended", evidence(failing(0, error), failing(1, error), ending="failed"))
    assert (told.code, "register_keras_serializable" in told.fix) == ("D105", True)


@pytest.mark.parametrize(
    ("type", "message", "inside", "code"),
    [
        ("TypeError", "gradient() got an unexpected keyword", TAPE, "D201"),
        ("TypeError", "_DistributedGradientTape.gradient() got an unexpected", None, "D201"),
        ("KeyError", "<Reference>", "horovod.tensorflow:gradient", "D201"),
        ("AttributeError", "no slots", WRAP, "D105"),
        ("TypeError", "LossScaleOptimizer: bad base", WRAP, "D105"),
        ("AttributeError", "'Variable' object has no attribute 'ref'", TAPE, "D100"),
        ("AttributeError", "'Variable' object has no attribute 'ref'", None, "D100"),
        ("AttributeError", "'VocabWeightHandler' object has no attribute 'ref'", None, "D302"),
        ("ValueError", "`values` must have one more entry", SCHEDULE, "D104"),
        ("TypeError", "unsupported operand type(s) for *: 'X' and 'int'", None, "D104"),
        ("HorovodInternalError", "Mismatched allreduce tensor shapes", "horovod:op", "H02"),
        ("ValueError", "Horovod has not been initialized; use hvd.init().", None, "D102"),
        ("RuntimeError", "hvd.broadcast_x() does not support eager execution.", None, "D202"),
        ("UnknownError", "Allgather is not supported with Join at this time.", None, "H02"),
    ],
)
def test_failures_that_a_rule_explains(
    type: str, message: str, inside: str | None, code: str, tmp_path: Path
) -> None:
    text = "\n" * 11 + "opt = SGD(schedule * hvd.size())\n"
    error = Error(5.0, type, message, where="train.py:12", inside=inside)
    run = fails(error, folder=program(tmp_path, text))
    found = only("ended", run)
    assert (found.code, found.where, found.ranks) == (code, "train.py:12", (0, 1))
    assert message in found.text
    assert list(said(run)) == [code]


def test_a_program_that_ends_by_its_own_arguments_shows_its_last_words() -> None:
    usage = "usage: train.py [-h] --data DATA\ntrain.py: error: --data is required\n"
    error = Error(5.0, "SystemExit", "2", where="train.py:3", frames=("argparse.py:1 in exit",))
    run = fails(error, 0, 1)
    assert only("ended", replace(run, tails={0: "", 1: usage})).evidence == (
        "usage: train.py [-h] --data DATA",
        "train.py: error: --data is required",
    )
    assert only("ended", run).evidence == ("argparse.py:1 in exit",)
    other = replace(error, type="ValueError")
    assert only("ended", replace(fails(other, 0, 1), tails={1: usage})).evidence == error.frames


@pytest.mark.parametrize(
    ("type", "message", "inside"),
    [
        ("ValueError", "no such layer", "keras.src.layers:Dense.__init__"),
        ("FileNotFoundError", "train.csv", None),
        ("NameError", "name 'x' is not defined", None),
        ("TypeError", "unsupported operand type(s) for *: 'str' and 'float'", None),
        ("TypeError", "gradient() got an unexpected keyword argument", None),
        ("ValueError", "bad rate", SCHEDULE),  # and nothing was multiplied by the workers
        ("RuntimeError", "no MPI", "horovod.common.basics:init"),
    ],
)
def test_a_program_that_fails_by_itself_proves_nothing(
    type: str, message: str, inside: str | None, tmp_path: Path
) -> None:
    folder = program(tmp_path, "\n" * 11 + "opt = SGD(rate)\n")
    run = fails(Error(5.0, type, message, where="train.py:12", inside=inside), folder=folder)
    assert only("ended", run).grade == "unchecked"
    assert exit_code(verdicts(run)) == 2
    assert not said(run)


HVD = "import horovod.keras as hvd\n"
GUARD = f"{HVD}if hvd.rank() == 0:\n    path = ckpt.save(p)\nseen = path is not None\n"
UNBOUND = Error(5.0, "NameError", "name 'path' is not defined", where="train.py:3")


def test_a_name_that_only_rank_0_binds(tmp_path: Path) -> None:
    run = fails(UNBOUND, 1, folder=program(tmp_path, GUARD))
    found = only("ended", run)
    assert (found.code, found.ranks) == ("D203", (1,))
    assert "on worker 1" in found.text


@pytest.mark.parametrize(
    "text",
    [
        f"{HVD}if hvd.rank() == 0:\n    path = save()\nelse:\n    path = None\nseen = path\n",
        "if ready:\n    path = save()\n\nseen = path\n",
        f"{HVD}if hvd.rank() == 0:\n    other = save()\nseen = path\n",
        f"{HVD}if ranking:\n    path = save()\n\nseen = path\n",
        "def broken(:\n",
        "",
    ],
)
def test_a_name_that_nobody_binds(text: str, tmp_path: Path) -> None:
    """The launcher ended worker 0 before it came there: that it did not fail proves nothing."""
    run = fails(UNBOUND, 1, folder=program(tmp_path, text))
    run = replace(run, workers={**run.workers, 0: made(0, 0, ends=False)})
    assert only("ended", run).grade == "unchecked"


@pytest.mark.parametrize(
    ("type", "code"),
    [
        ("UnboundLocalError", "D203"),
        ("FileNotFoundError", "D205"),
        ("NotFoundError", "D205"),
        ("FileExistsError", "D203"),
    ],
)
def test_failures_that_the_other_worker_was_spared(type: str, code: str) -> None:
    run = fails(Error(5.0, type, "x", where="train.py:3"), 1)
    assert only("ended", run).code == code
    ended = replace(run, workers={**run.workers, 0: made(0, 0, ends=False)})
    assert only("ended", ended).grade == "unchecked"


def test_a_value_error_on_one_worker_may_be_its_data() -> None:
    assert only("ended", fails(Error(5.0, "ValueError", "NaN"), 1)).grade == "unchecked"


def one_process(*events: Event) -> Alone:
    before = alone().worker
    assert before is not None
    return Alone("reference", Worker(0, (*before.events, *events)), 0)


VALUE = Error(5.0, "ValueError", "no such key", where="train.py:7")


@pytest.mark.parametrize(
    ("error", "events", "grade"),
    [
        (VALUE, (End(9.0, 8),), "convicted"),
        (VALUE, (Limited(8.0, 8), End(9.0, 8)), "unchecked"),  # it left before its end
        (VALUE, (VALUE, End(9.0, 8)), "unchecked"),
        (replace(VALUE, type="ResourceExhaustedError"), (End(9.0, 8),), "unchecked"),
    ],
)
def test_a_failure_that_one_process_is_spared(
    error: Error, events: tuple[Event, ...], grade: str
) -> None:
    run = fails(error, 1, reference=one_process(*events))
    found = only("ended", run)
    assert found.grade == grade
    if grade == "convicted":
        assert (found.code, found.where, found.ranks) == ("H03", "train.py:7", (1,))
        assert "no such key" in found.text


def test_a_failure_of_one_process_too_is_not_the_distribution() -> None:
    """A file that the program itself lacks is no file that another worker is yet to write."""
    missing = Error(5.0, "FileNotFoundError", "train.csv", where="train.py:3")
    run = fails(missing, 1, reference=one_process(missing, End(9.0, 0)))
    found = only("ended", run)
    assert found.grade == "unchecked"
    assert "One process fails in the same way" in found.text


@pytest.mark.parametrize(
    ("line", "text"),
    [
        (2, "if hvd.rank() == 0:\n    class path: pass\nseen = path\n"),
        (2, "if hvd.rank() == 0:\n    def path(): pass\nseen = path\n"),
        (2, "if hvd.rank() == 0:\n    from os import path\nseen = path\n"),
        (3, "first = hvd.rank() == 0\nif first:\n    path = save()\nseen = path\n"),
    ],
)
def test_what_a_guard_defines_is_pointed_at(line: int, text: str, tmp_path: Path) -> None:
    found = only("ended", fails(UNBOUND, 1, folder=program(tmp_path, HVD + text)))
    assert (found.code, found.places) == ("D203", (f"train.py:{line}",))


def test_the_first_failure_is_told_not_what_it_led_to() -> None:
    first = Error(5.0, "ValueError", "no", where="train.py:7")
    run = evidence(failing(0, GONE), failing(1, first), ending="failed")
    found = only("ended", run)
    assert (found.where, found.ranks) == ("train.py:7", (1,))
    assert "ValueError: no" in found.text


def test_an_error_in_a_thread_ends_no_program() -> None:
    thread = Error(5.0, "ValueError", "no", thread="Thread-3")
    assert grades("ended", evidence(Worker(1, (*sound(1), thread)))) == {"fine"}


@pytest.mark.parametrize(
    ("codes", "why"),
    [
        ({0: 0, 1: -9}, "worker 1 by signal 9 (memory?)"),
        ({0: 0, 1: 3}, "worker 1 with exit code 3"),
        ({0: 0, 1: 0}, "the launcher failed"),
    ],
)
def test_an_end_without_words(codes: dict[int, int], why: str) -> None:
    run = evidence(
        made(0, 2, ends=False),
        made(1, 2, ends=False),
        ending="failed",
        exit_codes=codes,
        tails={1: "last\nwords\n"},
    )
    found = only("ended", run)
    assert found.grade == "unchecked"
    assert why in found.text
    assert found.evidence == ("last", "words")


def test_what_tensorflow_says_is_told_and_not_its_stack() -> None:
    stack = "Graph execution error:\n\nDetected at node x defined at (most recent call last):\n"
    words = f"{stack}{'  File a, line 3' * 99}\nNode: 'x'\nNo space left\n\t [[{{node x}}]]"
    found = only("ended", fails(Error(5.0, "ResourceError", words, where="train.py:3")))
    assert found.text.startswith("ResourceError: No space left [[{node x}]]; on all workers")


def test_a_step_that_is_told_of_anothers_end_is_no_misuse_of_a_tape() -> None:
    told = Error(5.0, "UnknownError", f"Graph execution error: {SHUT}", inside=TAPE)
    assert not any(v.code == "D201" for v in of("ended", fails(told)))
    cut = Error(5.0, "UnknownError", "Graph execution error:", inside=TAPE)
    assert only("ended", fails(cut)).grade == "unchecked"


def test_an_interrupted_job_proves_nothing() -> None:
    run = evidence(made(0, 2, ends=False), made(1, 2, ends=False), ending="interrupted")
    assert only("ended", run).text == "it was interrupted"
    assert exit_code(verdicts(run)) == 2
    assert not said(run)


# ---------------------------------------------------------------- the order of collectives


def called(rank: int, *names: str, traced: bool = False, **more: Any) -> Worker:
    calls = [
        Collective(1.0, "allreduce", n, name, (2,), "float32", traced, where=f"train.py:{n + 10}")
        for n, name in enumerate(names)
    ]
    return changed(rank, *(replace(call, **more) for call in calls))


def test_another_order_that_stopped_the_job() -> None:
    run = evidence(called(0, "a", "b"), called(1, "b", "a"), ending="hang")
    found = only("collectives", run)
    assert (found.code, found.where, found.ranks) == ("H02", "train.py:10", (0, 1))
    assert found.evidence == (
        "worker 0: allreduce a float32 2 at train.py:10",
        "worker 1: allreduce b float32 2 at train.py:10",
    )


@pytest.mark.parametrize("change", [{"shape": (3,)}, {"dtype": "float16"}, {"kind": "broadcast"}])
def test_another_call_that_stopped_the_job(change: dict[str, Any]) -> None:
    run = evidence(called(0, "a"), called(1, "a", **change), ending="failed")
    assert only("collectives", run).code == "H02"


def test_another_order_that_did_no_harm() -> None:
    run = evidence(called(0, "a", "b"), called(1, "b", "a"))
    assert only("collectives", run).grade == "note"
    assert not said(run)


def test_calls_that_differ_beyond_those_that_are_listed() -> None:
    """After 2,000 calls there are only digests; equal counts must have equal ones."""
    both = [added(rank, Digest(1.0, 3000, "ab"), Digest(2.0, 4000 + rank, "x")) for rank in (0, 1)]
    assert grades("collectives", evidence(*both)) == {"fine"}
    both[1] = added(1, Digest(1.0, 3000, "cd"))
    assert grades("collectives", evidence(*both)) == {"note"}


def test_graphs_whose_collectives_have_other_names_wait_for_ever() -> None:
    """One worker has traced more, and the names of what follows have moved on by one."""
    names = [Collective(0.4, "allreduce", 1, f"grad_MatMul_{n}", (2,), traced=True) for n in (0, 1)]
    both = [changed(rank, each, drop=(Collective,)) for rank, each in enumerate(names)]
    waiting = waits(0, "train.py:11"), waits(1, "train.py:11")
    found = only("collectives", evidence(*both, **hung(*waiting)))
    assert (found.code, found.grade) == ("H02", "convicted")
    assert "worker 1: allreduce grad_MatMul_1" in found.evidence[1]
    assert only("collectives", evidence(*both)).grade == "fine"
    alike = [changed(rank, names[0], drop=(Collective,)) for rank in (0, 1)]
    assert only("collectives", evidence(*alike, **hung(*waiting))).grade == "unchecked"


def test_traced_calls_have_no_order() -> None:
    both = (called(0, "a", "b", traced=True), called(1, "b", "a", traced=True))
    assert not said(evidence(*both, ending="hang"))


def test_a_worker_that_came_less_far_calls_the_same_so_far() -> None:
    run = evidence(called(0, "a", "b"), called(1, "a"), ending="hang")
    assert only("collectives", run).grade == "unchecked"
    assert not said(run)


def test_each_worker_may_gather_as_many_rows_as_it_has() -> None:
    both = [called(rank, "a", kind="allgather", shape=(3 + rank, 5)) for rank in (0, 1)]
    assert grades("collectives", evidence(*both)) == {"fine"}


def test_callbacks_of_evaluate_are_no_training() -> None:
    evaluate = Callbacks(0.4, ("EarlyStopping",), "evaluate", "train.py:60")
    run = shut(evaluate, late=())
    assert only("steps", run).code != "D302"
