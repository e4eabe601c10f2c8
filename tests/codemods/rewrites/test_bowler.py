"""Bowler without its command line: whoever asks for the modules that stood aside gets them."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest

from distify.codemods.rewrites._bowler import NOT_FOR_QUERIES, StandIn, stood_in_for

NAME = "distify_tests_stand_in"


def run(program: str) -> None:
    """In a process of its own, without what measures coverage: that imports multiprocessing."""
    alone = {name: value for name, value in os.environ.items() if not name.startswith("COV")}
    command = [sys.executable, "-c", program]
    done = subprocess.run(command, capture_output=True, text=True, env=alone)
    assert done.returncode == 0, done.stderr


@pytest.mark.parametrize("name", NOT_FOR_QUERIES)
def test_a_query_does_without(name: str) -> None:
    run(
        "import sys, distify.codemods.rewrites._bowler as bowler\n"
        f"bowler.Query().select_root().compile()\nassert {name!r} not in sys.modules"
    )


def test_bowler_s_own_command_line_still_works(tmp_path_factory: pytest.TempPathFactory) -> None:
    file = tmp_path_factory.mktemp("bowler") / "x.py"
    file.write_text("old(1)\n")
    run(
        "import distify.codemods.rewrites._bowler as bowler, bowler as whole, click\n"
        "assert whole.tool.multiprocessing.Process and whole.tool.click.echo is click.echo\n"
        f"whole.Query([{str(file)!r}]).select_function('old').rename('new')"
        ".execute(write=True, silent=True, interactive=False)"
    )
    assert file.read_text() == "new(1)\n"


def test_another_thread_may_import_them_meanwhile() -> None:
    run(
        "import sys\nfrom distify.codemods.rewrites._bowler import stood_in_for\n"
        "with stood_in_for(('multiprocessing', 'click')):\n"
        "    import multiprocessing.pool\n    from click import echo\n"
        "    import click, multiprocessing\n"
        "assert multiprocessing.pool.Pool and click.__file__ and sys.modules['click'] is click"
    )


def test_a_module_that_is_there_stays() -> None:
    with stood_in_for(("sys", NAME)):
        assert sys.modules["sys"] is sys
        assert isinstance(sys.modules[NAME], StandIn)
    assert NAME not in sys.modules


def test_a_failure_leaves_no_stand_in() -> None:
    with pytest.raises(OSError, match="gone"), stood_in_for((NAME,)):
        raise OSError("gone")
    assert NAME not in sys.modules
