"""Temporary files beside the user's own, and the end of those that a killed run left behind.

A name says which process made it, on which machine: nobody but the next run there can know that
`kill -9` came in between, as nothing of ours runs then.
"""

from __future__ import annotations

import contextlib
import os
import re
from collections.abc import Iterable
from hashlib import sha256

_NAME = re.compile(r"\.distify-([0-9a-f]{12})-(\d{1,10})-[0-9a-f]{16}\.tmp")


def name_beside(path: str) -> str:
    """A name that nothing has, in the folder of `path`; it is known before the file is there."""
    name = f".distify-{_machine()}-{os.getpid()}-{os.urandom(8).hex()}.tmp"
    return os.path.join(os.path.dirname(path), name)


def kept_name(name: str) -> str:
    """The name under which a temporary file stays for its user, whatever runs later."""
    return name.removesuffix(".tmp") + ".kept"


def remove_dead(folders: Iterable[str]) -> None:
    """Removes what runs that were killed on this machine left in these folders."""
    if os.name != "posix":  # elsewhere, asking for a process may end it
        return
    for folder in set(folders):
        with contextlib.suppress(OSError), os.scandir(folder) as entries:
            for name in [entry.path for entry in entries if _is_dead(entry.name)]:
                os.unlink(name)


def _is_dead(name: str) -> bool:
    found = _NAME.fullmatch(name)
    if found is None or found[1] != _machine():
        return False
    try:
        os.kill(int(found[2]), 0)
    except ProcessLookupError:
        return True
    except (OSError, OverflowError):  # somebody else's
        return False
    return False


def _machine() -> str:
    """Where process ids mean the same: a machine, and a container on it."""
    where = os.uname().nodename if hasattr(os, "uname") else ""
    with contextlib.suppress(OSError):
        where += os.readlink("/proc/self/ns/pid")
    return sha256(where.encode("utf-8", "replace")).hexdigest()[:12]
