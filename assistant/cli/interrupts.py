"""What a person reads who interrupts a command before it has written anything."""

from __future__ import annotations

import contextlib
import sys
from collections.abc import Iterator

EXIT_CODE = 130  # as shells have it: 128 and the number of SIGINT


@contextlib.contextmanager
def interruptible() -> Iterator[None]:
    """One line instead of a traceback; writing is all or nothing, so no file was touched."""
    try:
        yield
    except KeyboardInterrupt:
        sys.stderr.write("interrupted; no file was changed\n")
        sys.stderr.flush()
        sys.exit(EXIT_CODE)
