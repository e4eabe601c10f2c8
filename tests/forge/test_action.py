"""The action itself: what stands in action.yml, run step by step, and what judges say of it."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
import yaml

from .project import BRANCH, TRAIN, Project
from .runner import Ran, Runner
from .server import TOKEN

ROOT = Path(__file__).resolve().parents[2]
WORKFLOWS = sorted((ROOT / ".github" / "workflows").glob("*.yml"))
DOCUMENT = (ROOT / "docs" / "action.md").read_text(encoding="utf-8")
ACTION = yaml.safe_load((ROOT / "action.yml").read_text(encoding="utf-8"))
BIN = Path(sys.executable).parent


@pytest.fixture(scope="module")
def action(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """This project as GitHub would fetch it: what git knows, with today's changes."""
    folder = tmp_path_factory.mktemp("action")
    listed = subprocess.run(
        ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"],
        cwd=ROOT, capture_output=True, text=True, check=True,
    ).stdout  # fmt: skip
    for name in filter(None, listed.split("\0")):
        if (ROOT / name).is_file():
            (folder / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(ROOT / name, folder / name)
    return folder


def run(runner: Runner, project: Project, **inputs: str) -> Ran:
    # The user's, as on machines where pip may not write to the system.
    own = {"PYTHONPATH": str(project.folder), "PIP_USER": "1"}
    env = {**project.env, **own}
    return runner.run(
        {name.replace("_", "-"): value for name, value in inputs.items()}, env, {"token": TOKEN}
    )


@pytest.mark.slow
def test_the_action_from_the_first_pull_request_to_its_end(
    action: Path, project: Project, tmp_path: Path
) -> None:
    # Files that would run if Python took the repository for a place of modules.
    trap = "raise SystemExit('the repository was imported')\n"
    project.change("Traps", pip_py=trap, click_py=trap, venv_py=trap, sitecustomize_py=trap)
    github = project.github
    runner = Runner(action, project.folder, tmp_path / "runner")
    told = []

    def step(**inputs: str) -> Ran:
        ran = run(runner, project, **inputs)
        assert ran.code == 0, ran.log
        assert TOKEN not in ran.log + ran.summary
        told.append(ran.outputs["pull-request-operation"])
        return ran

    title = 'A "title" $(touch hacked) `touch hacked`'
    wishes = {"title": title, "labels": "a\nb", "draft": "true"}
    created = step(**wishes)
    (pull,) = github.pulls
    assert created.outputs["pull-request-number"] == "1"
    assert created.outputs["pull-request-url"] == pull["html_url"]
    assert created.outputs["pull-request-branch"] == BRANCH
    assert created.outputs["pull-request-head-sha"] == github.head(BRANCH)
    assert pull["title"] == title
    assert (pull["draft"], pull["labelled"]) == (True, ["a", "b"])
    assert "distify" in created.summary
    assert not (project.folder / "hacked").exists()
    commit = github.git("log", "-1", "--format=%an|%ae", BRANCH)
    assert commit == "github-actions[bot]|41898282+github-actions[bot]@users.noreply.github.com"

    step(**wishes)
    project.change("More", more_py=TRAIN)
    step()
    before = github.head(BRANCH)
    theirs = project.human()
    step()
    assert github.head(BRANCH) == theirs
    assert len(github.comments[1]) == 1
    github.git("update-ref", f"refs/heads/{BRANCH}", before)
    project.change("Done", train_py=None, more_py=None)
    step()
    assert told == ["created", "none", "updated", "none", "closed"]
    assert not github.head(BRANCH)
    assert project.git("status", "--porcelain") == ""


STUB = """#!/bin/sh
# A Python that only tells what it was asked: what is installed says where it came from.
case "$*" in
  *version_info*) exit {status} ;;
  *"-m venv"*) for place; do :; done; mkdir -p "$place/bin"; cp "$0" "$place/bin/python" ;;
  *"pip install"*)
    for what; do :; done
    echo "$*" >> "$(dirname "$0")/asked"
    printf '#!/bin/sh\necho "ran: %s $*"\n' "$what" > "$(dirname "$0")/distify"
    chmod +x "$(dirname "$0")/distify" ;;
esac
"""


@pytest.fixture
def machine(tmp_path: Path) -> Machine:
    return Machine(tmp_path / "a machine")


class Machine:
    """A runner with the Pythons that it is told, and blanks in its folders."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        for name in ("bin", "workspace"):
            (folder / name).mkdir(parents=True)
        for tool in ("bash", "sh", "mkdir", "cp", "chmod", "dirname", "cat", "touch", "env"):
            (self.folder / "bin" / tool).symlink_to(shutil.which(tool) or tool)

    def python(self, name: str, status: int = 0) -> None:
        path = self.folder / "bin" / name
        path.write_text(STUB.replace("{status}", str(status)), encoding="utf-8")
        path.chmod(0o755)

    def run(self, release: str = "release 1") -> Ran:
        action = self.folder / release
        action.mkdir(exist_ok=True)
        shutil.copy2(ROOT / "action.yml", action)
        runner = Runner(action, self.folder / "workspace", self.folder / "temporary files")
        return runner.run({}, {"PATH": str(self.folder / "bin")}, {"token": TOKEN})


def test_each_release_of_the_action_runs_itself(machine: Machine) -> None:
    """Two steps of one job may name two releases; their folder for such things is the same."""
    machine.python("python3")
    for release in ("release 1", "release 2", "release 2", "release 1"):
        ran = machine.run(release)
        assert ran.log.splitlines() == [f"ran: {machine.folder / release} pr"]


def test_nothing_is_installed_without_a_hash(machine: Machine) -> None:
    """Not even what builds: the action itself is built by what is there, without an index."""
    machine.python("python3")
    machine.run()
    asked = (machine.folder / "temporary files" / "distify-venv" / "bin" / "asked").read_text()
    folder = machine.folder / "release 1"
    *locked, (own, itself) = [line.split(" --use-pep517 ") for line in asked.splitlines()]
    assert [what for _, what in locked] == [
        f"--require-hashes -r {folder}/locks/{name}.txt" for name in ("build", "action")
    ]
    assert itself == f"--no-index --no-deps {folder}"
    assert all("--no-build-isolation" in how for how in (own, *(how for how, _ in locked)))


@pytest.mark.parametrize("status", [1, 127])
def test_a_python_that_does_not_work_is_passed_over(machine: Machine, status: int) -> None:
    machine.python("python3", status)
    machine.python("python")
    assert "ran: " in machine.run().log


@pytest.mark.parametrize("names", [[], ["python3"], ["python", "python3"]])
def test_without_a_python_the_step_before_is_named(machine: Machine, names: list[str]) -> None:
    for name in names:
        machine.python(name, 1)
    ran = machine.run()
    assert ran.code == 2
    (line,) = ran.log.splitlines()
    assert line.startswith("::error title=distify::")
    assert "actions/setup-python" in line


def test_inputs_reach_the_shell_through_variables_only() -> None:
    for step in ACTION["runs"]["steps"]:
        assert "${{" not in step["run"]


def test_every_input_is_handed_on_and_documented() -> None:
    variables = ACTION["runs"]["steps"][-1]["env"]
    for name in ACTION["inputs"]:
        variable = f"DISTIFY_PR_{name.upper().replace('-', '_')}"
        assert variables[variable] == f"${{{{ inputs.{name} }}}}"
        assert f"| `{name}` |" in DOCUMENT
    for name in ACTION["outputs"]:
        assert f"| `{name}` |" in DOCUMENT


def test_every_variable_is_read_by_the_command() -> None:
    from distify.assistant.cli.pr import pr

    known = {parameter.envvar for parameter in pr.params} | {
        "DISTIFY_PR_TOKEN", "DISTIFY_PR_PATHS"
    }  # fmt: skip
    handed = {name for name in ACTION["runs"]["steps"][-1]["env"] if name.startswith("DISTIFY")}
    assert handed == known - {None}


def examples() -> list[str]:
    """The workflows of the documentation, which a user copies."""
    return [
        text for text in re.findall(r"```yaml\n(.*?)```", DOCUMENT, flags=re.S) if "jobs:" in text
    ]


@pytest.fixture(scope="module")
def workflows(tmp_path_factory: pytest.TempPathFactory) -> list[str]:
    """Those of the project, and those of the documentation with a release in its place."""
    folder = tmp_path_factory.mktemp("documented") / ".github" / "workflows"
    folder.mkdir(parents=True)
    found = [str(path) for path in WORKFLOWS]
    for number, text in enumerate(examples()):
        path = folder / f"{number}.yml"
        path.write_text(re.sub(r"<.*?>/distify@v[\d.]+", f"o/r@{'0' * 40}", text), encoding="utf-8")
        found.append(str(path))
    assert len(found) > len(WORKFLOWS)
    return found


def test_the_example_is_the_one_of_the_documentation() -> None:
    """Here it runs the action of this checkout, on the examples, and by hand only."""
    text = (ROOT / ".github" / "workflows" / "example.yml").read_text(encoding="utf-8")
    text = text.replace("$/ # in yours: ", "").replace("paths: examples", "paths: src")
    assert text.partition("\n")[2] == examples()[0].partition("\n")[2]


def judged(tool: str, *arguments: str) -> None:
    done = subprocess.run(
        [str(BIN / tool), *arguments], capture_output=True, text=True, check=False,
        env={**os.environ, "NO_COLOR": "1"},
    )  # fmt: skip
    assert done.returncode == 0, done.stdout + done.stderr


def test_the_schemas_of_github_are_kept(workflows: list[str]) -> None:
    judged(
        "check-jsonschema", "--builtin-schema", "vendor.github-actions", str(ROOT / "action.yml")
    )
    judged("check-jsonschema", "--builtin-schema", "vendor.github-workflows", *workflows)


def test_the_job_for_gitlab_is_one(tmp_path: Path) -> None:
    page = (ROOT / "docs" / "gitlab.md").read_text(encoding="utf-8")
    (text,) = re.findall(r"```yaml\n(.*?)```", page, flags=re.S)
    path = tmp_path / ".gitlab-ci.yml"
    path.write_text(text, encoding="utf-8")
    judged("check-jsonschema", "--builtin-schema", "vendor.gitlab-ci", str(path))
    (install, run) = yaml.safe_load(text)["distify"]["script"]
    assert "'distify-horovod[pr] @ git+" in install.replace('"', "'")
    assert run == "distify pr src"


@pytest.mark.skipif(not (BIN / "zizmor").exists(), reason="zizmor belongs to the dev tools")
def test_zizmor_finds_nothing(workflows: list[str]) -> None:
    judged("zizmor", "--offline", "--no-progress", str(ROOT / "action.yml"), *workflows)
