"""The pinned corpus: fetched once by pip, hashes verified, only its Python files unpacked."""

from __future__ import annotations

import hashlib
import io
import shutil
import subprocess
import sys
import tarfile
import zipfile
from collections.abc import Iterator
from pathlib import Path, PurePosixPath

ROOT = Path(__file__).resolve().parent.parent
PINS = ROOT / "bench" / "corpus.txt"
HOME = ROOT / ".corpus"


def corpus() -> Path:
    """The folder with the corpus in it, fetched if what is there is not what the pins say."""
    sources, stamp = HOME / "sources", HOME / "stamp"
    pins = hashlib.sha256(PINS.read_bytes()).hexdigest()
    if stamp.exists() and stamp.read_text() == pins:
        return sources
    shutil.rmtree(HOME, ignore_errors=True)
    sources.mkdir(parents=True)
    fetch(HOME / "archives")
    for archive in sorted((HOME / "archives").iterdir()):
        unpack(archive, sources / archive.name.partition("-")[0])
    stamp.write_text(pins)
    return sources


def fetch(archives: Path) -> None:
    """Ask pip for exactly the pinned files; which Pythons they were made for does not matter."""
    print(f"Fetching the corpus into {archives.relative_to(ROOT)}", file=sys.stderr)
    pip = [sys.executable, "-m", "pip", "--disable-pip-version-check", "-qq", "download"]
    how = ["--no-deps", "--ignore-requires-python", "--require-hashes"]
    subprocess.run([*pip, *how, "-d", str(archives), "-r", str(PINS)], check=True)


def unpack(archive: Path, into: Path) -> None:
    """Write the Python files of a wheel or source archive, and nothing else, below `into`."""
    for name, data in members(archive):
        path = PurePosixPath(name)
        if path.suffix == ".py" and ".." not in path.parts and not path.is_absolute():
            target = into / path
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_bytes(data)


def members(archive: Path) -> Iterator[tuple[str, bytes]]:
    if archive.suffix == ".whl":
        with zipfile.ZipFile(archive) as wheel:
            for name in wheel.namelist():
                yield name, wheel.read(name)
        return
    with tarfile.open(archive) as tar:
        for member in tar:
            yield member.name, (tar.extractfile(member) or io.BytesIO()).read()
