"""Modules of a program of Horovod's are judged, also those that train nothing themselves."""

from __future__ import annotations

from pathlib import Path

import pytest

from distify.assistant import codemods
from distify.assistant.files.discovery import Target
from distify.assistant.files.examine import examine
from distify.assistant.files.levels import ERROR, WARNING, exit_code
from distify.assistant.files.outcome import Outcome
from distify.codemods.migrate import migrate
from distify.codemods.model import Options

HEAD = "import time\nimport tensorflow as tf\nimport horovod.tensorflow as hvd\n\nhvd.init()\n"
ALONE = HEAD + "if hvd.rank() == 0:\n    hvd.barrier()\n"
BY_CLOCK = HEAD + "if time.time() > 9:\n    hvd.barrier()\n"


@pytest.fixture(autouse=True)
def the_engine_itself(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(codemods, "migrate", migrate)


def looked_at(path: Path, text: str) -> Outcome | None:
    """What a look at a file in a folder finds."""
    file = path / "part.py"
    file.write_text(text)
    (outcome,) = examine([Target("part.py", str(file))], lambda folder: Options())
    return outcome


@pytest.mark.parametrize(
    ("text", "errors", "warnings"),
    [(ALONE, 1, 1), (BY_CLOCK, 0, 1), (HEAD + "hvd.barrier()\n", 0, 0)],
)
def test_an_error_fails_and_a_warning_only_where_it_is_asked_for(
    tmp_path: Path, text: str, errors: int, warnings: int
) -> None:
    outcome = looked_at(tmp_path, text)
    assert outcome is not None
    assert exit_code([outcome], False, ERROR) == errors
    assert exit_code([outcome], False, WARNING) == warnings


@pytest.mark.parametrize(
    "text", ["import tensorflow as tf\n", "import horovod.torch as hvd\n", "print(1)\n"]
)
def test_what_neither_trains_nor_asks_horovod_is_not_parsed(tmp_path: Path, text: str) -> None:
    assert looked_at(tmp_path, text) is None
