"""Beside one process: equal values where they can be, amounts of examples, and why not exact."""

from __future__ import annotations

import io
import struct
import zipfile
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from distify.assistant.report import verdict_text as report
from distify.assistant.verify.judges._like_baseline import keeps_batch
from distify.assistant.verify.record.arrays import Array, NoArrays, array, distance, load
from distify.assistant.verify.record.beginnings import Start
from distify.assistant.verify.record.endings import End, Limited
from distify.assistant.verify.record.events import Event, Examples, Loss, Optimizer
from distify.assistant.verify.record.evidence import Alone, Evidence
from distify.assistant.verify.record.records import Worker
from distify.assistant.verify.run import baseline_runs as compared
from distify.assistant.verify.run.job import Job

from .build import NAMES, evidence, grades, of, rows, said, sound, without


def npy(
    shape: Sequence[int], values: Sequence[float], kind: str = "<f4", version: int = 1
) -> bytes:
    """An array as NumPy writes it."""
    head = f"{{'descr': '{kind}', 'fortran_order': False, 'shape': {tuple(shape)!r}, }}\n".encode()
    size = struct.pack("<H" if version == 1 else "<I", len(head))
    code = {"<f4": "<%df", ">f8": ">%dd", "<i8": "<%dq", "|b1": "%d?"}[kind] % len(values)
    packed = struct.pack(code, *(values if "f" in kind else [int(v) for v in values]))
    return b"\x93NUMPY" + bytes([version, 0]) + size + head + packed


def npz(path: Path, **arrays: bytes) -> Path:
    with zipfile.ZipFile(path, "w") as archive:
        for name, data in arrays.items():
            archive.writestr(f"{name}.npy", data)
    return path


# ---------------------------------------------------------------- arrays


@pytest.mark.parametrize("kind", ["<f4", ">f8", "<i8", "|b1"])
@pytest.mark.parametrize("version", [1, 2])
def test_arrays_are_read_as_numpy_writes_them(kind: str, version: int) -> None:
    assert array(npy((2, 1), (1, 0), kind, version)) == Array((2, 1), (1.0, 0.0))


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"PK\x03\x04",
        npy((2,), (1.0, 2.0))[:-1],
        npy((3,), (1.0, 2.0)),
        npy((2,), (1.0, 2.0)).replace(b"<f4", b"|O8"),
        npy((2, 1), (1.0, 2.0)).replace(b"False", b"True "),
        npy((2,), (1.0, 2.0)).replace(b"'shape'", b"'shapo'"),
        npy((2,), (1.0, 2.0)).replace(b"{'descr'", b"[descr()"),
    ],
)
def test_what_is_no_array_is_refused(data: bytes, tmp_path: Path) -> None:
    with pytest.raises(NoArrays):
        array(data)
    with pytest.raises(NoArrays):
        load(npz(tmp_path / "a.npz", w=data))


def test_what_is_no_archive_is_refused(tmp_path: Path) -> None:
    (tmp_path / "a.npz").write_bytes(b"no archive")
    for path in (tmp_path / "a.npz", tmp_path / "missing.npz"):
        with pytest.raises(NoArrays):
            load(path)


@pytest.mark.parametrize(
    ("one", "two", "apart"),
    [
        ((1.0, 2.0), (1.0, 2.0), 0.0),
        ((1.0, 2.0), (1.0, 2.5), 0.2),
        ((1000.0,), (1000.5,), 0.5 / 1000.5),
        ((float("nan"),), (float("nan"),), 0.0),
        ((float("inf"),), (float("inf"),), 0.0),
        ((float("nan"),), (1.0,), float("inf")),
        ((1.0,), (1.0, 1.0), float("inf")),
        ((), (), 0.0),
    ],
)
def test_distances(one: tuple[float, ...], two: tuple[float, ...], apart: float) -> None:
    assert distance(Array((len(one),), one), Array((len(two),), two)) == pytest.approx(apart)


# ---------------------------------------------------------------- the comparison


def batches(*groups: Sequence[str]) -> list[Event]:
    return [Examples(float(n), "dataset", n, tuple(rows)) for n, rows in enumerate(groups, 1)]


SHARES = [[rows(rank, step) for step in range(1, 5)] for rank in (0, 1)]
WHOLE = [(*first, *second) for first, second in zip(*SHARES)]


def single(*events: Event, **more: Any) -> Alone:
    own = [Start(0.0), Optimizer(0.3, 0, "SGD", True, NAMES, 0.1, api="keras")]
    if not any(isinstance(each, Examples) for each in events):
        own += batches(*WHOLE)
    return Alone("baseline", Worker(0, (*own, *events, End(9.0, 4))), 0, **more)


def job(folder: Path, alone: Alone | None = None, *workers: Worker, **more: Any) -> Evidence:
    """A job and its baseline, whose variables are equal to 1e-7."""
    npz(folder / "rank0.npz", w=npy((2,), (1.0, 2.0)))
    values = npz(folder / "alone.npz", w=npy((2,), (1.0, 2.0000002)))
    alone = alone or single(values=values)
    asked = Job(folder / "train.py", baseline=folder / "one.py", seed_per_rank=False)
    return evidence(*workers, folder=folder, baseline=alone, job=asked, **more)


