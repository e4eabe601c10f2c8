"""What a run printed: lines by worker, exit codes, Horovod's own warnings."""

from __future__ import annotations

import tracemalloc
from pathlib import Path

import pytest

from distify.assistant.verify.record import printed_lines as output_module
from distify.assistant.verify.record.evidence import Stall
from distify.assistant.verify.record.printed_lines import Output

# As Horovod 0.28.1 writes it (horovod/common/stall_inspector.cc).
STALL = """\
[0]<stderr>:[2024-01-01 10:00:00.1: W /tmp/horovod/common/stall_inspector.cc:107] One or more \
tensors were submitted to be reduced, gathered or broadcasted by subset of ranks and are waiting
[0]<stderr>:Missing ranks:
[0]<stderr>:1: [tower/HorovodAllreduce_grads_0, HorovodBroadcast_w ...]
[0]<stderr>:2!: [tower/HorovodAllreduce_grads_0]
"""


def read(path: Path, *parts: str) -> tuple[Output, list[bool]]:
    output = Output(path)
    said = []
    path.write_text("")
    for part in parts:
        with path.open("a", newline="") as file:
            file.write(part)
        said.append(output.read())
    return output, said


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "output.txt"


@pytest.mark.parametrize(
    ("line", "rank", "text"),
    [
        ("[0]<stdout>:loss 0.1", 0, "loss 0.1"),
        ("[12]<stderr>:  indented", 12, "  indented"),
        ("[1,3]<stdout>:of Open MPI", 3, "of Open MPI"),
        ("[2] of MPICH", 2, "of MPICH"),
        ("[0]<stdout>:", 0, ""),
        ("[0]<stdout>: 1/9 [..]\r[0]<stdout>:9/9", 0, "[0]<stdout>:9/9"),
        ("of the launcher", -1, "of the launcher"),
        ("see [0]<stdout>:this", -1, "see [0]<stdout>:this"),
        ("[0, 1]", -1, "[0, 1]"),
        ("[x]<stdout>:no", -1, "[x]<stdout>:no"),
    ],
)
def test_lines_belong_to_workers(path: Path, line: str, rank: int, text: str) -> None:
    output, said = read(path, line + "\n")
    assert output.tails() == {rank: text}
    assert said == [True]


def test_a_line_that_comes_in_pieces_is_one(path: Path) -> None:
    output, said = read(path, "[0]<std", "out>:lo", "ss\n", "")
    assert output.tails() == {0: "loss"}
    assert said == [False, False, True, False]


def test_bytes_that_are_no_text_are_shown_as_such(path: Path) -> None:
    output = Output(path)
    path.write_bytes(b"[0]<stdout>:\xff\xfe\n")
    output.read()
    assert output.tails() == {0: "\ufffd\ufffd"}


def test_only_the_end_is_kept(path: Path) -> None:
    output, _ = read(path, "".join(f"[0]<stdout>:{n}\n" for n in range(1000)))
    assert output.tails()[0].splitlines()[-1] == "999"
    assert len(output.tails()[0].splitlines()) == 60


def test_the_first_to_fail_is_known(path: Path) -> None:
    output, _ = read(
        path,
        "Process 1 exit with status code 3.\n"
        "Terminating remaining workers after failure of Process 1.\n"
        "Process 0 exit with status code 143.\n",
    )
    assert output.exits == {1: 3, 0: 143}
    assert output.first == 1


def test_mpi_tells_of_a_failure_in_its_own_words(path: Path) -> None:
    output, _ = read(path, "  Process name: [[4711,1],2]\n  Exit code:    9\n")
    assert output.exits == {2: 9}
    assert output.first == 2


@pytest.mark.parametrize(
    "text",
    [
        "[0]<stdout>:Process 1 exit with status code 3.\n",  # a worker says so
        "  Exit code:    9\n",
        "Process name: 0\nExit code: 1\n",  # horovodrun's summary of what it had said
    ],
)
def test_what_is_no_exit(path: Path, text: str) -> None:
    output, _ = read(path, text)
    assert output.exits == {}


def test_a_stall_names_who_is_there_and_who_is_missing(path: Path) -> None:
    output, said = read(path, STALL)
    assert output.stalls(3) == (
        Stall("tower/HorovodAllreduce_grads_0", (0,), (1, 2)),
        Stall("HorovodBroadcast_w", (0, 2), (1,)),
    )
    assert said == [False]  # Horovod repeats it as long as nothing moves


def test_lists_that_a_program_prints_are_no_stalls(path: Path) -> None:
    output, said = read(path, "[0]<stdout>:1: [a, b]\n[1]<stdout>:Missing values:\n")
    assert output.stalls(2) == ()
    assert said == [True]


def test_numbers_of_any_length_are_survived(path: Path) -> None:
    number = "9" * 5_000
    output, _ = read(
        path,
        f"[{number}]<stdout>:x\nProcess {number} exit with status code {number}.\n"
        f"Missing ranks:\n{number}: [a]\n999999999: [b]\n",
        "Process 99999999 exit with status code 1.\n",
    )
    assert (output.exits, output.stalled) == ({}, {})
    assert set(output.lines) == {-1}


def test_output_without_line_ends_takes_no_memory(path: Path) -> None:
    """Hundreds of megabytes in one line; each piece is looked at once."""
    with path.open("wb") as file:
        file.write(b"[0]<stdout>:")
        file.truncate(60_000_000)
    output = Output(path)
    tracemalloc.start()
    output.read()
    _, most = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert most < 20_000_000
    assert len(output._rest) < output_module.LONGEST
    assert sum(map(len, output.lines[0])) <= output_module.LONGEST


def test_a_long_line_that_comes_in_pieces_is_one(path: Path) -> None:
    long = "x" * 10_000
    output, said = read(path, "[0]<stdout>:" + long[:5_000], long[5_000:], "\n[0]<stdout>:next\n")
    assert said == [False, False, True]
    assert output.tails()[0] == f"{long}\nnext"
