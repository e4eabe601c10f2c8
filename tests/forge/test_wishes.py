"""What was asked for holds, also when it is asked for later, or was refused the first time."""

from __future__ import annotations

import pytest

from .project import BLOCKED, BRANCH, TRAIN, Project
from .server import TOKEN, Fault
from .test_pr import operation

pytestmark = pytest.mark.slow


@pytest.mark.parametrize(
    ("option", "value", "found", "expected"),
    [
        ("--title", "Another", "title", "Another"),
        ("--labels", "a", "labelled", ["a"]),
        ("--milestone", "v2", "under", "v2"),
        ("--team-reviewers", "t", "asked", {"reviewers": [], "team_reviewers": ["t"]}),
    ],
)
def test_another_wish_is_an_update_of_the_pull_request_alone(
    project: Project, option: str, value: str, found: str, expected: object
) -> None:
    project.github.milestones = ["v1", "v2"]
    project.pr()
    before = project.github.head(BRANCH)
    project.pr(option, value)
    assert operation(project) == "updated"
    (pull,) = project.github.pulls
    assert pull[found] == expected
    assert project.github.head(BRANCH) == before
    project.pr(option, value)
    assert operation(project) == "none"


def test_other_words_and_other_remarks_are_an_update(project: Project) -> None:
    project.change("Blocked", there_py=BLOCKED)
    project.pr("train.py", "--body", "One")
    (pull,) = project.github.pulls
    assert "there.py" not in pull["body"]
    project.pr("train.py", "--body", "Two")
    assert operation(project) == "updated"
    assert pull["body"].startswith("Two\n")
    project.pr("train.py", "there.py", "--body", "Two")
    assert operation(project) == "updated"
    assert "there.py" in pull["body"]
    project.pr("train.py", "there.py", "--body", "Two")
    assert operation(project) == "none"


def test_the_words_of_a_file_come_first(project: Project) -> None:
    file = project.home / "words.md"
    file.write_bytes("\ufeffFrom a file: ü\n\n- one\n".encode())
    project.pr("--body", "Not these", DISTIFY_PR_BODY_PATH=str(file))
    (pull,) = project.github.pulls
    assert pull["body"].startswith("From a file: ü\n\n- one\n\nRewrites")
    file.write_text("Others", encoding="utf-8")
    project.pr("--body-file", str(file))
    assert operation(project) == "updated"
    assert pull["body"].startswith("Others\n")


@pytest.mark.parametrize(
    ("data", "told"),
    [(None, "No such file"), (b"\xff", "no text in UTF-8"), (TOKEN.encode(), "the token stands")],
)
def test_a_file_that_can_not_be_a_text_is_refused(
    project: Project, data: bytes | None, told: str
) -> None:
    file = project.home / "words.md"
    if data is not None:
        file.write_bytes(b"Words " + data)
    said = project.pr("--body-file", str(file), code=2)
    assert told in said
    assert TOKEN not in said
    assert not project.github.head(BRANCH)


def test_what_a_person_wrote_stays_while_nothing_changes(project: Project) -> None:
    project.change("Blocked", there_py=BLOCKED)
    project.pr("--labels", "a")
    (pull,) = project.github.pulls
    pull["title"], pull["labelled"] = "By hand", []
    pull["body"] = "By hand\r\n" + pull["body"].replace("- [ ]", "- [x]")
    project.pr("--labels", "a")
    assert operation(project) == "none"
    assert (pull["title"], pull["labelled"]) == ("By hand", [])


@pytest.mark.parametrize(
    ("path", "status"), [("/labels$", 410), ("/assignees$", 404), ("/requested_reviewers$", 422)]
)
def test_what_was_refused_is_asked_for_again(project: Project, path: str, status: int) -> None:
    wishes = ("--labels", "a", "--assignees", "x", "--reviewers", "y")
    project.github.faults.append(Fault("POST", path, status))
    said = project.pr(*wishes, code=2)
    assert f"::error title=distify pr::GitHub says {status}" in said
    assert operation(project) == "created"
    project.pr(*wishes)
    assert operation(project) == "updated"
    (pull,) = project.github.pulls
    assert ("labelled" in pull, "assigned" in pull, "asked" in pull) == (True, True, True)
    project.pr(*wishes)
    assert operation(project) == "none"


def test_what_is_refused_each_time_fails_each_time_and_edits_nothing(project: Project) -> None:
    """As with create-pull-request: that nobody was asked for a review must not go unseen."""
    said = {"message": "Validation Failed", "errors": ["Not by its author."]}
    project.github.faults.append(Fault("POST", "/requested_reviewers$", 422, 99, body=said))
    for what, calls in (("created", 1), ("none", 0), ("none", 0)):
        project.github.seen.clear()
        told = project.pr("--reviewers", "author", code=2)
        assert "::error title=distify pr::GitHub says 422" in told
        assert "Not by its author" in told
        assert operation(project) == what
        edits = [path for method, path in project.github.seen if "requested" not in path
                 and method != "GET"]  # fmt: skip
        assert len(edits) == calls
    project.change("More", more_py=TRAIN)
    project.pr("--reviewers", "author", code=2)
    assert operation(project) == "updated"
    project.pr()
    assert operation(project) == "updated"
    project.pr()
    assert operation(project) == "none"


def test_a_text_that_can_not_be_settled_is_settled_later(project: Project) -> None:
    project.github.faults.append(Fault("PATCH", "/pulls/1$", 422))
    project.pr("--labels", "a", code=2)
    assert operation(project) == "created"
    assert project.github.pulls[0]["labelled"] == ["a"]
    project.pr("--labels", "a")
    assert operation(project) == "updated"


@pytest.mark.parametrize("option", ["--title", "--body", "--commit-message", "--labels"])
def test_bytes_that_are_no_text_are_refused(project: Project, option: str) -> None:
    assert r"'a\udcff' is no text" in project.pr(option, "a\udcff", code=2)
    assert not project.github.pulls
    assert not project.github.head(BRANCH)
