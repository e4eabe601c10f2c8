"""`distify install-horovod` shows its commands, asks, and runs them."""

from __future__ import annotations

import pytest
from click.testing import CliRunner, Result

from distify.assistant import install_horovod as building
from distify.assistant.cli.commands import distify


def call(*arguments: str, text: str = "") -> Result:
    return CliRunner().invoke(distify, ["install-horovod", *arguments], input=text)


@pytest.fixture
def built(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The Pythons that Horovod is built for."""
    pythons: list[str] = []
    monkeypatch.setattr(building, "install", pythons.append)
    return pythons


@pytest.mark.parametrize(
    ("arguments", "text"), [(["--dry-run"], ""), (["--dry-run", "--yes"], ""), ([], "n\n")]
)
def test_the_commands_are_shown_and_not_run(
    built: list[str], arguments: list[str], text: str
) -> None:
    result = call("--python", "/env/bin/python", *arguments, text=text)
    assert result.exit_code == 0
    assert "# leave out its XLA operations\n" in result.output
    assert f"horovod=={building.HOROVOD}" in result.output
    assert built == []


@pytest.mark.parametrize(("arguments", "text"), [(["-y"], ""), ([], "y\n")])
def test_they_are_run_when_a_person_says_so(
    built: list[str], arguments: list[str], text: str
) -> None:
    assert call("--python", "/env/bin/python", *arguments, text=text).exit_code == 0
    assert built == ["/env/bin/python"]


def test_what_fails_is_told() -> None:
    result = call("--python", "/no/such/python", "--yes")
    assert result.exit_code == 2
    assert "/no/such/python can't be run" in result.output
