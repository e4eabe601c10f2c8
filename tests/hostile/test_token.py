"""What a repository has run while `distify pr` is at work sees no token, wherever it looks."""

from __future__ import annotations

from pathlib import Path

import pytest

from distify.assistant.git.credentials import basic
from forge.conftest import empty, project
from forge.project import BRANCH, Project
from forge.server import TOKEN
from forge.test_checkouts import script

__all__ = ["empty", "project"]
# Everything that a process of the same user can read of those around it, as far as they belong to
# this test: others on the machine may have a token.
LOOKS = """
env >> {seen}
for process in /proc/[0-9]*; do
    tr '\\0' '\\n' < $process/environ > {seen}.$$ 2>/dev/null
    grep -qx 'HOME={home}' {seen}.$$ && cat {seen}.$$ >> {seen}
done
exit 0
"""
HOOKS = (
    *("pre-commit", "prepare-commit-msg", "commit-msg", "post-commit", "pre-push"),
    *("reference-transaction", "post-index-change", "post-checkout", "pre-auto-gc"),
)


@pytest.fixture
def seen(project: Project) -> Path:
    (project.home / "bin").mkdir()
    return project.home / "seen"


def looking(project: Project, name: str, what: str = "") -> Path:
    """A program that looks around, and notes that it ran."""
    looks = LOOKS.format(seen=project.home / "seen", home=project.home)
    return script(project.home / "bin" / name, f"echo {name} >> {project.home}/ran\n{looks}{what}")


def settle(project: Project, seen: Path) -> str:
    """What ran; nothing of it saw the token."""
    text = seen.read_text(encoding="utf-8", errors="replace") if seen.exists() else ""
    assert TOKEN not in text
    assert basic(TOKEN) not in text
    ran = project.home / "ran"
    return ran.read_text() if ran.exists() else ""


@pytest.mark.parametrize("name", ["DISTIFY_PR_TOKEN", "GITHUB_TOKEN", "GH_TOKEN"])
def test_hooks_find_no_token_in_any_process(project: Project, seen: Path, name: str) -> None:
    for hook in HOOKS:
        program = looking(project, hook)
        program.rename(script(project.folder / ".git" / "hooks" / hook, "exit 0"))
    project.pr(**{"GITHUB_TOKEN": "", name: TOKEN})
    assert project.github.head(BRANCH)
    ran = settle(project, seen)
    assert {"pre-commit", "post-commit", "pre-push"} <= set(ran.split())
    assert f"PWD={project.folder}" in seen.read_text(errors="replace")


# What a configuration has git run: none of it may be started by a command that has the token.
SETTINGS = {
    "helper": '[credential]\n\thelper = "!{program}"\n',
    "helper of the server": '[credential "{url}"]\n\thelper = "!{program}"\n',
    "another protocol": '[protocol "ext"]\n\tallow = always\n[url "ext::{program} "]\n'
    '\tinsteadOf = "{url}"\n',
    "another protocol for a push": '[protocol "ext"]\n\tallow = always\n[url "ext::{program} "]\n'
    '\tpushInsteadOf = "{url}"\n',
    "signature": "[push]\n\tgpgSign = if-asked\n[gpg]\n\tprogram = {program}\n",
    "monitor": "[core]\n\tfsmonitor = {program}\n",
    "alternates": "[core]\n\talternateRefsCommand = {program}\n",
    "password": "[core]\n\taskPass = {program}\n",
    "pager": "[core]\n\tpager = {program}\n[pager]\n\tls-remote = {program}\n",
    "ssh": "[core]\n\tsshCommand = {program}\n\tgitProxy = {program}\n",
}


@pytest.mark.parametrize("name", SETTINGS)
def test_nor_does_what_a_configuration_names(project: Project, seen: Path, name: str) -> None:
    config = project.folder / ".git" / "config"
    given = SETTINGS[name].format(program=looking(project, "told"), url=project.github.url)
    config.write_text(config.read_text() + given)
    code = 2 if "protocol" in name else 0
    said = project.pr(code=code)
    assert TOKEN not in said
    assert "Traceback" not in said
    settle(project, seen)


def test_a_hook_that_is_against_a_push_is_heard(project: Project) -> None:
    script(project.folder / ".git" / "hooks" / "pre-push", "cat; echo not today >&2; exit 1")
    said = project.pr(code=2)
    assert "the hook pre-push is against it:" in said
    assert "not today" in said
    assert not project.github.pulls


def test_the_hook_is_told_what_git_tells_it(project: Project) -> None:
    told = project.home / "told"
    script(
        project.folder / ".git" / "hooks" / "pre-push", f'echo "$#" "$@" > {told}; cat >> {told}'
    )
    project.pr()
    url = f"{project.github.url}/{project.github.names[0]}.git"
    arguments, line, *_ = told.read_text().splitlines()
    assert arguments == f"2 {url} {url}"
    head = project.github.head(BRANCH)
    assert line.split()[1:] == [head, f"refs/heads/{BRANCH}", "0" * 40]
