"""A folder that reads like the user's, and keeps what is written."""

from __future__ import annotations

import os
from pathlib import Path

from distify.assistant.verify.run.copies import MANY, SMALL, lay_out


def made(folder: Path) -> Path:
    source = folder / "source"
    (source / "data" / "deep").mkdir(parents=True)
    (source / "data" / "x.npy").write_text("data")
    (source / "data" / "deep" / "y.npy").write_text("deep")
    (source / "log.csv").write_text("log")
    return source


def test_what_is_written_stays_there(tmp_path: Path) -> None:
    source, target = made(tmp_path), tmp_path / "target"
    (source / "large.bin").write_bytes(b"x" * (SMALL + 1))
    (source / "broken").symlink_to("nowhere")
    (source / "link").symlink_to("data")
    os.mkfifo(source / "pipe")
    lay_out(source, target)
    assert (target / "data" / "deep" / "y.npy").read_text() == "deep"
    assert (target / "link" / "x.npy").read_text() == "data"
    assert (target / "large.bin").is_symlink()
    (target / "log.csv").write_text("other")
    (target / "data" / "x.npy").write_text("other")
    (target / "data" / "deep" / "y.npy").unlink()
    (target / "new").mkdir()
    assert (source / "log.csv").read_text() == "log"
    assert (source / "data" / "x.npy").read_text() == "data"
    assert (source / "data" / "deep" / "y.npy").read_text() == "deep"
    assert not (source / "new").exists()
    assert sorted(os.listdir(target)) == ["data", "large.bin", "link", "log.csv", "new"]


def test_a_copy_within_the_folder_does_not_hold_itself(tmp_path: Path) -> None:
    source = made(tmp_path)
    lay_out(source, source / "records" / "copy")
    assert sorted(os.listdir(source / "records" / "copy")) == ["data", "log.csv"]


def test_a_copy_of_a_copy(tmp_path: Path) -> None:
    source = made(tmp_path)
    (source / "large.bin").write_bytes(b"x" * (SMALL + 1))
    lay_out(source, tmp_path / "one")
    lay_out(tmp_path / "one", tmp_path / "two")
    assert os.path.realpath(tmp_path / "two" / "large.bin") == str(source / "large.bin")


def test_a_folder_of_too_many_files_is_linked(tmp_path: Path) -> None:
    source = made(tmp_path)
    for number in range(MANY + 10):
        (source / "data" / f"{number}").touch()
    lay_out(source, tmp_path / "target")
    assert (tmp_path / "target" / "log.csv").read_text() == "log"
    assert (tmp_path / "target" / "data").is_symlink()
    assert len(os.listdir(tmp_path / "target" / "data")) == MANY + 12
