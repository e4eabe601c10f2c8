"""`distify verify` as a person calls it, with an installation that only looks like Horovod's."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from distify.assistant.verify.run import processes

from .conftest import LAUNCHER, World

HANGS = "steps(1)\ntime.sleep(600)\n"


@pytest.fixture
def installed(world: World, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> World:
    """A Python and a horovodrun on PATH, and a place of its own for temporary folders."""
    environment, packages = tmp_path / "env", tmp_path / "packages"
    (environment / "bin").mkdir(parents=True)
    for name, version in (("tensorflow", "2.15.1"), ("horovod", "0.28.1")):
        (packages / name / "tensorflow").mkdir(parents=True)
        (packages / name / "__init__.py").touch()
        (packages / name / "tensorflow" / "mpi_lib.so").touch()
        (packages / f"{name}-{version}.dist-info").mkdir()
        metadata = f"Name: {name}\nVersion: {version}\n"
        (packages / f"{name}-{version}.dist-info" / "METADATA").write_text(metadata)
    python = environment / "bin" / "python"
    python.write_text(
        f'#!/bin/sh\nPYTHONPATH="{packages}:$PYTHONPATH" exec {sys.executable} "$@"\n'
    )
    text = LAUNCHER.replace("sys.executable", repr(str(python)))
    (environment / "bin" / "horovodrun").write_text(f"#!{sys.executable}\n{text}")
    for path in (environment / "bin").iterdir():
        path.chmod(0o755)
    (tmp_path / "tmp").mkdir()
    monkeypatch.setenv("PATH", os.pathsep.join([str(environment / "bin"), os.environ["PATH"]]))
    monkeypatch.setenv("TMPDIR", str(tmp_path / "tmp"))
    monkeypatch.delenv("FORCE_COLOR", raising=False)
    return world


def start(*arguments: str) -> subprocess.Popen[str]:
    command = [sys.executable, "-m", "distify.assistant", "verify", *arguments]
    pipe = subprocess.PIPE
    return subprocess.Popen(command, stdout=pipe, stderr=pipe, text=True)


def call(*arguments: str) -> tuple[int, str, str]:
    process = start(*arguments)
    out, err = process.communicate(timeout=120)
    return process.returncode, out, err


def kept(world: World) -> list[Path]:
    return list((world.folder / "tmp").iterdir())


def test_it_says_what_it_runs_and_with_what(installed: World) -> None:
    installed.program("print(sys.argv[1:])\n")
    code, out, err = call("train.py", "--no-reference", "-v", "--", "--epochs", "2")
    assert code == 2  # no step was made: nothing is proved
    python = installed.folder / "env" / "bin" / "python"
    first = f"running train.py on 2 workers with {python} (TensorFlow 2.15.1, Horovod 0.28.1)"
    assert err.splitlines()[0] == first
    assert "worker 0: ['--epochs', '2']" in err
    assert "worker 1: ['--epochs', '2']" in err
    assert "train.py on 2 workers: COULD NOT BE JUDGED" in out


def test_it_says_for_whom_the_workers_stand_in(installed: World) -> None:
    installed.program("print(os.environ['DISTIFY_PROBE_OPTIONS'])\n")
    _, out, err = call("train.py", "--no-reference", "-v", "--as", "64")
    assert " on 4 workers, as ranks 0, 1, 32 and 63 of 64 with " in err.splitlines()[0]
    assert '"size": 64, "ranks": [0, 1, 32, 63]' in err
    assert "train.py on 4 workers, as ranks 0, 1, 32 and 63 of 64: " in out


@pytest.mark.parametrize("more", [("-np", "3"), ("-H", "a:2"), ("--baseline", "train.py")])
def test_standing_in_takes_no_other_number_of_workers(
    more: tuple[str, str], installed: World
) -> None:
    installed.program("print()\n")
    code, _, err = call("train.py", "--as", "8", *more)
    assert code == 2
    assert "--as says how many workers there are" in err


def test_a_picture_is_an_svg_or_nothing(installed: World) -> None:
    installed.program("print()\n")
    code, _, err = call("train.py", "--plot", "loss.png")
    assert code == 2
    assert "--plot draws an SVG: name it loss.svg, not loss.png" in err


def test_a_program_that_fails(installed: World) -> None:
    installed.program("if RANK == 1: raise ValueError('no such data')\ntime.sleep(60)\n")
    code, out, err = call("train.py", "--no-reference", "--python", f"{installed.folder}/env")
    assert code == 2
    assert "no such data" in out
    (folder,) = kept(installed)
    assert f"what the workers printed: {folder}/job/output.txt" in err
    assert "no such data" in (folder / "job" / "output.txt").read_text()


def test_a_hang_ends_in_a_report(installed: World) -> None:
    installed.program(HANGS)
    code, out, _ = call("train.py", "--no-reference", "--timeout", "2", "-np", "3")
    assert code, out
    assert f"train.py:{World.first_line + 1}" in out
    assert len(installed.seen()) == 3
    assert not installed.left()


def test_the_report_for_programs_is_all_there_is_on_standard_output(installed: World) -> None:
    installed.program("print('hello')\n")
    files = ("--report", "run.json", "--report", "run.html")
    code, out, err = call("train.py", "--no-reference", "--format", "json", *files)
    document = json.loads(out)
    assert Path("run.json").read_text(encoding="utf-8") == out
    assert Path("run.html").exists()
    assert document["command"] == "verify"
    assert document["size"] == 2
    assert document["exit_code"] == code == 2
    assert err.startswith("running train.py")


def test_a_run_has_a_page(installed: World) -> None:
    installed.program("print('hello')\n")
    code, out, _ = call("train.py", "--no-reference", "--report", "run.html")
    assert code == 2
    assert "COULD NOT BE JUDGED" in out
    page = Path("run.html").read_text(encoding="utf-8")
    assert page.startswith("<!DOCTYPE html>")
    assert "COULD NOT BE JUDGED" in page
    code, _, err = call("train.py", "--report", "run.txt")
    assert (code, "run.txt is neither a page" in err) == (2, True)
    assert not Path("run.txt").exists()


@pytest.mark.parametrize("option", [("--report", "gone/run.html"), ("--plot", "gone/loss.svg")])
def test_what_could_not_be_written_is_said_before_anything_runs(
    installed: World, option: tuple[str, str]
) -> None:
    installed.program("print('hello')\n")
    code, _, err = call("train.py", "--no-reference", *option)
    assert code == 2
    assert f"{option[1]} can't be written: there is no folder gone" in err
    assert not installed.seen()


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_an_interrupt_ends_the_job_and_reports_what_was_seen(installed: World, number: int) -> None:
    installed.program(HANGS)
    process = start("train.py", "--no-reference")
    assert installed.wait_for(lambda: len(installed.seen()) == 2)
    process.send_signal(number)
    out, err = process.communicate(timeout=60)
    assert process.returncode == 130
    assert "train.py on 2 workers" in out
    assert "it was interrupted" in out
    assert "Traceback" not in err
    assert not installed.left()


def test_an_interrupt_during_the_reference(installed: World) -> None:
    installed.program("if 'HOROVOD_RANK' not in os.environ: time.sleep(600)\n")
    process = start("train.py")
    assert installed.wait_for(lambda: len(installed.seen()) == 3)
    process.send_signal(signal.SIGINT)
    _, err = process.communicate(timeout=60)
    assert process.returncode == 130
    assert "Traceback" not in err
    assert not installed.left()


def test_nothing_survives_a_kill(installed: World) -> None:
    installed.program("signal.signal(signal.SIGTERM, signal.SIG_IGN)\n" + HANGS)
    process = start("train.py", "--no-reference")
    assert installed.wait_for(lambda: len(installed.seen()) == 2)
    process.kill()
    process.communicate(timeout=60)
    assert installed.wait_for(lambda: not installed.left())


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["missing.py"], "error: missing.py does not exist"),
        (["."], "error: . is a folder; name the script that trains"),
        (["train.py", "--baseline", "no.py"], "error: no.py does not exist"),
        (["train.py", "--python", "/nowhere"], "error: /nowhere can't be run"),
        (["train.py", "-np", "1"], "'1' is neither a number from 2 on nor several: 1,2,4"),
        (["train.py", "--epochs", "1"], "No such option"),
        (["train.py", "--epochs=1"], "distify verify SCRIPT -- --epochs …"),
        (["train.py", "--data", "big"], "'big' is not"),
        (["train.py", "--machines", "3"], "--machines 3 needs as many workers: -np 3"),
        (["train.py", "--machines", "2", "--resume"], "--machines is not for"),
        ([], "Missing argument 'SCRIPT'"),
    ],
)
def test_what_is_in_the_way_is_said_at_once(
    installed: World, arguments: list[str], said: str
) -> None:
    installed.program("")
    code, out, err = call(*arguments)
    assert code == 2
    assert said in err
    assert out == ""
    assert not installed.seen()
    assert not kept(installed)


def test_without_horovod_the_command_that_installs_it_is_shown(installed: World) -> None:
    installed.program("")
    code, _, err = call("train.py", "--python", sys.executable)
    assert code == 2
    assert err.startswith(f"error: {sys.executable} has no ")
    assert f"  distify install-horovod --python {sys.executable}\n" in err
    assert not installed.seen()


def test_the_curves_are_drawn_where_it_is_asked_for(installed: World) -> None:
    installed.program("")
    call("train.py", "--no-reference", "--plot", "loss.svg")
    assert Path("loss.svg").read_text().startswith("<svg")


def test_arguments_that_look_like_ours_are_the_scripts(installed: World) -> None:
    installed.program("print(sys.argv[1:])\n")
    _, _, err = call("train.py", "--no-reference", "-v", "--", "-np", "7", "--timeout", "x")
    assert "worker 0: ['-np', '7', '--timeout', 'x']" in err


def test_processes_of_others_are_left_alone(installed: World) -> None:
    installed.program("")
    with subprocess.Popen(["sleep", "600"]) as stranger:
        call("train.py", "--no-reference")
        assert processes.alive(stranger.pid)
        stranger.kill()
