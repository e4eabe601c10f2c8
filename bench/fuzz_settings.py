"""Settings, ignore files and requirements as anybody may commit them, read as distify does."""

from __future__ import annotations

import cProfile
import pstats
import tempfile
import traceback
from collections.abc import Iterator
from pathlib import Path
from typing import Callable, NamedTuple

from distify.assistant.files import config, requirements
from distify.assistant.files.config import ConfigProblem
from distify.assistant.files.gitignore import ignored, read_ignores
from distify.assistant.files.version_specifiers import DEFAULT

Reading = Callable[[str, str], str]  # a folder and the file's path in it; says what became of it
CALLS, CALLS_A_BYTE = 100_000, 500
PATHS = (
    "a.py",
    "src/train.py",
    "src/",
    "build/lib/x.py",
    "a" * 200 + ".py",
    "ab.py",
    "x.pyc",
    "abcd",
)


class Kind(NamedTuple):
    """Where such texts stand, what they look like, and who reads them."""

    name: str
    texts: tuple[str, ...]
    read: Reading


def _settings(folder: str, path: str) -> str:
    for known in (config.settings, config.table):
        known.cache_clear()
    try:
        found = config.settings(folder)
    except ConfigProblem as problem:
        return _in_one_line(str(problem))
    return "settings" if found.path else "none"


def _requirements(folder: str, path: str) -> str:
    requirements.tensorflow.cache_clear()
    asked = requirements.tensorflow(folder)
    for problem in asked.unread:
        return _in_one_line(problem.message)
    return "default" if asked.version == DEFAULT else "a version"


def _ignores(folder: str, path: str) -> str:
    notes: list[str] = []
    found = read_ignores(folder, path, lambda _, message: notes.append(message))
    for message in notes:
        return _in_one_line(message)
    told = [ignored((found,), f"{folder}/{each}") for each in PATHS] if found else []
    return "some" if any(told) else "none"


def _in_one_line(message: str) -> str:
    if not message or "\n" in message.replace(repr("\n")[1:-1], ""):
        raise AssertionError(f"named as {message!r}")
    return "named"


PYPROJECT = (
    '[tool.distify]\ntensorflow = "2.15"\nshard = "auto"\nselect = ["D104", "D2"]\nignore = []\n'
    'exclude = ["legacy/", "**/a/*.py"]\nunsound = false\nrecompute = "halves"\n',
    '[project]\nname = "x"\ndependencies = ["tensorflow>=2.12,<2.16", "numpy"]\n'
    "[tool.distify]\nexclude = [\n  'a', # b\n]\n[tool.other.'a.b'.\"c\"]\nd = {e = [1, 2.5e3]}\n",
    '[tool]\ndistify = {select = ["D104"], unsound = true}\n[[x]]\ny = 1979-05-27T07:32:00Z\n',
)
IGNORES = (
    "# build\n/build/\n*.py[co]\n!keep.py\n**/a/**\n\\#x\n[!a-z]?.py\nlogs/*.log\n",
    "a*b*c*d\n[[:alpha:]]x\n[]-]\n\\*\nfoo/ \\ \n!**\n/**/x/\n",
)
ASKED = (
    "tensorflow==2.14.1 ; python_version > '3.8'  # pinned\nnumpy\n-r other.txt\n",
    "tensorflow-cpu[and-cuda] ~= 2.12, !=2.13.*\ntensorflow_gpu>=2.0a1\nTensorFlow (>=2.9,<3)\n",
)
LOCKED = (
    '[[package]]\nname = "tensorflow"\nversion = "2.16.2"\nsource = {registry = "x"}\n\n'
    '[[package]]\r\nname = "tensorflow-cpu"\r\nversion = "2.15.0.post1"\r\n',
)
PIPFILE = ('{"_meta": {}, "default": {"tensorflow": {"version": "==2.14.0", "hashes": ["x"]}}}',)
KINDS = {
    "pyproject": Kind("pyproject.toml", PYPROJECT, _settings),
    "ignores": Kind(".gitignore", IGNORES, _ignores),
    "requirements": Kind("requirements.txt", ASKED, _requirements),
    "project": Kind("pyproject.toml", PYPROJECT, _requirements),
    "lock": Kind("uv.lock", LOCKED, _requirements),
    "pipfile": Kind("Pipfile.lock", PIPFILE, _requirements),
}


def judge_settings(kind: str, data: bytes) -> tuple[str, tuple[str, ...]]:
    """What became of them, and what is wrong; never raises for what distify does."""
    with tempfile.TemporaryDirectory() as folder:
        (Path(folder) / ".git").mkdir()  # nothing above this folder is asked
        path = Path(folder) / KINDS[kind].name
        path.write_bytes(data)
        profile = cProfile.Profile()
        try:
            told = profile.runcall(KINDS[kind].read, folder, str(path))
        except Exception:  # whatever it is, it is a defect
            return "crashed", (traceback.format_exc(),)
    return told, tuple(_laboured(profile, len(data)))


def _laboured(profile: cProfile.Profile, size: int) -> Iterator[str]:
    calls = pstats.Stats(profile).total_calls  # type: ignore[attr-defined]
    if calls > CALLS + CALLS_A_BYTE * size:
        yield f"{calls:,} calls for {size:,} bytes"
