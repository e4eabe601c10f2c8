"""The probe tells what a program asks of Horovod, in order, and which of it runs at once."""

from __future__ import annotations

import re
import sys
from pathlib import Path
from typing import Any

import pytest
from probed_jobs import Seen, job

PROGRAM = Path(__file__).parent / "probed/collectives.py"
LINES = PROGRAM.read_text().splitlines()


def line(text: str) -> str:
    """The place of the first line that holds a text."""
    return f"collectives.py:{next(n for n, each in enumerate(LINES, 1) if text in each)}"


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("collectives")


@pytest.fixture(scope="module")
def seen(folder: Path) -> Seen:
    done = job(folder, str(PROGRAM), "fail")
    assert len(done.ranks) == 2
    return done


@pytest.fixture(scope="module")
def ran(seen: Seen) -> list[dict[str, Any]]:
    return seen.all("collective", traced=False)


def test_the_program_runs_as_it_would(seen: Seen) -> None:
    assert re.findall(r"TOLD (.*)", seen.output) == ["{'rank': 0}", "{'rank': 0}"]


def test_nothing_was_hidden(seen: Seen) -> None:
    mine = ("collectives", "horovod", "errors")
    assert not [each for each in seen.all("blind") if each["what"] in mine]


@pytest.mark.skipif(sys.platform != "linux", reason="elsewhere threads are not seen")
@pytest.mark.parametrize("rank", [0, 1])
def test_horovods_own_threads_are_told(seen: Seen, folder: Path, rank: int) -> None:
    """One that asks the others for work, and those of its connections; not the program."""
    threads = {int(each) for each in (folder / f"records/rank{rank}.threads").read_text().split()}
    (start,) = seen.all("start", rank)
    assert 2 <= len(threads) <= 8
    assert start["pid"] not in threads


def test_what_runs_at_once_is_told_in_order(ran: list[dict[str, Any]]) -> None:
    kinds = ["broadcast", "allreduce", "allreduce", "allreduce", "grouped_allreduce", "allgather"]
    kinds += ["broadcast", "alltoall", "reducescatter", "broadcast", "broadcast", "join"]
    assert [each["kind"] for each in ran] == [*kinds, "allreduce"]


def test_names_shapes_and_types_are_told(ran: list[dict[str, Any]]) -> None:
    total = next(each for each in ran if each["name"] == "sum")
    assert (total["shape"], total["dtype"]) == ([2], "int32")
    assert total["where"] == line('name="sum"')
    assert [e["name"] for e in ran if e["name"] in ("number", "settings.sz", "settings.t")] == [
        "number", "settings.sz", "settings.t",
    ]  # fmt: skip


def test_both_workers_tell_the_same_but_for_what_may_differ(seen: Seen) -> None:
    told = [
        [(e["kind"], e["name"]) for e in seen.all("collective", rank, traced=False)]
        for rank in (0, 1)
    ]
    assert told[0] == told[1]
    shapes = [seen.all("collective", rank, kind="allgather")[0]["shape"] for rank in (0, 1)]
    assert shapes == [[1, 2], [2, 2]]


def test_what_a_function_is_made_of_is_told_as_traced(seen: Seen) -> None:
    traced = seen.all("collective", traced=True)
    assert {each["kind"] for each in traced} == {"allreduce", "broadcast"}
    # AutoGraph ran a copy of `step`; what was traced in it has the place in the program.
    assert traced[0]["where"] == line("return tape.gradient")
    assert "HorovodAllreduce" in traced[0]["name"]


def test_gradients_that_are_averaged_are_told_with_their_sources(seen: Seen) -> None:
    reduces = seen.all("reduce")
    assert {each["by"] for each in reduces} == {"tape"}
    at = line("return tape.gradient")
    assert {each["traced"] for each in reduces if each["where"] == at} == {True, False}
    assert {each["count"] for each in reduces if each["where"] == at} == {2}
    assert {each["of"] for each in reduces if each["where"] == at} == {"variables"}
    others = [each for each in reduces if each["of"] == "other"]
    assert [each["where"] for each in others] == [line("gradient(loss, [x])")]


def test_broadcasts_are_told_with_their_variables(seen: Seen) -> None:
    told = [(e["traced"], e["count"], e["root"]) for e in seen.all("broadcast")]
    assert (True, 2, 0) in told
    assert (False, 2, 0) in told
    assert (False, 0, 0) in told  # of an object: no variables
    assert {"first:0", "second:0"} <= set(seen.all("broadcast")[0]["names"])


def test_the_start_is_told(seen: Seen) -> None:
    assert [each["where"] for each in seen.all("init")] == [
        line("hvd.init()"), line("hvd.init()  #"),
    ]  # fmt: skip
    assert seen.all("waiting")[0]["kind"] == "init"


def test_a_collective_that_fails_is_told_with_its_line(seen: Seen) -> None:
    assert seen.code != 0
    error = seen.all("error")[0]
    assert error["where"] == line('name="uneven"')
    assert error["inside"].startswith("horovod.tensorflow:")
    assert [each["failed"] for each in seen.all("done") if "failed" in each] == [error["type"]]


def test_every_wait_came_to_its_end(seen: Seen) -> None:
    assert len(seen.all("waiting")) == len(seen.all("done"))
    assert seen.all("waiting", kind="join")
