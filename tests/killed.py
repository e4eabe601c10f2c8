"""`python killed.py HOW AT FILE ARGUMENTS…`: distify, to which something happens at event AT.

An event is whatever changes something outside, as Python tells of it: a file opened for writing,
renamed, linked or removed, a folder made, a command started, a connection, a write to a pipe. HOW
is `kill` (SIGKILL), `term` (SIGTERM) or `full` (from there on nothing can be written; what is there
can be moved and removed). FILE gets the number of events of a run that came to its end.
"""

from __future__ import annotations

import os
import signal
import sys
from typing import Any

MOVING = {
    *("os.rename", "os.remove", "os.rmdir", "os.truncate", "os.chmod", "os.chown", "os.utime"),
    *("shutil.rmtree", "subprocess.Popen", "socket.connect"),
}
MAKING = {"os.link", "os.mkdir", "os.symlink"}


class Trap:
    """Counts the events, and does what is to be done at one of them."""

    def __init__(self, how: str, at: int) -> None:
        self.how, self.at, self.seen, self.owner = how, at, 0, os.getpid()

    def event(self, writes: bool) -> None:
        if os.getpid() != self.owner:  # a fork of ours
            return
        self.seen += 1
        if self.how == "full":
            if writes and self.seen >= self.at:
                raise OSError(28, "No space left on device")
        elif self.seen == self.at:
            os.kill(self.owner, signal.SIGKILL if self.how == "kill" else signal.SIGTERM)

    def audit(self, name: str, arguments: Any) -> None:
        if name == "open" and isinstance(arguments[2], int):
            if arguments[2] & (os.O_WRONLY | os.O_RDWR | os.O_CREAT) and not _is_device(arguments):
                self.event(True)
        elif name in MAKING or name in MOVING:
            self.event(name in MAKING)


def _is_device(arguments: Any) -> bool:
    return isinstance(arguments[0], int) or str(arguments[0]).startswith("/dev/")


def main() -> None:
    how, at, told = sys.argv[1], int(sys.argv[2]), sys.argv[3]
    sys.argv[1:] = sys.argv[4:]
    del sys.path[0]  # this folder
    sys.dont_write_bytecode = True
    from distify.assistant.__main__ import main as distify

    trap, write = Trap(how, at), os.write

    def writing(handle: int, data: bytes) -> int:
        trap.event(False)  # to a pipe: a full disk does not matter
        return write(handle, data)

    os.write = writing  # type: ignore[assignment]
    sys.addaudithook(trap.audit)
    code: Any = 0
    try:
        distify()
    except SystemExit as end:
        code = end.code
    trap.how, seen = "none", trap.seen
    with open(told, "w") as file:
        file.write(str(seen))
    raise SystemExit(code)


if __name__ == "__main__":
    main()
