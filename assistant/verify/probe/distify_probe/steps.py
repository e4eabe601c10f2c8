"""The one place that knows the training steps: which optimizers may step or stepped, where to stop.

`before` is called at the entry of a call that trains, `after` behind it. The state after step k
is taken at the entry of the next such call, so that a broadcast which follows the step is in it;
the last one is taken at exit.

For the other modules: `now()`, `register(trained)`, `on_step(callback)`, `on_end(callback)`.
"""

from __future__ import annotations

import atexit
import threading
import time
from collections.abc import Sequence
from typing import Callable

from . import leaving, progress, record, setting, states
from .chosen import chosen_beyond
from .rounds import leader_of
from .trained import Trained

EACH = 5_000  # steps of a reference whose rates are all told: a job's few are looked up among them
KEPT = 8  # optimizers that are held; of older ones only the last hashes are
known: list[Trained] = []
# Called with the steps made so far and the optimizers that stepped.
after_steps: list[Callable[[list[int], Sequence[Trained]], None]] = []
# Told at the entry of a call in which these may step, and with the steps made before it.
entering: list[Callable[[Sequence[Trained], list[int]], None]] = []
_callbacks: list[Callable[[list[int]], None]] = []
ready: list[Callable[[Trained], bool]] = []  # whether it is known by now to train
_last_words: list[Callable[[], None]] = []
_lock = threading.RLock()
_thread = threading.local()
_running: set[int] = set()  # threads that are inside a call that trains
_seen: list[int] = []  # the steps when they were last looked at
_started = 0.0
_spent_before = 0.0  # seconds that the probe took before the first step
_ended = False
_behind = states.Behind()


def now() -> list[int]:
    """The steps made so far, by optimizer id."""
    return [trained.steps() for trained in known]


def register(trained: Trained) -> Trained:
    """Gives an optimizer its number at its first use, and says so in the records."""
    with _lock:
        trained.id = len(known)
        known.append(trained)
        for old in known[:-KEPT] if not setting.VALUES else ():
            states.freeze(old)
    with record.blind_on_failure("rate"):
        trained.first_rate = trained.rate()
    record.write(
        "optimizer",
        id=trained.id,
        **{"class": trained.name},
        plain_sgd=trained.plain_sgd,
        variables=trained.names(),
        rate=trained.first_rate,
        schedule=trained.schedule,
        distributed=trained.distributed,
        api=trained.api,
        where=trained.where,
        made=trained.made_at,
    )
    return trained


def on_step(callback: Callable[[list[int]], None]) -> None:
    """`callback(now())` is called after every call that made a step."""
    _callbacks.append(callback)


def on_end(callback: Callable[[], None]) -> Callable[[], None]:
    """`callback()` is called before the last state, when the program ends."""
    _last_words.append(callback)
    return callback


# ---------------------------------------------------------------- around a call that trains


def before(about: Sequence[Trained]) -> bool:
    """At the entry of a call in which `about` may step; give what it returns to `after`.

    False where an outer call of this thread is being watched already. Leaves the program (by an
    exception that is no `Exception`) where it was asked to.
    """
    about = [trained for trained in about if all(is_ready(trained) for is_ready in ready)]
    if not about or getattr(_thread, "inside", False):
        return False
    made = now()
    leaving.if_asked(made)
    _enter(about, made)
    _leave_the_reference(about)
    _thread.inside = True
    return True


@record.careful("steps")
def _enter(about: Sequence[Trained], made: list[int]) -> None:
    global _started, _spent_before
    with _lock:
        if not _started:
            _started, _spent_before = time.perf_counter(), record.spent
        leader = leader_of(about)
        if leader is not None and made[leader.id] >= leader.state_due:
            leader.state_due = chosen_beyond(made[leader.id])
            _take_state(made)
        for trained in about:
            trained.calls += 1
            _note_rate(trained, made[trained.id] + 1, trained.rate)
        for tell in entering:
            tell(about, made)
        _running.add(threading.get_ident())


