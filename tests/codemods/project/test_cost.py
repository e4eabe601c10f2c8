"""Joining takes time in proportion to the modules: function calls are counted, not seconds."""

from __future__ import annotations

import math
import sys
from collections import Counter
from types import FrameType

import pytest

from distify.codemods.project import reach
from distify.codemods.project.files import File
from distify.codemods.project.joined import Joined, join
from distify.codemods.project.texts import Project

MODULE = """\
import numpy as np
{imports}
SIZE = {n}


class A{n}:
    def run(self):
        return np.ones(SIZE)


def f{n}(x):
    y = A{n}().run()
{calls}    return x + y
"""


def project(size: int) -> Project:
    """A package as a tree of modules, each of which also imports the one above it."""
    texts = {"train.py": "from p.m0 import f0\nf0(1)\n", "p/__init__.py": ""}
    for n in range(size):
        below = [child for child in (2 * n + 1, 2 * n + 2) if child < size]
        imports = "".join(f"from .m{child} import f{child}\n" for child in below)
        imports += f"import p.m{n // 2} as above\n"
        calls = "".join(f"    f{child}(y)\n" for child in below) + "    above.SIZE\n"
        texts[f"p/m{n}.py"] = MODULE.format(imports=imports, n=n, calls=calls)
    return Project("train.py", texts)


def counted(size: int) -> tuple[int, Joined]:
    """How many calls of functions it takes, and the program."""
    calls, given = 0, project(size)

    def count(frame: FrameType, event: str, argument: object) -> None:
        nonlocal calls
        calls += event == "call"

    before = sys.getprofile()
    sys.setprofile(count)
    try:
        found = join(given)
    finally:
        sys.setprofile(before)
    assert found is not None
    return calls, found


def test_a_file_is_read_once_for_all_tries_to_join(monkeypatch: pytest.MonkeyPatch) -> None:
    """`settings` is changed from outside, so that it is left and the others are joined again."""
    texts = {
        "train.py": "import settings\nimport model\nsettings.SIZE = 2\nmodel.build()\n",
        "settings.py": "SIZE = 1\n",
        "model.py": "def build():\n    return 1\n",
    }
    read: Counter[str] = Counter()

    def file(path: str, text: str) -> File:
        read[path] += 1
        return File(path, text)

    monkeypatch.setattr(reach, "File", file)
    joined = join(Project("train.py", texts))
    assert joined is not None
    assert set(joined.files) == {"model.py"}
    assert read["model.py"] == 1
    assert read["train.py"] == 2


def test_it_is_linear_in_the_modules() -> None:
    small, few = counted(25)
    large, many = counted(200)
    assert (len(few.reached), len(many.reached)) == (26, 201)
    assert math.log(large / small, 8) <= 1.1
