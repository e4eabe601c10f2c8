"""The literal at the end of a path, whatever stands before it."""

from __future__ import annotations

import ast

import pytest

from distify.codemods.facts import Facts
from distify.codemods.facts.output.file_paths import endings

HEAD = "import os, os.path\nimport tensorflow as tf\nfrom pathlib import Path\nimport mine\n"
d, name = "mine.folder", "mine.name"


def found(text: str) -> list[str | None]:
    facts = Facts.of(HEAD + text)
    last = facts.module.body[-1]
    assert isinstance(last, ast.Expr)
    return sorted(endings(facts, last.value), key=str)


@pytest.mark.parametrize(
    "text",
    [
        "'m.h5'",
        f"os.path.join({d}, 'm.h5')",
        f"os.path.join({d}, mine.part, 'm.h5')",
        f"tf.io.gfile.join({d}, 'm.h5')",
        f"os.path.abspath(os.path.join({d}, 'm.h5'))",
        f"{d} + '/m.h5'",
        f"Path({d}) / 'm.h5'",
        f"str(Path({d}) / 'm.h5')",
        f"Path({d}).joinpath('m.h5')",
        f"f'{{{d}}}/m.h5'",
        f"'%s/m.h5' % {d}",
        f"'{{}}/m.h5'.format({d})",
        f"path = os.path.join({d}, 'm.h5')\npath",
        f"file = 'm.h5'\nos.path.join({d}, file)",
        f"def where():\n    return os.path.join({d}, 'm.h5')\n\n\nwhere()",
        "path = 'm.h5'\npath = os.path.abspath(path)\npath",
    ],
)
def test_an_ending_that_shows(text: str) -> None:
    (only,) = found(text)
    assert only is not None
    assert only.endswith("m.h5")


@pytest.mark.parametrize(
    "text",
    [
        d,
        f"os.path.join('a.h5', {name})",
        "os.path.join(*mine.parts)",
        "os.path.join()",
        f"'a.h5' + {name}",
        f"{d} + 'keras'",
        f"f'm.{{{name}}}'",
        "f''",
        f"'a.h5/%s' % {name}",
        f"'a.h5/%05.2f' % {name}",
        f"'a.h5/%(name)s' % {name}",
        f"'a.h5/{{}}'.format({name})",
        f"{d}.format('a.h5')",
        "mine.join('a.h5')",
        "Path('a.h5').parent",
        "def f(path):\n    pass\n\n\nf",
        "1",
    ],
)
def test_an_ending_that_does_not_show(text: str) -> None:
    assert found(text) == [None]


def test_each_of_several_paths_ends_in_its_own_way() -> None:
    choice = f"path = 'a.h5' if mine.x else os.path.join({d}, 'b.keras')\npath"
    assert found(choice) == ["a.h5", "b.keras"]
    assert found(f"path = 'a.h5' if mine.x else {name}\npath") == [None, "a.h5"]
