"""No pull request holds what isn't proved, and its text says what is, and what is taken on."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from click.testing import CliRunner

from distify.assistant.cli.commands import distify
from distify.assistant.report.in_markdown import prose
from distify.codemods.judge.case import proved
from obliged import Obliged, refuse

from .project import BRANCH, Project
from .server import TOKEN

CACHED = ("settings", "table", "tools")


def pr(project: Project, monkeypatch: pytest.MonkeyPatch, *options: str) -> tuple[int, str]:
    """`distify pr` in this process, so that it is judged by the test's own obligation."""
    from distify.assistant.files import config

    for name in CACHED:
        getattr(config, name).cache_clear()
    monkeypatch.chdir(project.folder)
    for name in list(os.environ):
        if name.startswith(("GITHUB_", "GH_")):
            monkeypatch.delenv(name)
    for name, value in {**project.env, **project.person, "GITHUB_TOKEN": TOKEN}.items():
        monkeypatch.setenv(name, value)
    done = CliRunner().invoke(distify, ["pr", *options])
    if done.exception and not isinstance(done.exception, SystemExit):
        raise done.exception
    return done.exit_code, done.output


def test_nothing_is_proposed_of_which_nothing_is_proved(
    project: Project, monkeypatch: pytest.MonkeyPatch
) -> None:
    Obliged(monkeypatch)(refuse)
    code, said = pr(project, monkeypatch, "--fail-on", "error")
    assert code == 1, said
    assert project.github.pulls == []
    assert not project.github.git("branch", "--list", BRANCH)
    assert "hvd" not in Path("train.py").read_text()


def test_the_text_says_what_is_proved(project: Project, monkeypatch: pytest.MonkeyPatch) -> None:
    Obliged(monkeypatch)(lambda case: [proved("nothing", "it is so", "the same files everywhere")])
    code, said = pr(project, monkeypatch)
    assert code == 0, said
    (pull,) = project.github.pulls
    assert "### Proved" in pull["body"]
    assert "`train.py`: nothing; assuming the same files everywhere" in pull["body"]


def test_the_text_says_of_each_place_why_it_changes(
    project: Project, monkeypatch: pytest.MonkeyPatch
) -> None:
    code, said = pr(project, monkeypatch)
    assert code == 0, said
    (pull,) = project.github.pulls
    part = pull["body"].partition("### Why each place changes\n\n")[2].partition("\n\n")[0]
    diff = CliRunner().invoke(distify, ["migrate", "--diff", "train.py"]).stdout
    assert diff.startswith("--- ")
    heads = [each.split(" @@ ")[1] for each in diff.splitlines() if each.startswith("@@")]
    assert heads
    assert [each.split(") ", 1)[1] for each in part.split("\n")] == list(map(prose, heads))
    assert part.startswith("- [`train.py:")


@pytest.mark.parametrize("how", [["--unsound=nothing"], []])
def test_what_is_taken_on_is_listed(
    how: list[str], project: Project, monkeypatch: pytest.MonkeyPatch
) -> None:
    if not how:  # as the action hands its input on
        monkeypatch.setenv("DISTIFY_PR_UNSOUND", "nothing")
    Obliged(monkeypatch)(refuse)
    code, said = pr(project, monkeypatch, *how)
    assert code == 0, said
    (pull,) = project.github.pulls
    assert "nothing is taken on" in pull["body"]
    text = project.github.git("log", "-1", "--format=%B", BRANCH)
    assert "Distify-Taken-On: nothing" in text


@pytest.mark.parametrize("word", ["true", "false", ""])
def test_the_words_of_a_workflow_take_nothing_on(
    word: str, project: Project, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("DISTIFY_PR_UNSOUND", word)
    Obliged(monkeypatch)(refuse)
    code, said = pr(project, monkeypatch)
    assert code == 0, said
    assert project.github.pulls == []
