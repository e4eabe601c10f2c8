"""Merge requests at GitLab: the same promises as for pull requests at GitHub."""

from __future__ import annotations

import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from distify.assistant.git.command import Refused
from distify.assistant.git.credentials import basic
from distify.assistant.pull import access
from distify.assistant.pull.forge import Access, ForgeProblem
from distify.assistant.pull.forge_kinds import GITHUB, GITLAB
from distify.assistant.pull.gitlab_api import GitLab as Forge

from .gitlab_server import FORK, PROJECT, GitLab
from .project import BLOCKED, BRANCH, TRAIN, Project
from .server import TOKEN, Fault, Redirect, served
from .test_secrets import Heard, stranger, tokens

__all__ = ["stranger"]
slow = pytest.mark.slow


class Lab(Project):
    """A clone as a job of GitLab's has it; no branch is checked out there."""

    lab: GitLab

    @property
    def env(self) -> dict[str, str]:
        kept = {k: v for k, v in super().env.items() if not k.startswith("GITHUB_")}
        return {
            **kept,
            "GITLAB_CI": "true",
            "CI_SERVER_URL": self.github.url,
            "CI_API_V4_URL": f"{self.github.url}/api/v4",
            "CI_PROJECT_PATH": PROJECT,
            "CI_COMMIT_BRANCH": "main",
            "CI_JOB_TOKEN": "of-the-job",
        }

    def pr(self, *options: str, code: int = 0, **more: str) -> str:
        env = {**self.env, "GITLAB_TOKEN": TOKEN, **more}
        done = subprocess.run(
            [sys.executable, "-m", "distify.assistant", "pr", *options],
            cwd=self.folder, env={k: v for k, v in env.items() if v}, check=False,
            stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, timeout=300,
        )  # fmt: skip
        assert done.returncode == code, done.stdout
        assert TOKEN not in done.stdout
        return done.stdout


@pytest.fixture
def lab(tmp_path: Path) -> Iterator[GitLab]:
    for name in ("bare.git", "fork.git"):
        command = ["git", "init", "-q", "--bare", "-b", "main", str(tmp_path / name)]
        subprocess.run(command, check=True)
    with served(GitLab(tmp_path / "bare.git", tmp_path / "fork.git")) as found:
        yield found


@pytest.fixture
def project(lab: GitLab, tmp_path: Path) -> Lab:
    made = Lab(lab, tmp_path / "clone")
    made.lab = lab
    made.change("Begin", train_py=TRAIN, other_py="print('no training')\n")
    made.git("checkout", "-q", "--detach")
    return made


@slow
def test_from_the_first_merge_request_to_its_end(project: Lab) -> None:
    lab = project.lab
    said = project.pr("--draft", "--labels", "a,b")
    assert "Merge request https://gitlab.example/group/sub.group/project" in said
    assert "created" in said
    (made,) = lab.pulls
    assert (made["title"], made["draft"]) == ("Draft: Train on many workers with Horovod", True)
    assert made["labels"] == ["a", "b"]
    first = lab.head(BRANCH)
    assert f"({lab.url}/{PROJECT}/-/commit/{first})" in made["description"]
    who = lab.git("log", "-1", "--format=%an|%ae|%cn", BRANCH)
    assert who == "distify|distify@noreply.127.0.0.1|distify"

    assert "Nothing to do" in project.pr("--draft", "--labels", "a,b")
    # Somebody says that it is ready; it stays so.
    made["title"], made["draft"] = "Train on many workers with Horovod", False
    project.git("checkout", "-q", "main")
    project.change("More", more_py=TRAIN, there_py=BLOCKED)
    said = project.pr("--draft", "--labels", "a,b", GITLAB_USER_NAME="Another person")
    assert "updated" in said
    assert made["title"] == "Train on many workers with Horovod"
    assert "/-/blob/" in made["description"]
    theirs = project.human()
    project.change("Still more", third_py=TRAIN)
    assert "Left alone" in project.pr()
    project.pr()
    assert lab.head(BRANCH) == theirs
    assert len(lab.comments[1]) == 1
    assert "nor closes this merge request" in lab.comments[1][0]
    lab.git("update-ref", "-d", f"refs/heads/{BRANCH}")
    project.pr()
    project.change("Done", train_py=None, more_py=None, third_py=None, there_py=None)
    assert "closed" in project.pr()
    assert made["state"] == "closed"
    assert not lab.head(BRANCH)


