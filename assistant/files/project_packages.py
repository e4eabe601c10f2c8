"""What is installed where a project runs: by the names of its metadata."""

from __future__ import annotations

import contextlib
import os
import re
from collections.abc import Iterator

from .environments import environments
from .version_specifiers import Version

PACKAGES = ("lib/python*/site-packages", "lib64/python*/site-packages", "Lib/site-packages")
_METADATA = re.compile(
    r"(?:intel_)?tensorflow(?:_(?:cpu|gpu|intel|macos|rocm))?-(\d{1,4})\.(\d{1,4})\.[\w.+]{1,40}"
    r"\.dist-info",
    re.IGNORECASE,
)
_HOROVOD = re.compile(r"horovod-[\w.+]{1,40}\.(?:dist|egg)-info", re.IGNORECASE)


def tensorflow(folders: list[str]) -> tuple[Version, str] | None:
    """The version of the first environment that has one, and the environment's folder."""
    for environment in environments(folders):
        version = max(_versions(environment.folder), default=None)
        if version is not None:
            return version, environment.folder
    return None


def has_tensorflow(environment: str) -> bool:
    """Whether one lies in the folder of this environment."""
    return any(True for _ in _versions(environment))


def has_horovod(environment: str) -> bool:
    """The same of Horovod, of whatever version."""
    return any(_HOROVOD.fullmatch(name) for name in _metadata(environment))


def _versions(environment: str) -> Iterator[Version]:
    """Of TensorFlow."""
    found = map(_METADATA.fullmatch, _metadata(environment))
    yield from ((int(each[1]), int(each[2])) for each in found if each)


def _metadata(environment: str) -> Iterator[str]:
    """What lies in its folders of packages; one that can't be read has none."""
    import glob  # few commands come here

    for pattern in PACKAGES:
        for folder in glob.glob(os.path.join(glob.escape(environment), pattern)):
            with contextlib.suppress(OSError):
                yield from os.listdir(folder)
