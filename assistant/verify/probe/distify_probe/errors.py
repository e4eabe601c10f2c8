"""How a program ends by an error: the exception, the user's line, and the library that refused.

`kill -USR2` makes the worker write the stacks of all its threads to `rank<N>.stack`.
"""

from __future__ import annotations

import atexit
import os
import re
import sys
import threading
from collections.abc import Iterator
from types import FrameType, ModuleType, TracebackType
from typing import Any, NoReturn

from . import imports, places, record
from .stacks import listen

INNERMOST = 10  # frames of a traceback that are written
WRAPPERS = ("traceback_utils.py", "util/dispatch.py")  # around the functions of TensorFlow, Keras
GONE = "Horovod has been shut down"  # what a collective is told once another worker has ended
RECOVERS = ("horovod", "elastic.py")  # in the path of what begins anew behind it
COPY = "__autograph_generated_file"  # AutoGraph's copy of a function of the program
_PROBE = os.path.dirname(os.path.abspath(__file__))
_QUOTED = re.compile(r'File "([^"]+)", line (\d+)')  # as AutoGraph quotes the program
_told: set[int] = set()  # ids of the exceptions that were written
_left: dict[str, Any] = {}  # the last sys.exit with a code that is not 0


# ---------------------------------------------------------------- tracebacks


def frames(error: BaseException) -> list[tuple[FrameType, int]]:
    """The frames of a traceback, outermost first, without the probe's own."""

    def walk(traceback: TracebackType | None) -> Iterator[tuple[FrameType, int]]:
        while traceback is not None:
            yield traceback.tb_frame, traceback.tb_lineno
            traceback = traceback.tb_next

    return [each for each in walk(error.__traceback__) if not is_the_probes(each[0])]


def is_the_probes(frame: FrameType) -> bool:
    """Whether a frame is one of ours, which the user has nothing to do with."""
    return frame.f_code.co_filename.startswith(_PROBE)


def origin(error: BaseException) -> BaseException:
    """The exception that a program raised anew in its own words: where things went wrong."""
    seen = {id(error)}
    while True:
        cause = error.__cause__
        if cause is None and not error.__suppress_context__ and raised_by_the_user(error):
            cause = error.__context__
        if cause is None or id(cause) in seen:
            return error
        seen.add(id(cause))
        error = cause


def raised_by_the_user(error: BaseException) -> bool:
    """Whether the innermost line is the program's own."""
    stack = frames(error)
    return bool(stack) and places.is_the_users(stack[-1][0].f_code.co_filename)


def _users_innermost(stack: list[tuple[FrameType, int]]) -> int:
    users = [n for n, (f, _) in enumerate(stack) if places.is_the_users(f.f_code.co_filename)]
    return users[-1] if users else -1


def _quoted_place(error: BaseException) -> str | None:
    """AutoGraph's errors come from a copy of the code, and quote the lines it was made of."""
    text = str(error)
    if "in user code:" not in text[:100]:
        return None
    found = [(file, int(line)) for file, line in _QUOTED.findall(text)]
    own = [places.name(file, line) for file, line in found if places.is_the_users(file)]
    return own[-1] if own else None


def describe(error: BaseException) -> dict[str, Any]:
    """The fields of an `error` record."""
    source = origin(error)
    stack = frames(source) or frames(error)
    at = _users_innermost(stack)
    below = _first_that_acts([frame for frame, _ in stack[at + 1 :]])
    where = None if at < 0 else places.name(stack[at][0].f_code.co_filename, stack[at][1])
    return {
        "type": type(error).__name__,
        "message": shortened(str(error)),
        "cause": None if source is error else f"{type(source).__name__}: {source}"[:500],
        "where": _quoted_place(source) or where,
        "inside": None if below is None else _qualified(below),
        "frames": [_line(frame, line) for frame, line in stack[-INNERMOST:]],
    }


