"""Ends everything that carries the token of a run once distify itself is gone, however it went.

distify holds an exclusive lock on the file `alive` as long as it lives: a process that
gets it knows that distify is dead. A thread of every process of the job waits for it, and so does a
guard, which is this file run as a program (`alive.py LOCK TOKEN`): a worker may be stopped, or hold
Python's lock. Processes are read by hand: neither a worker nor the guard can count on psutil.
"""

from __future__ import annotations

import fcntl
import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator

MARK = "DISTIFY_PROBE_TOKEN"
PAUSE = 0.05  # seconds between two looks for processes that are still there
LOOKS = 200


def start() -> None:
    """Waits in the background for the end of distify, where there is a lock to wait for."""
    from . import setting

    path = os.path.join(setting.FOLDER, "alive")
    # On a host that does not share the folder, distify can't be seen to live.
    if setting.FOLDER and setting.TOKEN and os.path.exists(path):
        arguments = (path, setting.TOKEN)
        threading.Thread(target=_watch, args=arguments, name="distify-alive", daemon=True).start()


def _watch(path: str, token: str) -> None:
    wait(path)
    kill(token)
    os.kill(os.getpid(), signal.SIGKILL)


def wait(path: str) -> None:
    """Comes back when nobody holds the lock any more, or the file is gone."""
    try:
        handle = os.open(path, os.O_RDWR)
        fcntl.flock(handle, fcntl.LOCK_EX)
    except FileNotFoundError:
        return
    except OSError:  # a file system without locks: better no guard than a false alarm
        while os.path.exists(path):
            time.sleep(1)


def kill(token: str) -> None:
    """Kills every process that carries the token, but this one, until none is left."""
    empty = 0  # one may have started another behind our back: a single look proves nothing
    for _ in range(LOOKS):
        left = [pid for pid in carriers(token) if pid != os.getpid()]
        empty = 0 if left else empty + 1
        if empty == 2:
            return
        for pid in left:
            try:
                os.kill(pid, signal.SIGKILL)
            except OSError:
                continue
        time.sleep(PAUSE)


def carriers(token: str) -> Iterator[int]:
    """The processes that were started with the token in their environment (no zombies)."""
    mark = f"{MARK}={token}".encode()
    if not os.path.isdir("/proc/self"):
        yield from _listed(mark)
        return
    for name in os.listdir("/proc"):
        if name.isdigit():
            try:
                with open(f"/proc/{name}/environ", "rb") as file:
                    if mark in file.read().split(b"\0"):
                        yield int(name)
            except OSError:
                continue  # gone, or somebody else's


def _listed(mark: bytes) -> Iterator[int]:
    command = ["ps", "-A", "-E", "-ww", "-o", "pid=,command="]  # macOS
    for line in subprocess.run(command, capture_output=True, check=False).stdout.splitlines():
        pid, _, words = line.strip().partition(b" ")
        if mark in words.split() and pid.isdigit():
            yield int(pid)


if __name__ == "__main__":
    wait(sys.argv[1])
    kill(sys.argv[2])
