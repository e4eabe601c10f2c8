"""`distify migrate --interactive`: played back, refused, and on a terminal."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import termios
import time
from pathlib import Path

import pexpect
import pytest

from ..conftest import Call
from .test_interview import BLOCKED, FIT, outcome, result

RULES = ("D101", "D102", "D104", "D203", "D301", "D302")

TAKEN = "# distify: ignore[T07] it counts files that all workers have"


SHARED = """\
import numpy as np
import tensorflow as tf

x, y = np.ones((64, 2)), np.ones((64, 1))
model = tf.keras.Sequential([tf.keras.layers.Dense(1)])
model.compile("sgd", "mse")
model.fit(x, y)
"""


def answers(**given: bool) -> str:
    """To every rule yes, but for those given."""
    tables = [
        f'[[answers]]\nfile = "train.py"\nrule = "{rule}"\n'
        f"apply = {str(given.get(rule, True)).lower()}\n"
        for rule in RULES
    ]
    return "\n".join(["version = 1\n", *tables])


# ------------------------------------------------- without a terminal


def test_without_a_terminal_nobody_is_asked(call: Call) -> None:
    Path("train.py").write_text(FIT)
    given = call("migrate", "--interactive", "train.py")
    assert given.exit_code == 2
    for word in ("terminal", "--answers", "distify check", "distify migrate"):
        assert word in given.stderr
    assert Path("train.py").read_text() == FIT


@pytest.mark.parametrize(
    ("options", "word"),
    [
        (["--answers", "x.toml"], "--interactive"),
        (["--resume"], "--interactive"),
        (["-i", "--diff"], "nothing to ask"),
        (["-i", "--check"], "nothing to ask"),
        (["-i", "--format", "json"], "person"),
        (["-i", "--answers", "x.toml", "--resume"], "--resume"),
        (["-i", "--answers", "gone.toml"], "gone.toml"),
    ],
)
def test_what_can_t_be_together_is_told(call: Call, options: list[str], word: str) -> None:
    Path("train.py").write_text(FIT)
    given = call("migrate", *options, "train.py")
    assert given.exit_code == 2
    assert word in given.stderr
    assert Path("train.py").read_text() == FIT


def test_standard_input_has_no_person(call: Call) -> None:
    assert call("migrate", "-i", "-", stdin=FIT.encode()).exit_code == 2


def test_answers_are_played_back(call: Call) -> None:
    Path("train.py").write_text(FIT)
    Path("answers.toml").write_text(answers(D203=False))
    given = call("migrate", "-i", "--answers", "answers.toml", "train.py")
    assert given.exit_code == 0, given.output
    text = Path("train.py").read_text()
    assert '\nprint("done")\n' in text
    assert "DistributedOptimizer" in text
    assert Path("answers.toml").read_text() == answers(D203=False)


def test_a_missing_answer_leaves_every_file_as_it_was(call: Call) -> None:
    for name in ("other.py", "train.py"):
        Path(name).write_text(FIT)
    Path("answers.toml").write_text(answers())
    given = call("migrate", "-i", "--answers", "answers.toml", "other.py", "train.py")
    assert given.exit_code == 2
    assert "other.py: no answer to what D101 changes" in given.stderr
    assert Path("train.py").read_text() == FIT


def test_a_broken_file_of_answers_is_named(call: Call) -> None:
    Path("train.py").write_text(FIT)
    Path("answers.toml").write_text("version = 3\n")
    given = call("migrate", "-i", "--answers", "answers.toml", "train.py")
    assert given.exit_code == 2
    assert "answers.toml is no file of answers" in given.stderr


def test_what_is_blocked_stays_and_is_told(call: Call) -> None:
    Path("train.py").write_text(BLOCKED)
    Path("answers.toml").write_text(answers())
    given = call("migrate", "-i", "--answers", "answers.toml", "train.py")
    assert given.exit_code == 1
    assert Path("train.py").read_text() == BLOCKED


# ------------------------------------------------- on a terminal


class Person:
    """Somebody at a terminal of this size."""

    def __init__(
        self,
        folder: Path,
        *options: str,
        columns: int = 90,
        batch: tuple[str, ...] = ("--batch", "worker"),
        **variables: str,
    ) -> None:
        home = str(folder / "home")
        environment = {**os.environ, "HOME": home, "TERM": "xterm", **variables}
        environment.pop("XDG_CONFIG_HOME", None)
        self.program = pexpect.spawn(
            sys.executable,
            ["-m", "distify", "migrate", "-i", *batch, *options],
            cwd=str(folder),
            env=environment,  # type: ignore[arg-type]
            encoding="utf-8",
            timeout=100,
            dimensions=(40, columns),
        )
        self.seen = ""

    def press(self, keys: str) -> Person:
        for key in keys:
            self.wait()
            self.program.send(key)
        return self

    def wait(self) -> None:
        """Until a key is read: what is pressed between a question and that moment is lost."""
        self.program.expect(r"\[[a-z1-9,?]*\] |Press one of [^:]*: ")
        self.seen += f"{self.program.before}{self.program.after}"
        while termios.tcgetattr(self.program.child_fd)[3] & termios.ICANON:
            time.sleep(0.005)

    def end(self) -> int:
        self.program.expect(pexpect.EOF)
        self.seen += self.program.before or ""
        self.program.close()
        return self.program.exitstatus if self.program.exitstatus is not None else -1


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "home").mkdir()
    (tmp_path / "train.py").write_text(FIT)
    return tmp_path


def test_a_person_is_asked_and_the_file_is_written(folder: Path) -> None:
    person = Person(folder, "train.py").press("yyynyy")
    assert person.end() == 0
    text = (folder / "train.py").read_text()
    assert '\nprint("done")\n' in text
    assert "DistributedOptimizer" in text
    assert "train.py: written" in person.seen
    assert "\x1b[" in person.seen
    assert not list(folder.glob("home/**/*.toml"))  # the walk is over


def test_whose_a_batch_is_is_asked_first_and_kept(folder: Path) -> None:
    (folder / "train.py").write_text(SHARED)
    person = Person(folder, "--answers", "a.toml", "train.py", batch=()).press("ga")
    assert person.end() == 0
    assert "Whose is a batch?" in person.seen
    text = (folder / "train.py").read_text()
    assert "batch_size=own_rows(32)" in text
    assert 'batch = "global"' in (folder / "a.toml").read_text()
    (folder / "train.py").write_text(SHARED)
    command = [sys.executable, "-m", "distify", "migrate", "-i", "--answers", "a.toml", "train.py"]
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    assert (folder / "train.py").read_text() == text


def test_every_worker_takes_a_whole_batch_where_that_is_answered(folder: Path) -> None:
    (folder / "train.py").write_text(SHARED)
    assert Person(folder, "train.py", batch=()).press("wa").end() == 0
    assert "own_rows" not in (folder / "train.py").read_text()


def test_nobody_is_asked_what_the_settings_say(folder: Path) -> None:
    (folder / "train.py").write_text(SHARED)
    (folder / "pyproject.toml").write_text('[tool.distify]\nbatch = "worker"\n')
    person = Person(folder, "train.py", batch=()).press("a")
    assert person.end() == 0
    assert "Whose is a batch?" not in person.seen


def test_every_line_fits_a_narrow_window(folder: Path) -> None:
    person = Person(folder, "--color", "never", "train.py", columns=60).press("nnyyynyy")
    assert person.end() == 0
    told = [line for line in person.seen.splitlines() if not line.startswith(("  +", "  -", "   "))]
    assert max(map(len, told)) <= 100
    assert "\x1b[" not in person.seen


def test_keys_are_explained(folder: Path) -> None:
    person = Person(folder, "train.py").press("x?q")
    assert person.end() == 1
    assert "Press one of" in person.seen
    assert "apply this rule to this file" in person.seen
    assert "D101" in person.seen


OTHERS = [pytest.param(how, marks=pytest.mark.slow) for how in ("q", "\x04", "hang up")]


@pytest.mark.parametrize("how", ["\x03", *OTHERS])
def test_whatever_ends_a_walk_loses_no_answer(folder: Path, how: str) -> None:
    person = Person(folder, "train.py").press("yyy")
    if how == "hang up":
        person.wait()
        person.program.kill(signal.SIGHUP)
        person.end()
    else:
        assert person.press(how).end() == 1
        assert "the same command with --resume goes on" in person.seen
    assert (folder / "train.py").read_text() == FIT
    (folder / "train.py").write_text("# a comment\n" + FIT)
    again = Person(folder, "--resume", "train.py").press("yyy")
    assert again.end() == 0
    assert (folder / "train.py").read_bytes() == result("# a comment\n" + FIT)


def test_answers_of_a_person_are_recorded(folder: Path) -> None:
    assert Person(folder, "--answers", "a.toml", "train.py").press("yyynyy").end() == 0
    text = (folder / "train.py").read_text()
    (folder / "train.py").write_text(FIT)
    assert Person(folder, "--answers", "a.toml", "train.py").end() == 0
    assert (folder / "train.py").read_text() == text


def test_a_file_in_the_way_is_edited_and_looked_at_again(folder: Path) -> None:
    (folder / "train.py").write_text(BLOCKED)
    (folder / "fixed.py").write_text(FIT)
    editor = folder / "editor"
    once = f"mkdir {folder}/once 2>/dev/null && exit 1\n"
    editor.write_text(f"#!/bin/sh\n{once}cp {folder}/fixed.py $1\n")
    editor.chmod(0o755)
    os.environ["EDITOR"] = str(editor)
    try:
        person = Person(folder, "train.py").press("eeyyyyyy")
    finally:
        del os.environ["EDITOR"]
    assert person.end() == 0
    assert "Editing failed" in person.seen
    assert (folder / "train.py").read_bytes() == result(FIT)


def test_a_reason_is_taken_on_the_person_by_a_comment(folder: Path) -> None:
    loop = FIT.replace("model.fit(", "while True:\n    model.fit(").replace('print("done")\n', "")
    loop = loop.replace("as tf\n", "as tf\nfrom own import stop\n", 1)
    loop = loop.replace("[tf.keras", "[tf.keras.layers.BatchNormalization(), tf.keras", 1)
    rate = "model.optimizer.learning_rate = 0.1 * model.test_on_batch(stop.x, stop.y)"
    program, taken = (f"{loop}    {rate}{comment}\n" for comment in ("", f"  {TAKEN}"))
    (folder / "train.py").write_text(program)
    assert outcome("train.py", taken).changed
    person = Person(folder, "train.py").press("t")
    person.program.expect(r"right here\? ")
    person.program.sendline("not so")
    person.press("b")
    person.wait()
    assert (folder / "train.py").read_text() == program
    person.program.send("t")
    person.program.expect(r"right here\? ")
    person.program.sendline("it counts   files that all workers have")
    person.press("a")
    assert person.end() == 0
    text = (folder / "train.py").read_text()
    assert f"  {TAKEN}\n" in text
    assert "DistributedOptimizer" in text


def test_hunks_are_asked_about_in_80_columns_without_colours_over_any_line(folder: Path) -> None:
    more = FIT.replace("model.fit(", 'print("begun")\nmodel.fit(')
    (folder / "train.py").write_text(more)
    person = Person(folder, "train.py", columns=80, TERM="dumb", NO_COLOR="1").press("yyys?ynyy")
    assert person.end() == 0
    text = (folder / "train.py").read_text()
    assert '    print("begun")\n' in text
    assert '\nprint("done")\n' in text
    assert "hunk 2 of 2" in person.seen
    assert "\x1b" not in person.seen
    told = person.seen.replace("\r\n", "\n").splitlines()
    assert max(len(line) for line in told if not line.startswith(("  +", "  -", "   "))) <= 80
    assert "rules left out" not in person.seen
    assert "train.py  5 rules applied (D101, D102, D104" in person.seen
    assert "1 rule edited or taken in part (D203)" in person.seen.replace("\r\n         ", "")


def test_what_there_is_so_far_is_tried_in_a_copy(folder: Path) -> None:
    # Without TensorFlow nothing is proved here; what is tried, where, and that it goes on, shows.
    (folder / "data").mkdir()
    person = Person(folder, "train.py").press("yv")
    person.program.expect("if it needs any: ")
    person.program.sendline("--epochs 1")
    person.press("q")
    assert person.end() == 1
    assert "error: " in person.seen
    assert (folder / "train.py").read_text() == FIT


def test_what_is_in_the_way_is_repaired_by_one_key(folder: Path) -> None:
    head, rest = FIT.split("\n\n", 1)
    body = rest.replace("\n", "\n    ").rstrip()
    (folder / "train.py").write_text(f"def main():\n    {head}\n    {body}\n\n\nmain()\n")
    (folder / "pyproject.toml").touch()  # a project, which has a cache: no text is kept in it
    for _ in range(2):  # the second walk comes upon what the first one, and `check`, have kept
        check = [sys.executable, "-m", "distify", "check", "train.py"]
        subprocess.run(check, cwd=folder, capture_output=True, check=False)
        assert list(folder.glob(".distify_cache/*.json"))
        left = Person(folder, "train.py").press("q")
        assert left.end() == 1
        assert "-    import tensorflow as tf" in left.seen
        assert "-def main():" not in left.seen
    person = Person(folder, "train.py").press("1yyyyyy")
    assert person.end() == 0
    assert "-def main():" not in person.seen
    assert "A01 Import TensorFlow once" in person.seen
    assert "-    import tensorflow as tf" in person.seen
    assert "A01: Move" not in person.seen  # which `?` tells
    assert "DistributedOptimizer" in (folder / "train.py").read_text()


def git(folder: Path, *words: str) -> str:
    done = subprocess.run(["git", *words], cwd=folder, capture_output=True, check=True, text=True)
    return done.stdout


def in_git(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for person in ("AUTHOR", "COMMITTER"):
        monkeypatch.setenv(f"GIT_{person}_NAME", "A")
        monkeypatch.setenv(f"GIT_{person}_EMAIL", "a@b.c")
    (folder / ".gitignore").write_text("home\n")
    git(folder, "init", "-q")
    git(folder, "add", ".")
    git(folder, "commit", "-q", "-m", "as it was")


def test_what_a_person_makes_of_a_rule_is_in_the_commit_of_that_rule(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    editor = folder / "home" / "editor"
    editor.write_text("#!/bin/sh\nsed -i 's/0.1 \\* hvd.size()/0.1 * hvd.size() ** 0.5/' $1\n")
    editor.chmod(0o755)
    monkeypatch.setenv("EDITOR", str(editor))
    in_git(folder, monkeypatch)
    person = Person(folder, "--commit", "train.py").press("yyeyyy")
    assert person.end() == 0, person.seen
    *_, first = git(folder, "log", "--format=%s", "-G", r"\*\* 0\.5").splitlines()
    assert first.startswith("distify(D104)")
    assert len(git(folder, "log", "--format=%s").splitlines()) == len(RULES) + 1
    assert git(folder, "status", "--porcelain") == ""
    assert "** 0.5" in (folder / "train.py").read_text()
    # The key of the record's seal is the walk's, whose home is another one.
    env = {**os.environ, "HOME": str(folder / "home")}
    subprocess.run([sys.executable, "-m", "distify", "undo"], cwd=folder, env=env, check=True)
    assert (folder / "train.py").read_text() == FIT


def test_a_file_that_commits_begin_with_is_not_changed_under_them(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (folder / "train.py").write_text(BLOCKED)
    in_git(folder, monkeypatch)
    person = Person(folder, "--commit", "train.py").press("etq")
    assert person.end() == 1
    assert person.seen.count("as git has it") == 2
    assert git(folder, "status", "--porcelain") == ""
