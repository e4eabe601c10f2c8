"""Joining takes time in proportion to the modules: function calls are counted, not seconds."""

from __future__ import annotations

import ast
import math
import sys
from collections import Counter
from contextlib import ExitStack
from types import FrameType
from typing import Any

import pytest

from distify.codemods.gate import judging
from distify.codemods.judge.case import Case
from distify.codemods.judge.proof import Proof
from distify.codemods.program.graph import TooLarge
from distify.codemods.program.program import Program
from distify.codemods.project import files, import_order, joined, migrate, repaired
from distify.codemods.project import texts as project_texts
from distify.codemods.project.files import File
from distify.codemods.project.import_order import Reach
from distify.codemods.project.joined import Joined, join
from distify.codemods.project.migrate import migrate_project
from distify.codemods.project.sketch import Sketch, sketch
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

    monkeypatch.setattr(import_order, "File", file)
    monkeypatch.setattr(files, "File", file)
    found = join(Project("train.py", texts))
    assert found is not None
    assert set(found.files) == {"model.py"}
    assert read["model.py"] == 1
    assert read["train.py"] == 2


def test_the_next_program_gets_the_files_of_one_as_they_were_read(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Whatever was renamed, picked, left out or moved in them for a program that is forgotten."""
    lib = "import json\nimport other\nfrom other import *\n\nN = 1\n\n\ndef f(x, n):\n"
    lib += "    global N\n    N = x\n    return getattr(other, n)(N + other.M) + json.loads(x)\n"
    other = "import json\n\nM = N = json.loads('1')\n\n\nclass A:\n    N = N\n"
    texts = {"lib.py": lib, "other.py": other}
    texts["a.py"] = "import lib\nimport other\n\nN = other.N\nlib.f(N, 'A')\n"
    texts["b.py"] = "import os\n" * 9 + "import other, lib\n\njson = 2\nprint(lib.f(json, 'M'))\n"
    alone = [_looked_at(Project(path, texts)) for path in ("a.py", "b.py")]
    read: Counter[str] = Counter()

    def file(path: str, text: str) -> File:
        read[path] += 1
        return File(path, text)

    files._shelf.clear()
    monkeypatch.setattr(files, "File", file)
    for _ in range(2):
        for path, known in zip(("a.py", "b.py"), alone):
            with ExitStack() as until_then:
                assert _looked_at(Project(path, texts), until_then) == known
    assert read == {"lib.py": 1, "other.py": 1}


def test_a_program_has_no_files_of_another_that_is_asked_still() -> None:
    texts = {"a.py": "import lib\nlib.f()\n", "lib.py": "def f():\n    return 1\n"}
    with ExitStack() as until_then:
        first, second = (join(Project("a.py", texts), until_then) for _ in range(2))
        assert first is not None
        assert second is not None
        assert first.files["lib.py"] is not second.files["lib.py"]


def _looked_at(given: Project, until_then: ExitStack | None = None) -> tuple[str, str, object]:
    """All that is made of a program."""
    found = join(given, until_then)
    assert found is not None
    return ast.dump(found.source.module, include_attributes=True), found.source.text, found.names


def test_it_is_linear_in_the_modules() -> None:
    small, few = counted(25)
    large, many = counted(200)
    assert (len(few.reached), len(many.reached)) == (26, 201)
    assert math.log(large / small, 8) <= 1.1


def test_repairs_ask_the_program_that_the_first_look_has_made(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """A strategy that another module makes is in the way, and thirty repairs are tried."""
    texts = {
        "train.py": "import tensorflow as tf\nimport devices\n\n"
        "with devices.strategy.scope():\n"
        "    model = tf.keras.Sequential([tf.keras.layers.Dense(1)])\n"
        "    model.compile('sgd', 'mse')\nmodel.fit([[1.0]], [[1.0]])\n",
        "devices.py": "import tensorflow as tf\n\nstrategy = tf.distribute.TPUStrategy()\n",
    }
    made: list[Reach] = []

    def program(found: Reach, *rest: Any) -> Joined:
        made.append(found)
        return Joined(found, *rest)

    monkeypatch.setattr(joined, "Joined", program)
    seen = migrate_project(Project("train.py", texts))
    assert seen is not None
    assert "N01" in {finding.code for finding in seen.blocked}
    assert len(made) == 1


def test_what_is_asked_behind_the_first_look_has_as_many_steps() -> None:
    program = Program({"": "a = 1\n"}, budget=1_000)

    def ask(times: int) -> None:
        for _ in range(times):
            program.follow(program.modules[""].body[0].value)  # type: ignore[attr-defined]

    ask(900)
    program.begin_anew()
    ask(900)
    with pytest.raises(TooLarge):
        ask(200)


def test_what_cannot_be_joined_is_not_tried_again_for_repairs(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    texts = {
        "train.py": "import tensorflow as tf\nimport settings\n\nsettings.SIZE = 2\n"
        "strategy = tf.distribute.TPUStrategy()\n"
        "with strategy.scope():\n"
        "    model = tf.keras.Sequential([tf.keras.layers.Dense(1)])\n"
        "    model.compile('sgd', 'mse')\nmodel.fit([[1.0]], [[1.0]])\n",
        "settings.py": "SIZE = 1\n",
    }
    tried: list[Project] = []

    def tries(given: Project, until_then: ExitStack | None = None) -> Joined | None:
        tried.append(given)
        return join(given, until_then)

    monkeypatch.setattr(migrate, "join", tries)
    monkeypatch.setattr(repaired, "join", tries)
    seen = migrate_project(Project("train.py", texts))
    assert seen is not None
    assert "N01" in {finding.code for finding in seen.blocked}
    assert len(tried) == 1


def test_what_is_known_of_modules_stays_known_when_others_change(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """The judge reads what the rules have made, and nothing else anew."""
    texts = {
        "train.py": "import tensorflow as tf\nimport data\nimport more\n\n"
        "model = tf.keras.Sequential([tf.keras.layers.Dense(1)])\n"
        "model.compile('sgd', 'mse')\nmodel.fit(data.load(), [[1.0]])\n",
        "data.py": "def load():\n    return [[1.0]]\n",
        "more.py": "import data\n\n\ndef unused():\n    return data.load()\n",
    }
    sketches = {path: sketch(text) for path, text in texts.items() if path != "train.py"}
    asked, judged = list[str](), list[str]()

    def sketched(text: str) -> Sketch:
        asked.append(text)
        return sketch(text)

    def judge(case: Case) -> list[Proof]:
        judged.append(case.facts.source.text)
        return []

    monkeypatch.setattr(project_texts, "sketch", sketched)
    monkeypatch.setattr(judging, "judge", judge)
    seen = migrate_project(Project("train.py", texts, sketches=sketches))
    assert seen is not None
    assert seen.steps
    assert "horovod" in judged[0]
    assert asked == []
    changed = Project("train.py", texts, sketches=sketches).changed({"more.py": "", "data.py": "x"})
    assert changed.sketches == {}
    assert Project("train.py", texts, sketches=sketches).changed(texts).sketches == sketches
