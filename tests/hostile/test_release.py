"""What a release is made of is pinned, listed and signed; workflows may do little, and say why."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
import yaml

ROOT = Path(__file__).resolve().parents[2]
WORKFLOWS = sorted((ROOT / ".github" / "workflows").glob("*.yml"))
each_workflow = pytest.mark.parametrize("path", WORKFLOWS, ids=lambda path: path.stem)


@each_workflow
def test_a_workflow_may_do_nothing_but_what_a_job_says(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    said = yaml.safe_load(text)
    assert said["permissions"] == {}
    for line in text.splitlines():
        if re.match(r"\s+[a-z-]+: write\b", line):
            assert re.search(r"write # \S", line), f"what for? {line}"
    assert all("permissions" in job for job in said["jobs"].values())


@each_workflow
def test_no_text_from_outside_is_part_of_a_script(path: Path) -> None:
    said = yaml.safe_load(path.read_text(encoding="utf-8"))
    steps = [step for job in said["jobs"].values() for step in job.get("steps", ())]
    assert not [step["run"] for step in steps if "${{" in step.get("run", "")]
    for step in steps:
        if step.get("uses", "").startswith("actions/checkout@"):
            assert step["with"]["persist-credentials"] is False


@pytest.mark.skipif(not shutil.which("zizmor"), reason="zizmor is not installed")
def test_zizmor_finds_nothing() -> None:
    command = ["zizmor", "--offline", "--pedantic", "--no-progress", str(ROOT)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout


def test_the_list_of_what_a_wheel_needs(tmp_path: Path) -> None:
    wheel = tmp_path / "distify_horovod-1.2.3-py3-none-any.whl"
    wheel.write_bytes(b"wheel")
    command = [sys.executable, ROOT / ".ci" / "sbom", wheel, ROOT / "locks" / "action.txt"]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    said = json.loads(done.stdout)
    assert said["bomFormat"] == "CycloneDX"
    assert said["metadata"]["component"]["purl"] == "pkg:pypi/distify-horovod@1.2.3"
    lock = (ROOT / "locks" / "action.txt").read_text()
    pins = re.findall(r"^([^ #]+)==", lock, re.MULTILINE)
    assert [each["name"] for each in said["components"]] == pins
    hashes = [each["content"] for part in said["components"] for each in part["hashes"]]
    assert hashes == re.findall(r"sha256:([0-9a-f]{64})", lock)
    refs = [each["bom-ref"] for each in said["components"]]
    assert said["dependencies"][0]["dependsOn"] == refs


@pytest.mark.parametrize("lock", sorted((ROOT / "locks").glob("*.txt")), ids=lambda path: path.stem)
def test_all_that_is_installed_has_a_hash(lock: Path) -> None:
    parts = re.split(r"(?m)^(?=[A-Za-z0-9])", lock.read_text(encoding="utf-8"))[1:]
    assert parts
    assert all("--hash=sha256:" in part for part in parts)


def test_each_promise_names_its_tests() -> None:
    text = (ROOT / "SECURITY.md").read_text(encoding="utf-8")
    promised = text.partition("## What is promised")[2].partition("\n## ")[0]
    promises = promised.split("\n- **")[1:]
    assert len(promises) == 10
    for promise in promises:
        named = re.findall(r"`((?:tests/)?[\w/]*test_\w+\.py)`", promise)
        assert named, promise
        for each in named:
            path = ROOT / each if "/" in each else ROOT / "tests" / "hostile" / each
            assert path.is_file(), each