def _leave_the_reference(about: Sequence[Trained]) -> None:
    """It is there for what the job is compared with, and leaves once all of that was seen."""
    if setting.ROLE == "reference" and (_is_late() or not any(ask(about) for ask in to_come)):
        record.write("limited", steps=max(now(), default=0))
        leaving.now()


def _is_late() -> bool:
    return _seconds() > setting.SECONDS


def _seconds() -> float:
    return time.perf_counter() - _started if _started else 0.0


def _unread(about: Sequence[Trained]) -> bool:
    """Whether a rate is only known once a step was made."""
    unread = any(trained.first_rate is None for trained in about)
    return unread and not all(trained.steps() for trained in about)


def _wanted(about: Sequence[Trained]) -> bool:
    """Whether the job had optimizers that are not known yet, or rates that changed later."""
    made = [*now(), *[-1] * len(setting.WANTED)]
    return setting.WHOLE or any(made[id] < steps for id, steps in setting.WANTED.items())


def _beyond(about: Sequence[Trained]) -> bool:
    """Whether it goes on to its end, if that comes soon."""
    return _seconds() < setting.BEYOND


to_come: list[Callable[[Sequence[Trained]], bool]] = [_unread, _wanted, _beyond]


def leave_if_beyond() -> None:
    """Leaves a reference that is about to change something of the user's, unless it has to go on.

    What it would write where the job has written is none of the job's.
    """
    needed = (ask(known) for ask in to_come if ask is not _beyond)
    if setting.ROLE == "reference" and any(now()) and not any(needed):
        record.write("limited", steps=max(now(), default=0))
        leaving.now()


def after(entered: bool) -> None:
    """Behind that call, also when it failed."""
    if entered:
        _thread.inside = False
        _leave()


@record.careful("steps")
def _leave() -> None:
    with _lock:
        _running.discard(threading.get_ident())
        made = now()
        before = _seen + [0] * len(made)
        stepped = [trained for trained in known if made[trained.id] != before[trained.id]]
        _seen[:] = made
    if not stepped:
        return
    progress.note(made)
    for trained in stepped:
        _note_rate(trained, made[trained.id], trained.rate_was)
    for tell in after_steps:
        tell(made, stepped)
    for callback in _callbacks:
        callback(made)
    _behind.take(made, known)


def _note_rate(trained: Trained, step: int, read: Callable[[], float | None]) -> None:
    value = read() if step >= trained.rate_due else None
    if value is not None:
        each = setting.ROLE == "reference" and step < EACH
        trained.rate_due = step + 1 if each else chosen_beyond(step)
        record.write("rate", optimizer=trained.id, steps=step, value=value, **trained.rate_set())


def _take_state(made: list[int]) -> None:
    if _running - {threading.get_ident()}:
        record.blind("steps", "several threads train at once: no state between their steps")
        return
    states.write("step", made, known)
    _note_times(made)


def _note_times(made: list[int]) -> None:
    probe = record.spent - _spent_before
    record.write("times", steps=max(made, default=0), seconds=_seconds(), probe=probe)


# ---------------------------------------------------------------- the end


@record.careful("steps")
def _end() -> None:
    for callback in _last_words:
        with record.blind_on_failure("steps"):
            callback()
    made = _seen[:] = now()
    if any(trained.calls == 1 and made[trained.id] > 1 for trained in known):
        record.blind("steps", "all steps were made in one call: only the last state is known")
    _behind.write(made)
    states.write("end", made, known)
    _note_times(made)
    progress.note(made, at_once=True)


def end() -> None:
    """Everything that is to be written when the program ends; once, whatever comes between."""
    global _ended
    with _lock:
        if _ended or not record.is_on():
            return
        _ended = True
    _end()
    record.write("end", steps=max([0, *_seen]))


# Registered before anything of the program is: so it runs last, after Horovod's shutdown.
atexit.register(end)
leaving.at_last(end)
