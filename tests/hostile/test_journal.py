"""What distify keeps in git's folder came with the checkout: it is believed under a seal only."""

from __future__ import annotations

import hashlib
import json
import os
from pathlib import Path

import pytest

from distify.assistant.git import guard

from .conftest import TRAIN, Checkout

COMMANDS = [
    ("undo",),
    ("migrate", "--commit", "a.py"),
    ("pr", "--dry-run", "--base", "main", "a.py"),
]
WORKFLOW = {"GITHUB_SERVER_URL": "https://github.com", "GITHUB_REPOSITORY": "o/r"}
each_command = pytest.mark.parametrize("command", COMMANDS, ids=lambda each: each[0])
KEY = b"k" * guard.KEY_BYTES


def journal(checkout: Checkout, target: Path, **more: object) -> bytes:
    """One as a killed run leaves it, that wants a file of somebody else's replaced and removed."""
    folder, digest = checkout.folder, hashlib.sha256(target.read_bytes()).hexdigest()
    evil = checkout.write("evil", "evil\n")
    token = "0" * 32
    checkout.write(".git/index.lock", token)
    names = [str(target), str(target) + ".new", str(evil)]
    found = {
        "top": str(folder),
        "folder": str(folder / ".git"),
        "index": str(folder / ".git" / "index"),
        "token": token,
        "before": [checkout.git("rev-parse", "HEAD"), "refs/heads/main"],
        "after": None,
        "files": [[*names, hashlib.sha256(b"evil\n").hexdigest(), digest]],
        "record": str(target),
        **more,
    }
    return json.dumps(found).encode()


def old_journal(data: bytes) -> bytes:
    """As they were before they had seals."""
    content = json.loads(data)
    content["files"] = [[*each[:3], each[4]] for each in content["files"]]
    return json.dumps(content).encode()


@each_command
@pytest.mark.parametrize("seal", ["none", "old", "another", "cut"])
def test_a_foreign_journal_is_named_and_left(
    checkout: Checkout, command: tuple[str, ...], seal: str
) -> None:
    checkout.commit(a_py=TRAIN)
    checkout.git("clone", "-q", "--bare", ".", str(checkout.folder.with_name("origin.git")))
    checkout.git("remote", "add", "origin", str(checkout.folder.with_name("origin.git")))
    data = journal(checkout, checkout.outside / "precious.txt")
    forms = {
        "none": data,
        "old": old_journal(data),
        "another": guard.sealed(KEY, data),
        "cut": guard.sealed(KEY, data)[:100],
    }
    path = checkout.write(".git/distify/run/journal", forms[seal])
    answer = checkout(*command, env=WORKFLOW)
    assert answer.code == 2
    assert f"{path.parent} is left as it is" in answer.words
    assert path.read_bytes() == forms[seal]
    assert (checkout.folder / "evil").read_text() == "evil\n"


@pytest.mark.parametrize(
    "data", [b"", b"{", b"\xff\xfe", b"null", b'{"top": 1}', b"[" * 100_000, b"0" * 65 + b"\n{}"]
)
def test_a_malformed_journal_is_named_and_left(checkout: Checkout, data: bytes) -> None:
    checkout.commit(a_py=TRAIN)
    path = checkout.write(".git/distify/run/journal", data)
    answer = checkout("migrate", "--commit", "a.py")
    assert answer.code == 2
    assert "is left as it is" in answer.words
    assert path.read_bytes() == data
    assert checkout.git("status", "--porcelain") == ""


@pytest.mark.parametrize("name", ["files", "record", "forget", "scratch", "admin", "index"])
def test_a_sealed_journal_reaches_nothing_outside(checkout: Checkout, name: str) -> None:
    """The seal says who wrote it, not where its paths lead by now."""
    checkout.commit(a_py=TRAIN)
    target = checkout.outside / "precious.txt"
    more: dict[str, object] = {"files": [], "record": ""}
    if name == "files":
        more.pop("files")
    else:
        more[name] = str(target.parent if name in ("scratch", "admin") else target)
    data = journal(checkout, target, **more)
    checkout.write(".git/distify/run/journal", guard.sealed(KEY, data))
    with pytest.raises(guard.NotOurs, match=r"outside|precious"):
        guard.recover(str(checkout.folder / ".git" / "distify" / "run"), KEY)


def test_nothing_is_written_through_a_folder_that_became_a_link(checkout: Checkout) -> None:
    checkout.commit(a_py=TRAIN)
    (checkout.folder / "lib").symlink_to(checkout.outside)
    data = journal(checkout, checkout.folder / "lib" / "precious.txt", record="")
    checkout.write(".git/distify/run/journal", guard.sealed(KEY, data))
    with pytest.raises(guard.NotOurs, match="behind a link"):
        guard.recover(str(checkout.folder / ".git" / "distify" / "run"), KEY)