@slow
def test_a_branch_that_is_pushed_to_a_fork(project: Lab) -> None:
    lab = project.lab
    project.pr("--push-to-fork", FORK)
    (made,) = lab.pulls
    assert (made["source_project_id"], made["target_project_id"]) == (8, 7)
    assert not lab.head(BRANCH)
    assert lab.head(BRANCH, lab.fork)
    assert "Nothing to do" in project.pr("--push-to-fork", FORK)
    assert "created" in project.pr()
    assert len(lab.pulls) == 2
    project.git("checkout", "-q", "main")
    project.change("Done", train_py=None)
    assert "closed" in project.pr("--push-to-fork", FORK)
    assert [each["state"] for each in lab.pulls] == ["closed", "opened"]
    assert not lab.head(BRANCH, lab.fork)


@slow
def test_everything_that_was_wished_is_asked_for(project: Lab) -> None:
    project.lab.milestones = ["v1", "v2"]
    wishes = ("--assignees", "someone", "--reviewers", "@Other,third", "--milestone", "v2")
    project.pr(*wishes)
    (made,) = project.lab.pulls
    assert [each["username"] for each in made["assignees"]] == ["someone"]
    assert [each["username"] for each in made["reviewers"]] == ["other", "third"]
    assert made["milestone"]["id"] == 202
    assert "Nothing to do" in project.pr(*wishes)
    said = project.pr(*wishes, "--team-reviewers", "group/team", code=2)
    assert "no teams (team): name people" in said


@slow
def test_signed_commits_are_told_to_be_githubs(project: Lab) -> None:
    assert "--sign-commits is for GitHub alone" in project.pr("--sign-commits", code=2)
    assert not project.lab.head(BRANCH)


@slow
@pytest.mark.parametrize("token", ["", "none at all"])
def test_a_job_without_a_token_of_its_own_is_told(project: Lab, token: str) -> None:
    said = project.pr(code=2, GITLAB_TOKEN="", CI_JOB_TOKEN=token and "")
    assert "set GITLAB_TOKEN to one of a project or a person" in said
    assert "CI_JOB_TOKEN can open no merge request" in said
    assert project.lab.seen == []
    assert project.lab.shown == []


@slow
def test_a_merge_request_that_another_one_opened_meanwhile_is_taken(project: Lab) -> None:
    project.lab.faults.append(Fault("POST", "/merge_requests$", 502, done=True))
    project.pr()
    assert len(project.lab.pulls) == 1


@slow
def test_two_at_once_open_one(project: Lab) -> None:
    env = {**project.env, "GITLAB_TOKEN": TOKEN}
    command = [sys.executable, "-m", "distify.assistant", "pr"]
    pipe = subprocess.PIPE
    pair = [
        subprocess.Popen(command, cwd=project.folder, env=env, stdout=pipe, stderr=pipe)
        for _ in range(2)
    ]
    said = [process.communicate() for process in pair]
    assert not any(b"Traceback" in part for each in said for part in each), said
    assert 0 in [process.returncode for process in pair], said
    assert [each["state"] for each in project.lab.pulls] == ["opened"]


@slow
def test_titles_branches_and_words_are_taken_literally(project: Lab) -> None:
    branch = "x/$(touch${IFS}hacked)`id`;&%2F#ü"
    title = "[a](b) <script> /close @someone #1 !1 ~bug"
    project.pr("--branch", branch, "--title", title)
    (made,) = project.lab.pulls
    assert (made["source_branch"], made["title"]) == (branch, title)
    assert "Nothing to do" in project.pr("--branch", branch, "--title", title)
    assert not (project.folder / "hacked").exists()
    # What is ours in it starts no line with a slash, which GitLab would take for a command.
    assert not [line for line in made["description"].splitlines() if line.startswith("/")]


@slow
@pytest.mark.parametrize("status", [301, 307])
def test_no_other_server_sees_the_token(
    project: Lab, stranger: tuple[str, Heard], status: int
) -> None:
    there, heard = stranger
    for path in (r"\.git/", "/merge_requests"):
        project.lab.redirects[:] = [Redirect(path, there, status)]
        project.pr(code=2)
        assert tokens(heard) == []


@slow
def test_the_repositorys_own_programs_get_no_token(project: Lab) -> None:
    hook = project.folder / ".git" / "hooks" / "pre-commit"
    hook.parent.mkdir(exist_ok=True)
    told = project.home / "told"
    hook.write_text(f"#!/bin/sh\nenv >> {told}\nps -eo args >> {told}\n")
    hook.chmod(0o755)
    project.pr()
    seen = told.read_text()
    assert "GITLAB_CI" in seen
    assert TOKEN not in seen
    assert basic(TOKEN, "oauth2") not in seen


