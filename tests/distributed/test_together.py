"""What the judge says of collectives is what two workers do: they wait for ever, or drift apart.

Each program stands beside one that looks alike and is sound.
"""

from __future__ import annotations

from pathlib import Path

import pytest
from proof import verify

HERE = Path(__file__).parent / "together"
NAMES = sorted(path.stem[: -len("_bad")] for path in HERE.glob("*_bad.py"))
FEW = ("layer",)  # weights that differ without a word
LEFT_OPEN = ("traced",)  # it hangs within TensorFlow, where nobody sees who waits for whom


def named(*names: str) -> list[object]:
    """The programs, of which `make test` runs a few."""
    return [name if name in FEW else pytest.param(name, marks=pytest.mark.slow) for name in names]


@pytest.mark.parametrize("name", named(*NAMES))
def test_what_it_refuses_is_convicted(name: str, tmp_path: Path) -> None:
    proof = verify(HERE / f"{name}_bad.py", tmp_path, "--no-reference")
    assert proof.code == (2 if name in LEFT_OPEN else 1), str(proof)
    assert bool(proof.convicted) is (name not in LEFT_OPEN)
    assert "hang" not in proof.fine or name == "layer", str(proof)


@pytest.mark.parametrize("name", named(*NAMES))
def test_what_it_proves_goes_through(name: str, tmp_path: Path) -> None:
    proof = verify(HERE / f"{name}_ok.py", tmp_path, "--no-reference")
    assert proof.code == 0, str(proof)
