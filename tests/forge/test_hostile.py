"""Names and texts that try to be commands, Markdown, people or outputs, all the way through."""

from __future__ import annotations

import os
import re
from pathlib import Path
from urllib.parse import unquote

import pytest
from markdown_it import MarkdownIt

from distify.assistant.report import actions

from .project import BLOCKED, BRANCH, TRAIN, Project
from .runner import commands, parse
from .server import REPOSITORY

NAMES = (
    "a`b``c.py",
    "a|b.py",
    "@someone.py",
    "<img src=x onerror=y>.py",
    "x](http:§§evil.example)[.py",
    "new\nline.py",
    "\n::error::line.py",
    "::set-output name=x::y.py",
    "##[error]x.py",
    "100%0A,x=1:2.py",
    "--> <!-- .py",
    "```.py",
    "$(touch hacked).py",
    "' \"; touch hacked; #.py",
    "ünïcode \u202e.py",
    "#1 GH-1.py",
    "-rf.py",
    "a" * 200 + ".py",
)


def facts(command: str) -> dict[str, str]:
    """The properties of an annotation, as the runner reads them."""
    given = command.split("::")[1].partition(" ")[2]
    pairs = (each.split("=", 1) for each in given.split(","))
    return {key: unescaped(value) for key, value in pairs}


def unescaped(text: str) -> str:
    for code, sign in (("%0D", "\r"), ("%0A", "\n"), ("%3A", ":"), ("%2C", ","), ("%25", "%")):
        text = text.replace(code, sign)
    return text


def check_markdown(text: str, web: str, names: set[str]) -> None:
    """Rendered, it has our links and our markup only, and calls nobody."""
    named = set()
    tokens = MarkdownIt("commonmark").enable("table").parse(text)
    for token in [each for t in tokens for each in [t, *(t.children or [])]]:
        if token.type in ("html_inline", "html_block"):
            assert re.fullmatch(
                r"<!-- (distify \w*\.\.\w* \w* )?-->|</?sub>", token.content.strip()
            )
        elif token.type == "link_open":
            address = str(token.attrs["href"])
            ours = (f"{web}/blob/", f"{web}/commit/", "https://horovod.read")
            assert address.startswith(ours) or address == f"{web}/pull/1"
            named.add(unquote(address.partition("/blob/")[2].partition("/")[2].rpartition("#L")[0]))
        elif token.type == "text":
            assert not re.search(r"@\w|#\d|GH-\d", token.content)
    assert names <= named


@pytest.fixture
def hostile(project: Project) -> Project:
    for name in NAMES:
        place = name.replace("§", "")
        (project.folder / place).write_text(TRAIN, encoding="utf-8")
        (project.folder / f"blocked {place}").write_text(BLOCKED, encoding="utf-8")
    project.change("Names")
    return project


@pytest.mark.slow
def test_no_name_is_more_than_a_name(hostile: Project) -> None:
    log = hostile.pr()
    names = {f"blocked {name.replace('§', '')}" for name in NAMES}
    told = commands(log)
    assert {each.split()[0] for each in told} == {"::warning"}
    assert {facts(each)["file"] for each in told} == names  # or GitHub shows them beside no file
    (pull,) = hostile.github.pulls
    web = f"{hostile.github.url}/{REPOSITORY}"
    check_markdown(pull["body"], web, names)
    check_markdown(hostile.summary.read_text(encoding="utf-8"), web, names)
    assert not (hostile.folder / "hacked").exists()
    outputs = parse(hostile.output.read_text(encoding="utf-8"))
    assert outputs["pull-request-operation"] == "created"
    hostile.pr()
    outputs = parse(hostile.output.read_text(encoding="utf-8"))
    assert outputs["pull-request-operation"] == "none"


@pytest.mark.slow
def test_the_commands_to_copy_run_nothing_else(hostile: Project) -> None:
    hostile.pr()
    body = hostile.github.pulls[0]["body"]
    tokens = MarkdownIt("commonmark").enable("table").parse(body)
    lines = [line for t in tokens if t.type == "fence" for line in t.content.splitlines()]
    assert len(lines) >= 4
    for line in lines:
        assert re.match(r"(distify verify|horovodrun -np 2 python) ", line)
        words = hostile.shell("bash", "-c", "printf '%s\\n' " + line.replace("\\n", ""))
        assert "hacked" not in words or "touch hacked" in words
    assert not (hostile.folder / "hacked").exists()