@pytest.fixture
def forge(project: Lab) -> Forge:
    project.git("push", "-q", str(project.lab.bare), "HEAD:refs/heads/work")
    return Forge(Access(f"{project.lab.url}/api/v4", PROJECT, TOKEN), lambda _: None)


def test_each_call(forge: Forge, project: Lab) -> None:
    lab = project.lab
    assert forge.default_branch() == "main"
    assert forge.open_pulls("work") == []
    made = forge.create("work", "main", "T" * 300, "the body", True)
    assert forge.open_pull("work", "main") == made
    assert len(lab.pulls[0]["title"]) == 255
    assert (made.draft, made.title, made.body) == (True, "T" * 248, "the body")
    assert made.head == lab.head("work")
    assert forge.create("work", "main", "again", "", False).number == 1  # 409: it is there
    changed = forge.update(made, "Another", "text")
    assert (changed.title, lab.pulls[0]["title"]) == ("Another", "Draft: Another")
    forge.assign(1, ["someone"])
    forge.assign(1, ["Third"])
    assert [each["id"] for each in lab.pulls[0]["assignees"]] == [11, 13]
    assert forge.comment(1, "text")
    assert not forge.comment(1, "text")
    lab.comments[1] += ["x"] * 250
    assert not forge.comment(1, "text")
    forge.close(1)
    assert forge.open_pulls("work") == []


def test_milestones_of_the_project_and_of_its_groups(forge: Forge, project: Lab) -> None:
    lab = project.lab
    lab.milestones, lab.inherited = [f"v{n}" for n in range(120)], ["spring", "2"]
    forge.create("work", "main", "t", "b", False)
    for wanted, expected in (("v119", 320), ("2", 202), ("spring", 501)):
        forge.set_milestone(1, wanted)
        assert lab.pulls[0]["milestone"]["id"] == expected
    with pytest.raises(ForgeProblem, match="no open milestone 'autumn'"):
        forge.set_milestone(1, "autumn")


def test_whom_gitlab_does_not_take_is_told(forge: Forge, project: Lab) -> None:
    forge.create("work", "main", "t", "b", False)
    with pytest.raises(ForgeProblem, match="knows nobody by the name 'nobody'"):
        forge.assign(1, ["nobody"])
    project.lab.free = True
    with pytest.raises(ForgeProblem, match="takes one reviewer alone"):
        forge.request_reviews(1, ["someone", "other"], [])


@pytest.mark.parametrize(
    ("status", "body", "told"),
    [
        (401, {"message": "401 Unauthorized"}, r"401 Unauthorized; the token is not valid"),
        (403, {"error": "insufficient_scope", "error_description": "More is needed."},
         r"insufficient_scope, More is needed; the token needs the scope `api`"),
        (403, {"message": "403 Forbidden"}, r"the scope `api` and the role Developer"),
        (404, {"message": "404 Project Not Found"}, r"may not do this"),
        (400, {"message": {"title": ["is too long", "is bad"]}}, r"title is too long, is bad; "),
        (422, {"message": ["One", "Two"]}, r"One, Two; this is what was asked for"),
        (403, {"message": "This project is archived"}, r"an archived project takes no"),
        (410, {"message": "gone"}, r"it is like that at GitLab"),
    ],
)  # fmt: skip
def test_what_is_refused_is_told(
    forge: Forge, project: Lab, status: int, body: dict[str, object], told: str
) -> None:
    project.lab.faults.append(Fault("POST", "/merge_requests$", status, body=body))
    with pytest.raises(ForgeProblem, match=told) as problem:
        forge.create("work", "main", "t", "b", False)
    assert str(problem.value).startswith(f"GitLab says {status} to POST /merge_requests: ")


@pytest.mark.parametrize(
    ("headers", "expected"),
    [
        ({"Retry-After": "7"}, (7.0, 7.0)),
        ({}, (60.0, 60.0)),
        ({"RateLimit-Remaining": "0", "RateLimit-Reset": "in a moment"}, (1.0, 8.0)),
    ],
)
def test_rate_limits_are_waited_for(
    project: Lab, headers: dict[str, str], expected: tuple[float, float]
) -> None:
    waits: list[float] = []
    forge = Forge(Access(f"{project.lab.url}/api/v4", PROJECT, TOKEN), waits.append)
    body = {"message": {"error": "This endpoint has been requested too many times."}}
    later = str(int(time.time()) + 8)
    sent = {k: later if v == "in a moment" else v for k, v in headers.items()}
    project.lab.faults.append(Fault("GET", "project$", 429, headers=sent, body=body))
    assert forge.default_branch() == "main"
    (waited,) = waits
    assert expected[0] <= waited <= expected[1]


