"""Ends this process when distify itself is gone, however it went."""

from __future__ import annotations

import fcntl
import os
import threading
import time

from . import setting

EVERY = 1.0  # seconds


def start() -> None:
    """distify holds a lock as long as it lives: who gets it knows that distify is dead."""
    if setting.FOLDER:
        threading.Thread(target=_watch, name="distify-alive", daemon=True).start()


def _watch() -> None:
    handle = os.open(os.path.join(setting.FOLDER, "alive"), os.O_RDWR | os.O_CREAT, 0o600)
    while True:
        time.sleep(EVERY)
        try:
            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            continue
        os._exit(1)
