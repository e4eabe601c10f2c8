"""Where distify keeps what is one person's own: in no project, and in no repository."""

from __future__ import annotations

import os
import sys


def folder() -> str:
    """Where distify keeps its state for this person.

    https://specifications.freedesktop.org/basedir-spec: a relative path there counts for nothing.
    """
    named = os.environ.get("LOCALAPPDATA" if sys.platform == "win32" else "XDG_STATE_HOME", "")
    home = os.path.join(os.path.expanduser("~"), ".local", "state")
    return os.path.join(named if os.path.isabs(named) else home, "distify")
