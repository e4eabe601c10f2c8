"""A job that is run once more, without the weights that distify moves apart at its start."""

from __future__ import annotations

from dataclasses import replace

from distify.assistant.verify.record.endings import End
from distify.assistant.verify.record.events import Broadcast, Reduce, State
from distify.assistant.verify.record.evidence import Evidence
from distify.assistant.verify.record.records import Worker
from distify.assistant.verify.run.job import Job
from distify.assistant.verify.run.whole_job import without_moving

from .build import changed, evidence, grades, hashes, of, said, sound, states, without

SOUND = evidence()
END = End(9.0, 9)


def apart(**more: object) -> Evidence:
    """Nothing is broadcast, and the workers differ from the first step on."""
    lonely = changed(1, *states(differ="x"), drop=(Broadcast,))
    return evidence(changed(0, *states(), drop=(Broadcast,)), lonely, **more)


def asked(given: Evidence, second: Evidence) -> tuple[Evidence, list[Job]]:
    """What is to be judged, and the jobs that were run again for it."""
    jobs: list[Job] = []

    def again(job: Job) -> Evidence:
        jobs.append(job)
        return second

    return without_moving(given, again), jobs


def test_a_job_in_step_is_not_run_again() -> None:
    found, jobs = asked(SOUND, SOUND)
    assert found is SOUND
    assert not jobs


def test_workers_that_begin_alike_by_themselves_are_in_step() -> None:
    first = apart()
    found, (job,) = asked(first, SOUND)
    assert found.moved is first
    assert not job.seed_per_rank
    assert not said(found)
    told = [v.text for v in of("drift", found) if v.grade == "note"]
    assert ["distify had moved the weights" in text for text in told] == [True]


def test_workers_that_drift_without_it_too_are_convicted() -> None:
    found, jobs = asked(apart(), apart())
    assert len(jobs) == 1
    assert list(said(found)) == ["D202"]
    assert "in a second run" in of("drift", found)[0].evidence[-1]


def test_a_second_run_that_hangs_says_nothing() -> None:
    found, jobs = asked(apart(), replace(apart(), ending="hang"))
    assert len(jobs) == 1
    assert not found.repeated
    assert "convicted" in grades("drift", found)


def test_another_cause_needs_no_second_run() -> None:
    never = changed(1, *states(differ="x"), drop=(Reduce,))
    given = evidence(changed(0, *states(), drop=(Reduce,)), never)
    assert asked(given, SOUND) == (given, [])


def test_a_job_that_began_as_the_program_does_is_not_run_again() -> None:
    given = apart()
    given = replace(given, job=replace(given.job, seed_per_rank=False))
    assert asked(given, SOUND) == (given, [])


def test_a_second_run_that_ends_apart_after_other_numbers_of_steps_is_judged() -> None:
    """Where distify had moved the weights it drifted at once; left alone, a step is left out."""
    second = evidence(
        *(
            Worker(rank, (*without(sound(rank), End), State(9.0, (9 - rank,), "end", last), END))
            for rank, last in enumerate((hashes(9), hashes(9, "x")))
        )
    )
    found, jobs = asked(apart(), second)
    assert len(jobs) == 1
    assert found.moved is None
    assert list(said(found)) == ["H03"]
