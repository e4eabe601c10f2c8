"""A file that is kept: written whole, never through a link that leads out of the repository."""

from __future__ import annotations

from pathlib import Path

import pytest

from distify.assistant.files.saved import NotSaved, save


def test_what_is_saved_is_there(tmp_path: Path) -> None:
    for data in (b"one", b"one", b"two"):
        save(str(tmp_path / "kept"), data)
        assert (tmp_path / "kept").read_bytes() == data
    assert [path.name for path in tmp_path.iterdir()] == ["kept"]


def test_a_folder_is_made_only_where_that_was_asked_for(tmp_path: Path) -> None:
    path = tmp_path / "new" / "kept"
    with pytest.raises(NotSaved, match="No such file"):
        save(str(path), b"data")
    assert not path.parent.exists()
    save(str(path), b"data", makes_folder=True)
    assert path.read_bytes() == b"data"


@pytest.mark.parametrize("is_there", [False, True])
def test_a_link_out_of_the_repository_is_not_followed(tmp_path: Path, is_there: bool) -> None:
    (tmp_path / "project" / ".git").mkdir(parents=True)
    outside, link = tmp_path / "outside", tmp_path / "project" / "kept"
    if is_there:
        outside.write_bytes(b"theirs")
    link.symlink_to(outside)
    with pytest.raises(NotSaved, match="leads out of"):
        save(str(link), b"ours")
    assert outside.exists() is is_there
    assert not is_there or outside.read_bytes() == b"theirs"