def told(run: Evidence) -> str:
    return "\n".join(f"{v.grade} {v.title}: {v.text}" for v in of("baseline", run))


def test_equal_values_are_told_to_be_equal(tmp_path: Path) -> None:
    found = told(job(tmp_path))
    assert "fine all workers together see each example once: 32 examples" in found
    assert "fine the trained values are those of one process: 1 variable, equal to" in found


def test_without_a_baseline_nothing_is_said() -> None:
    assert of("baseline", evidence()) == []


def test_values_that_differ_are_no_proof_of_a_fault(tmp_path: Path) -> None:
    values = npz(tmp_path / "other.npz", w=npy((2,), (1.0, 2.5)))
    run = job(tmp_path, single(Loss(1.0, 1, 0.5), values=values))
    assert "w differs by 0.2" in told(run)
    assert grades("baseline", run) == {"fine", "unchecked"}


def test_another_optimizer_is_compared_by_its_losses(tmp_path: Path) -> None:
    adam = Optimizer(0.3, 0, "Adam", False, NAMES, 0.2, api="keras")
    values = npz(tmp_path / "other.npz", w=npy((2,), (1.0, 2.5)))
    run = job(
        tmp_path,
        single(Loss(1.0, 4, 0.5), values=values),
        *(
            Worker(rank, (*without(sound(rank), Optimizer), adam, Loss(1.0, 4, 0.3 + rank / 10)))
            for rank in (0, 1)
        ),
    )
    assert "Adam is not plain SGD" in told(run)
    assert "the loss at the end is 0.35 on the workers, 0.5 on one process" in told(run)
    assert not said(run)


@pytest.mark.parametrize(
    ("change", "why"),
    [
        ({"seed_per_rank": True}, "made from other weights on each worker"),
        ({}, "step 2 sees other examples: 8 on all workers, 8 in one process, 0 the same"),
    ],
)
def test_what_can_not_be_exact_is_said(change: dict[str, Any], why: str, tmp_path: Path) -> None:
    other = [WHOLE[0], WHOLE[2], WHOLE[1], WHOLE[3]]
    values = npz(tmp_path / "other.npz", w=npy((2,), (1.0, 2.5)))
    run = job(tmp_path, single(*batches(*(WHOLE if change else other)), values=values))
    run = replace(run, job=replace(run.job, **change))
    assert why in told(run)
    assert "unchecked" in grades("baseline", run)


def test_all_the_data_on_every_worker_is_too_much(tmp_path: Path) -> None:
    everything = batches(*(rows(0, step, 8) for step in range(1, 9)))
    both = [Worker(r, (*without(sound(r), Examples), *everything)) for r in (0, 1)]
    run = job(tmp_path, single(*everything), *both)
    assert "every worker trains on all the data" in said(run)["D107"]


def test_steps_that_are_not_divided_are_too_many(tmp_path: Path) -> None:
    """An endless dataset, sharded, and as many steps on each worker as on one process."""
    run = job(tmp_path, single(*batches(*(rows(7, step) for step in range(1, 5)))))
    assert said(run)["D106"] == "the steps are not divided by the workers"


def test_examples_that_nobody_sees_are_lost(tmp_path: Path) -> None:
    more = [rows(9, step, 8) for step in range(1, 3)]
    run = job(tmp_path, single(*batches(*WHOLE, *more)))
    assert said(run) == {"D107": "examples that no worker sees"}
    assert "16 examples of 48 seen by no worker" in told(run)


def test_what_does_not_go_round_may_be_dropped(tmp_path: Path) -> None:
    run = job(tmp_path, single(*batches(*WHOLE, rows(9, 9, 3))))
    assert not said(run)
    assert "note examples that no worker sees: 3 examples of 35" in told(run)


def test_an_example_that_is_there_twice_is_expected_twice(tmp_path: Path) -> None:
    """Natural duplicates: half of the data is there twice, once on each worker."""
    twins = batches(*(rows(0, step) for step in range(1, 5)))
    both = [Worker(r, (*without(sound(r), Examples), *twins)) for r in (0, 1)]
    run = job(tmp_path, single(*batches(*(rows(0, step) * 2 for step in range(1, 5)))), *both)
    assert "see each example once" in told(run)
    assert "D106" not in said(run)


@pytest.mark.parametrize(
    ("alone", "why"),
    [
        (Alone("baseline", None, 1), "ended with exit code 1"),
        (Alone("baseline", Worker(0), None, hung=True), "hung on one process"),
        (Alone("baseline", Worker(0), 0), "no optimizer step of the program on one process"),
    ],
)
def test_a_baseline_that_did_not_train_compares_nothing(
    alone: Alone, why: str, tmp_path: Path
) -> None:
    run = job(tmp_path, alone)
    assert why in told(run)
    assert grades("baseline", run) == {"unchecked"}


