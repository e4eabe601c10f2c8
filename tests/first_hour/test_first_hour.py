"""The first hour with distify: every command that a report prints is run as printed.

`make test-first-hour` plays it in three environments: without TensorFlow (Horovod is built as the
report says), with TensorFlow 2.15, with 2.20. `--training-python` names the one that is active.
"""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from .hour import Done, Hour, layered

ROOT = Path(__file__).resolve().parents[2]
EXAMPLES = ROOT / "examples"
LOOKING = ("check", "doctor", "explain", "rules", "config", "launch-lines", "memory", "race")
MOST = 40  # commands: each leads to a few others

# What a person comes with: how its files are called there, and how it is called by its command.
PROJECTS = {
    "a script": ({"train.py": "keras_fit_dataset.py"}, "train.py"),
    "a tape": ({"train.py": "tape_function.py"}, "train.py"),
    "one that has to be repaired": ({"my train.py": "refused/by_hand.py"}, "'my train.py'"),
    "a strategy": ({"train.py": "refused/strategy.py"}, "."),
    "a package": ({"digits": "projects/package/digits"}, "."),
    "some files": ({"src": "projects/split_files"}, "src"),
    "a notebook": ({"line.ipynb": "notebooks/line_tape.ipynb"}, "line.ipynb"),
}
OF_KERAS_3 = {
    "a script": ({"train.py": "keras3/keras_sequential.py"}, "train.py"),
    "a tape": ({"train.py": "keras3/tape_function.py"}, "train.py"),
    "two files": ({"src": "keras3/two_phases"}, "src"),
    "one that has to be repaired": ({"my train.py": "refused/by_hand.py"}, "'my train.py'"),
}


@pytest.fixture(scope="session")
def python(request: pytest.FixtureRequest) -> str:
    """The Python that has Horovod; "" where the machine is bare."""
    return str(request.config.getoption("--training-python") or "")


@pytest.fixture(scope="session")
def keras(python: str) -> int:
    """The version of its Keras that counts."""
    if not python:
        return 2
    ask = "from importlib import metadata as m; print(m.version('keras').split('.')[0])"
    return int(subprocess.run([python, "-c", ask], capture_output=True, check=True).stdout)


def machine(folder: Path, python: str) -> Hour:
    """With the environment of that Python; or a bare one, whose Python has nothing but pip."""
    if python:
        return Hour(folder, layered(folder / "env", Path(python).absolute()))
    subprocess.run([sys.executable, "-m", "venv", folder / "usr"], check=True)
    bare = Hour(folder, None)
    bare.environ["PATH"] = f"{folder / 'usr' / 'bin'}:{bare.environ['PATH']}"
    return bare


def laid_out(hour: Hour, files: dict[str, str]) -> None:
    for name, source in files.items():
        if (EXAMPLES / source).is_dir():
            shutil.copytree(EXAMPLES / source, hour.project / name)
        else:
            shutil.copy(EXAMPLES / source, hour.project / name)


def check(hour: Hour, done: Done, before: dict[str, bytes]) -> None:
    """That a command did what it says."""
    words = [each for each in done.command.split() if each != "&&"]
    verb = words[words.index("distify") + 1] if "distify" in words else ""
    after = hour.contents()
    assert "Traceback" not in done.text, str(done)
    if verb in LOOKING or "--diff" in words:
        assert done.code in (0, 1), str(done)
        assert after == before, str(done)
    elif verb == "migrate":
        assert done.code == 0, str(done)
        assert after != before, str(done)
        assert any(b"import horovod" in text for text in after.values()), str(done)
    elif verb == "verify":
        assert done.code == 0, str(done)
        assert "IN STEP" in done.text, str(done)
    else:
        assert done.code == 0, str(done)


def play(hour: Hour, first: str) -> None:
    """All that is printed is typed, in its order, once each."""
    todo, typed = [first], set[str]()
    while todo:
        command = todo.pop(0)
        if command in typed:
            continue
        typed.add(command)
        assert len(typed) < MOST, sorted(typed)
        before = hour.contents()
        done = hour.run(command)
        check(hour, done, before)
        # What a report advises for now comes before what an earlier one advised for later; once the
        # files are others, what was said of them before is the past.
        fresh = [each for each in done.printed if each not in typed]
        later = todo if hour.contents() == before else []
        todo = [*fresh, *(each for each in later if each not in fresh)]


@pytest.mark.parametrize("kind", [*dict.fromkeys([*PROJECTS, *OF_KERAS_3])])
def test_each_command_does_what_it_says(tmp_path: Path, python: str, keras: int, kind: str) -> None:
    known = OF_KERAS_3 if keras == 3 else PROJECTS
    if kind not in known:
        pytest.skip("written for another Keras")
    if not python and kind != "a script":
        pytest.skip("Horovod is built once")
    files, given = known[kind]
    hour = machine(tmp_path, python)
    laid_out(hour, files)
    play(hour, f"distify check {given}")
    commands = [each.command for each in hour.all]
    for word in ("migrate", "verify" if kind != "some files" else "horovodrun", "horovodrun"):
        assert any(word in each for each in commands), "\n".join(map(str, hour.all))


def test_help_and_doctor_say_what_can_be_typed(tmp_path: Path, python: str, keras: int) -> None:
    """The first lines that anybody reads; without Horovod the doctor says so, and how it comes."""
    hour = machine(tmp_path, python)
    laid_out(hour, (OF_KERAS_3 if keras == 3 else PROJECTS)["a script"][0])
    started = hour.run("distify --help").printed
    assert len(started) >= 6, started
    for command in started:
        done = hour.run(command)
        assert done.code in ((0, 1) if python else (0, 1, 2)), str(done)
        assert "Traceback" not in done.text, str(done)
    doctor = hour.run("distify doctor")
    assert ("Ready" in doctor.text) == bool(python), str(doctor)
    if not python:
        assert [each for each in doctor.printed if "install-horovod" in each], str(doctor)
