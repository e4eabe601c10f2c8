"""Files looked at by several processes at once; the answers come in order, as from one."""

from __future__ import annotations

import contextlib
import gc
import multiprocessing
import signal
import sys
from collections import deque
from collections.abc import Iterator, Sequence
from multiprocessing.connection import Connection, wait
from multiprocessing.process import BaseProcess
from typing import NamedTuple, Union

from .. import codemods, interpreter
from .allowance import Allowance, Looked
from .choice import Choice
from .discovery import Target
from .examine import examine_one, too_costly
from .outcome import Outcome
from .reader import Problem

Answer = Union[Looked, Exception]
# Files go out in batches, two to a member, so that it never waits; the last ones are small: what
# an entry costs is known afterwards, and may be a hundred times as much as a module of its own.
_BATCH, _ROUNDS = 8, 16
# macOS and Windows know no safe fork: members start as new programs there.
_START = "fork" if sys.platform == "linux" else "spawn"


class _Member(NamedTuple):
    """A process, the line to it, the batches of files that it still has to answer for.

    Every other one takes files from the end: those that stand together share modules.
    """

    process: BaseProcess
    line: Connection
    batches: deque[list[int]]
    from_end: bool = False

    def next_of(self, waiting: deque[int]) -> int:
        """The file that is next for it."""
        return waiting[-1 if self.from_end else 0]

    def take(self, waiting: deque[int]) -> int:
        """The same, which waits no more."""
        return waiting.pop() if self.from_end else waiting.popleft()


def examine_together(
    targets: Sequence[Target], choice: Choice, jobs: int
) -> Iterator[Outcome | None]:
    """The answers of `examine`, in order; a file on which a process dies has that for a problem.

    Whatever ends this early, an interrupt or an error, ends the processes first.
    """
    crew = _Crew(targets, choice)
    try:
        crew.begin(jobs)
        yield from crew.answers()
        crew.dismiss()
    finally:
        crew.end()


class _Crew:
    """Hands files to processes, and hears what became of them."""

    def __init__(self, targets: Sequence[Target], choice: Choice) -> None:
        self._targets, self._choice = targets, choice
        self._context = multiprocessing.get_context(_START)
        self._waiting = deque(range(len(targets)))
        self._suspected: set[int] = set()  # a process has died on one of them
        self._members: dict[Connection, _Member] = {}
        self._heard: dict[int, Answer] = {}
        self._allowance = Allowance(too_costly)

    def begin(self, jobs: int) -> None:
        """Starts so many processes, which have what all of them need."""
        if _START == "fork":
            codemods.be_ready()
            gc.freeze()  # what is shared stays shared: a search for cycles would write to it
        for _ in range(jobs):
            self._start()

    def answers(self) -> Iterator[Outcome | None]:
        """What became of each file, in order. Raises what no file is to blame for."""
        for number in range(len(self._targets)):
            while number not in self._heard:
                self._hear()
            answer = self._heard.pop(number)
            if isinstance(answer, Exception):
                raise answer
            yield self._allowance.paid(self._targets[number], answer)

    def dismiss(self) -> None:
        """Lets the processes end by themselves: nothing is left to do."""
        for member in self._members.values():
            member.line.close()
        for member in self._members.values():
            member.process.join()

    def end(self) -> None:
        """Ends those that still run."""
        for member in self._members.values():
            member.process.terminate()
        for member in self._members.values():
            member.process.join()
            member.line.close()

    def _start(self) -> None:
        ours, theirs = self._context.Pipe()
        # A copy of our end in another process would hide from it that we are gone.
        ends = [ours, *self._members] if _START == "fork" else []
        work = (theirs, ends, self._choice)
        process = self._context.Process(target=_work, args=work, daemon=True)  # type: ignore[attr-defined]
        process.start()
        theirs.close()
        from_end = len(self._members) % 2 == 1
        member = self._members[ours] = _Member(process, ours, deque(), from_end)
        self._hand(member)
        self._hand(member)

    def _hand(self, member: _Member) -> None:
        """Gives a member its next files; one that is suspected alone, to be known if it is it."""
        if not self._waiting or self._is_trying(member):
            return
        batch = [member.take(self._waiting)]
        size = min(_BATCH, len(self._waiting) // (_ROUNDS * len(self._members)))
        while len(batch) < size:
            if self._suspected & {batch[0], member.next_of(self._waiting)}:
                break
            batch.append(member.take(self._waiting))
        member.batches.append(batch)
        with contextlib.suppress(OSError):  # it has died: hearing from it will tell
            targets = [self._targets[number] for number in batch]
            member.line.send([(each, self._allowance.of(each.path)) for each in targets])

    def _is_trying(self, member: _Member) -> bool:
        """Whether it has files, and one that is suspected is to be looked at alone."""
        files = {number for batch in member.batches for number in batch}
        return bool(files and self._suspected & {*files, member.next_of(self._waiting)})

    def _hear(self) -> None:
        for line in wait(list(self._members)):
            member = self._members[line]  # type: ignore[index]
            try:
                answers = member.line.recv()
            except (EOFError, OSError):
                self._replace(member)
                continue
            self._heard.update(zip(member.batches.popleft(), answers))
            while len(member.batches) < 2 and self._waiting and not self._is_trying(member):
                self._hand(member)

    def _replace(self, member: _Member) -> None:
        """What a dead process had is looked at again, file by file; one alone is named."""
        del self._members[member.line]
        member.line.close()
        member.process.join()
        files = [number for batch in member.batches for number in batch]
        if len(files) == 1:
            outcome = self._problem_outcome(files[0], _ending(member.process.exitcode))
            self._heard[files[0]] = Looked(outcome, 0)
        else:
            self._suspected.update(files)
            self._waiting.extendleft(reversed(files))
        if self._waiting:
            self._start()

    def _problem_outcome(self, number: int, ending: str) -> Outcome:
        target = self._targets[number]
        why = f"ended the process that looked at it ({ending}), so it was left as it was"
        return Outcome(target, problem=Problem(target.name, f"{why}; please report it"))


def _ending(code: int | None) -> str:
    """`SIGKILL`, or `exit code 3`."""
    if code is not None and code < 0:
        return signal.Signals(-code).name
    return f"exit code {code}"


def _work(line: Connection, ends: Sequence[Connection], choice: Choice) -> None:
    """A process of the crew: answers for file after file, until nobody listens."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the one that started us is told, and ends us
    for end in ends:
        end.close()
    interpreter.prepare()
    try:
        while True:
            line.send([_answer(target, choice, allowed) for target, allowed in line.recv()])
    except (EOFError, OSError):
        line.close()
        choice.keep()


def _answer(target: Target, choice: Choice, allowed: int) -> Answer:
    try:
        return examine_one(target, choice.options_for, choice.memory_for, allowed)
    except Exception as error:
        return error
