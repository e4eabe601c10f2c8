"""Commits (or takes back) in a forked child that dies at its Nth event that writes anything.

One line in, one line out: `commit|branch|undo|whole N kill|both|fail`, and the status as os.wait
has it. Started by test_kills.py: forking saves the time that every import would take, and `commit`
and `branch` take commits that are made already (`whole` makes them).
"""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import traceback
from functools import cache
from typing import Any

from distify.assistant import codemods
from distify.assistant.files import source
from distify.assistant.files.discovery import Target
from distify.assistant.files.outcome import Outcome
from distify.assistant.git import guard, history
from distify.assistant.git.undo import undo
from distify.codemods.model import Migration, Step

# What a command that outlives its parent could still change.
MOVING = {"update-ref", "symbolic-ref", "update-index", "worktree", "commit"}
WRITING = {
    *("os.rename", "os.remove", "os.link", "os.mkdir", "os.rmdir", "os.symlink", "os.truncate"),
    *("os.chmod", "os.chown", "os.utime", "shutil.rmtree", "subprocess.Popen"),
}


def outcomes(top: str) -> list[Outcome]:
    found = []
    for name in ("a.py", "lib/b.py"):
        path = os.path.join(top, name)
        before = source.decode(source.read(path))
        one = before.text.replace("0.1", "0.1 * n")
        steps = (
            Step("D101", "import horovod\n" + before.text, ((1, 0),)),
            Step("D104", "import horovod\n" + one, ((1, 0),)),
        )
        after = before.encode(steps[-1].text)
        migration = Migration(before.text, "Keras", (), steps).stamped
        found.append(Outcome(Target(name, path), before, migration, after))
    return found


class Trap:
    """Kills this process (`both`: and its guard) at event `at`, or lets the event fail."""

    def __init__(self, at: int, how: str) -> None:
        self.at, self.how, self.seen = at, how, 0
        self.guards: list[int] = []

    def event(self, what: str) -> None:
        self.seen += 1
        if self.seen != self.at:
            return
        if self.how == "fail":
            raise OSError(28, "No space left on device", what)
        for pid in self.guards if self.how == "both" else ():
            os.kill(pid, signal.SIGKILL)
        os.kill(os.getpid(), signal.SIGKILL)

    def audit(self, name: str, arguments: Any) -> None:
        opens = name == "open" and isinstance(arguments[2], int)
        if name in WRITING or (opens and arguments[2] & (os.O_WRONLY | os.O_RDWR | os.O_CREAT)):
            self.event(name)

    def started(self, pid: int, arguments: Any) -> None:
        if guard.__file__ in arguments:
            self.guards.append(pid)
        if self.how != "fail" and MOVING & set(arguments):
            self.event("a command has just been started, and works on")


def arm(trap: Trap) -> None:
    start, write = subprocess.Popen.__init__, os.write

    def starting(self: Any, arguments: Any, *more: Any, **options: Any) -> None:
        start(self, arguments, *more, **options)
        trap.started(self.pid, arguments)

    def writing(handle: int, data: bytes) -> int:
        trap.event("os.write")
        return write(handle, data)

    subprocess.Popen.__init__ = starting  # type: ignore[method-assign]
    os.write = writing  # type: ignore[assignment]
    sys.addaudithook(trap.audit)


@cache
def built(whole: bool) -> Any:
    """Instead of `series.build`: what it gave once, without the time that it takes."""
    real, found = history.build, []

    class Enough(Exception):
        pass

    def build(*arguments: Any, **more: Any) -> Any:
        found.append(real(*arguments, **more))
        raise Enough

    if whole:
        return real
    history.build = build
    try:
        history.commit(outcomes(os.getcwd()), None, True)
    except Enough:
        return lambda *arguments, **more: found[0]
    finally:
        history.build = real


def child(what: str, at: int, how: str) -> None:
    top = os.getcwd()
    trap = Trap(at, how)
    arm(trap)
    try:
        if what == "undo":
            undo(top)
        else:
            history.commit(outcomes(top), "distify/migrate" if what == "branch" else None, True)
    except (history.Refused, OSError) as error:
        if at > 10**6:
            traceback.print_exception(type(error), error, error.__traceback__)
        os._exit(3)
    sys.stderr.write(f"{trap.seen} events\n")
    os._exit(5 if trap.seen >= at else 0)  # 5: a failure that does no harm


def main() -> None:
    codemods.rules()
    for line in sys.stdin:
        what, at, how = line.split()
        if what != "undo":
            history.build = built(what == "whole")
        pid = os.fork()
        if pid == 0:
            child(what, int(at), how)
        _, status = os.waitpid(pid, 0)
        sys.stdout.write(f"{status}\n")
        sys.stdout.flush()


if __name__ == "__main__":
    main()