@pytest.mark.slow
def test_a_name_that_is_no_text_is_a_name(project: Project) -> None:
    folder = os.fsencode(project.folder)
    for name, text in ((b"tr\xff.py", TRAIN), (b"bl\xff.py", BLOCKED)):
        Path(os.fsdecode(folder + b"/" + name)).write_text(text, encoding="utf-8")
    project.change("Names")
    project.pr()
    (pull,) = project.github.pulls
    assert "/bl%FF.py#L3)" in pull["body"]
    assert "horovodrun -np 2 python train.py" in pull["body"]
    project.pr()
    assert len(project.github.pulls) == 1


def test_titles_and_branches_are_taken_literally(project: Project) -> None:
    branch = "x-$(touch${IFS}hacked)`touch>hacked`;'\"&|%0A#é"
    title = "::error::x\n@someone <b> | `x` \u202e" + "y" * 300
    log = project.pr(DISTIFY_PR_BRANCH=branch, DISTIFY_PR_TITLE=title)
    assert commands(log) == []
    (pull,) = project.github.pulls
    assert pull["title"] == " ".join(title.split())[:256]
    assert project.github.head(branch)
    outputs = parse(project.output.read_text(encoding="utf-8"))
    assert outputs["pull-request-branch"] == branch
    assert not (project.folder / "hacked").exists()


def test_what_git_says_is_no_command(project: Project) -> None:
    hook = project.github.bare / "hooks" / "pre-receive"
    hook.write_text("#!/bin/sh\necho '::set-env name=X::y' >&2\necho '##[error]z' >&2\nexit 1\n")
    hook.chmod(0o755)
    told = commands(project.pr(code=2))
    assert [each.split()[0] for each in told] == ["::error"]
    assert not project.github.pulls
    assert not project.github.head(BRANCH)


@pytest.mark.parametrize(
    "value", ["", "plain", "a\nb=c", "x\nEOF\ny=z", "a<<b\n", "=", "distify_\nname<<W\nv\nW"]
)
def test_an_output_holds_whatever_it_holds(
    value: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / "output"
    monkeypatch.setenv("GITHUB_OUTPUT", str(file))
    actions.put({"first": value, "second": "2"})
    assert parse(file.read_text(encoding="utf-8")) == {"first": value, "second": "2"}


def test_a_summary_is_never_too_long(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = tmp_path / "summary"
    monkeypatch.setenv("GITHUB_STEP_SUMMARY", str(file))
    actions.summarize("ü" * 1_000_000)
    assert 900_000 < file.stat().st_size <= 1024 * 1024
    assert file.read_text(encoding="utf-8").endswith("ü\n")


def test_nobody_can_guess_how_commands_begin_again(capsys: pytest.CaptureFixture[str]) -> None:
    for _ in range(2):
        with actions.listening_to_nobody():
            pass
    words = [line.rpartition("::")[2] for line in capsys.readouterr().out.splitlines()[::2]]
    assert len(set(words)) == 2
    assert min(map(len, words)) >= 32


@pytest.mark.parametrize("text", ["a\nb", "a\r\nb", "100%0A", "::x::", "a:b,c=d", "a\u202eb", ""])
def test_an_annotation_is_one_line(text: str) -> None:
    line = actions.command(actions.Annotation("error", text, text, text, 3))
    assert len(line.splitlines()) == 1
    shown = text.replace("\r", r"\r").replace("\u202e", r"\u202e")  # signs that steer a terminal
    assert unescaped(line.split("::", 2)[2]) == shown
    if text:
        assert (facts(line)["file"], facts(line)["title"]) == (text, shown)


@pytest.mark.parametrize("sign", ["\x00", "\x0b", "\x1b", "\x1c", "\x7f", "\x85", "\x9b", "\u2028"])
def test_a_path_neither_steers_a_terminal_nor_ends_a_line(sign: str) -> None:
    path = f"a{sign}::error::b.py"
    line = actions.command(actions.Annotation("warning", "title", "text", path))
    assert sign not in line
    assert len(line.splitlines()) == 1
    assert facts(line)["file"] == path.replace(sign, sign.encode("unicode_escape").decode())
