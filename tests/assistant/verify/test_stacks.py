"""Stacks as faulthandler writes them."""

from __future__ import annotations

import faulthandler
import threading
from pathlib import Path

import pytest

from distify.assistant.verify.record import hanging_stacks

MAIN = """\
Thread 0x00007fa3 (most recent call first):
  File "/home/me/project/loader.py", line 7 in fill
  File "/usr/lib/python3.11/threading.py", line 982 in run

Current thread 0x00007fa4 (most recent call first):
  File "<string>", line 613 in horovod_broadcast
  File "/env/site-packages/horovod/tensorflow/mpi_ops.py", line 332 in broadcast
  File "/home/me/project/lib/site-packages/other.py", line 3 in call
  File "/home/me/project/lib/steps.py", line 41 in step
  File "/home/me/project/train.py", line 9 in <module>
"""
GRAPH = """\
Current thread 0x00007fa4 (most recent call first):
  File "/env/site-packages/tensorflow/python/eager/execute.py", line 53 in quick_execute
  File "/home/me/project/train.py", line 9 in <module>
"""
ROOT = Path("/home/me/project")


@pytest.mark.parametrize(
    ("stack", "where"),
    [
        (MAIN, "lib/steps.py:41"),
        (GRAPH, "train.py:9"),
        (MAIN.partition("Current")[0], "loader.py:7"),  # better another thread than none
        (GRAPH + MAIN, "lib/steps.py:41"),  # the newest counts
        ("", None),
        ("Fatal Python error: Segmentation fault\n", None),
        (GRAPH.replace("/home/me", "/home/you"), None),
    ],
)
def test_the_users_line(stack: str, where: str | None) -> None:
    assert hanging_stacks.where(stack, ROOT) == where


@pytest.mark.parametrize(
    ("function", "kind"),
    [
        ("broadcast", "broadcast"),
        ("_allreduce", "allreduce"),
        ("grouped_allreduce", "grouped_allreduce"),
        ("_grouped_allreduce", "grouped_allreduce"),
        ("allgather_object", "allgather"),
        ("barrier", "barrier"),
        ("join", "join"),
        ("size", None),
    ],
)
def test_the_collective(function: str, kind: str | None) -> None:
    stack = MAIN.replace("line 332 in broadcast", f"line 332 in {function}")
    assert hanging_stacks.collective(stack) == kind


def test_no_collective_where_no_function_of_horovods_is() -> None:
    assert hanging_stacks.collective(GRAPH) is None
    assert hanging_stacks.collective(MAIN.partition("Current")[0]) is None
    assert hanging_stacks.collective("") is None


def test_a_graph_that_is_run() -> None:
    assert hanging_stacks.calls(GRAPH, ("quick_execute",))
    assert not hanging_stacks.calls(MAIN, ("quick_execute",))
    assert not hanging_stacks.calls("", ("quick_execute",))


def test_this_pythons_own_words_are_understood(tmp_path: Path) -> None:
    ready, done = threading.Event(), threading.Event()

    def wait() -> None:
        ready.set()
        done.wait()

    thread = threading.Thread(target=wait)
    thread.start()
    ready.wait()
    with open(tmp_path / "stack", "w+") as file:
        faulthandler.dump_traceback(file, all_threads=True)
        file.seek(0)
        found = hanging_stacks.threads(file.read())
    done.set()
    thread.join()
    assert len(found) >= 2
    name = "test_this_pythons_own_words_are_understood"
    assert name in {frame.function for frame in found[-1]}  # the main thread comes last
    assert any("wait" in {frame.function for frame in frames} for frames in found[:-1])
