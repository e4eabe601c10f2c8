"""Answers that are kept: what is written can be read, and what can't be read is named."""

from __future__ import annotations

import os
import stat
from pathlib import Path

import pytest

from distify.assistant.files.discovery import Target
from distify.assistant.files.outcome import Outcome
from distify.assistant.files.reader import NotRead
from distify.assistant.files.saved import NotSaved
from distify.assistant.walk.answers import Answers, Session
from distify.assistant.walk.dialogue import NO, YES, Edited, Question

STRANGE = 'a "b" \\ \x7f \x1b é 😀\n\ttail'


def question(path: Path, code: str = "D101", after: str = "b\n") -> Question:
    return Question(Outcome(Target(path.name, str(path))), code, "a\n", after, 1, 1)


def test_what_is_recorded_is_played_back(tmp_path: Path) -> None:
    kept = Answers(str(tmp_path / "answers.toml"))
    asked = [question(tmp_path / "src" / "a.py", code) for code in ("D101", "D104", "D107")]
    given = [YES, NO, Edited(STRANGE)]
    for each, answer in zip(asked, given):
        assert kept.answer(each) is None
        kept.record(each, answer)
    again = Answers(str(tmp_path / "answers.toml"))
    assert [again.answer(each) for each in asked] == given


@pytest.mark.parametrize("name", [STRANGE.replace("\n", ""), "a b.py", "ü.py"])
def test_any_name_of_a_file_is_kept(tmp_path: Path, name: str) -> None:
    Answers(str(tmp_path / "x.toml")).record(question(tmp_path / name), YES)
    assert Answers(str(tmp_path / "x.toml")).answer(question(tmp_path / name)) == YES
    assert Answers(str(tmp_path / "x.toml")).answer(question(tmp_path / "other.py")) is None


def test_an_answer_is_to_one_change(tmp_path: Path) -> None:
    kept = Answers(str(tmp_path / "x.toml"))
    kept.record(question(tmp_path / "a.py"), YES)
    assert kept.answer(question(tmp_path / "a.py", after="c\n")) is None
    assert kept.answer(question(tmp_path / "a.py", code="D102")) is None


def test_an_answer_without_a_change_is_to_any(tmp_path: Path) -> None:
    path = tmp_path / "x.toml"
    table = '[[answers]]\nfile = "a.py"\nrule = "D101"\napply = false\n'
    path.write_text(f"version = 1\n\n{table}")
    assert Answers(str(path)).answer(question(tmp_path / "a.py", after="whatever\n")) == NO


def test_the_last_answer_counts(tmp_path: Path) -> None:
    kept = Answers(str(tmp_path / "x.toml"))
    for answer in (YES, NO):
        kept.record(question(tmp_path / "a.py"), answer)
    assert kept.answer(question(tmp_path / "a.py")) == NO
    assert Path(kept.path).read_text().count("[[answers]]") == 1
    kept.forget(question(tmp_path / "a.py"))
    assert Answers(kept.path).answer(question(tmp_path / "a.py")) is None


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("", "version = 1"),
        ("version = 2\n", "version = 1"),
        ("version = 1\nanswers = 3\n", "[[answers]]"),
        ("version = 1\n[[answers]]\nfile = 1\nrule = 'D101'\napply = true\n", "file"),
        ("version = 1\n[[answers]]\nfile = 'a.py'\nrule = 'D101'\n", "apply"),
        ("version = 1\n[[answers]]\nfile = 'a.py'\nrule = 'D1'\napply = true\nx = 1\n", "x"),
        ("version = ", "alid"),
    ],
)
def test_what_is_wrong_is_named(tmp_path: Path, text: str, why: str) -> None:
    path = tmp_path / "x.toml"
    path.write_text(text)
    with pytest.raises(NotRead, match=why.replace("[", r"\[")):
        Answers(str(path))
    assert path.read_text() == text


def test_a_failure_leaves_the_file_as_it_was(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    kept = Answers(str(tmp_path / "x.toml"))
    kept.record(question(tmp_path / "a.py"), YES)
    before = (tmp_path / "x.toml").read_bytes()

    def fail(*_: object) -> None:
        raise OSError(28, "no space")

    monkeypatch.setattr(os, "replace", fail)
    with pytest.raises(NotSaved, match="no space"):
        kept.record(question(tmp_path / "a.py"), NO)
    assert [path.name for path in tmp_path.iterdir()] == ["x.toml"]
    assert (tmp_path / "x.toml").read_bytes() == before


def test_a_session_belongs_to_a_folder_and_lies_in_no_project(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    monkeypatch.delenv("XDG_CONFIG_HOME", raising=False)
    (tmp_path / "one").mkdir()
    (tmp_path / "two").mkdir()
    monkeypatch.chdir(tmp_path / "one")
    asked = question(tmp_path / "one" / "a.py")
    session = Session(is_new=True)
    session.record(asked, YES)
    assert not list(tmp_path.glob("one/*"))
    assert stat.S_IMODE(os.stat(os.path.dirname(session.path)).st_mode) == 0o700
    assert Session(is_new=False).answer(asked) == YES
    assert Session(is_new=True).answer(asked) is None
    monkeypatch.chdir(tmp_path / "two")
    assert Session(is_new=False).answer(asked) is None
    monkeypatch.chdir(tmp_path / "one")
    Session(is_new=False).end()
    assert Session(is_new=False).answer(asked) is None


def test_a_session_that_cant_be_kept_goes_on_and_says_so(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    monkeypatch.delenv("XDG_CONFIG_HOME", raising=False)
    (tmp_path / "home").write_text("no folder")
    session = Session(is_new=True)
    assert "is kept" in session.farewell
    session.record(question(tmp_path / "a.py"), YES)
    assert session.answer(question(tmp_path / "a.py")) == YES
    assert "could not be kept: Not a directory" in session.farewell
