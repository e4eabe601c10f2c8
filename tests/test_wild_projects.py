"""The bench over projects as people write them: its texts are programs, its shares are right."""

from __future__ import annotations

import ast
from collections import Counter
from typing import Any

import pytest
from bench.wild_projects import WEIGHTS, Outcome, Project, Refusal, projects

EVERY = list(projects())


def test_each_kind_has_several_projects() -> None:
    counted = Counter(each.kind for each in EVERY)
    assert set(counted) == set(WEIGHTS)
    assert min(counted.values()) >= 8
    assert len({(each.kind, each.name) for each in EVERY}) == len(EVERY) >= 80


@pytest.mark.parametrize("project", EVERY, ids=lambda each: f"{each.kind}: {each.name}")
def test_its_files_are_programs(project: Project) -> None:
    for path, text in project.files.items():
        assert "<<" not in text or not path.endswith(".py")
        if path.endswith(".py"):
            ast.parse(text)
    assert project.justified <= set(project.files)


@pytest.mark.parametrize(
    ("migrated", "refused", "justified", "expected"),
    [
        (1, [], [], True),
        (0, [], [], False),
        (1, ["a.py"], [], False),
        (1, ["a.py"], ["a.py"], True),
        (0, ["a.py"], ["a.py"], True),
        (1, ["a.py", "b.py"], ["a.py"], False),
    ],
)
def test_what_is_refused_rightly_is_no_loss(
    migrated: int, refused: list[str], justified: list[str], expected: bool
) -> None:
    project = Project("starts", "one", {}, frozenset(justified))
    refusals: Any = tuple(Refusal("J03", path, "") for path in refused)
    assert Outcome(project, migrated, refusals, (), 0.0).is_migrated is expected
