"""Which TensorFlow is installed where a project runs: by the names of its metadata."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator

from .environments import environments
from .versions import Version

PACKAGES = ("lib/python*/site-packages", "lib64/python*/site-packages", "Lib/site-packages")
_METADATA = re.compile(
    r"(?:intel_)?tensorflow(?:_(?:cpu|gpu|intel|macos|rocm))?-(\d{1,4})\.(\d{1,4})\.[\w.+]{1,40}"
    r"\.dist-info",
    re.IGNORECASE,
)


def tensorflow(folders: list[str]) -> tuple[Version, str] | None:
    """The version of the first environment that has one, and the environment's folder."""
    for environment in environments(folders):
        version = max(_versions(environment.folder), default=None)
        if version is not None:
            return version, environment.folder
    return None


def _versions(environment: str) -> Iterator[Version]:
    """Of what lies in its folder of packages; one that can't be read has none."""
    import glob  # few commands come here

    for pattern in PACKAGES:
        for folder in glob.glob(os.path.join(glob.escape(environment), pattern)):
            try:
                names = os.listdir(folder)
            except OSError:
                continue
            found = (_METADATA.fullmatch(name) for name in names)
            yield from ((int(each[1]), int(each[2])) for each in found if each)
