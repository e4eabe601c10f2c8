"""The commands of a project, wherever it says them."""

from __future__ import annotations

from pathlib import Path

import pytest

from distify.assistant import codemods
from distify.assistant.files import module_texts, projects, scripts
from distify.assistant.files.choice import Choice
from distify.assistant.files.result import look
from distify.assistant.report.terminal import Terminal
from distify.codemods.migrate import migrate

SETUP = """\
from setuptools import setup

setup(name="p", entry_points={{"console_scripts": [{}]}})
"""


@pytest.fixture(autouse=True)
def fresh() -> None:
    for cached in (
        scripts.commands,
        projects.root,
        *module_texts.READ,
    ):
        cached.cache_clear()


def project(folder: Path, name: str, text: str, module: str = "p/cli.py") -> Path:
    path = folder / module
    path.parent.mkdir(parents=True)
    (path.parent / "__init__.py").write_text("")
    path.write_text("def main():\n    pass\n")
    (folder / name).write_text(text)
    return path


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("pyproject.toml", '[project.scripts]\ntrain = "p.cli:main"\n'),
        ("pyproject.toml", '[project.gui-scripts]\ntrain = "p.cli:main"\n'),
        ("pyproject.toml", '[tool.poetry.scripts]\ntrain = "p.cli:main"\n'),
        ("setup.cfg", "[options.entry_points]\nconsole_scripts =\n    train = p.cli:main\n[x]\n"),
        ("setup.py", SETUP.format('"train = p.cli:main"')),
        ("setup.py", SETUP.format('"train=p.cli:main [extra]", "t = q:x"')),
        ("setup.py", 'setup(entry_points="""\n[console_scripts]\ntrain = p.cli:main\n""")\n'),
    ],
)
@pytest.mark.parametrize("module", ["p/cli.py", "src/p/cli.py"])
def test_commands_are_found(tmp_path: Path, name: str, text: str, module: str) -> None:
    path = project(tmp_path, name, text, module)
    assert projects.started(str(path)) == ("main",)
    assert projects.started(str(path.parent / "__init__.py")) == ()
    (command,) = scripts.commands(str(tmp_path))[module]
    assert command.name == "train"


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("pyproject.toml", '[project.scripts]\ntrain = "p.other:main"\n'),
        ("pyproject.toml", '[project]\nscripts = "p.cli:main"\n'),
        ("pyproject.toml", "[project.scripts\n"),
        ("pyproject.toml", "[project.scripts]\ntrain = 1\n"),
        ("setup.cfg", "[options]\ntrain = p.cli:main\n"),
        ("setup.py", "setup(entry_points={'console_scripts': [(]})\n"),
        ("setup.py", "x = 'train = p.cli:main'\n"),
    ],
)
def test_nothing_else_is_a_command(tmp_path: Path, name: str, text: str) -> None:
    assert projects.started(str(project(tmp_path, name, text))) == ()


TRAINING = """\
import tensorflow as tf


def fit():
    model = tf.keras.Sequential([tf.keras.layers.Dense(1)])
    model.compile(tf.keras.optimizers.SGD(0.1), "mse")
    model.fit(tf.random.normal((8, 4)), tf.random.normal((8, 1)))
"""


def test_a_command_without_training_of_its_own_is_an_entry(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = project(tmp_path, "pyproject.toml", '[project.scripts]\ntrain = "p.cli:main"\n')
    path.write_text("from .training import fit\n\n\ndef main():\n    fit()\n")
    (path.parent / "training.py").write_text(TRAINING)
    monkeypatch.setattr(codemods, "migrate", migrate)
    monkeypatch.chdir(tmp_path)
    result = look(["."], Choice((), ()), Terminal("never"))
    assert [each.name for each in result.outcomes if each.changed] == ["p/cli.py", "p/training.py"]


@pytest.mark.parametrize("project", ["pyproject.toml", "setup.py", "setup.cfg"])
def test_a_project_may_keep_its_packages_in_a_folder(tmp_path: Path, project: str) -> None:
    """Where a file of the project says that it is one; `src` may be a package like others."""
    script = tmp_path / "src" / "p" / "train.py"
    script.parent.mkdir(parents=True)
    script.write_text("import p\n")
    assert scripts.sources(str(script)) is None
    (tmp_path / project).write_text("")
    found = str((tmp_path / "src").resolve())
    assert scripts.sources(str(script)) == found
    assert scripts.sources(str(tmp_path / "tools" / "train.py")) == found
    (tmp_path / "src" / "__init__.py").write_text("")
    assert scripts.sources(str(script)) is None
