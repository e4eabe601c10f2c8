"""Which file of a project an import names, as seen from the entry."""

from __future__ import annotations

import ast

import pytest

from distify.codemods.project.import_paths import Paths, bases
from distify.codemods.project.sketch import sketch, wanted

FILES = ("train.py", "model.py", "pkg/__init__.py", "pkg/data.py", "pkg/sub/net.py", "src/lib/a.py")


def imported(entry: str, path: str, text: str, files: tuple[str, ...] = FILES) -> str | None:
    """The module that the `from … import` of a file names."""
    (node,) = ast.parse(text).body
    assert isinstance(node, ast.ImportFrom)
    return Paths(entry, files).imported(path, node)


def test_modules_are_looked_for_beside_the_entry_and_above_it() -> None:
    assert bases("a/b/train.py") == ("a/b/", "a/b/src/", "a/", "a/src/", "", "src/")
    assert bases("train.py") == ("", "src/")


@pytest.mark.parametrize(
    ("path", "text", "found"),
    [
        ("train.py", "from model import f", "model.py"),
        ("train.py", "from pkg import data", "pkg/__init__.py"),
        ("train.py", "from pkg.data import f", "pkg/data.py"),
        ("train.py", "from pkg.sub import net", "pkg/sub/"),
        ("train.py", "from lib.a import f", "src/lib/a.py"),
        ("pkg/data.py", "from . import other", "pkg/__init__.py"),
        ("pkg/data.py", "from .sub.net import f", "pkg/sub/net.py"),
        ("pkg/sub/net.py", "from ..data import f", "pkg/data.py"),
        ("pkg/sub/net.py", "from .. import data", "pkg/__init__.py"),
        ("pkg/sub/net.py", "from model import f", "model.py"),  # sys.path is the entry's
    ],
)
def test_an_import_names_a_file(path: str, text: str, found: str) -> None:
    assert imported("train.py", path, text) == found


@pytest.mark.parametrize(
    "text",
    [
        "from numpy import array",
        "from nowhere import f",
        "from .model.x import f",
        "from os import x",
    ],
)
def test_what_the_project_has_not_is_no_file(text: str) -> None:
    assert imported("train.py", "train.py", text) is None


def test_a_framework_is_never_a_file_of_the_project() -> None:
    assert imported("a.py", "a.py", "from keras import x", ("keras/__init__.py",)) is None


def test_two_modules_of_one_name_are_none() -> None:
    files = ("scripts/train.py", "scripts/model.py", "model.py")
    assert imported("scripts/train.py", "scripts/train.py", "from model import f", files) is None


def test_the_packages_around_a_module_run_before_it() -> None:
    paths = Paths("train.py", ("a/__init__.py", "a/b/__init__.py", "a/b/c.py", "a/x/y.py"))
    assert list(paths.packages("a/b/c.py")) == ["a/b/__init__.py", "a/__init__.py"]
    assert list(paths.packages("a/b/__init__.py")) == ["a/__init__.py"]
    assert list(paths.packages("a/x/y.py")) == []


def test_it_tells_where_modules_may_be() -> None:
    places = wanted("train.py", "train.py", sketch("import numpy\nfrom a.b import c\n"))
    assert {"a/b.py", "a/__init__.py", "a/b/c.py", "src/a/b/__init__.py"} <= set(places)
    assert not [place for place in places if "numpy" in place]
    assert wanted("train.py", "train.py", sketch("def (")) == ()
