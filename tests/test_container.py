"""The container file says the same as the Makefile, and the workflow builds it."""

from __future__ import annotations

import re
from pathlib import Path

import yaml

ROOT = Path(__file__).parents[1]
TEXT = (ROOT / "Dockerfile").read_text(encoding="utf-8")
PINS = re.compile(r"\b(tensorflow-cpu|horovod)==([\d.]+)")
FLAGS = re.compile(r"HOROVOD_WITH\w+=1")


def recipe(name: str) -> str:
    """A rule of the Makefile, or a variable of several lines, up to the first empty line."""
    text = (ROOT / "Makefile").read_text(encoding="utf-8")
    return text[text.index(name) :].partition("\n\n")[0]


def test_horovod_is_built_as_for_the_tests() -> None:
    made = recipe("horovod_build =") + recipe("$(HVD)/.horovod:")
    assert set(PINS.findall(TEXT)) == set(PINS.findall(made)) != set()
    assert set(FLAGS.findall(TEXT)) == set(FLAGS.findall(made)) != set()


def test_each_instruction_is_one_that_docker_knows() -> None:
    lines = re.sub(r"\\\n", " ", re.sub(r"^#.*\n", "", TEXT, flags=re.M)).splitlines()
    known = {"FROM", "SHELL", "RUN", "ENV", "WORKDIR", "COPY", "USER", "CMD"}
    assert {line.split()[0] for line in lines if line} == known
    assert all(":latest" not in line and ":" in line for line in lines if line.startswith("FROM"))
    installs = [line for line in lines if "apt-get install" in line]
    assert all("--no-install-recommends" in line and "rm -rf" in line for line in installs)


def test_what_the_package_is_made_of_goes_into_the_image() -> None:
    ignored = (ROOT / ".dockerignore").read_text(encoding="utf-8").split("\n")
    needed = {"README.md", "LICENSE", "pyproject.toml", "src", "codemods", "assistant"}
    assert not needed & set(ignored)
    assert all((ROOT / name).exists() for name in needed)


def test_the_workflow_builds_it_and_proves_a_script_in_it() -> None:
    path = ROOT / ".github" / "workflows" / "container.yml"
    (job,) = yaml.safe_load(path.read_text(encoding="utf-8"))["jobs"].values()
    commands = "\n".join(step.get("run", "") for step in job["steps"])
    assert "docker build --tag distify ." in commands
    assert "distify migrate train.py && distify verify train.py" in commands
    assert (ROOT / re.findall(r"examples/\S+\.py", commands)[0]).exists()
