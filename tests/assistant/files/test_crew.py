"""Several processes look at many files: what they say is what one says, whatever befalls them."""

from __future__ import annotations

import multiprocessing
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from distify.assistant import codemods
from distify.assistant.files import crew, result
from distify.assistant.files.choice import Choice
from distify.assistant.files.discovery import Target
from distify.assistant.files.result import FEW, SHORT, Result, look
from distify.assistant.report.terminal import Terminal
from distify.codemods.model import Migration, Options

from ..conftest import BLOCKED, BROKEN, NO_LOOP, TRAIN, Call

pytestmark = pytest.mark.skipif(
    sys.platform != "linux", reason="elsewhere the other processes have no fake engine"
)
KINDS = (TRAIN, BLOCKED, BROKEN, NO_LOOP, "print('no training')\n")
MANY = FEW + 10


@pytest.fixture
def many(here: Path) -> Path:
    """So many files that they are shared, of all kinds."""
    for number in range(MANY):
        (here / f"f{number:03}.py").write_text(KINDS[number % len(KINDS)], encoding="utf-8")
    (here / "latin.py").write_bytes(b"import tensorflow\nfit('\xe9')\n")
    (here / "away.py").symlink_to("nowhere")
    return here


def seen(jobs: int, *paths: str) -> Result:
    return look(paths or ["."], Choice((), ()), Terminal(), jobs=jobs)


@pytest.mark.parametrize("jobs", [2, 3, 200])
def test_what_several_say_is_what_one_says(many: Path, jobs: int) -> None:
    alone = seen(1)
    assert len(alone.outcomes) > FEW // 2
    assert alone.plain
    assert seen(jobs) == alone
    assert not multiprocessing.active_children()


@pytest.mark.parametrize(
    "words", [["check"], ["check", "--format", "json"], ["migrate", "--diff"], ["check", "-v"]]
)
def test_the_report_and_the_exit_code_are_the_same(
    many: Path, call: Call, words: list[str]
) -> None:
    command, *options = words
    answers = [call(command, *options, "--jobs", jobs, ".") for jobs in ("1", "2")]
    assert answers[0] == answers[1]
    assert answers[0].exit_code == 2  # one can't be parsed
    assert "f000.py" in answers[0].stdout


def test_files_are_written_as_by_one(many: Path, call: Call) -> None:
    call("migrate", "--jobs", "2", ".")
    assert "horovod" in (many / "f000.py").read_text()
    assert (many / "f001.py").read_text() == BLOCKED


@pytest.mark.parametrize("wrong", ['"no list"', '["D999"]'])
def test_settings_that_are_wrong_end_it_with_the_same_words(
    many: Path, call: Call, wrong: str
) -> None:
    part = many / "part"
    part.mkdir()
    (part / "train.py").write_text(TRAIN)
    (part / "pyproject.toml").write_text(f"[tool.distify]\nselect = {wrong}\n")
    answers = [call("check", "--jobs", jobs, ".") for jobs in ("1", "2")]
    assert answers[0] == answers[1]
    assert "pyproject.toml" in answers[0].stderr
    assert not multiprocessing.active_children()


@pytest.mark.parametrize(
    ("number", "jobs"), [(FEW - 1, None), (FEW - 1, 8), (MANY, 1)], ids=["few", "asked", "one"]
)
def test_no_process_is_started_where_none_is_needed(
    here: Path, monkeypatch: pytest.MonkeyPatch, number: int, jobs: int | None
) -> None:
    monkeypatch.setattr(crew, "examine_together", None)
    monkeypatch.setattr(result, "cores", lambda: 2)
    for each in range(number):
        (here / f"{each}.py").write_text(TRAIN)
    assert len(look(["."], Choice((), ()), Terminal(), jobs=jobs).outcomes) == number


