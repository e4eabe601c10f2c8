"""`distify config`: every setting, its value, and who says so."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from distify.assistant.files.config import KEYS

from ..conftest import Call

SAID = '[tool.distify]\nshard = "none"\nper-file-ignores = {"a/*.py" = ["T07"]}\n'


def told(call: Call, *arguments: str) -> dict[str, tuple[object, str]]:
    found = json.loads(call("config", "--format", "json", *arguments).stdout)
    return {each["key"]: (each["value"], each["why"]) for each in found}


@pytest.fixture(autouse=True)
def nothing_installed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("distify.assistant.files.project_packages.tensorflow", lambda folders: None)


def test_each_key_is_told_and_nobody_says_anything(call: Call) -> None:
    found = told(call)
    assert [*found] == [*KEYS, "line length"]
    assert found["tensorflow"] == ("2.15", "by default")
    assert found["shard"] == ("auto", "by default")
    assert found["keras"] == (None, "by default")


def test_who_says_it_is_named(call: Call) -> None:
    Path("pyproject.toml").write_text(f"{SAID}[tool.ruff]\nline-length = 90\n")
    Path("requirements.txt").write_text("tensorflow==2.18\n")
    Path("src").mkdir()
    Path("src/train.py").write_text("x = 1\n")
    path = str(Path("pyproject.toml").resolve())
    for place in (".", "src", "src/train.py"):
        found = told(call, place)
        assert found["shard"] == ("none", path)
        assert found["per-file-ignores"] == ({"a/*.py": ["T07"]}, path)
        assert found["tensorflow"][0] == "2.18"
        assert "requirements.txt" in found["tensorflow"][1]
        assert found["line length"][0] == 90
        assert found["ignore"] == ([], "by default")


def test_people_read_values_as_they_would_write_them(call: Call) -> None:
    Path("pyproject.toml").write_text(SAID)
    lines = {line.split("  ")[0]: line for line in call("config").stdout.splitlines()}
    assert '{"a/*.py" = ["T07"]}' in lines["per-file-ignores"]
    assert '"none"' in lines["shard"]
    assert "not set" in lines["recompute"]


def test_what_is_wrong_in_the_settings_is_named(call: Call) -> None:
    Path("pyproject.toml").write_text("[tool.distify]\nshards = 1\n")
    result = call("config")
    assert result.exit_code == 2
    assert "did you mean shard?" in result.stderr
    assert call("config", "nowhere").exit_code == 2
