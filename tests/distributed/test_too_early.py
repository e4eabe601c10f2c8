"""Data that the program makes itself: whoever reads it before it is there ends with an error.

That is no verdict on the distribution, which `verify` leaves open: the program fails.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from proof import verify

BROKEN = Path(__file__).parent / "too_early" / "folder.py"


@pytest.mark.slow
def test_a_worker_finds_the_folder_of_a_slower_rank_zero_without_its_files(tmp_path: Path) -> None:
    proof = verify(BROKEN, tmp_path, "--no-reference")
    assert proof.code == 2, str(proof)
    assert "No text files found" in str(proof)


@pytest.mark.slow
def test_ours_waits_for_it(tmp_path: Path, migrate: Any) -> None:
    proof = verify(migrate(BROKEN.parent / "single" / BROKEN.name), tmp_path, "--no-reference")
    assert proof.code == 0, str(proof)
    assert "drift" in proof.fine, str(proof)
