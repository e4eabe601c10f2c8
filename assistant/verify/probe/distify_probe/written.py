"""Which paths this process has written first, and which of them could matter to another worker."""

from __future__ import annotations

import contextlib
import os
import re
import stat
import sys
import sysconfig
import threading
from collections.abc import Iterator
from typing import Any

from . import places, record, setting, steps

MOST = 2_000  # paths that are told
SYSTEM = ("/dev/", "/proc/", "/sys/")
HARMLESS = re.compile(r"(__pycache__|\.pyc(\.\d+)?$|\.lock$)")

_HERE = os.path.realpath(os.curdir)
_told: set[str] = set()
_own: set[str] = set()  # temporary files and folders that no other process can have made
_thread = threading.local()
_libraries = tuple(
    os.path.realpath(sysconfig.get_path(name)) + os.sep for name in ("stdlib", "purelib", "platlib")
)


def note(path: Any, how: str) -> None:
    """Tells a path that is about to be written, once; never raises."""
    if getattr(_thread, "muted", False) or sys.is_finalizing():
        return
    with muted(), record.timed(), record.blind_on_failure("writes"):
        name = _name(path)
        if name is None or name in _told or not _matters(name, how):
            return
        if outside(name):
            steps.leave_if_beyond()
        _told.add(name)
        if len(_told) <= MOST:
            record.write("write", path=name, how=how, where=places.where())
        else:
            record.blind("writes", f"only the first {MOST} paths are told")


def outside(name: str) -> bool:
    """Whether an absolute path is none of the folder that this process was started in."""
    return not name.startswith(_HERE + os.sep)


def removed(path: Any) -> None:
    """Something is about to be removed."""
    with record.blind_on_failure("writes"):
        name = None if sys.is_finalizing() else _name(path)
        if name is not None and outside(name) and _matters(name, "open"):
            steps.leave_if_beyond()


@contextlib.contextmanager
def muted() -> Iterator[None]:
    """What is written inside is known by another name already."""
    before = getattr(_thread, "muted", False)
    _thread.muted = True
    try:
        yield
    finally:
        _thread.muted = before


def made_for_itself(path: Any) -> None:
    """The program has asked for a temporary name, which is different in every process."""
    name = _name(path)
    if name is not None and len(_own) < MOST:
        _own.add(name)


def _name(path: Any) -> str | None:
    """The absolute real path; None for open files and for places on other machines."""
    if not isinstance(path, (str, bytes, os.PathLike)):
        return None
    name = os.fsdecode(path)
    if not name or name == ":memory:":
        return None
    return name if "://" in name else os.path.realpath(name)


def _matters(name: str, how: str) -> bool:
    if name.startswith((*SYSTEM, *_libraries, os.path.realpath(setting.FOLDER) + os.sep)):
        return False
    if HARMLESS.search(name) or _is_own(name) or _is_a_stream(name):
        return False
    return how == "download" or not _is_a_cache(name)


def _is_own(name: str) -> bool:
    """Temporary, or named for this process: `…/log.myhost.1234`."""
    if any(name == own or name.startswith(own + os.sep) for own in _own):
        return True
    return re.search(rf"(?<!\d){os.getpid()}(?!\d)", os.path.basename(name)) is not None


def _is_a_stream(name: str) -> bool:
    with contextlib.suppress(OSError):
        mode = os.stat(name).st_mode
        return not (stat.S_ISREG(mode) or stat.S_ISDIR(mode))
    return False


def _is_a_cache(name: str) -> bool:
    """What libraries keep for themselves in hidden folders of the user's home."""
    home = os.path.realpath(os.path.expanduser("~"))
    hidden = [os.path.realpath(os.environ.get("XDG_CACHE_HOME") or os.path.join(home, ".cache"))]
    if any(name.startswith(each + os.sep) for each in hidden):
        return True
    return name.startswith(os.path.join(home, ".")) and not name.startswith(setting.ROOT + os.sep)
