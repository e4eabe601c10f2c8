"""Which GIT_* variables count: those that a person sets, not those of a surrounding hook."""

from __future__ import annotations

import contextlib
import os
from collections.abc import Iterator

# A hook exports GIT_DIR, GIT_INDEX_FILE, GIT_PREFIX, GIT_QUARANTINE_PATH and more, and new ones
# come with new releases; so what is kept is named, not what is dropped.
KEPT = (
    "GIT_AUTHOR_",
    "GIT_COMMITTER_",
    "GIT_CONFIG_GLOBAL",
    "GIT_CONFIG_SYSTEM",
    "GIT_CONFIG_NOSYSTEM",
    "GIT_CONFIG_COUNT",
    "GIT_CONFIG_KEY_",
    "GIT_CONFIG_VALUE_",
    "GIT_CEILING_DIRECTORIES",
    "GIT_DISCOVERY_ACROSS_FILESYSTEM",
    "GIT_EXEC_PATH",
    "GIT_ATTR_NOSYSTEM",
    "GIT_ASKPASS",
    "GIT_TERMINAL_PROMPT",
    "GIT_SSH",
    # How a server is reached: a company's authority, its proxy, the protocols that it allows.
    "GIT_SSL_",
    "GIT_PROXY_",
    "GIT_HTTP_",
    "GIT_ALLOW_PROTOCOL",
    "GIT_PROTOCOL_FROM_USER",
    "GIT_LFS_",
    "GIT_TRACE",
    "GIT_PYTHON_",
)
AUTHOR = "GIT_AUTHOR_"


def leaks(variable: str) -> bool:
    """Whether a variable would make git work on something else than the files that were named."""
    return variable.startswith("GIT_") and not variable.startswith(KEPT)


def _names_another_author() -> bool:
    """Whether `git commit` says in GIT_AUTHOR_* whose commit its hook is about.

    It always gives the time as seconds, and the index that it uses; a person gives no index.
    """
    seconds = os.environ.get("GIT_AUTHOR_DATE", "").startswith("@")
    return seconds and "GIT_INDEX_FILE" in os.environ


@contextlib.contextmanager
def clean() -> Iterator[None]:
    """Takes the variables of a surrounding hook out of the environment, and puts them back.

    GitPython reads some of them itself, so that it is not enough to leave them out of calls.
    """
    hidden = {name: value for name, value in os.environ.items() if leaks(name)}
    if _names_another_author():
        hidden.update((n, value) for n, value in os.environ.items() if n.startswith(AUTHOR))
    for name in hidden:
        del os.environ[name]
    try:
        yield
    finally:
        os.environ.update(hidden)
