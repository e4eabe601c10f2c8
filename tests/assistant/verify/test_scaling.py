"""Speeds of several numbers of workers: what is measured, and how it is told."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from click.testing import CliRunner

from distify.assistant.cli.commands import distify
from distify.assistant.report.page.elements import joined
from distify.assistant.report.page.scaling_section import scaling
from distify.assistant.report.scaling_table import data, lines
from distify.assistant.report.verdict_json import document
from distify.assistant.report.verify_report import Told
from distify.assistant.verify.judges import verdicts
from distify.assistant.verify.record.events import Times
from distify.assistant.verify.record.records import Worker
from distify.assistant.verify.run.scaling import Speed, of_job, speed

from .build import evidence, seen


def worker(rank: int, seconds: float, probe: float = 0.0, steps: int = 11, size: int = 8) -> Worker:
    """The first step took a second, the others together so many, the probe's own besides."""
    times = (Times(0.0, 1, 1.0, 0.0), Times(0.0, steps, 1.0 + seconds + probe, probe))
    return Worker(rank, (*times, *seen(rank, 3, size=size)))


def test_the_first_step_and_the_probe_do_not_count() -> None:
    assert speed(1, [worker(0, 2.0)]) == Speed(1, 5.0, 40.0)
    assert speed(1, [worker(0, 2.0, probe=3.0)]) == Speed(1, 5.0, 40.0)


def test_the_slowest_worker_is_that_of_the_job() -> None:
    assert speed(2, [worker(0, 1.0), worker(1, 2.0)]) == Speed(2, 5.0, 80.0)


@pytest.mark.parametrize(
    "workers",
    [[worker(0, 2.0)], [worker(0, 2.0), worker(1, 2.0, steps=3)], [worker(0, 2.0), Worker(1, ())]],
)
def test_what_was_not_seen_of_all_is_not_measured(workers: list[Worker]) -> None:
    found = speed(2, workers)
    assert (found.steps, found.examples) == (None, None)
    assert "too few steps" in found.why


def test_examples_that_nobody_saw_leave_the_steps() -> None:
    blind = Worker(0, worker(0, 2.0).events[:2])
    assert speed(1, [blind]) == Speed(1, 5.0, None)
    assert Speed(4, 4.0).efficiency(Speed(1, 5.0)) == pytest.approx(0.8)


def test_a_job_that_did_not_end_has_no_speed() -> None:
    assert of_job(replace(evidence(), ending="hang")).why == "it did not come to its end"


SPEEDS = (Speed(1, 10.0, 320.0), Speed(2, 9.0, 576.0), Speed(4, why="it hung"))


def said() -> Iterator[str]:
    return ("".join(span.text for span in line) for line in lines(SPEEDS, unicode=False))


def test_the_table_has_a_bar_for_each_that_was_measured() -> None:
    _, heading, head, one, two, four, _ = said()
    assert heading.startswith("  scaling on this machine's ")
    assert head.split() == ["workers", "steps/s", "examples/s", "each", "worker"]
    assert one.split() == ["1", "10.0", "320", "100%", "#" * 18]
    assert two.split() == ["2", "9.0", "576", "90%", "#" * 32]
    assert four.split() == ["4", "it", "hung"]
    assert list(lines((), unicode=True)) == []


def test_programs_and_the_page_are_told_the_same() -> None:
    run = evidence()
    found = json.loads(document(Told(run, verdicts(run), speeds=SPEEDS)))["scaling"]
    assert found == data(SPEEDS)
    assert [each["efficiency"] for each in found] == [1.0, 0.9, None]
    html = str(joined(scaling(found, "Speed of train.py")))
    assert "2 workers: 1.80 times the smallest job" in html
    assert html.count('class="done"') == 2
    assert ">it hung</td>" in html
    assert "scaling" not in json.loads(document(Told(run, verdicts(run))))
    assert list(scaling((), "")) == []


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["-np", "1"], "neither a number from 2 on nor several"),
        (["-np", "0,2"], "neither a number from 2 on nor several"),
        (["-np", "2,x"], "neither a number from 2 on nor several"),
        (["-np", "1,2", "--resume"], "several numbers of workers are for one machine"),
        (["-np", "1,2", "-H", "a:2"], "several numbers of workers are for one machine"),
    ],
)
def test_numbers_that_make_no_sense(arguments: list[str], message: str, tmp_path: Path) -> None:
    script = tmp_path / "train.py"
    script.write_text("import horovod\n")
    done = CliRunner().invoke(distify, ["verify", str(script), *arguments])
    assert done.exit_code == 2
    assert message in done.output