def shortened(text: str, most: int = 4000) -> str:
    """Beginning and end: TensorFlow says at the end of a long graph's stack what went wrong."""
    half = most // 2
    return text if len(text) <= most else f"{text[:half]} ... {text[-half:]}"


def _first_that_acts(below: list[FrameType]) -> FrameType | None:
    """The library function that the user called, not what TensorFlow wraps around it."""
    names = ((frame, frame.f_code.co_filename) for frame in below)
    acting = (f for f, name in names if not name.endswith(WRAPPERS) and COPY not in name)
    return next(acting, None)


def _qualified(frame: FrameType) -> str:
    code = frame.f_code
    name = getattr(code, "co_qualname", code.co_name)  # Python 3.11
    return f"{frame.f_globals.get('__name__', '?')}:{name}"


def _line(frame: FrameType, line: int) -> str:
    name = frame.f_code.co_filename
    short = places.name(name, line) if places.is_the_users(name) else f"{name}:{line}"
    return f"{short} in {frame.f_code.co_name}"


# ---------------------------------------------------------------- hooks


@record.careful("errors")
def tell(error: BaseException | None, **more: Any) -> None:
    """Writes an exception down, once."""
    if error is not None and id(error) not in _told:
        _told.add(id(error))
        record.write("error", **describe(error), **more)


@imports.when_imported("tensorflow.python.framework.errors_impl")
def hook_refusals(module: ModuleType) -> None:
    """All errors of TensorFlow's runtime, which the program may swallow."""
    imports.replace(module.OpError, "__init__", _around_refusal)


def _around_refusal(original: Any, error: Any, *args: Any, **kwargs: Any) -> None:
    original(error, *args, **kwargs)
    _note_refusal(error)


@record.careful("errors")
def _note_refusal(error: Any) -> None:
    if GONE in str(error.message) and not _is_recovered():
        record.write("broken_off", where=places.where())


def _is_recovered() -> bool:
    frame: FrameType | None = sys._getframe(1)
    while frame is not None:
        if all(each in frame.f_code.co_filename for each in RECOVERS):
            return True
        frame = frame.f_back
    return False


def _hook_main() -> None:
    original = sys.excepthook

    def excepthook(
        kind: type[BaseException], value: BaseException, traceback: TracebackType | None
    ) -> None:
        tell(value)
        original(kind, value, traceback)

    sys.excepthook = excepthook


def _hook_threads() -> None:
    original = getattr(threading, "excepthook", None)
    if original is None:  # Python 3.7
        return

    def excepthook(args: Any) -> None:
        if args.exc_type is not SystemExit:
            tell(args.exc_value, thread=getattr(args.thread, "name", None))
        original(args)

    threading.excepthook = excepthook


def _hook_exit() -> None:
    """No hook of Python's sees a SystemExit; most programs raise it by `sys.exit`."""
    original = sys.exit

    def leave(status: Any = None) -> NoReturn:
        note_exit(status)
        original(status)

    leave.__doc__ = original.__doc__
    sys.exit = leave


@record.careful("errors")
def note_exit(status: Any) -> None:
    """Keeps an exit with a code that is not 0; written when the program ends with it."""
    _left.clear()
    if status not in (None, 0, False) and threading.current_thread() is threading.main_thread():
        stack = []
        frame: FrameType | None = sys._getframe(1)
        while frame is not None:
            stack.append(_line(frame, frame.f_lineno))
            frame = frame.f_back
        own = [each for each in stack if _PROBE not in each][:INNERMOST]
        _left.update(message=str(status)[:2000], where=places.where(), frames=own[::-1])


@record.careful("errors")
def _last_look() -> None:
    # A program may put its own hook in the place of ours; Python keeps the exception as well.
    tell(getattr(sys, "last_exc", None) or getattr(sys, "last_value", None))
    if _left and not _told:
        record.write("error", type="SystemExit", cause=None, inside=None, **_left)


listen()
_hook_main()
_hook_threads()
_hook_exit()
atexit.register(_last_look)
