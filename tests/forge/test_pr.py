"""`distify pr` from the first pull request to the last, against a server that checks everything."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from .project import BLOCKED, BRANCH, TRAIN, Project
from .runner import commands, parse
from .server import REPOSITORY, TOKEN, Fault

pytestmark = pytest.mark.slow


def outputs(project: Project) -> dict[str, str]:
    return parse(project.output.read_text(encoding="utf-8"))


@pytest.mark.sample
def test_from_the_first_pull_request_to_its_end(project: Project) -> None:
    github = project.github
    status = project.git("status", "--porcelain"), project.git("for-each-ref")
    project.pr()
    first = github.head(BRANCH)
    (pull,) = github.pulls
    assert outputs(project) == {
        "pull-request-number": "1",
        "pull-request-url": f"https://github.example/{REPOSITORY}/pull/1",
        "pull-request-operation": "created",
        "pull-request-head-sha": first,
        "pull-request-branch": BRANCH,
    }
    assert (
        github.git("log", "--format=%s", f"main..{BRANCH}")
        .splitlines()[-1]
        .startswith("distify(D101): ")
    )
    assert (project.git("status", "--porcelain"), project.git("for-each-ref")) == status

    text = pull["body"]
    web = f"{github.url}/{REPOSITORY}"
    made = github.git("log", "--reverse", "--format=%H %s", f"main..{BRANCH}").splitlines()
    assert len(made) > 3
    for commit, subject in (line.split(" ", 1) for line in made):
        (row,) = [line for line in text.splitlines() if f"]({web}/commit/{commit}) |" in line]
        assert row.startswith(f"| {subject[8:12]} | ")
    assert "\ndistify verify train.py -np 2\n" in text
    assert "\nhorovodrun -np 2 python train.py\n" in text
    project.pr()
    assert outputs(project)["pull-request-operation"] == "none"
    assert outputs(project)["pull-request-number"] == "1"
    assert (github.head(BRANCH), pull["body"]) == (first, text)

    project.change("More", more_py=TRAIN.replace("0.1", "0.2"))
    project.pr()
    assert outputs(project)["pull-request-operation"] == "updated"
    second = github.head(BRANCH)
    assert second not in ("", first)
    assert outputs(project)["pull-request-head-sha"] == second
    assert "more.py" in pull["body"]
    assert github.git("rev-parse", f"{BRANCH}:more.py") != github.git("rev-parse", "main:more.py")

    theirs = project.human()
    project.change("Again", more_py=None)
    for _ in range(2):
        project.pr()
        assert outputs(project)["pull-request-operation"] == "none"
        assert github.head(BRANCH) == theirs
        assert len(github.comments[1]) == 1
    assert "leaves the branch alone" in github.comments[1][0]

    github.git("update-ref", f"refs/heads/{BRANCH}", second)  # they took it back
    project.change("Done", train_py=None)
    project.pr()
    assert outputs(project)["pull-request-operation"] == "closed"
    assert pull["state"] == "closed"
    assert "Nothing is left to migrate on `main`" in github.comments[1][1]
    assert not github.head(BRANCH)
    project.pr()
    assert outputs(project)["pull-request-operation"] == "none"
    assert outputs(project)["pull-request-number"] == ""
    assert len(github.pulls) == 1


def test_a_project_is_one_pull_request_of_a_commit_a_rule(project: Project) -> None:
    folder = Path(__file__).resolve().parents[2] / "examples" / "projects" / "trainer_class"
    modules = {path.stem: path.read_text(encoding="utf-8") for path in folder.glob("*.py")}
    project.change("Modules", train_py=None, **{f"{name}_py": modules[name] for name in modules})
    project.pr()
    github = project.github
    (pull,) = github.pulls
    rules = github.git("log", "--format=%s", f"main..{BRANCH}").splitlines()
    assert len(set(rules)) == len(rules) > 3
    changed = set(github.git("diff", "--name-only", f"main..{BRANCH}").split())
    assert {"main.py", "trainer.py"} <= changed
    (imported,) = [rule for rule in rules if "(D101)" in rule]
    found = github.git("log", "--format=", "--name-only", "-F", f"--grep={imported}", BRANCH)
    assert set(found.split()) == changed
    assert all(name in pull["body"] for name in changed)
    assert "horovodrun -np 2 python main.py" in pull["body"]


def operation(project: Project) -> str:
    return outputs(project)["pull-request-operation"]


def test_a_moved_base_is_an_update_of_its_own(project: Project) -> None:
    project.pr()
    first = project.github.head(BRANCH)
    project.change("Beside it", notes_md="words\n")
    project.pr()
    assert operation(project) == "updated"
    main = project.github.head("main")
    assert project.github.git("merge-base", BRANCH, "main") == main
    assert project.github.head(BRANCH) != first


def test_a_shallow_clone_is_enough_and_stays_shallow(project: Project, tmp_path: Path) -> None:
    project.pr()
    for number in range(3):
        project.change(f"Change {number}", notes_md=f"{number}\n")
    shallow = tmp_path / "shallow"
    project.git("clone", "-q", "--depth=1", f"file://{project.github.bare}", str(shallow))
    address = project.git("remote", "get-url", "origin")
    project.shell("git", "remote", "set-url", "origin", address, at=shallow)
    project.folder = shallow
    project.pr()
    assert operation(project) == "updated"
    assert project.git("rev-list", "--count", "HEAD") == "1"
    project.pr()
    assert operation(project) == "none"


@pytest.mark.parametrize("how", ["amended", "rebased", "on top"])
def test_whatever_a_person_did_to_the_branch_stays(project: Project, how: str) -> None:
    project.pr()
    project.git("fetch", "-q", str(project.github.bare), BRANCH)
    project.git("checkout", "-q", "FETCH_HEAD")
    if how == "amended":
        project.git("commit", "-q", "--amend", "--no-edit", "--date=now", "--reset-author")
    elif how == "rebased":
        project.git("rebase", "-q", "--force-rebase", "HEAD~2")
    else:
        (project.folder / "train.py").write_text("print('mine')\n")
        project.git("commit", "-qam", "distify(D104): mine\n\nDistify-Rule: D104")
    theirs = project.git("rev-parse", "HEAD")
    project.git("push", "-qf", str(project.github.bare), f"HEAD:refs/heads/{BRANCH}")
    project.git("checkout", "-q", "main")
    project.change("Nothing left", train_py=None)
    project.pr()
    assert operation(project) == "none"
    assert project.github.head(BRANCH) == theirs
    assert project.github.pulls[0]["state"] == "open"
    assert len(project.github.comments[1]) == 1


def test_a_branch_of_a_person_gets_no_pull_request(project: Project) -> None:
    project.git("push", "-q", str(project.github.bare), f"HEAD:refs/heads/{BRANCH}")
    theirs = project.human()
    project.pr()
    assert project.github.head(BRANCH) == theirs
    assert not project.github.pulls


def test_no_training_no_pull_request(project: Project) -> None:
    project.change("Nothing", train_py=None)
    project.pr()
    assert operation(project) == "none"
    assert not project.github.pulls
    assert not project.github.head(BRANCH)


def test_a_run_that_broke_off_after_its_push_is_completed(project: Project) -> None:
    github = project.github
    github.faults.append(Fault("POST", "/pulls$", 422))
    assert "look at the inputs" in project.pr(code=2)
    pushed = github.head(BRANCH)
    assert pushed
    github.faults.clear()
    project.pr()
    assert operation(project) == "created"
    assert github.head(BRANCH) == pushed
    project.change("More", more_py=TRAIN)
    github.faults.append(Fault("PATCH", "/pulls/1$", 422))
    project.pr(code=2)
    pushed = github.head(BRANCH)
    github.faults.clear()
    project.pr()
    assert operation(project) == "updated"
    assert github.head(BRANCH) == pushed
    assert pushed in github.pulls[0]["body"]


def test_what_can_not_be_read_keeps_the_pull_request_open(project: Project) -> None:
    project.pr()
    project.change("Broken", train_py="import tensorflow as tf\nmodel.fit(\n")
    assert "::error file=train.py,line=2" in project.pr(code=2)
    assert operation(project) == "none"
    assert project.github.pulls[0]["state"] == "open"
    project.pr("--fail-on", "never")


@pytest.mark.parametrize(
    ("fail_on", "code"),
    [("unreadable", 0), ("error", 1), ("blocked", 1), ("warning", 1), ("changes", 1), ("never", 0)],
)
def test_what_is_blocked_is_told_everywhere(project: Project, fail_on: str, code: int) -> None:
    project.change("Blocked", there_py=BLOCKED)
    said = project.pr("--fail-on", fail_on, code=code)
    assert "::warning file=there.py,line=3," in said
    head = project.github.head("main")
    link = f"/{REPOSITORY}/blob/{head}/there.py#L3)"
    assert link in project.github.pulls[0]["body"]
    assert link in project.summary.read_text(encoding="utf-8")


@pytest.mark.sample
def test_a_dry_run_writes_nothing_anywhere(project: Project) -> None:
    said = project.pr("--dry-run")
    assert "would be created" in said
    assert "| D104 |" in said
    assert {method for method, _ in project.github.seen} == {"GET"}
    assert not project.github.head(BRANCH)


def test_everything_that_was_wished_is_asked_for(project: Project) -> None:
    project.pr(
        "--labels", "a, b", "--assignees", "x", "--reviewers", "y", "--team-reviewers", "org/t",
        "--draft", "--title", "A\ntitle", "--body", "Own words", "--commit-message", "[skip ci]",
    )  # fmt: skip
    (pull,) = project.github.pulls
    assert (pull["labelled"], pull["assigned"]) == (["a", "b"], ["x"])
    assert pull["asked"] == {"reviewers": ["y"], "team_reviewers": ["t"]}
    assert (pull["draft"], pull["title"]) == (True, "A title")
    assert pull["body"].startswith("Own words\n\n")
    subjects = project.github.git("log", "--format=%s", f"main..{BRANCH}").splitlines()
    assert all(subject.startswith("[skip ci] distify(D") for subject in subjects)


def test_people_who_can_not_be_asked_do_not_hide_the_pull_request(project: Project) -> None:
    project.github.faults.append(Fault("POST", "/requested_reviewers$", 422))
    assert "::error title=distify pr::GitHub says 422" in project.pr("--reviewers", "y", code=2)
    assert operation(project) == "created"


def test_a_box_that_was_ticked_stays_ticked(project: Project) -> None:
    project.change("Blocked", there_py=BLOCKED)
    project.pr()
    (pull,) = project.github.pulls
    pull["body"] = pull["body"].replace("- [ ]", "- [x]").replace("\n", "\r\n")
    project.change("More", more_py=TRAIN)
    project.pr()
    assert "- [x] [`there.py:3`]" in pull["body"]


@pytest.mark.parametrize("kind", ["wrong", "read only", "none"])
def test_a_token_that_may_not_do_it_is_told_what_it_lacks(project: Project, kind: str) -> None:
    project.github.read_only = kind == "read only"
    token = {"wrong": "another", "read only": TOKEN, "none": ""}[kind]
    said = project.pr(code=2, GITHUB_TOKEN=token)
    assert "`contents: write`" in said
    assert ("has expired" in said) == (kind == "wrong")
    assert not project.github.pulls
    assert not project.github.head(BRANCH)


@pytest.mark.parametrize(
    ("said", "told"),
    [
        ("error: GH006: Protected branch update failed", "exempt this branch"),
        ("error: GH013: Repository rule violations found", "exempt this branch"),
        ("ERROR: This repository was archived so it is read-only.", "an archived repository"),
        ("ERROR: Permission to o/r.git denied to x.", "`contents: write`"),
    ],
)
def test_why_a_push_was_refused_is_told(project: Project, said: str, told: str) -> None:
    hook = project.github.bare / "hooks" / "pre-receive"
    hook.write_text(f"#!/bin/sh\necho '{said}' >&2\nexit 1\n")
    hook.chmod(0o755)
    answer = project.pr(code=2)
    assert told in answer
    assert ("`contents: write`" in answer) == ("denied" in said)
    assert not project.github.pulls


@pytest.mark.parametrize("name", ["a b", "-x", "x\ny", "..", "main", "a..b", "x.lock"])
def test_a_branch_that_can_not_be_is_refused(project: Project, name: str) -> None:
    said = project.pr(code=2, DISTIFY_PR_BRANCH=name)
    assert "branch" in said
    assert [line for line in said.splitlines() if line.startswith("::error")]
    assert project.github.git("for-each-ref", "--format=%(refname)") == "refs/heads/main"


def test_what_is_not_on_the_base_is_refused(project: Project) -> None:
    project.git("commit", "-q", "--allow-empty", "-m", "Not pushed")
    assert "is not on the remote's branch 'main'" in project.pr(code=2)
    assert not project.github.head(BRANCH)


def test_the_token_is_seen_nowhere(project: Project, tmp_path: Path) -> None:
    trace = {"GIT_TRACE": "1", "GIT_TRACE_CURL": "1", "GIT_TRACE_SETUP": "1", "GIT_TRACE2": "1"}
    tokens = {"GITHUB_TOKEN": TOKEN, "DISTIFY_PR_TOKEN": ""}
    config = project.folder / ".git" / "config"
    project.git("config", f"http.{project.github.url}/.extraheader", "AUTHORIZATION: basic eDp5")
    before = config.read_bytes()
    said = project.pr(**tokens)
    assert operation(project) == "created"  # the header of before did no harm
    assert config.read_bytes() == before
    said += project.pr(**trace, **tokens)
    texts = [said, *(pull["body"] for pull in project.github.pulls)]
    for folder, _, names in os.walk(tmp_path):
        texts += [(Path(folder) / n).read_bytes().decode("latin-1") for n in names]
    from distify.assistant.git.credentials import basic

    for text in texts:
        assert TOKEN not in text
        assert basic(TOKEN) not in text


def test_an_older_run_that_comes_later_takes_nothing_back(project: Project) -> None:
    project.change("More", more_py=TRAIN)
    project.pr()
    newer = project.github.head(BRANCH)
    project.git("checkout", "-q", "HEAD~1")
    project.pr()
    assert operation(project) == "none"
    assert project.github.head(BRANCH) == newer


@pytest.mark.parametrize("moment", ["post-commit", "pre-push"])
def test_what_is_pushed_in_the_meantime_is_not_overwritten(project: Project, moment: str) -> None:
    project.pr()
    project.change("More", more_py=TRAIN)
    project.git("fetch", "-q", str(project.github.bare), BRANCH)
    tree = project.git("rev-parse", "FETCH_HEAD^{tree}")
    theirs = project.git("commit-tree", "-p", "FETCH_HEAD", "-m", "At the last moment", tree)
    hook = project.folder / ".git" / "hooks" / moment
    push = f"git push -q --no-verify {project.github.bare} {theirs}:refs/heads/{BRANCH}"
    hook.parent.mkdir(exist_ok=True)
    hook.write_text(f"#!/bin/sh\nenv -u GIT_CONFIG_COUNT {push}\n")
    hook.chmod(0o755)
    said = project.pr(code=2)
    assert "somebody pushed to 'distify/migrate' in the meantime" in said
    assert project.github.head(BRANCH) == theirs


def test_a_branch_that_comes_in_the_meantime_is_not_overwritten(project: Project) -> None:
    tree = project.git("rev-parse", "HEAD^{tree}")
    theirs = project.git("commit-tree", "-p", "HEAD", "-m", "At the last moment", tree)
    hook = project.folder / ".git" / "hooks" / "post-commit"
    push = f"git push -q --no-verify {project.github.bare} {theirs}:refs/heads/{BRANCH}"
    hook.parent.mkdir(exist_ok=True)
    hook.write_text(f"#!/bin/sh\nenv -u GIT_CONFIG_COUNT {push}\n")
    hook.chmod(0o755)
    assert "in the meantime" in project.pr(code=2)
    assert project.github.head(BRANCH) == theirs
    assert not project.github.pulls


def test_what_is_pushed_in_the_meantime_is_not_deleted(project: Project) -> None:
    project.pr()
    project.git("fetch", "-q", str(project.github.bare), BRANCH)
    tree = project.git("rev-parse", "FETCH_HEAD^{tree}")
    theirs = project.git("commit-tree", "-p", "FETCH_HEAD", "-m", "At the last moment", tree)
    project.change("Nothing left", train_py=None)
    hook = project.folder / ".git" / "hooks" / "pre-push"
    push = f"git push -q --no-verify {project.github.bare} {theirs}:refs/heads/{BRANCH}"
    hook.parent.mkdir(exist_ok=True)
    hook.write_text(f"#!/bin/sh\nenv -u GIT_CONFIG_COUNT {push}\n")
    hook.chmod(0o755)
    assert "in the meantime" in project.pr(code=2)
    assert project.github.head(BRANCH) == theirs
    assert project.github.pulls[0]["state"] == "open"


@pytest.mark.parametrize("how", ["merged", "squashed"])
def test_after_it_was_merged_there_is_a_new_one(project: Project, how: str) -> None:
    project.pr()
    github = project.github
    project.git("fetch", "-q", str(github.bare), BRANCH)
    project.git("merge", "-q", "--squash" if how == "squashed" else "--no-ff", "FETCH_HEAD")
    if how == "squashed":
        project.git("commit", "-q", "-m", "Squashed")
    project.git("push", "-q", str(github.bare), "main")
    github.pulls[0]["state"] = "closed"
    project.pr()
    assert operation(project) == "none"
    assert not github.head(BRANCH)
    project.change("More", more_py=TRAIN)
    project.pr()
    assert operation(project) == "created"
    assert [pull["state"] for pull in github.pulls] == ["closed", "open"]


def test_the_branch_may_be_kept(project: Project) -> None:
    project.pr()
    project.change("Nothing left", train_py=None)
    project.pr("--keep-branch")
    assert operation(project) == "closed"
    assert project.github.head(BRANCH)
    assert "Nothing to do." in project.pr("--keep-branch")
    assert project.github.head(BRANCH)


def test_it_works_outside_of_workflows(project: Project) -> None:
    nothing = dict.fromkeys(
        ["GITHUB_ACTIONS", "GITHUB_API_URL", "GITHUB_SERVER_URL", "GITHUB_REPOSITORY",
         "GITHUB_REF_TYPE", "GITHUB_REF_NAME", "GITHUB_TOKEN", "GITHUB_OUTPUT",
         "GITHUB_STEP_SUMMARY"], ""
    )  # fmt: skip
    outside = {**nothing, **project.person, "GH_ENTERPRISE_TOKEN": TOKEN}
    said = project.pr("train.py", **outside)
    assert "created" in said
    assert "::" not in said
    assert len(project.github.pulls) == 1
    assert "Nothing to do" in project.pr("train.py", **outside)
    assert project.github.git("log", "-1", "--format=%an", BRANCH) == "A Person"


def test_settings_of_the_repository_are_no_commands(project: Project) -> None:
    settings = '[tool.distify]\nselect = ["x\\n::set-env name=X::y"]\n'
    (project.folder / "pyproject.toml").write_text(settings)
    project.change("Settings")
    told = commands(project.pr(code=2))
    assert [each.split()[0] for each in told] == ["::error"]


def outside(project: Project) -> dict[str, str]:
    """A terminal in the place of the workflow, and no token."""
    gone = [name for name in project.env if name.startswith("GITHUB_")]
    return {**dict.fromkeys([*gone, "GITHUB_ACTIONS", "GITHUB_TOKEN"], ""), **project.person}


def test_without_a_branch_the_base_is_asked_for(project: Project) -> None:
    project.git("checkout", "-q", "--detach")
    place = {"GITHUB_REPOSITORY": REPOSITORY, "GITHUB_SERVER_URL": project.github.url}
    said = project.pr("--dry-run", code=2, **{**outside(project), **place})
    assert "no branch is checked out: name the base with --base" in said


@pytest.mark.parametrize("options", [["nope.py"], ["--dry-run", "train.py", "nope.py"]])
def test_a_path_that_is_not_there_is_an_error(project: Project, options: list[str]) -> None:
    said = project.pr(*options, code=2)
    assert "error: nope.py: no such file or folder" in said
    assert "remark" not in said
    assert not project.github.seen
    assert not project.github.head(BRANCH)


def test_a_reason_is_told_apart_from_the_way_out(project: Project) -> None:
    project.change("Blocked", there_py=BLOCKED)
    project.pr()
    (line,) = [x for x in project.github.pulls[0]["body"].splitlines() if "there.py" in x]
    assert " already distributes this program – fix: " in line


@pytest.mark.sample
def test_uncommitted_changes_are_refused(project: Project) -> None:
    (project.folder / "train.py").write_text(TRAIN + "# mine\n")
    assert "train.py has uncommitted changes" in project.pr(code=2)
    assert not project.github.head(BRANCH)


@pytest.mark.sample
@pytest.mark.parametrize("name", ["draft", "fail-on", "delete-branch"])
def test_a_wrong_value_of_an_input_is_an_annotation(project: Project, name: str) -> None:
    variable = f"DISTIFY_PR_{name.upper().replace('-', '_')}"
    said = project.pr(code=2, **{variable: "##[error]\n::error::x"})
    (told,) = commands(said)
    assert told.startswith(f"::error title=distify pr::Invalid value for '--{name}'")
    assert "Usage: " in project.pr(code=2, **{variable: "x", "GITHUB_ACTIONS": ""})
    assert not project.github.seen


def test_blanks_around_an_input_do_no_harm(project: Project) -> None:
    """An empty one is none: create-pull-request and all others of GitHub's toolkit see to that."""
    some = {"TITLE": " ", "BASE": "  ", "DRAFT": " true\n", "BRANCH": " b ", "FAIL_ON": "never "}
    project.pr(**{f"DISTIFY_PR_{name}": value for name, value in some.items()})
    (pull,) = project.github.pulls
    assert (pull["head"]["ref"], pull["base"]["ref"], pull["draft"]) == ("b", "main", True)
    assert pull["title"] == "Train on many workers with Horovod"
    project.pr("--title", " ", "--branch", "b")
    assert pull["title"] == "Train on many workers with Horovod"


def test_the_summary_leads_to_what_is_there(project: Project) -> None:
    """To the pull request, and to no commit that was never pushed."""
    project.change("Blocked", there_py=BLOCKED)
    here = f"{project.github.url}/{REPOSITORY}"
    for options, pushed in ((["--dry-run"], False), ([], True), ([], True)):
        project.pr(*options)
        text = project.summary.read_text(encoding="utf-8")
        assert (f"[1]({here}/pull/1)" in text) is pushed
        assert (f"({here}/commit/{project.github.head(BRANCH)})" in text) is pushed
        assert ("/commit/" in text) is pushed
        assert ". 1 remark on" in text
    project.human()
    project.change("More", more_py=TRAIN)
    assert "to start anew, delete it" in project.pr()
    text = project.summary.read_text(encoding="utf-8")
    assert f"[1]({here}/pull/1)" in text
    assert "/commit/" not in text
