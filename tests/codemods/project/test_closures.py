"""Which files a program may run, by imports alone, and what is spared by it."""

from __future__ import annotations

import pytest

from distify.codemods.project import main_parts
from distify.codemods.project.closures import Closures
from distify.codemods.project.migrate import migrate_project
from distify.codemods.project.texts import Project

TRAIN = """\
import numpy as np

import pkg.report
from pkg.model import build

model = build()
model.fit(np.ones((64, 4)), np.ones((64, 1)))
pkg.report.tell()
"""
MODEL = """\
import tensorflow as tf

{imports}
def build():
    model = tf.keras.Sequential([tf.keras.layers.Dense(1)])
    model.compile(tf.keras.optimizers.SGD(0.1), "mse")
    return model


if __name__ == "__main__":
    build()
"""
REPORT = """\
{imports}

def tell():
    return 1


if __name__ == "__main__":
    print({main})
"""


def texts(imports: str = "", main: str = "tell()") -> dict[str, str]:
    return {
        "train.py": TRAIN,
        "pkg/__init__.py": "",
        "pkg/model.py": MODEL.format(imports=""),
        "pkg/report.py": REPORT.format(imports=imports, main=main),
    }


@pytest.mark.parametrize(
    ("imports", "behind"),
    [
        ("", set()),
        ("import os", set()),
        ("from . import model", {"pkg/model.py", "pkg/__init__.py"}),
        ("import pkg.model", {"pkg/model.py", "pkg/__init__.py"}),
        ("def f():\n    from .model import build\n", {"pkg/model.py", "pkg/__init__.py"}),
        ("import model", {"pkg/model.py", "pkg/__init__.py"}),
    ],
)
def test_a_program_has_what_it_imports_as_seen_from_its_own_folder(
    imports: str, behind: set[str]
) -> None:
    closures = Closures(Project("train.py", texts(imports)))
    assert closures.of("pkg/report.py") == {"pkg/report.py", *behind}
    assert closures.of("train.py") >= {"train.py", "pkg/model.py", "pkg/report.py"}


def test_modules_that_import_each_other_end() -> None:
    project = Project("a.py", {"a.py": "import b", "b.py": "import a, c", "c.py": "import b"})
    assert Closures(project).of("a.py") == {"a.py", "b.py", "c.py"}


@pytest.mark.parametrize(
    ("imports", "is_asked"), [("", False), ("from pkg.model import build", True)]
)
def test_a_main_part_is_asked_only_if_what_changes_may_be_behind_it(
    imports: str, is_asked: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[str] = []
    main_uses = main_parts.main_uses

    def noted(project: Project, lines: dict[str, set[int]]) -> bool:
        asked.append(project.entry)
        return main_uses(project, lines)

    monkeypatch.setattr(main_parts, "main_uses", noted)
    found = migrate_project(Project("train.py", texts(imports, "build()" if imports else "1")))
    assert found is not None
    assert not found.blocked
    assert ("pkg/report.py" in asked) is is_asked
    starts = {other.path: other.migration.after for other in found.others}
    assert "pkg/model.py" in asked
    assert ("hvd.init()" in starts.get("pkg/report.py", "")) is is_asked


@pytest.mark.parametrize(
    ("comment", "start"),
    [
        ("", "    hvd.init()\n    build()\n"),
        ("    # Try it out.\n", "    hvd.init()\n\n    # Try it out.\n    build()\n"),
    ],
)
def test_the_start_of_a_main_part_stays_above_its_comment(comment: str, start: str) -> None:
    project = texts()
    project["pkg/model.py"] = MODEL.format(imports="").replace(
        "    build()\n", f"{comment}    build()\n"
    )
    found = migrate_project(Project("train.py", project))
    assert found is not None
    (model,) = (each for each in found.others if each.path == "pkg/model.py")
    assert model.migration.after.endswith(f'if __name__ == "__main__":\n{start}')