def test_a_baseline_that_was_not_run_compares_nothing(tmp_path: Path) -> None:
    run = replace(job(tmp_path), baseline=None)
    assert grades("baseline", run) == {"unchecked"}


def test_a_limit_is_no_lack_of_data(tmp_path: Path) -> None:
    run = job(tmp_path, single(*batches(*WHOLE, *[rows(9, 9, 64)]), Limited(8.0, 4)))
    assert not said(run)
    assert "--limit-steps ended them" in told(run)


def test_random_data_has_nothing_in_common(tmp_path: Path) -> None:
    run = job(tmp_path, single(*batches(*(rows(7, step, 8) for step in range(1, 5)))))
    assert "they see no example in common" in told(run)
    assert not said(run)


def test_values_that_were_not_kept_or_are_torn_are_said_to_be(tmp_path: Path) -> None:
    assert "they were not kept" in told(job(tmp_path, single()))
    torn = tmp_path / "torn.npz"
    torn.write_bytes(b"PK")
    assert "could not be read" in told(job(tmp_path, single(values=torn)))


def test_variables_under_other_names_are_compared_in_order(tmp_path: Path) -> None:
    values = npz(tmp_path / "named.npz", dense_7=npy((2,), (1.0, 2.0)))
    assert "fine the trained values" in told(job(tmp_path, single(values=values)))
    other = npz(tmp_path / "shape.npz", dense_7=npy((3,), (1.0, 2.0, 3.0)))
    assert "not the same ones" in told(job(tmp_path, single(values=other)))


# ---------------------------------------------------------------- the two runs


def runs(
    monkeypatch: pytest.MonkeyPatch, run: Evidence, is_kept: bool = False
) -> tuple[Evidence, list[dict[str, Any]]]:
    """The evidence after both runs, and what was asked of each."""
    asked: list[dict[str, Any]] = []

    def pretend(evidence: Evidence, **more: Any) -> Evidence:
        asked.append({"limit": evidence.job.limit_steps, **more})
        took = batches(*(WHOLE if is_kept else SHARES[0]))
        return replace(evidence, baseline=replace(single(*took), tail=f"run {len(asked)}"))

    monkeypatch.setattr(compared.reference, "baseline", pretend)
    return compared.with_baseline(run), asked


def test_the_baseline_is_run_as_it_is_and_with_the_batches_of_all(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    run, asked = runs(monkeypatch, job(tmp_path))
    assert run.baseline is not None
    assert run.enlarged is not None
    assert (run.baseline.tail, run.enlarged.tail) == ("run 1", "run 2")
    assert [each["limit"] for each in asked] == [0, 4]
    assert (asked[1]["batch_factor"], asked[1]["rate_factor"]) == (2, 2.0)
    assert run.job.limit_steps == 0


def test_the_baseline_is_run_once_where_the_workers_share_its_batches(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    run, asked = runs(monkeypatch, job(tmp_path), is_kept=True)
    assert len(asked) == 1
    assert run.enlarged is None


@pytest.mark.parametrize("change", [{"ending": "hang"}, {"job": Job(Path("train.py"))}])
def test_no_baseline_is_run_where_there_is_nothing_to_compare(
    change: dict[str, Any], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    run = replace(job(tmp_path), baseline=None, **change)
    assert runs(monkeypatch, run) == (run, [])


# ---------------------------------------------------------------- in the report


def test_the_report_draws_the_loss_beside_the_baselines(tmp_path: Path) -> None:
    run = job(tmp_path, single(Loss(1.0, 1, 0.5), Loss(2.0, 2, 0.25)))
    lines = ["".join(span.text for span in line) for line in report.lines(run, (), None, True)]
    assert lines[-1] == "    ● one process"
    plain = ["".join(span.text for span in line) for line in report.lines(run, (), None, False)]
    assert plain[-1] == "    * one process"
    assert all(line.isascii() for line in plain)
    assert "one process: 0.5 at step 1, 0.25 at step 2" in report.plot(run)


def test_a_report_without_a_baseline_draws_nothing() -> None:
    lines = ["".join(span.text for span in line) for line in report.lines(evidence(), (), None)]
    assert not any("loss" in line for line in lines)


@pytest.mark.parametrize(
    ("encoding", "can"), [("utf-8", True), ("ascii", False), ("cp1252", False)]
)
def test_marks_are_shown_where_the_terminal_knows_them(encoding: str, can: bool) -> None:
    assert report.speaks_unicode(io.TextIOWrapper(io.BytesIO(), encoding=encoding)) == can


def test_workers_that_share_a_batch_are_compared_with_the_batches_of_the_program(
    tmp_path: Path,
) -> None:
    """Its steps are theirs: no second run with N times the batch and the rate."""
    run = job(tmp_path)
    assert keeps_batch(run)
    assert "all workers together take its batches" in told(run)
