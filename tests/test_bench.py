"""The corpus: only Python files come out of an archive, and none lands outside its folder."""

from __future__ import annotations

import io
import tarfile
import zipfile
from pathlib import Path

import pytest
from bench.corpus import PINS, unpack

FILES = {
    "pkg/a.py": b"a = 1\n",
    "pkg/data.bin": b"\0",
    "../outside.py": b"evil = 1\n",
    "/absolute.py": b"evil = 1\n",
}


def wheel(path: Path) -> Path:
    with zipfile.ZipFile(path / "pkg-1.0-py3-none-any.whl", "w") as archive:
        for name, data in FILES.items():
            archive.writestr(name, data)
    return path / "pkg-1.0-py3-none-any.whl"


def sdist(path: Path) -> Path:
    with tarfile.open(path / "pkg-1.0.tar.gz", "w:gz") as archive:
        for name, data in FILES.items():
            member = tarfile.TarInfo(name)
            member.size = len(data)
            archive.addfile(member, io.BytesIO(data))
    return path / "pkg-1.0.tar.gz"


@pytest.mark.parametrize("pack", [wheel, sdist])
def test_only_python_files_are_unpacked_and_only_below(pack, tmp_path: Path) -> None:
    archive = pack(tmp_path)
    unpack(archive, tmp_path / "deep" / "into")
    written = [path for path in tmp_path.rglob("*") if path.is_file() and path != archive]
    assert written == [tmp_path / "deep" / "into" / "pkg" / "a.py"]
    assert written[0].read_bytes() == FILES["pkg/a.py"]


def test_every_pin_has_a_hash() -> None:
    pins = PINS.read_text(encoding="utf-8").splitlines()
    assert len(pins) == 13
    assert all("==" in pin and "--hash=sha256:" in pin for pin in pins)
