"""The length of a line is that of the nearest formatter."""

from __future__ import annotations

from pathlib import Path

import pytest

from distify.assistant.files.choice import Choice
from distify.assistant.files.formatter import width


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("", 0),
        ("[project]\nname = 'x'\n", 0),
        ("[tool.ruff]\nline-length = 100\n", 100),
        ("[tool.ruff]\nsrc = ['src']\n", 0),
        ("[tool.black]\nline-length = 110\n", 110),
        ("[tool.black]\nskip-string-normalization = true\n", 88),
        ("[tool.yapf]\ncolumn_limit = 80\n", 80),
        ("[tool.yapf]\nbased_on_style = 'google'\n", 0),
        ("[tool.ruff]\nline-length = 100\n[tool.black]\nline-length = 110\n", 110),
        ("[tool.ruff]\nline-length = 'wide'\n", 0),
        ("[tool.ruff]\nline-length = true\n", 0),
        ("[tool.ruff]\nline-length = 100000\n", 0),
        ("[tool]\nruff = 3\n", 0),
        ("tool = 3\n", 0),
    ],
)
def test_what_a_formatter_is_set_to(here: Path, text: str, expected: int) -> None:
    (here / "pyproject.toml").write_text(text)
    assert width(str(here)) == expected


def test_the_nearest_file_with_a_formatter_counts(here: Path) -> None:
    (here / "pyproject.toml").write_text("[tool.black]\nline-length = 99\n")
    (here / "a").mkdir()
    (here / "a" / "pyproject.toml").write_text("[project]\nname = 'a'\n")
    assert width(str(here / "a" / "deep")) == 99


def test_the_rules_get_it(here: Path) -> None:
    (here / "pyproject.toml").write_text("[tool.ruff]\nline-length = 72\n")
    assert Choice((), ()).options_for(str(here)).width == 72
