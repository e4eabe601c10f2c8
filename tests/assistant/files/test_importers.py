"""Which files may lead to another one: never too few, and asked before programs are followed."""

from __future__ import annotations

import functools
import random
from collections import Counter
from pathlib import Path

import pytest
from bench import written_projects

from distify.assistant.cli import quick
from distify.assistant.files import importers, known_sketches, projects
from distify.codemods.project import files as files_module
from distify.codemods.project import import_order as reach_module
from distify.codemods.project.files import File


def made(top: Path, files: dict[str, str]) -> None:
    """The files of a project."""
    for path, text in {"pyproject.toml": "[project]\n", **files}.items():
        (top / path).parent.mkdir(parents=True, exist_ok=True)
        (top / path).write_text(text, "utf-8")
    projects.forget()
    projects.root.cache_clear()


def leads(top: Path, program: str, path: str) -> bool:
    return importers.may_lead(str(top), str(top / program), str(top / path))


@pytest.mark.parametrize(
    "line",
    [
        "import lib.data",
        "import os, lib.data as d",
        "from lib import data",
        "from lib.data import load as l",
        "from lib import (\n    models,\n    data,\n)",
        "def f():\n    from lib.data import *",
        "import deep.user",
        "from deep import user",
        "from deep.user import (a)",
        "if 1: import deep.user; print(1)",
    ],
)
def test_whoever_names_a_file_may_lead_to_it(here: Path, line: str) -> None:
    files = {"lib/data.py": "def load(): pass\n", "deep/user.py": "from lib import data\na = 1\n"}
    made(here, {**files, "start.py": line + "\n", "other.py": "import lib.models\n"})
    assert leads(here, "start.py", "lib/data.py")
    assert not leads(here, "other.py", "lib/data.py")
    assert leads(here, "other.py", "lib/models.py")
    assert leads(here, "other.py", "other.py")


def test_a_package_runs_for_what_is_in_it(here: Path) -> None:
    files = {"lib/__init__.py": "from .data import load\n", "lib/data.py": "def load(): pass\n"}
    files |= {"lib/own.py": "from . import a\n", "lib/a.py": "x = 1\n", "b.py": "import lib.a\n"}
    made(
        here, {**files, "c.py": "import a\n", "d.py": "import d\n", "e.py": "from .lib.a import x"}
    )
    for path in ("lib/__init__.py", "lib/data.py"):
        assert [leads(here, f"{n}.py", path) for n in ("lib/own", "b", "c", "d", "e")] == [
            True,
            True,
            True,  # for all that the words say
            False,
            True,
        ]


def test_where_not_all_is_listed_anything_may_lead_anywhere(here: Path) -> None:
    made(here, {"a.py": "x = 1\n", "b.py": "y = 1\n", ".tools/c.py": "z = 1\n"})
    assert not leads(here, "a.py", "b.py")
    assert leads(here, ".tools/c.py", "b.py")
    (here / "linked").symlink_to(here / ".tools")
    projects.forget()
    assert leads(here, "a.py", "b.py")


@pytest.mark.parametrize("is_handed_on", [False, True])
def test_no_program_leads_to_more_by_its_imports_than_by_their_words(
    here: Path, is_handed_on: bool
) -> None:
    written_projects.write(here, 48, is_handed_on)
    projects.forget()
    projects.root.cache_clear()
    files = [path for path in projects.files(str(here)) if path.endswith(".py")]
    followed = Counter[bool]()
    for program in random.Random(1).sample(files, 20):
        for name in projects._reachable(program):
            path = projects.path_of(program, name)
            assert importers.may_lead(str(here), program, path)
        followed.update(importers.may_lead(str(here), program, path) for path in files)
    assert followed[False] > followed[True] > 0 if not is_handed_on else followed[False]


def test_only_what_takes_part_is_read_and_no_other_program_is_followed(
    here: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Of 120 modules; each script leads to all of the others, as the packages hand them on."""
    written_projects.write(here, 120, is_handed_on=True)
    projects.forget()
    projects.root.cache_clear()
    read, followed, sketched = list[str](), list[str](), list[str]()
    reached, sketch = projects._reachable, known_sketches.codemods.sketch

    def opened(path: str, text: str) -> File:
        read.append(path)
        return File(path, text)

    files_module._shelf.clear()
    for module in (reach_module, files_module):
        monkeypatch.setattr(module, "File", opened)
    asked = functools.cache(lambda program: (followed.append(program), reached(program))[1])
    monkeypatch.setattr(projects, "_reachable", asked)
    monkeypatch.setattr(
        known_sketches.codemods, "sketch", lambda text: (sketched.append(text), sketch(text))[1]
    )
    texts = {path.read_text("utf-8") for path in here.rglob("*.py")}
    for number in range(2):
        known_sketches.made.cache_clear()
        projects.forget()
        (here / "train.py").write_text(written_projects.TRAINING["train.py"] + "#\n" * number)
        assert quick.answer(["migrate", "--check", str(here / "train.py")]) == 1
        assert {path for path in read if "part" in path} == set()
        # What didn't change is read once for all looks of a process.
        known = written_projects.TRAINING if number == 0 else ["train.py"]
        assert sorted(set(read)) == sorted(known)
        assert followed == []
        assert len(sketched) == (len(texts) if number == 0 else 1)
        read.clear()
        sketched.clear()


FETCH = "import importlib\n\nm = importlib.import_module({})\n"


def test_what_imports_by_a_name_may_lead_to_all_below_its_package(here: Path) -> None:
    files = {"lib/a.py": "a = 1\n", "lib/deep/b.py": "from c import d\n", "c.py": "d = 1\n"}
    files |= {"start.py": FETCH.format("'lib.' + name"), "other.py": FETCH.format("name")}
    made(here, files)
    assert all(leads(here, "start.py", path) for path in ("lib/a.py", "lib/deep/b.py", "c.py"))
    assert not leads(here, "other.py", "lib/a.py")


def test_all_below_the_package_is_read(here: Path) -> None:
    files = {"lib/a.py": "a = 1\n", "lib/deep/b.py": "from c import d\n", "c.py": "d = 1\n"}
    made(here, {**files, "start.py": FETCH.format("'lib.' + name")})
    (here / "lib" / "linked.py").symlink_to(here / "c.py")
    (here / "lib" / "round").symlink_to(here / "lib")
    (here / "lib" / ".hidden").mkdir()
    text = (here / "start.py").read_text("utf-8")
    found = projects.around(str(here / "start.py"), text)
    assert found is not None
    unread = {path for path, text in found.texts.items() if text == projects.UNREAD}
    assert found.texts.keys() - unread == {"start.py", *files}
    assert unread == {"lib/linked.py", "lib/round/__init__.py"}
