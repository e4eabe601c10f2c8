"""The project itself: what is packaged, who may import whom, how long a module may be."""

from __future__ import annotations

import ast
import re
import subprocess
import sys
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib

ROOT = Path(__file__).resolve().parent.parent
ROOMS = {
    "distify": ROOT / "src" / "distify",
    "distify.codemods": ROOT / "codemods",
    "distify.assistant": ROOT / "assistant",
}
MODULES = sorted(path for room in ROOMS.values() for path in room.rglob("*.py"))
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))


@cache
def trees() -> dict[str, ast.Module]:
    """Every module by its path in the project."""
    return {str(path.relative_to(ROOT)): ast.parse(path.read_bytes()) for path in MODULES}


def folders() -> Iterator[str]:
    """The packages there are, by the name they are installed under."""
    for package, room in ROOMS.items():
        for folder in (room, *room.rglob("*")):
            if folder.is_dir() and any(folder.glob("*.py")):
                yield ".".join((package, *folder.relative_to(room).parts))


def imports(module: ast.Module) -> Iterator[str]:
    """Every absolute module name that a file imports anywhere in it."""
    for node in ast.walk(module):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.level == 0:
            yield node.module or ""


def test_the_packages_are_the_folders() -> None:
    assert sorted(PROJECT["tool"]["setuptools"]["packages"]) == sorted(folders())


def test_every_package_folder_says_so() -> None:
    bare = [m.parent for m in MODULES if not (m.parent / "__init__.py").exists()]
    assert not bare


def importers(names: str, room: str = "") -> list[tuple[str, str]]:
    """The modules of a room that import what a pattern tells, and what that is."""
    told = re.compile(rf"({names})(\.|$)")
    every = [(path, tree) for path, tree in trees().items() if path.startswith(room)]
    assert len(every) > 100
    return [(path, name) for path, tree in every for name in imports(tree) if told.match(name)]


@pytest.mark.slow
def test_rooms_import_each_other_by_their_installed_names() -> None:
    assert importers(r"codemods|assistant") == []


def test_thinking_does_not_import_acting() -> None:
    acting = (
        r"distify\.assistant|click|rich|git|os|pathlib|subprocess|socket|shutil|tempfile"
        r"|logging|time|random|tensorflow|horovod|importlib\.import_module"
    )
    # It lists the folders of the rules and restrictions, as pkgutil would, which is slow to import.
    assert importers(acting, "codemods/") == [("codemods/applying/discovery.py", "os")]
    assert importers(acting, "assistant/")  # it would be found


def called(tree: ast.Module) -> set[str]:
    """The plain names that a module calls."""
    calls = [node.func for node in ast.walk(tree) if isinstance(node, ast.Call)]
    return {func.id for func in calls if isinstance(func, ast.Name)}


def test_the_code_runs_nothing_that_it_reads() -> None:
    """No `exec`, `eval` or `__import__` anywhere: promise 6, seen from the source."""
    names = {path: called(tree) for path, tree in trees().items()}
    assert [path for path in names if names[path] & {"exec", "eval", "__import__"}] == []
    assert any("isinstance" in each for each in names.values())


def test_the_extra_takes_the_tensorflows_that_are_tried() -> None:
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
    (tried,) = re.findall(r"^TENSORFLOWS := 2\.(\d+) 2\.(\d+)$", makefile, flags=re.M)
    oldest, newest = map(int, tried)
    wanted = f"tensorflow>=2.{oldest},<2.{newest + 1}"
    assert wanted in PROJECT["project"]["optional-dependencies"]["run"]


def test_the_changelog_has_this_version() -> None:
    import distify

    assert f"## {distify.__version__}" in (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")


def test_the_readme_shows_what_distify_makes() -> None:
    from distify.codemods.migrate import migrate

    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    before, after = re.findall(r"```python\n(.*?)```", readme, flags=re.S)
    assert migrate(before).after == after


def test_the_examples_pass_the_default_rules_of_ruff() -> None:
    """But for the habits of their years: `super(A, self)`, `%`, imports in their own order."""
    ruff = Path(sys.executable).with_name("ruff")
    check = [str(ruff), "check", "--isolated", "--no-cache", str(ROOT / "examples")]
    check.append("--ignore=UP,I001,RUF059,FURB122")
    done = subprocess.run(check, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout
