"""Nothing that distify prints can steer a terminal: all places that print, and what they repeat."""

from __future__ import annotations

import ast
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from click.testing import CliRunner

from distify.assistant.cli.verify import verify
from distify.assistant.report import actions
from distify.assistant.report.escape import safe_lines
from distify.assistant.report.lines import of_error
from distify.assistant.report.terminal import Terminal

from ..conftest import TRAIN, Call

ASSISTANT = Path(__file__).resolve().parents[3] / "assistant"
EVIL = "\x1b]0;owned\x07\x1b[2J\x9b1m\u202e\r"
TRUE = r"\x1b]0;owned\x07\x1b[2J\x9b1m" + "\u202e%0D.py"
STEERS = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]")
# Who may write to a stream, and why that can't steer anything.
PRINTS = {
    "report/terminal.py": "the terminal itself: each text goes through `safe`",
    "report/keyboard.py": "constant questions, and the one key of theirs that was pressed",
    "report/actions.py": "commands of GitHub's runner: each text goes through `safe_lines`",
    "__main__.py": "its own version, and the system's own words",
    "cli/install.py": "one constant question",
    "install_horovod.py": "what `make` gave it; the command line shows commands itself",
    "cli/interrupts.py": "one constant line, before anything is imported",
}
# Who hands bytes to a program as they are.
EXACT = {
    "report/tell.py": "diffs where nobody watches, the filter's result, ASCII documents; formats "
    "escape for themselves (test_formats.py)",
    "report/rule_table.py": "an ASCII document",
    "cli/doctor.py": "an ASCII document",
    "cli/settings.py": "an ASCII document",
    "cli/proving.py": "an ASCII document",
    "cli/race.py": "an ASCII document, or a page, which escapes what it shows",
    "cli/launch_lines.py": "an ASCII document, and a file to write where nobody watches",
}


def calls(text: str) -> Iterator[str]:
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.Call):
            yield ast.unparse(node.func)


def modules() -> Iterator[tuple[str, set[str]]]:
    for path in sorted(ASSISTANT.rglob("*.py")):
        name = path.relative_to(ASSISTANT).as_posix()
        if not name.startswith("verify/probe/"):  # it runs inside of the user's program
            yield name, set(calls(path.read_text(encoding="utf-8")))


def test_who_prints() -> None:
    way = re.compile(
        r"print|click\.s?echo|click\.confirm|click\.prompt|(sys\.std(out|err)|stream)(\.buffer)?\.write"
    )
    assert {name for name, found in modules() if any(map(way.fullmatch, found))} == set(PRINTS)


def test_who_hands_bytes_on() -> None:
    way = re.compile(r"(report\.)?terminal\.write")
    assert {name for name, found in modules() if any(map(way.fullmatch, found))} == set(EXACT)


def test_nobody_shows_a_mistake_without_the_command_line() -> None:
    """click prints what it is told as it is; all that it raises passes through `Commands`."""
    way = re.compile(r"click\.\w*(Error|Exception|Parameter)|\w+\.show_default|\w*rror\.show")
    found = {name for name, found in modules() if any(map(way.fullmatch, found))}
    assert {name for name in found if not name.startswith("cli/")} == set()


NAME = "a" + EVIL.replace("/", "") + ".py"
SETTINGS = f"[tool.distify]\nselect = [{EVIL.encode('unicode_escape').decode()!a}]\n"


@pytest.mark.parametrize(
    "arguments",
    [
        [EVIL],
        [f"--{EVIL}"],
        ["check", EVIL],
        ["check", f"--select={EVIL}"],
        ["check", f"--format={EVIL}"],
        ["check", f"--{EVIL}"],
        ["migrate", f"-{EVIL}"],
        ["migrate", "--commit", "--branch", EVIL, "."],
        ["explain", EVIL],
        ["undo", EVIL],
        ["rules", f"--format={EVIL}"],
        ["verify", EVIL],
        ["verify", "-np", EVIL, "x.py"],
        ["verify", f"--{EVIL}"],
        ["pr", "--base", EVIL],
        ["pr", f"--{EVIL}"],
        ["pr", EVIL],
    ],
    ids=lambda words: " ".join(words).replace(EVIL, "EVIL"),
)
def test_arguments_are_repeated_harmlessly(call: Call, here: Path, arguments: list[str]) -> None:
    subprocess.run(["git", "init", "-q"], cwd=here, check=True)
    (here / "train.py").write_text(TRAIN)
    answer = call(*arguments)
    assert answer.exit_code in (1, 2)
    assert answer.stderr
    assert not STEERS.search(answer.output)


@pytest.mark.parametrize("command", ["check", "migrate", "migrate --diff --color never"])
def test_names_and_settings_are_shown_harmlessly(call: Call, here: Path, command: str) -> None:
    (here / NAME).write_text(TRAIN)
    (here / f"broken{NAME}").write_text("import tensorflow\nmodel.fit(\x1b[31m")
    answer = call(*command.split())
    assert "a\\x1b]0;owned" in answer.output
    assert not STEERS.search(answer.output.replace("\x1b[31m" if "diff" in command else "", ""))
    (here / "pyproject.toml").write_text('[tool.distify]\nselect = ["\\u001b]0;owned\\u0007"]\n')
    answer = call(*command.split())
    assert answer.exit_code == 2
    assert not STEERS.search(answer.output)


def test_a_diff_is_harmless_where_a_person_watches(
    call: Call, here: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (here / "train.py").write_text(TRAIN.replace("0.1", "0.1 + 0 if '\x1b[2J' else 1", 1) + TRAIN)
    monkeypatch.setattr(Terminal, "is_watched", lambda self: True)
    answer = call("migrate", "--diff", "--color", "never")
    assert "@@" in answer.stdout
    assert not STEERS.search(answer.output)
    monkeypatch.setattr(Terminal, "is_watched", lambda self: False)
    assert "\x1b[2J" in call("migrate", "--diff", "--color", "never").stdout  # for `patch`


def test_a_script_that_is_verified_is_announced_harmlessly(tmp_path: Path) -> None:
    script = tmp_path / NAME
    script.write_text("raise SystemExit(3)\n")
    answer = CliRunner().invoke(verify, [str(script), "--python", f"{tmp_path}/{EVIL}"])
    assert answer.exit_code == 2
    assert not STEERS.search(answer.output)


def test_what_git_and_servers_say_keeps_its_lines(capsys: pytest.CaptureFixture[str]) -> None:
    Terminal("never").show(of_error(ValueError(f"git push failed\nremote:\t{EVIL}no")), error=True)
    said = capsys.readouterr().err
    assert said.startswith("error: git push failed\nremote: ")
    assert not STEERS.search(said)


def test_a_workflow_command_is_harmless_in_its_log() -> None:
    said = actions.command(actions.Annotation("error", EVIL, f"{EVIL}\nsecond", f"{EVIL}.py"))
    assert "%0Asecond" in said
    assert f"file={TRUE}" in said  # GitHub looks for a file of exactly this name
    assert not STEERS.search(said.replace(TRUE, ""))


def test_lines_stay_lines() -> None:
    assert safe_lines("a\tb\n\x1bc\r\n") == "a       b\n\\x1bc\\r\n"


def test_a_process_of_its_own_says_the_same(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "distify.assistant", "check", EVIL, f"--{EVIL}"]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert done.returncode == 2
    assert not STEERS.search(done.stdout + done.stderr)
