"""Projects: one commit a rule over all files that change together, taken back as one."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from distify.assistant.files import importers, module_texts, projects, scripts

from ..conftest import Call
from .conftest import Git
from .test_series import series, trailers

PROJECTS = Path(__file__).resolve().parents[3] / "examples" / "projects"
NAMES = {"package": "digits/train.py", "own_callbacks": "main.py", "trainer_class": "main.py"}
each_project = pytest.mark.parametrize("name", sorted(NAMES))
RANKS = re.compile(r"^(?!import|from).*\bhvd(_\w+)?\.", re.MULTILINE)


@pytest.fixture(autouse=True)
def fake_engine() -> None:
    """None of it here: these are real migrations."""
    for cached in (
        projects.root,
        *module_texts.READ,
        *importers.READ,
    ):
        cached.cache_clear()
    scripts.commands.cache_clear()


@pytest.fixture(autouse=True)
def _any_line_ends() -> None:
    """The real engine needs no help."""


def commit(git: Git, name: str) -> str:
    """A repository with an example."""
    folder = PROJECTS / name
    for path in folder.rglob("*.py"):
        git.write(path.relative_to(folder).as_posix(), path.read_bytes())
    return git.commit()


def state_of(git: Git) -> dict[str, object]:
    """All but the cache, which git ignores."""
    files = {name: data for name, data in git.files().items() if ".distify_cache" not in name}
    return {**git.state(), "files": files}


def texts(git: Git, revision: str) -> dict[str, str]:
    names = git("ls-tree", "-r", "--name-only", revision).split()
    return {name: git("show", f"{revision}:{name}") for name in names}


@each_project
def test_one_commit_a_rule_over_all_files(git: Git, call: Call, name: str) -> None:
    before = commit(git, name)
    state = state_of(git)
    answer = call("migrate", "--commit", "--branch", "job", ".")
    assert answer.exit_code == 0, answer.output
    made = git("rev-list", "--reverse", "main..HEAD").split()
    rules = [trailers(git, each, "Rule") for each in made]
    assert len({tuple(each) for each in rules}) == len(rules) > 3
    changed = git("diff", "--name-only", before, "HEAD").split()
    assert len(changed) > 1
    for each in made:
        found = texts(git, each)
        for path, text in found.items():
            compile(text, path, "exec", dont_inherit=True)
            if RANKS.search(text):  # then it is imported, and started by the entry
                assert "import horovod." in text
                assert "hvd.init()" in found[NAMES[name]]
    (imported,) = (c for rule, c in series(git).items() if rule == "D101")
    assert set(git("show", "--format=", "--name-only", imported).split()) == set(changed)
    assert call("undo").exit_code == 0
    assert state_of(git) == state


@each_project
def test_a_diff_shows_all_files_and_writes_none(git: Git, call: Call, name: str) -> None:
    commit(git, name)
    before = state_of(git)
    answer = call("migrate", "--diff", "--quiet", ".")
    golden = PROJECTS.parents[1] / "tests" / "golden" / "projects" / f"{name}.diff"
    assert answer.stdout == golden.read_text("utf-8")
    assert state_of(git) == before


@each_project
@pytest.mark.parametrize("options", [[], ["--commit"]])
def test_half_of_a_project_is_never_written(
    git: Git, call: Call, name: str, options: list[str]
) -> None:
    commit(git, name)
    before = state_of(git)
    answer = call("migrate", *options, NAMES[name])
    assert answer.exit_code == 1
    assert "has to change together with this file" in answer.output
    assert state_of(git) == before
