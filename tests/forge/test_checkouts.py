"""What actions/checkout and people leave behind: tags, keys, folders, owners, moving bases."""

from __future__ import annotations

import os
import shutil
from pathlib import Path

import pytest

from distify.assistant.git import environment

from .project import BLOCKED, BRANCH, TRAIN, Project
from .runner import commands
from .server import REPOSITORY, TOKEN
from .test_pr import operation, outputs

TAGGED = {"GITHUB_REF_TYPE": "tag", "GITHUB_REF_NAME": "v1"}

pytestmark = pytest.mark.slow


def script(path: Path, *lines: str) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("\n".join(["#!/bin/sh", *lines, ""]), encoding="utf-8")
    path.chmod(0o755)
    return path


def test_a_tag_goes_to_the_default_branch(project: Project) -> None:
    project.git("tag", "v1")
    project.git("checkout", "-q", "v1")
    project.pr(**TAGGED)
    assert operation(project) == "created"
    assert project.github.pulls[0]["base"]["ref"] == "main"


def test_a_merge_queue_is_no_base(project: Project) -> None:
    queue = "gh-readonly-queue/main/pr-7-0123456789abcdef0123456789abcdef01234567"
    project.github.git("update-ref", f"refs/heads/{queue}", "main")
    said = project.pr(code=2, GITHUB_EVENT_NAME="merge_group", GITHUB_REF_NAME=queue)
    assert "for a merge queue: let the action run on `push`" in said
    assert not project.github.pulls
    assert not project.github.head(BRANCH)


def test_another_repository_of_the_workflow_has_branches_of_its_own(project: Project) -> None:
    """A workflow of one repository may check out several."""
    tools = {"GITHUB_REPOSITORY": "someone/tools", "GITHUB_REF_NAME": "trunk"}
    project.pr(**tools)
    assert operation(project) == "created"
    assert project.github.pulls[0]["base"]["ref"] == "main"
    for name in (REPOSITORY, REPOSITORY.upper()):
        assert "no branch 'trunk'" in project.pr(code=2, **{**tools, "GITHUB_REPOSITORY": name})


def test_what_was_checked_out_a_moment_ago_is_enough(project: Project) -> None:
    project.change("Later", notes_md="words\n")
    project.git("checkout", "-q", "-B", "main", "HEAD~1")
    project.pr()
    assert operation(project) == "created"
    base = project.github.git("merge-base", BRANCH, "main")
    assert base == project.github.git("rev-parse", "main~1")


def test_a_base_that_was_rewritten_is_no_reason_to_blame_somebody(project: Project) -> None:
    """Its old commits are on the pull request's branch alone now, so they stay there."""
    project.pr()
    before = project.github.head(BRANCH)
    project.git("commit", "-q", "--amend", "-m", "Begin again")
    project.git("push", "-qf", str(project.github.bare), "main")
    said = project.pr()
    assert operation(project) == "none"
    assert project.github.head(BRANCH) == before
    (comment,) = project.github.comments[1]
    assert "commits that distify did not write and `main` does not hold" in comment
    assert "ommits that are not distify's are on the branch" in said
    project.github.git("update-ref", "-d", f"refs/heads/{BRANCH}")  # as the comment says
    project.pr()
    assert operation(project) == "updated"


def test_a_pull_request_to_another_base_keeps_its_branch(project: Project) -> None:
    project.pr()
    before = project.github.head(BRANCH)
    project.change("More", more_py=TRAIN)
    project.github.git("update-ref", "refs/heads/release", "main")
    said = project.pr("--base", "release", code=2)
    assert "pull request #1 goes from 'distify/migrate' to 'main'" in said
    assert "--branch" in said
    assert project.github.head(BRANCH) == before
    assert len(project.github.pulls) == 1
    project.pr("--base", "release", "--branch", "distify/release")
    assert operation(project) == "created"


@pytest.mark.parametrize("branch", ["distify", "distify/migrate/now"])
def test_a_branch_beside_another_ones_folder_is_told(project: Project, branch: str) -> None:
    project.github.git("update-ref", f"refs/heads/{BRANCH}", "main")
    said = project.pr("--branch", branch, code=2)
    assert f"{branch!r} can't be made beside the branches that are there" in said
    assert "in the meantime" not in said


def test_a_key_of_the_clone_is_used(project: Project, tmp_path: Path) -> None:
    """actions/checkout with `ssh-key` writes core.sshCommand into the clone's own settings."""
    ssh = script(
        tmp_path / "ssh",
        'for word; do last="$word"; done',
        f'eval "$(printf %s "$last" | sed "s|{REPOSITORY}.git|{project.github.bare}|")"',
    )
    project.git("remote", "set-url", "origin", f"git@127.0.0.1:{REPOSITORY}.git")
    project.git("config", "core.sshCommand", f"{ssh} -i key")
    project.pr()
    assert operation(project) == "created"
    project.change("More", more_py=TRAIN)
    project.pr()
    assert operation(project) == "updated"


