"""All or nothing (promise 5): whatever fails, every file is as it was and nothing is left over."""

from __future__ import annotations

import os
import re
import signal
import stat
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from distify.assistant.files import leftovers, writes
from distify.assistant.files.leftovers import name_beside, remove_dead
from distify.assistant.files.writes import Change, WriteFailed, obstacle, write_all

NAMES = ("a.py", "b.py", "c.py")


@pytest.fixture
def changes(tmp_path: Path) -> list[Change]:
    for name in NAMES:
        (tmp_path / name).write_bytes(b"old " + name.encode())
    return [
        Change(str(tmp_path / name), b"old " + name.encode(), b"new " + name.encode())
        for name in NAMES
    ]


def contents(folder: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in folder.iterdir()}


OLD = {name: b"old " + name.encode() for name in NAMES}
NEW = {name: b"new " + name.encode() for name in NAMES}


def failing(function: Any, at: int, error: BaseException, late: bool = False) -> Any:
    """The function, raising at its call number `at`; `late`: after having done its work."""
    calls = iter(range(1, 1000))

    def call(*args: Any, **kwargs: Any) -> Any:
        due = next(calls) == at
        if due and not late:
            raise error
        result = function(*args, **kwargs)
        if due:
            raise error
        return result

    return call


def test_everything_is_written_and_nothing_left_over(tmp_path: Path, changes: list[Change]) -> None:
    write_all(changes)
    assert contents(tmp_path) == NEW


@pytest.mark.parametrize("at", [1, 2, 3])
@pytest.mark.parametrize("late", [False, True])
@pytest.mark.parametrize("error", [OSError(28, "No space left on device"), KeyboardInterrupt()])
def test_a_failing_replacement_undoes_those_before(
    tmp_path: Path,
    changes: list[Change],
    monkeypatch: pytest.MonkeyPatch,
    at: int,
    late: bool,
    error: BaseException,
) -> None:
    monkeypatch.setattr(os, "replace", failing(os.replace, at, error, late))
    with pytest.raises((WriteFailed, KeyboardInterrupt)) as caught:
        write_all(changes)
    assert contents(tmp_path) == OLD
    if isinstance(caught.value, WriteFailed):
        assert caught.value.path == changes[at - 1].path
        assert caught.value.cause == "No space left on device"


FULL, INTERRUPT = OSError(5, "Input/output error"), KeyboardInterrupt()


@pytest.mark.parametrize(
    ("name", "error"),
    [  # a file system without links is no failure
        *((name, FULL) for name in ("fsync", "chmod", "open")),
        *((name, INTERRUPT) for name in ("fsync", "link", "chmod", "open")),
    ],
)
def test_failing_preparations_change_nothing(
    tmp_path: Path,
    changes: list[Change],
    monkeypatch: pytest.MonkeyPatch,
    name: str,
    error: BaseException,
) -> None:
    monkeypatch.setattr(os, name, failing(getattr(os, name), 2, error))
    with pytest.raises((WriteFailed, KeyboardInterrupt)):
        write_all(changes)
    assert {name: data for name, data in contents(tmp_path).items() if name in NAMES} == OLD
    assert len(contents(tmp_path)) == len(NAMES)


def test_a_termination_undoes_the_half_that_was_done(
    tmp_path: Path, changes: list[Change], monkeypatch: pytest.MonkeyPatch
) -> None:
    replace = os.replace

    def terminated(source: str, target: str) -> None:
        replace(source, target)
        if target.endswith("b.py"):
            os.kill(os.getpid(), signal.SIGTERM)

    monkeypatch.setattr(os, "replace", terminated)
    with pytest.raises(SystemExit):
        write_all(changes)
    assert contents(tmp_path) == OLD
    assert signal.getsignal(signal.SIGTERM) == signal.SIG_DFL


