"""Where the Python that runs a project's programs may be, and on what its Keras runs.

Everything that has to know it asks here: no program is started, nothing is imported. Looked at are
the environments that are active (`VIRTUAL_ENV`, `CONDA_PREFIX`), those that uv, Poetry, pixi and
people put beside a project, and distify's own.
"""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Iterator

from distify.codemods.program.records import NamedTuple

ACTIVE = (("VIRTUAL_ENV", "it is active"), ("CONDA_PREFIX", "conda has activated it"))
FOLDERS = (
    (".venv", "it is the project's"),
    ("venv", "it is the project's"),
    (os.path.join(".pixi", "envs", "default"), "pixi made it for the project"),
)
OWN = "it is distify's own"
BINARIES = (os.path.join("bin", "python"), os.path.join("Scripts", "python.exe"), "python.exe")
BACKEND, TENSORFLOW = "KERAS_BACKEND", "tensorflow"
# Keras writes that file itself, one level deep: a hook waits for no reader of JSON.
_SETTING = re.compile(rb'"backend"[ \t\r\n]{0,99}:[ \t\r\n]{0,99}"([\w.-]{1,99})"')


class Environment(NamedTuple):
    """The folder of an environment, and why it may be the one that is meant."""

    folder: str
    why: str
    is_inside: bool = False  # of the project: whoever made a checkout may have made it, too

    @property
    def python(self) -> str:
        """The path of its Python; "" where it has none."""
        paths = (os.path.join(self.folder, name) for name in BINARIES)
        return next((path for path in paths if os.access(path, os.X_OK)), "")


class Backend(NamedTuple):
    """On what Keras 3 runs where a program doesn't say it, and who says so."""

    name: str
    why: str


def environments(folders: list[str]) -> list[Environment]:
    """Those that may be meant for a project, which lies in these folders; the likeliest first."""
    found: dict[str, Environment] = {}
    for each in _all(folders):
        found.setdefault(each.folder, each)
    return [*found.values()]


def _all(folders: list[str]) -> Iterator[Environment]:
    for variable, why in ACTIVE:
        if folder := os.environ.get(variable):
            yield Environment(os.path.abspath(folder), why)
    for folder in folders:
        yield from (Environment(os.path.join(folder, name), why, True) for name, why in FOLDERS)
        if os.path.isfile(os.path.join(folder, "poetry.lock")):
            yield from _of_poetry(folder)
    yield Environment(sys.prefix, OWN)


def _of_poetry(folder: str) -> Iterator[Environment]:
    """Those that Poetry keeps apart, by the names that its `EnvManager` gives them."""
    import base64
    import glob
    import hashlib

    path = os.path.normcase(os.path.realpath(folder)).encode("utf-8", "surrogateescape")
    word = base64.urlsafe_b64encode(hashlib.sha256(path).digest()).decode("ascii")[:8]
    pattern = os.path.join(glob.escape(_cache_of_poetry()), f"*-{word}-py*")
    for found in sorted(glob.glob(pattern), reverse=True):
        yield Environment(found, "Poetry made it for the project")


def _cache_of_poetry() -> str:
    """https://python-poetry.org/docs/configuration/: `virtualenvs.path`, `cache-dir`."""
    named = os.environ.get("POETRY_VIRTUALENVS_PATH")
    if named:
        return named
    home = os.path.expanduser("~")
    caches = {
        "darwin": os.path.join(home, "Library", "Caches", "pypoetry"),
        "win32": os.path.join(os.environ.get("LOCALAPPDATA", home), "pypoetry", "Cache"),
    }
    other = os.path.join(
        os.environ.get("XDG_CACHE_HOME") or os.path.join(home, ".cache"), "pypoetry"
    )
    cache = os.environ.get("POETRY_CACHE_DIR") or caches.get(sys.platform, other)
    return os.path.join(cache, "virtualenvs")


def backend() -> Backend | None:
    """On what Keras 3 runs here where a program says nothing; None where nobody says anything.

    https://keras.io/getting_started/: the variable, else the file of settings.
    """
    if chosen := os.environ.get(BACKEND):
        return Backend(chosen, f"{BACKEND} says so in the environment")
    home = os.environ.get("KERAS_HOME") or os.path.join(os.path.expanduser("~"), ".keras")
    path = os.path.join(home, "keras.json")
    try:
        with open(path, "rb") as file:
            data = file.read(100_000)
    except OSError:
        return None
    named = _SETTING.search(data)
    return Backend(named[1].decode("ascii"), f"{path} says so") if named else None


def other_backend() -> Backend | None:
    """The same where it is none that Horovod for TensorFlow averages for."""
    found = backend()
    return found if found is not None and found.name != TENSORFLOW else None