def test_a_key_that_is_not_let_in_is_not_blamed_on_the_token(
    project: Project, tmp_path: Path
) -> None:
    ssh = script(
        tmp_path / "ssh", "echo 'git@127.0.0.1: Permission denied (publickey).' >&2; exit 1"
    )
    project.git("remote", "set-url", "origin", f"git@127.0.0.1:{REPOSITORY}.git")
    project.git("config", "core.sshCommand", str(ssh))
    said = project.pr(code=2)
    assert "git's own key or password" in said
    assert "the token may not" not in said


def test_nothing_but_the_branch_is_pushed(project: Project) -> None:
    project.git("tag", "-a", "mine", "-m", "mine", "HEAD")
    project.git("config", "push.followTags", "true")
    project.git("config", "push.recurseSubmodules", "on-demand")
    project.pr()
    refs = project.github.git("for-each-ref", "--format=%(refname)").splitlines()
    assert refs == [f"refs/heads/{BRANCH}", "refs/heads/main"]


def test_a_repository_in_a_folder_of_the_workspace(project: Project) -> None:
    """actions/checkout with `path`; a step that uses an action can't choose where it runs."""
    workspace = project.folder.parent / "workspace"
    workspace.mkdir()
    shutil.move(project.folder, workspace / "sources")
    project.folder = workspace
    project.pr(DISTIFY_PR_PATHS="sources/train.py\nsources")
    assert operation(project) == "created"


@pytest.mark.parametrize("paths", ["", "train.py"])
def test_without_a_checkout_the_step_before_is_named(
    project: Project, tmp_path: Path, paths: str
) -> None:
    project.folder = tmp_path / "nothing"
    project.folder.mkdir()
    (project.folder / "train.py").write_text(TRAIN)
    (project.folder / "pyproject.toml").write_text("[tool.distify]\nshard = 3\n")
    said = project.pr(DISTIFY_PR_PATHS=paths, code=2)
    assert "actions/checkout" in said
    assert "git init" not in said


@pytest.mark.skipif(os.name == "nt" or os.geteuid() != 0, reason="only root can give files away")
def test_files_of_another_owner_are_told_with_gits_way_out(project: Project) -> None:
    for name in (".", ".git"):
        os.chown(project.folder / name, 12345, 12345)
    said = project.pr(code=2)
    assert "git config --global --add safe.directory" in said


def test_a_sparse_checkout_changes_nothing_that_is_not_there(project: Project) -> None:
    project.change("Folders", **{"src/a_py": TRAIN, "other/b_py": TRAIN})
    project.git("sparse-checkout", "set", "src")
    assert not (project.folder / "other").exists()
    project.pr()
    assert operation(project) == "created"
    changed = project.github.git("diff", "--name-only", "main", BRANCH).splitlines()
    assert changed == ["src/a.py", "train.py"]


def test_from_a_folder_of_the_repository_names_are_the_repositorys(project: Project) -> None:
    project.change("Folders", **{"src/a_py": TRAIN, "src/b_py": BLOCKED})
    project.folder = project.folder / "src"
    project.pr()
    text = project.github.pulls[0]["body"]
    assert "distify verify src/a.py" in text
    assert "/src/b.py#L3)" in text
    assert "train.py" not in text


def test_what_a_hook_says_against_a_push_is_told(project: Project) -> None:
    why = f"echo 'no, as {TOKEN} is old'; exit 1"
    script(project.folder / ".git" / "hooks" / "pre-push", why)
    said = project.pr(code=2)
    assert "no, as *** is old" in said
    assert TOKEN not in said
    assert not project.github.pulls


@pytest.mark.sample
def test_what_is_private_can_not_be_seen_without_a_token(project: Project) -> None:
    said = project.pr("--dry-run", code=2, GITHUB_TOKEN="")
    assert "no token was given, and git has no key or password" in said
    assert "the token is not for this address" not in said


def test_a_git_that_takes_no_token_is_told(project: Project, tmp_path: Path) -> None:
    """Before 2.31 it read no settings from the environment."""
    real = shutil.which("git")
    version = 'case "$*" in *version) echo "git version 2.25.1.2"; exit;; esac'  # behind settings
    git = script(tmp_path / "bin" / "git", version, f'GIT_CONFIG_COUNT= exec {real} "$@"')
    said = project.pr(code=2, PATH=f"{git.parent}:{os.environ['PATH']}")
    assert "install git 2.31 or newer" in said
    assert "the token is not valid" not in said


