"""What answers of earlier runs are known by: the content of texts, and what distify itself is."""

from __future__ import annotations

import functools
import os
import sys

try:
    from _blake2 import blake2b  # hashlib loads OpenSSL with it, for which a hook would wait
except ImportError:
    from hashlib import blake2b


@functools.cache
def digest(text: str) -> str:
    """A short name that no other text has."""
    return blake2b(text.encode("utf-8", "surrogatepass"), digest_size=16).hexdigest()


@functools.cache
def itself() -> str:
    """What distify and Python are: another version, or other sources, may answer otherwise."""
    from distify import __version__

    package = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
    engine = os.path.dirname(sys.modules["distify.codemods"].__file__ or "")
    sources = _sources(engine)
    # The folder one is in, and a checkout's, change with whatever is put there: nobody installs
    # into them. A checkout is told by its sources.
    spared = {os.getcwd(), package} if sources else {os.getcwd()}
    folders = [path for path in (*sys.path, package) if os.path.abspath(path) not in spared]
    installed = [(path, _time_of_change(path)) for path in folders]
    return repr([__version__, sys.version, installed, sources])


def _time_of_change(path: str) -> int:
    """When something was put into a folder or taken out; installing a package does."""
    try:
        return os.stat(path).st_mtime_ns
    except OSError:
        return 0


def _sources(folder: str) -> list[tuple[str, int, int]]:
    """The sources of a checkout, by size and time; what is installed is told by its folder."""
    if "site-packages" in folder:
        return []
    found = []
    for place, folders, names in os.walk(folder):
        folders[:] = [each for each in folders if each != "__pycache__"]
        for name in names:
            status = os.stat(os.path.join(place, name))
            found.append((name, status.st_size, status.st_mtime_ns))
    return found
