"""`distify launch-lines`: texts that start a program on many workers."""

from __future__ import annotations

import ast
import json
import shlex
import subprocess
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from distify.assistant.cli.commands import distify
from distify.assistant.report.launching import FORMS


def run(*arguments: str) -> Result:
    return CliRunner().invoke(distify, ["launch-lines", *arguments])


@pytest.fixture
def script(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    path = tmp_path / "my train.py"
    path.write_text("import horovod\n")
    monkeypatch.chdir(tmp_path)
    return path


def lines(*arguments: str) -> dict[str, str]:
    found: dict[str, str] = json.loads(run("my train.py", "--format", "json", *arguments).output)
    assert list(found) == list(FORMS)
    return found


TWO_MACHINES = ("-np", "8", "--gpus-per-node", "4")


@pytest.mark.usefixtures("script")
def test_horovodrun_names_hosts_only_where_there_are_several() -> None:
    assert lines()["horovodrun"] == "horovodrun -np 2 python 'my train.py'\n"
    given = lines(*TWO_MACHINES, "--", "--name", "a b")["horovodrun"]
    assert shlex.split(given) == [
        "horovodrun", "-np", "8", "-H", "host1:4,host2:4",
        "python", "my train.py", "--name", "a b",
    ]  # fmt: skip


@pytest.mark.usefixtures("script")
def test_mpirun_is_one_command() -> None:
    words = shlex.split(lines(*TWO_MACHINES)["mpirun"].replace("\\\n", ""))
    assert words[:5] == ["mpirun", "-np", "8", "-H", "host1:4,host2:4"]
    assert words[-2:] == ["python", "my train.py"]


@pytest.mark.usefixtures("script")
def test_slurm_runs_so_many_workers_on_each_machine() -> None:
    text = lines(*TWO_MACHINES)["slurm"]
    assert {"--nodes=2", "--ntasks-per-node=4", "--gpus-per-node=4"} <= set(text.split())
    assert "gpus" not in lines("-np", "4", "--gpus-per-node", "0")["slurm"]
    begin = "set -e; scontrol() { printf 'n1\\nn2\\n'; }; horovodrun() { printf '%s|' \"$@\"; }\n"
    done = subprocess.run(["bash", "-c", begin + text], capture_output=True, text=True, check=True)
    assert done.stdout == "-np|8|-H|n1:4,n2:4|python|my train.py|"


@pytest.mark.usefixtures("script")
def test_the_job_of_kubernetes() -> None:
    text = lines(*TWO_MACHINES, "--", "--rate", '"0.1"')["kubernetes"]
    read = [line.strip() for line in text.splitlines()]
    assert {"kind: MPIJob", "slotsPerWorker: 4", "replicas: 2", "nvidia.com/gpu: 4"} <= set(read)
    assert "name: my-train" in read
    words = [json.loads(line[2:]) for line in read if line.startswith('- "')]
    assert words[:3] == ["mpirun", "-np", "8"]
    assert words[-4:] == ["python", "my train.py", "--rate", '"0.1"']
    assert "resources: {}" in lines("--gpus-per-node", "0")["kubernetes"]


@pytest.mark.usefixtures("script")
def test_the_program_for_ray() -> None:
    text = lines(*TWO_MACHINES)["ray"]
    ast.parse(text)
    assert "num_workers=8, use_gpu=True" in text
    assert 'runpy.run_path("my train.py", run_name="__main__")' in text
    assert "use_gpu" not in lines("--gpus-per-node", "0")["ray"]


def test_a_module_is_started_as_one(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "src/p").mkdir(parents=True)
    (tmp_path / "src/p/__init__.py").write_text("")
    (tmp_path / "src/p/train.py").write_text("from . import data\n")
    monkeypatch.chdir(tmp_path)
    found: dict[str, str] = json.loads(run("src/p/train.py", "--format", "json").output)
    assert found["horovodrun"] == "cd src && horovodrun -np 2 python -m p.train\n"
    assert "\ncd src\n" in found["slurm"]
    assert 'run_module("p.train", run_name="__main__", alter_sys=True)' in found["ray"]
    assert '"working_dir": "src"' in found["ray"]


@pytest.mark.usefixtures("script")
def test_one_alone_goes_into_a_file() -> None:
    done = run("my train.py", "--for", "slurm")
    assert done.output.startswith("#!/bin/bash\n")
    everything = run("my train.py").output
    assert all(f"\n{name}  " in f"\n{everything}" for name in FORMS)


@pytest.mark.usefixtures("script")
@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("my train.py", "-np", "6", "--gpus-per-node", "4"), "6 workers can't be shared out"),
        (("x.ipynb",), "jupyter nbconvert --to script x.ipynb"),
        (("none.py",), "does not exist"),
    ],
)
def test_what_can_not_be_started_so(arguments: tuple[str, ...], said: str) -> None:
    Path("x.ipynb").write_text("{}")
    done = run(*arguments)
    assert done.exit_code == 2
    assert said in done.output
