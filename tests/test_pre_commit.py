"""The pre-commit hooks, run by pre-commit itself in scratch repositories."""

from __future__ import annotations

import os
import re
import shlex
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
import yaml

ROOT = Path(__file__).resolve().parents[1]
TRAIN = """\
import tensorflow as tf

model = tf.keras.Sequential([tf.keras.layers.Dense(1)])
model.compile(tf.keras.optimizers.SGD(0.1), loss="mse")  # by hand
model.fit(tf.random.normal([8, 2]).numpy(), tf.random.normal([8, 1]).numpy(), epochs=1)
"""
HOOK_KEYS = {
    *("id", "name", "description", "entry", "language", "types_or", "require_serial"),
    "minimum_pre_commit_version",
}
ARRAYS = "import numpy as np\nx, y = np.zeros([8, 2]), np.zeros([8, 1])\n" + re.sub(
    r"fit\(.*, epochs", "fit(x, y, epochs", TRAIN
)
TYPES_OR_CAME = (2, 9, 0)  # with pre-commit's change log
PRE_COMMIT = (sys.executable, "-m", "pre_commit")


def environment(folder: Path) -> dict[str, str]:
    """A person's own, apart from git's variables and what the tests are not to touch."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith("GIT_")}
    who = {"NAME": "A Person", "EMAIL": "person@example.org"}
    names = {f"GIT_{role}_{key}": who[key] for role in ("AUTHOR", "COMMITTER") for key in who}
    return {
        **kept,
        **names,
        "GIT_CONFIG_GLOBAL": os.devnull,
        "GIT_CONFIG_SYSTEM": os.devnull,
        "PRE_COMMIT_HOME": str(folder / "pre-commit"),
        # The hook's own environment is to hold what pre-commit puts there, nothing of ours.
        "PYTHONPATH": "",
    }


class Repository:
    """A scratch repository, with commands that show their output when they fail unexpectedly."""

    def __init__(self, folder: Path, env: dict[str, str]) -> None:
        self.folder, self.env = folder, env
        folder.mkdir()
        self.run("git", "init", "-q", "-b", "main")

    def run(self, *command: str, code: int = 0) -> str:
        done = subprocess.run(
            command, cwd=self.folder, env=self.env, capture_output=True, text=True, timeout=300
        )
        assert done.returncode == code, done.stdout + done.stderr
        return done.stdout + done.stderr

    def write(self, name: str, text: str, *, stage: bool = True) -> None:
        (self.folder / name).write_bytes(text.encode())
        if stage:
            self.run("git", "add", "--", name)

    def read(self, name: str) -> str:
        return (self.folder / name).read_text(encoding="utf-8")


@pytest.fixture(scope="module")
def env(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    return environment(tmp_path_factory.mktemp("home"))


@pytest.fixture(scope="module")
def source(tmp_path_factory: pytest.TempPathFactory, env: dict[str, str]) -> Repository:
    """This project as pre-commit would clone it: what git knows, with today's changes."""
    repository = Repository(tmp_path_factory.mktemp("source") / "distify", env)
    listed = subprocess.run(
        ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"],
        cwd=ROOT, capture_output=True, text=True, check=True,
    ).stdout  # fmt: skip
    for name in filter(None, listed.split("\0")):
        if (ROOT / name).is_file():
            (repository.folder / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(ROOT / name, repository.folder / name)
    repository.run("git", "add", "--all")
    repository.run("git", "commit", "-q", "-m", "As it is")
    return repository


@pytest.fixture
def project(tmp_path: Path, env: dict[str, str], source: Repository) -> Repository:
    """A repository that uses the fixing hook, as the documentation shows."""
    repository = Repository(tmp_path / "a project", env)
    revision = source.run("git", "rev-parse", "HEAD").strip()
    hooks = {"repo": str(source.folder), "rev": revision, "hooks": [{"id": "distify-fix"}]}
    repository.write(".pre-commit-config.yaml", yaml.safe_dump({"repos": [hooks]}))
    repository.write("notes.txt", "first\n")
    repository.run("git", "commit", "-q", "-m", "Begin")
    repository.run(*PRE_COMMIT, "install")
    return repository


@pytest.mark.slow
def test_the_first_commit_fails_and_fixes_the_second_passes(project: Repository) -> None:
    project.write("notes.txt", "changed, not staged\n", stage=False)
    project.write("train me.py", TRAIN)
    said = project.run("git", "commit", "-q", "-m", "Train", code=1)
    assert "files were modified by this hook" in said
    assert "hvd.init()" in project.read("train me.py")
    assert "# by hand" in project.read("train me.py")
    assert project.read("notes.txt") == "changed, not staged\n"

    project.run("git", "add", "train me.py")
    project.run("git", "commit", "-q", "-m", "Train on many workers")
    assert "hvd.init()" in project.run("git", "show", "HEAD:train me.py")
    assert project.run("git", "show", "HEAD:notes.txt") == "first\n"
    assert project.read("notes.txt") == "changed, not staged\n"
    _unstaged_changes_of_the_same_file_survive(project)
    _files_without_training_pass(project)
    _a_notebook_that_trains_is_fixed(project)
    _modules_that_change_together_do_so_together(project)


def _unstaged_changes_of_the_same_file_survive(project: Repository) -> None:
    project.write("other.py", TRAIN)
    project.write("other.py", TRAIN + "print('not staged')\n", stage=False)
    project.run("git", "commit", "-q", "-m", "Half of it", code=1)
    assert project.read("other.py").endswith("print('not staged')\n")
    project.run("git", "rm", "-qf", "--cached", "other.py")


def _files_without_training_pass(project: Repository) -> None:
    project.write("tools.py", "print('no training here')\n")
    project.write("stub.pyi", "def train() -> None: ...\n")
    project.write("plot.ipynb", '{"cells": [], "metadata": {}, "nbformat": 4}\n')
    project.run("git", "commit", "-q", "-m", "Tools")
    assert project.read("tools.py") == "print('no training here')\n"


def _a_notebook_that_trains_is_fixed(project: Repository) -> None:
    text = (ROOT / "examples" / "notebooks" / "line_tape.ipynb").read_text(encoding="utf-8")
    project.write("line.ipynb", text)
    assert "line.ipynb" in project.run("git", "commit", "-q", "-m", "Line", code=1)
    assert "hvd.init()" in project.read("line.ipynb")
    project.run("git", "commit", "-q", "-am", "Line on many workers")


def _modules_that_change_together_do_so_together(project: Repository) -> None:
    """Of a project, what is committed alone changes with nothing: the other half is told."""
    folder = ROOT / "examples" / "projects" / "trainer_class"
    for path in sorted(folder.glob("*.py")):
        project.write(path.name, path.read_text(encoding="utf-8"))
    project.run("git", "commit", "-q", "-m", "Trainer", code=1)
    changed = set(project.run("git", "diff", "--name-only").split())
    assert {"main.py", "trainer.py"} <= changed
    project.run("git", "commit", "-q", "-am", "Trainer on many workers")

    again = (folder / "main.py").read_text(encoding="utf-8")
    project.write("main.py", again)
    said = project.run("git", "commit", "-q", "-m", "Back", code=1)
    assert "main.py" in said
    assert not project.run("git", "diff", "--name-only", "--", "trainer.py")


@pytest.mark.slow
def test_the_checking_hook_changes_nothing(
    tmp_path: Path, env: dict[str, str], source: Repository
) -> None:
    project = Repository(tmp_path / "project", env)
    project.write("train.py", TRAIN)
    project.write("legacy.py", TRAIN)
    project.write("pyproject.toml", '[tool.distify]\nexclude = ["legacy.py"]\n')
    command = (*PRE_COMMIT, "try-repo", str(source.folder), "distify", "--all-files")
    said = project.run(*command, code=1)
    assert "train.py  would be rewritten" in said
    assert "legacy.py" not in said
    assert project.read("train.py") == TRAIN


@pytest.mark.slow
def test_the_documented_arguments_run(
    tmp_path: Path, env: dict[str, str], source: Repository
) -> None:
    page = (ROOT / "docs" / "pre-commit.md").read_text(encoding="utf-8")
    (example,) = [text for text in re.findall(r"```yaml\n(.*?)```", page, re.S) if "args" in text]
    project = Repository(tmp_path / "project", env)
    project.write("train.py", ARRAYS)
    revision = source.run("git", "rev-parse", "HEAD").strip()
    hooks = {"repo": str(source.folder), "rev": revision, **yaml.safe_load(example)}
    project.write(".pre-commit-config.yaml", yaml.safe_dump({"repos": [hooks]}))
    said = project.run(*PRE_COMMIT, "run", "--all-files", code=1)
    assert "train.py  would be rewritten" in said
    assert "  D101  " in said
    assert "  D107  " not in said


def described() -> list[dict[str, Any]]:
    hooks = yaml.safe_load((ROOT / ".pre-commit-hooks.yaml").read_text(encoding="utf-8"))
    assert isinstance(hooks, list)
    return hooks


def test_a_changed_file_is_told_what_the_whole_project_is(
    tmp_path: Path, env: dict[str, str]
) -> None:
    """pre-commit names the changed files only; versions and settings lie around them."""
    project = Repository(tmp_path / "project", env)
    (project.folder / "part" / "deep").mkdir(parents=True)
    project.write("part/requirements.txt", "tensorflow==2.16.1\n")
    project.write("part/pyproject.toml", '[tool.distify]\nshard = "none"\nkeras = "legacy"\n')
    for name in ("other.py", "part/deep/train.py"):
        project.write(name, ARRAYS)
    program, *options = shlex.split(described()[0]["entry"])
    command = (str(Path(sys.executable).with_name(program)), *options)
    alone = project.run(*command, "part/deep/train.py", code=1).partition("\n\n")[0]
    whole = project.run(*command, ".", code=1)
    assert alone.startswith("part/deep/train.py  would be rewritten\n")
    assert f"\n{alone}\n" in whole
    assert "other.py  would be rewritten\n" in whole
    assert "  D100  " in alone
    assert "  D107  " not in alone


def test_the_readme_shows_four_lines_to_paste() -> None:
    page = (ROOT / "README.md").read_text(encoding="utf-8")
    (example,) = re.findall(r"```yaml\n# \.pre-commit-config\.yaml\n(.*?)```", page, re.S)
    assert example.count("\n") == 4
    ((repository,),) = yaml.safe_load(example).values()
    ids = [hook["id"] for hook in repository["hooks"]]
    assert ids == ["distify-fix"]
    assert set(repository) == {"repo", "rev", "hooks"}


def test_the_hooks_are_described() -> None:
    hooks = described()
    assert [hook["id"] for hook in hooks] == ["distify", "distify-fix"]
    for hook in hooks:
        assert not HOOK_KEYS - set(hook)
        assert hook["types_or"] == ["python", "pyi", "jupyter"]
        assert hook["require_serial"] is True
        entry = hook["entry"].split()
        assert entry[:2] == ["distify", "migrate"]
        assert "--force-exclude" in entry
        assert ("--check" in entry) is (hook["id"] == "distify")
        version = tuple(map(int, hook["minimum_pre_commit_version"].split(".")))
        assert version >= TYPES_OR_CAME