def test_a_few_large_files_are_shared(here: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (here / "a.py").write_text(TRAIN + "# long\n" * (SHORT // 7))
    assert seen(2, "a.py") == seen(1, "a.py")
    (here / "b.py").write_text(TRAIN)
    (here / "gone.py").symlink_to("nowhere")
    assert seen(2) == seen(1)
    asked = []

    def together(targets: list[Target], choice: Choice, jobs: int) -> list[None]:
        asked.append(jobs)
        return [None] * len(targets)

    monkeypatch.setattr(crew, "examine_together", together)
    seen(2, "a.py")  # nobody is there to share it with
    assert not asked
    seen(2, "a.py", "b.py")
    assert asked == [2]


def test_one_process_a_core_is_the_default(many: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    asked = []

    def together(targets: list[Target], choice: Choice, jobs: int) -> list[None]:
        asked.append(jobs)
        return [None] * len(targets)

    monkeypatch.setattr(crew, "examine_together", together)
    monkeypatch.setattr(result, "cores", lambda: 5)
    look(["."], Choice((), ()), Terminal())
    assert asked == [5]


@pytest.mark.parametrize("jobs", ["0", "-1", "two"])
def test_a_number_of_jobs_that_can_not_be_is_refused(many: Path, call: Call, jobs: str) -> None:
    answer = call("check", "--jobs", jobs, ".")
    assert answer.exit_code == 2
    assert "--jobs" in answer.stderr


@pytest.mark.parametrize(
    ("how", "told"), [("os.kill(os.getpid(), 9)", "SIGKILL"), ("os._exit(3)", "exit code 3")]
)
def test_a_file_on_which_a_process_dies_is_named_and_the_others_go_on(
    many: Path, call: Call, monkeypatch: pytest.MonkeyPatch, how: str, told: str
) -> None:
    real, parent = codemods.migrate, os.getpid()
    deadly = [f"f{number:03}.py" for number in (0, 5, 20, 40, 70)]

    def migrate(text: str, options: Options, name: str) -> Migration:
        if name in deadly:
            assert os.getpid() != parent
            exec(how)
        return real(text, options, name)

    monkeypatch.setattr(codemods, "migrate", migrate)
    answer = call("check", "--jobs", "2", ".")
    assert answer.exit_code == 2
    for name in deadly:
        assert f"{name}: error: ended the process that looked at it ({told})" in answer.output
    assert answer.output.count("ended the process") == len(deadly)
    others = {outcome.name for outcome in seen(2).outcomes} - set(deadly)
    assert all(name in answer.output for name in others if name in ("f010.py", "f060.py"))
    assert not multiprocessing.active_children()


def test_an_interrupt_is_for_the_one_that_started_them(
    many: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A terminal sends it to every process of the group."""
    real, parent, alone = codemods.migrate, os.getpid(), seen(1)

    def migrate(text: str, options: Options, name: str) -> Migration:
        if os.getpid() != parent:
            os.kill(os.getpid(), signal.SIGINT)
        return real(text, options, name)

    monkeypatch.setattr(codemods, "migrate", migrate)
    assert seen(2) == alone


def test_who_stops_listening_leaves_no_process(many: Path) -> None:
    targets = [Target(f"f{n:03}.py", str(many / f"f{n:03}.py")) for n in range(MANY)]
    answers = crew.examine_together(targets, Choice((), ()), 2)
    first = next(answers)
    assert first is not None
    assert first.name == "f000.py"
    assert multiprocessing.active_children()
    answers.close()  # type: ignore[attr-defined]
    assert not multiprocessing.active_children()


HANGS = """
import os, signal, sys, time
signal.signal(signal.SIGINT, signal.default_int_handler)  # ignored in what a shell's `&` starts
from distify.assistant import codemods
from distify.assistant.__main__ import main

def migrate(*_):
    open(os.path.join(folder, str(os.getpid())), "w").close()
    time.sleep(600)

codemods.migrate, folder = migrate, sys.argv[1]
sys.argv = ["distify", "check", "--jobs", "2", "."]
main()
"""


def test_an_interrupt_ends_all_processes_with_one_line(many: Path, tmp_path: Path) -> None:
    """As a terminal sends it: to every process of the group."""
    pids = tmp_path / "pids"
    pids.mkdir()
    command = [sys.executable, "-c", HANGS, str(pids)]
    pipe = subprocess.PIPE
    with subprocess.Popen(
        command, stdout=pipe, stderr=pipe, text=True, start_new_session=True
    ) as process:
        until = time.monotonic() + 60
        while len(list(pids.iterdir())) < 2:
            assert time.monotonic() < until
            assert process.poll() is None
            time.sleep(0.02)
        os.killpg(process.pid, signal.SIGINT)
        try:
            out, err = process.communicate(timeout=60)
        finally:
            process.kill()  # one that lives on would be waited for without an end
    assert (process.returncode, out, err) == (130, "", "interrupted; no file was changed\n")
    for path in pids.iterdir():
        with pytest.raises(ProcessLookupError):
            os.kill(int(path.name), 0)


DIES = """
import os, sys
from distify.assistant import codemods
from distify.assistant.files.crew import examine_together
from distify.assistant.files.discovery import Target
from distify.assistant.files.result import Choice

def migrate(*_):
    open(os.path.join(sys.argv[1], str(os.getpid())), "w").close()

codemods.migrate = migrate
names = sorted(os.listdir("."))
answers = examine_together([Target(n, os.path.abspath(n), True) for n in names], Choice((), ()), 2)
for _ in range(10):
    next(answers)
os.kill(os.getpid(), 9)
"""


def test_a_killed_run_leaves_no_process(many: Path, tmp_path: Path) -> None:
    pids = tmp_path / "pids"
    pids.mkdir()
    done = subprocess.run([sys.executable, "-c", DIES, str(pids)], check=False, timeout=60)
    assert done.returncode == -signal.SIGKILL
    left = {int(path.name) for path in pids.iterdir()}
    assert left
    until = time.monotonic() + 60
    while left:
        assert time.monotonic() < until, f"still there: {left}"
        left = {pid for pid in left if Path(f"/proc/{pid}/exe").exists()}
        time.sleep(0.02)