def test_through_a_link_names_are_the_repositorys(project: Project, tmp_path: Path) -> None:
    """A self-hosted runner's workspace may be a link, and `paths` hold its whole address."""
    project.change("Files", **{"src/a_py": BLOCKED, "src/b_py": "import tensorflow\nfit(\n"})
    (tmp_path / "link").symlink_to(project.folder)
    told = commands(project.pr(DISTIFY_PR_PATHS=f"{tmp_path}/link/src\ntrain.py", code=2))
    assert [each.split(",")[0] for each in told] == [
        "::warning file=src/a.py",
        "::error file=src/b.py",
    ]
    assert "/src/b.py#L" in project.github.pulls[0]["body"]
    assert ".." not in project.github.pulls[0]["body"].partition("<!--")[0]


@pytest.mark.parametrize(
    ("how", "hook"), [("--amend", ""), ("fixup", ""), ("--amend", "pre-commit")]
)
def test_a_change_under_the_same_name_at_the_same_moment_stays(
    project: Project, how: str, hook: str
) -> None:
    """In a terminal distify's commits are the person's own, and `--reset-author` sets all times."""
    mine = {**project.person, "GITHUB_ACTIONS": ""}
    if hook:
        script(project.folder / ".git" / "hooks" / hook, "echo >> other.py; git add other.py")
    project.pr(**mine)
    project.change("Later", notes_md="words\n")
    project.pr(**mine)
    assert operation(project) == "updated"  # until somebody else comes, it is distify's own
    project.git("fetch", "-q", str(project.github.bare), BRANCH)
    project.git("checkout", "-q", "FETCH_HEAD")
    (project.folder / "train.py").write_text(TRAIN + "print('mine')\n")
    if how == "--amend":
        project.git("commit", "-qa", "--amend", "--no-edit", "--reset-author")
    else:
        project.git("commit", "-qa", "--fixup", "HEAD~1")
        project.git("-c", "sequence.editor=true", "rebase", "-q", "-i", "--autosquash",
                    "-X", "theirs", "--reset-author-date", "main")  # fmt: skip
    theirs = project.git("rev-parse", "HEAD")
    project.git("push", "-qf", str(project.github.bare), f"HEAD:refs/heads/{BRANCH}")
    project.git("checkout", "-q", "main")
    project.change("More", more_py=TRAIN)
    project.pr(**mine)
    assert project.github.head(BRANCH) == theirs


def test_names_with_accents_are_the_same_in_any_encoding(project: Project) -> None:
    mine = {**project.person, "GITHUB_ACTIONS": "", "GIT_AUTHOR_NAME": "Jürgen"}
    project.git("config", "i18n.logOutputEncoding", "latin1")
    config = project.home / "config"
    config.write_text("[i18n]\n\tlogOutputEncoding = latin1\n")
    project.change("Names", ünï_py=TRAIN)
    project.pr(GIT_CONFIG_GLOBAL=str(config), **mine)
    project.change("More", more_py=TRAIN)
    project.pr(GIT_CONFIG_GLOBAL=str(config), **mine)
    assert operation(project) == "updated"


def test_other_settings_of_the_clone_count_for_the_server_too(project: Project) -> None:
    """A proxy or a certificate that only this clone has, with or without a value."""
    project.git("config", "http.proxy", "http://127.0.0.1:9")
    project.git("config", "http.sslVerify", "true")
    (project.folder / ".git" / "config").open("a").write("[http]\n\tsslTry\n")
    assert "127.0.0.1" in project.pr(code=2, NO_PROXY="", GITHUB_TOKEN=TOKEN)
    assert not project.github.shown
    assert outputs(project) == {}


def test_how_a_server_is_reached_is_as_a_person_set_it(
    project: Project, monkeypatch: pytest.MonkeyPatch
) -> None:
    """An Enterprise Server may have an authority of its own, which only the environment names."""
    for name in ("GIT_SSL_CAINFO", "GIT_PROXY_SSL_CAINFO", "GIT_HTTP_LOW_SPEED_TIME", "GIT_DIR"):
        monkeypatch.setenv(name, "x")
    with environment.clean():
        assert os.environ["GIT_SSL_CAINFO"] == os.environ["GIT_PROXY_SSL_CAINFO"] == "x"
        assert "GIT_HTTP_LOW_SPEED_TIME" in os.environ
        assert "GIT_DIR" not in os.environ
    said = project.pr(code=2, GIT_ALLOW_PROTOCOL="https")
    assert "transport 'http' not allowed" in said
    assert not project.github.shown


@pytest.mark.parametrize("hook", ["", "sed -i '1s/^/[ours] /' \"$1\""])
def test_another_prefix_is_a_change(project: Project, hook: str) -> None:
    if hook:
        script(project.folder / ".git" / "hooks" / "commit-msg", hook)
    for prefix, what in (("", "created"), ("", "none"), ("x", "updated"), ("x", "none")):
        project.pr("--commit-message", prefix)
        assert operation(project) == what
    first = project.github.git("log", "-1", "--format=%s", BRANCH)
    assert first.startswith("[ours] x distify(D" if hook else "x distify(D")