def test_a_file_system_without_links(
    tmp_path: Path, changes: list[Change], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(os, "link", failing(os.link, 1, PermissionError(1, "not permitted")))
    monkeypatch.setattr(os, "replace", failing(os.replace, 3, OSError(28, "full")))
    with pytest.raises(WriteFailed):
        write_all(changes)
    assert contents(tmp_path) == OLD


def test_an_old_text_that_cannot_be_put_back_is_kept_and_named(
    tmp_path: Path, changes: list[Change], monkeypatch: pytest.MonkeyPatch
) -> None:
    replace, calls = os.replace, iter(range(1, 99))

    def broken(source: str, target: str) -> None:
        if next(calls) >= 2:
            raise OSError(5, "Input/output error")
        replace(source, target)

    monkeypatch.setattr(os, "replace", broken)
    with pytest.raises(WriteFailed, match="is kept in") as caught:
        write_all(changes)
    kept = caught.value.cause.split(" is kept in ")[1].split(" (")[0]
    assert Path(kept).read_bytes() == OLD["a.py"]


def test_a_file_changed_between_reading_and_writing_is_refused(
    tmp_path: Path, changes: list[Change]
) -> None:
    (tmp_path / "b.py").write_bytes(b"old b.PY")  # the same length
    assert obstacle(changes[1]) == writes.CHANGED
    with pytest.raises(WriteFailed, match="someone else"):
        write_all(changes)
    assert contents(tmp_path) == {**OLD, "b.py": b"old b.PY"}


def test_a_file_changed_while_the_others_are_written_is_refused(
    tmp_path: Path, changes: list[Change], monkeypatch: pytest.MonkeyPatch
) -> None:
    replace = os.replace

    def meanwhile(source: str, target: str) -> None:
        replace(source, target)
        if target.endswith("a.py"):
            (tmp_path / "c.py").write_bytes(b"theirs")

    monkeypatch.setattr(os, "replace", meanwhile)
    with pytest.raises(WriteFailed, match="someone else"):
        write_all(changes)
    assert contents(tmp_path) == {**OLD, "c.py": b"theirs"}


def test_rights_are_kept(tmp_path: Path, changes: list[Change]) -> None:
    os.chmod(changes[0].path, 0o751)
    if os.getuid() == 0:
        os.chown(changes[0].path, 12345, 54321)
    before = os.stat(changes[0].path)
    write_all(changes[:1])
    after = os.stat(changes[0].path)
    assert stat.S_IMODE(after.st_mode) == 0o751
    assert (after.st_uid, after.st_gid) == (before.st_uid, before.st_gid)


def test_a_read_only_file_is_refused(tmp_path: Path, changes: list[Change]) -> None:
    os.chmod(changes[1].path, 0o444)
    assert obstacle(changes[1]) == "is read-only"
    with pytest.raises(WriteFailed, match="read-only"):
        write_all(changes)
    assert contents(tmp_path) == OLD


def test_a_second_hard_link_keeps_the_old_text(tmp_path: Path, changes: list[Change]) -> None:
    other = tmp_path / "other"
    other.mkdir()
    os.link(changes[0].path, other / "a.py")
    write_all(changes[:1])
    assert (other / "a.py").read_bytes() == OLD["a.py"]
    assert (tmp_path / "a.py").read_bytes() == NEW["a.py"]


def test_a_very_long_name(tmp_path: Path) -> None:
    path = tmp_path / ("é" * 125 + ".py")
    path.write_bytes(b"old")
    write_all([Change(str(path), b"old", b"new")])
    assert contents(tmp_path) == {path.name: b"new"}


def test_nothing_to_write(tmp_path: Path) -> None:
    write_all([])
    assert contents(tmp_path) == {}


KILLED = """
import os, signal, sys
from distify.assistant.files import leftovers, writes
from distify.assistant.files.leftovers import name_beside, remove_dead
from distify.assistant.files.writes import Change, write_all

folder, function, at = sys.argv[1], sys.argv[2], int(sys.argv[3])
real, calls = getattr(os, function), iter(range(1, 1000))

def killed(*arguments, **more):
    result = real(*arguments, **more)
    if next(calls) == at:
        os.kill(os.getpid(), getattr(signal, sys.argv[4]))
    return result

setattr(os, function, killed)
names = ("a.py", "b.py", "c.py")
write_all([
    Change(os.path.join(folder, n), b"old " + n.encode(), b"new " + n.encode()) for n in names
])
"""


def killed(folder: Path, function: str, at: int, by: str) -> int:
    command = [sys.executable, "-c", KILLED, str(folder), function, str(at), by]
    return subprocess.run(command, check=False, capture_output=True).returncode


@pytest.mark.parametrize("at", [1, 2, 3])
@pytest.mark.parametrize("function", ["open", "link", "fsync", "replace", "unlink"])
@pytest.mark.usefixtures("changes")
def test_the_next_run_removes_what_a_killed_one_left(
    tmp_path: Path, function: str, at: int
) -> None:
    assert killed(tmp_path, function, at, "SIGKILL") == -signal.SIGKILL
    left = {path.name for path in tmp_path.iterdir()} - set(NAMES)
    assert left or (function, at) in (("unlink", 3), ("open", 1))  # the first one only reads
    remove_dead([str(tmp_path), str(tmp_path), str(tmp_path / "gone")])
    found = contents(tmp_path)
    assert set(found) == set(NAMES)
    assert all(data in (OLD[name], NEW[name]) for name, data in found.items())


@pytest.mark.parametrize("at", [1, 2, 3])
@pytest.mark.parametrize("function", ["open", "link", "chmod", "replace"])
@pytest.mark.usefixtures("changes")
def test_who_is_asked_to_end_leaves_nothing(tmp_path: Path, function: str, at: int) -> None:
    assert killed(tmp_path, function, at, "SIGTERM") == 128 + signal.SIGTERM
    assert contents(tmp_path) == OLD


def test_only_ones_own_dead_are_removed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    own = Path(name_beside(str(tmp_path / "x")))
    alive, kept = own.name, leftovers.kept_name(own.name)
    dead = re.sub(r"-\d+-", f"-{dead_process()}-", alive)
    elsewhere = re.sub(r"distify-\w+", f"distify-{'0' * 12}", dead)
    others = (alive, kept, elsewhere, ".distify-abc.tmp", f"{dead}x", "x.tmp")
    for name in (*others, dead):
        (tmp_path / name).write_text("")
    remove_dead([str(tmp_path)])
    assert set(contents(tmp_path)) == set(others)


def dead_process() -> int:
    process = subprocess.Popen([sys.executable, "-c", ""])
    process.wait()
    return process.pid


def test_the_next_migration_finds_them(tmp_path: Path) -> None:
    from distify.assistant.files.choice import Choice
    from distify.assistant.files.result import look, write
    from distify.assistant.report.terminal import Terminal

    (tmp_path / "src").mkdir()
    (tmp_path / "src/plain.py").write_text("x = 1\n")
    alive = Path(name_beside(str(tmp_path / "src/x")))
    dead = alive.with_name(re.sub(r"-\d+-", f"-{dead_process()}-", alive.name))
    dead.write_text("")
    found = look([str(tmp_path)], Choice((), ()), Terminal("never"))
    assert dead.exists()  # who only looks changes nothing
    write(found)
    assert not dead.exists()