@pytest.mark.parametrize("answer", [b"<html>", b"null", b"[1]", b'{"id": "x"}', b'[{"iid": -1}]'])
def test_an_answer_that_is_none_of_gitlabs_is_told(
    forge: Forge, project: Lab, answer: bytes
) -> None:
    project.lab.garbled = answer
    with pytest.raises(ForgeProblem, match="CI_API_V4_URL, and for a proxy"):
        forge.create("work", "main", "t", "b", False)


def test_an_answer_that_repeats_the_token_is_not_repeated(forge: Forge, project: Lab) -> None:
    project.lab.echo = True
    with pytest.raises(ForgeProblem, match=r"No: Bearer \*\*\*"):
        forge.default_branch()


CI = {"CI_SERVER_URL": "https://git.example.org", "CI_PROJECT_PATH": "a/b/c"}
ROOT = {
    "CI_SERVER_URL": "https://example.org/git",
    "CI_API_V4_URL": "https://example.org/git/api/v4",
}


@pytest.mark.parametrize(
    ("origin", "environment", "expected"),
    [
        ("https://gitlab.com/a/b/c.git", {}, ("https://gitlab.com", "a/b/c")),
        ("git@gitlab.com:a/b/c.git", {}, ("https://gitlab.com", "a/b/c")),
        ("ssh://git@gitlab.example.org:2222/a/b", {}, ("https://gitlab.example.org", "a/b")),
        ("https://gitlab-ci-token:x@git.example.org/a/b/c.git", CI, (CI["CI_SERVER_URL"], "a/b/c")),
        ("https://cache.example/a/b/c", CI, (CI["CI_SERVER_URL"], "a/b/c")),
        ("/builds/a/b/c", CI, (CI["CI_SERVER_URL"], "a/b/c")),
        ("https://example.org/git/a/b.git", ROOT, ("https://example.org/git", "a/b")),
        ("https://code.x/a/b", {"GITLAB_HOST": "code.x"}, ("https://code.x", "a/b")),
        ("https://code.x/a/b", {"GITLAB_HOST": "https://code.x"}, ("https://code.x", "a/b")),
    ],
)
def test_where_the_project_is(
    origin: str, environment: dict[str, str], expected: tuple[str, str]
) -> None:
    place = access.where(origin, environment)
    assert (place.server, place.slug, place.kind) == (*expected, GITLAB)
    assert place.api == f"{place.server}/api/v4"
    assert place.web() == f"{place.server}/{place.slug}/-"


@pytest.mark.parametrize(
    ("origin", "environment"),
    [
        ("https://github.com/a/b", {}),
        ("https://github.com/gitlabhq/b", {}),
        ("https://notgitlab.com/a/b", {}),
        ("https://gitlab.x/a/b", {"GITHUB_SERVER_URL": "https://gitlab.x"}),
    ],
)
def test_what_is_no_gitlab(origin: str, environment: dict[str, str]) -> None:
    assert access.where(origin, environment).kind is GITHUB


@pytest.mark.parametrize("origin", ["https://gitlab.com/a", "https://gitlab.com/a/../b", ""])
def test_what_is_no_project_is_refused(origin: str) -> None:
    with pytest.raises(Refused, match="which repository"):
        access.where(origin, {"GITLAB_HOST": "gitlab.com"})
    with pytest.raises(Refused, match="workflow's pull requests are those of a/b/c"):
        access.where("https://elsewhere.example/x/y", CI)


MINE = {"GITLAB_TOKEN": "lab", "GITHUB_TOKEN": "hub", "GH_ENTERPRISE_TOKEN": "ghe"}


@pytest.mark.parametrize(
    ("server", "environment", "expected"),
    [
        ("https://gitlab.com", MINE, "lab"),
        ("https://gitlab.evil.example", MINE, ""),
        ("https://gitlab.com.evil.example", MINE, ""),
        ("https://gitlab.example.org", {**MINE, "GITLAB_HOST": "gitlab.example.org"}, "lab"),
        ("https://gitlab.com", {**MINE, "GITLAB_HOST": "gitlab.example.org"}, ""),
        ("https://git.example.org", {**MINE, **CI}, "lab"),
        ("https://gitlab.com", {**MINE, **CI}, ""),
        ("https://gitlab.evil.example", {**MINE, "DISTIFY_PR_TOKEN": "mine"}, "mine"),
        ("https://github.com", MINE, "hub"),
        ("https://ghe.x", MINE, "ghe"),
        ("https://gitlab.com", {"CI_JOB_TOKEN": "job"}, ""),
    ],
)
def test_a_token_is_for_its_server(server: str, environment: dict[str, str], expected: str) -> None:
    assert access.token(server, environment) == expected
