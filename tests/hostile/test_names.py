"""Names that are no UTF-8 or steer a terminal, folders that are links, files that change."""

from __future__ import annotations

import json
import os
from pathlib import Path
from xml.etree import ElementTree

import pytest

from distify.assistant.files import writes

from .conftest import TRAIN, Checkout

NAMES = [b"\xff\xfe.py", b"a\xe9b.py", b"\x1b[31m.py", b"a\nb.py", b"<script>.py", b"&quot;.py"]
FORMATS = ["json", "sarif", "html", "junit", "markdown", "github", "gitlab", "text"]


@pytest.mark.parametrize("form", FORMATS)
def test_names_of_any_bytes(checkout: Checkout, form: str) -> None:
    for name in NAMES:
        path = os.path.join(os.fsencode(checkout.folder), name)
        with open(path, "wb") as file:
            file.write(TRAIN.encode())
    answer = checkout("check", "--no-cache", "--format", form, ".")
    assert answer.code == 1
    assert "\ufffd" not in answer.output  # it was UTF-8
    assert "\x1b" not in answer.output
    if form in ("json", "sarif", "gitlab"):
        said = json.loads(answer.output)
        json.dumps(said, ensure_ascii=False).encode()  # no half of a pair
        assert len(NAMES) == len(set(names(said, form)))
    elif form == "junit":
        ElementTree.fromstring(answer.output)
    elif form == "html":
        assert "<script>.py" not in answer.output


def names(said: object, form: str) -> list[str]:
    assert isinstance(said, (dict, list))
    if form == "json":
        return [each["path"] for each in said["files"]]  # type: ignore[call-overload]
    if form == "gitlab":
        return [each["location"]["path"] for each in said]
    results = said["runs"][0]["results"]  # type: ignore[call-overload]
    places = (each["locations"][0]["physicalLocation"] for each in results)
    return [each["artifactLocation"]["uri"] for each in places]


@pytest.mark.parametrize("name", ["link", "link/", "link/train.py", "./link/../link"])
@pytest.mark.parametrize("command", ["check", "migrate"])
def test_a_folder_that_is_a_link_out(checkout: Checkout, command: str, name: str) -> None:
    (checkout.outside / "train.py").write_text(TRAIN)
    checkout.commit(a_py="x = 1\n")
    (checkout.folder / "link").symlink_to(checkout.outside)
    try:
        answer = checkout(command, name)
        assert answer.code == 2
        # Behind the link, `..` is the folder around what it leads to, which holds no `link`.
        nowhere = "no such file or folder" if ".." in name else f"leads out of {checkout.folder}"
        assert nowhere in answer.words
        assert (checkout.outside / "train.py").read_text() == TRAIN
    finally:
        (checkout.outside / "train.py").unlink()


def test_a_folder_that_is_a_link_within(checkout: Checkout) -> None:
    checkout.commit(**{"lib/train_py": TRAIN})
    (checkout.folder / "link").symlink_to("lib")
    assert checkout("check", "link").code == 1
    assert checkout("check", "link/train.py").code == 1


def test_a_work_tree_behind_a_link(checkout: Checkout, tmp_path: Path) -> None:
    checkout.commit(a_py=TRAIN)
    (tmp_path / "link").symlink_to(checkout.folder)
    assert checkout("check", str(tmp_path / "link")).code == 1
    assert checkout("check", str(tmp_path / "link" / "a.py")).code == 1


def test_a_file_that_changes_before_it_is_written(tmp_path: Path) -> None:
    """In the same size, and with the same time of its last change."""
    path = tmp_path / "a.py"
    path.write_text("old\n")
    staged = writes._Staged(writes.Change(str(path), b"old\n", b"new\n"))
    staged.prepare()
    status = path.stat()
    with path.open("r+") as file:
        file.write("mine")
    os.utime(path, ns=(status.st_atime_ns, status.st_mtime_ns))
    with pytest.raises(writes.WriteFailed, match="changed by someone else"):
        staged.put()
    staged.clean()
    assert path.read_text() == "mine"
    assert os.listdir(tmp_path) == ["a.py"]
