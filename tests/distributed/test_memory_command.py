"""`distify memory` on a program that really trains."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest
from looped import LOOPS, program

TRAINED = "\n\nfor _ in range(8):\n    train([w])\n"


@pytest.mark.slow
def test_a_schedule_is_found_that_fits(tmp_path: Path) -> None:
    text = program(LOOPS["while"].replace("i < 9", "i < 64")).replace("[8, 6, 4]", "[8, 600, 4]")
    (tmp_path / "train.py").write_text(text + TRAINED)
    command = [sys.executable, "-m", "distify", "memory", "train.py", "--python", sys.executable]
    done = subprocess.run(
        [*command, "--budget", "3MB"], cwd=tmp_path, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stdout + done.stderr
    assert 'recompute = "' in done.stdout
    assert "keeps " in done.stdout
    assert sorted(path.name for path in tmp_path.iterdir()) == ["train.py"]