def test_what_is_put_back_is_what_was_there(checkout: Checkout) -> None:
    """The old text's place may hold another one by now, and so may the file's."""
    checkout.commit(a_py=TRAIN)
    target = checkout.folder / "a.py"
    data = journal(checkout, target, record="")
    checkout.write("evil", "changed\n")
    run = checkout.write(".git/distify/run/journal", guard.sealed(KEY, data)).parent
    guard.recover(str(run), KEY)
    assert target.read_text() == TRAIN
    assert not run.exists()


@pytest.mark.parametrize("name", ["distify", "distify/run", "distify/lock", "distify/run/journal"])
@pytest.mark.parametrize("kind", ["pipe", "device", "link", "folder"])
@pytest.mark.parametrize("command", [COMMANDS[0], COMMANDS[1]], ids=lambda each: each[0])
def test_pipes_and_links_in_the_place_of_what_is_kept(
    checkout: Checkout, name: str, kind: str, command: tuple[str, ...]
) -> None:
    checkout.commit(a_py=TRAIN)
    path = checkout.folder / ".git" / name
    path.parent.mkdir(parents=True, exist_ok=True)
    if kind == "pipe":
        os.mkfifo(path)
    elif kind == "device":
        path.symlink_to("/dev/zero")
    elif kind == "link":
        path.symlink_to(checkout.outside)
    elif name.endswith(("lock", "journal")):
        path.mkdir()
    else:
        pytest.skip("it is a folder")
    answer = checkout(*command)
    assert answer.code == 2
    assert str(checkout.folder / ".git" / "distify") in answer.words
    assert checkout.git("log", "--format=%s") == "as it was"


def test_a_pipe_for_a_record(checkout: Checkout) -> None:
    head = checkout.commit(a_py=TRAIN)
    path = checkout.folder / ".git" / "distify" / "series" / f"{head}.json"
    path.parent.mkdir(parents=True)
    os.mkfifo(path)
    assert checkout("undo").code == 2
    assert checkout("migrate", "--commit", "a.py").code == 0
    assert checkout("undo").code == 0


def test_a_foreign_record_moves_nothing(checkout: Checkout) -> None:
    """It would give files a text that no commit has."""
    checkout.commit(a_py=TRAIN)
    assert checkout("migrate", "--commit", "a.py").code == 0
    (record,) = (checkout.folder / ".git" / "distify" / "series").iterdir()
    _, _, content = record.read_bytes().partition(b"\n")
    changed = json.loads(content)
    changed["files"][0][1] = "ZXZpbAo="
    for data in (json.dumps(changed).encode(), guard.sealed(KEY, json.dumps(changed).encode())):
        record.write_bytes(data)
        before = (checkout.folder / "a.py").read_bytes()
        answer = checkout("undo")
        assert answer.code == 2
        assert "was not written by your distify" in answer.words
        assert (checkout.folder / "a.py").read_bytes() == before


@pytest.mark.parametrize("kind", ["pipe", "device", "link", "file"])
@pytest.mark.parametrize("name", ["", ".gitignore"])
def test_something_else_for_the_cache(checkout: Checkout, kind: str, name: str) -> None:
    checkout.write("a.py", TRAIN)
    path = checkout.folder / ".distify_cache" / name
    path.parent.mkdir(exist_ok=True)
    if kind == "pipe":
        os.mkfifo(path)
    elif kind == "file":
        path.write_text("")
    else:
        path.symlink_to("/dev/zero" if kind == "device" else checkout.outside)
    assert checkout("check", ".").code == 1


def test_without_a_home_to_write_to_it_works(checkout: Checkout) -> None:
    """What can't be sealed for later is known to this run and its guard alone."""
    checkout.commit(a_py=TRAIN)
    home = {"HOME": "/proc/nowhere", "XDG_STATE_HOME": "/proc/nowhere"}
    assert checkout("migrate", "--commit", "a.py", env=home).code == 0
    assert "not written by your distify" in checkout("undo", env=home).words


def test_the_key_is_nobody_elses(checkout: Checkout, tmp_path: Path) -> None:
    checkout.commit(a_py=TRAIN)
    assert checkout("migrate", "--commit", "a.py").code == 0
    (key,) = (tmp_path / "home" / ".local" / "state" / "distify").iterdir()
    assert key.stat().st_mode & 0o777 == 0o600
    assert len(key.read_bytes()) == guard.KEY_BYTES
    key.chmod(0o644)  # somebody may have read it
    assert "not written by your distify" in checkout("undo").words
