"""The way in: `distify` and `python -m distify.assistant`."""

from __future__ import annotations

import os
import sys

# `python -m` would take the user's own `contextlib.py` for Python's, and run it (promise 6).
if __name__ == "__main__" and sys.path[0] in ("", os.getcwd()):
    del sys.path[0]

from . import interpreter
from .cli import quick
from .cli.interrupts import interruptible

FAILED = 2


def main() -> None:
    """Answers; what standard output did not take is told in one line."""
    interpreter.prepare()
    _open_streams()
    try:
        try:
            _answer()
        finally:
            interpreter.end()
            sys.stdout.flush()  # here, where a failure can still be told
    except OSError as error:
        if error.filename is not None or error.errno is None:  # not of a stream
            raise
        _end_without_output(error)


def _open_streams() -> None:
    """A stream that the caller has closed is empty; no file of distify gets its number."""
    for name, mode in (("stdin", "r"), ("stdout", "w"), ("stderr", "w")):
        if getattr(sys, name) is None:
            setattr(sys, name, open(os.devnull, mode, encoding="utf-8"))  # noqa: SIM115


def _answer() -> None:
    """The version and a hook's question are answered at once; the rest by the command line."""
    if sys.argv[1:] in (["--version"], ["-V"]):
        from distify import __version__

        sys.stdout.write(f"distify {__version__}\n")
        return
    code = quick.answer(sys.argv[1:]) if quick.is_known(sys.argv[1:]) else None
    if code is not None:
        sys.exit(code)
    with interruptible():
        from .cli.commands import distify
    distify(prog_name="distify")


def _end_without_output(error: OSError) -> None:
    # Python flushes once more when it ends, and would complain in words of its own.
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    if isinstance(error, BrokenPipeError):  # the reader has enough
        sys.exit(1)
    words = (error.strerror or str(error)).lower()
    sys.stderr.write(f"error: standard output can't be written: {words}\n")
    sys.exit(FAILED)


if __name__ == "__main__":
    main()
