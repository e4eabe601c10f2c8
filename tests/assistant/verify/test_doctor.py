"""What the doctor finds in a Python, and what it says to do."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import pytest

from distify.assistant.files import requirements
from distify.assistant.verify.run import program_python
from distify.assistant.verify.run.job import Job

from ..conftest import Call
from .test_setting import WITH_EVERYTHING, on_path, python

LOADS = """import sys
def nccl_built(): return 0
def mpi_built(): return False
def gloo_built(): return True
"""
UNDEFINED = "raise ImportError('undefined symbol: _ZN4absl')\n"


@pytest.fixture(autouse=True)
def _alone(here: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    on_path(monkeypatch)
    for variable in ("VIRTUAL_ENV", "CONDA_PREFIX", "KERAS_BACKEND"):
        monkeypatch.delenv(variable, raising=False)
    monkeypatch.setenv("KERAS_HOME", str(here / "nothing"))


def environment(folder: Path, horovod: str = LOADS) -> Path:
    """A Python whose Horovod can be imported, and whose TensorFlow must not be."""
    path = python(folder, WITH_EVERYTHING)
    (folder / "packages" / "horovod" / "__init__.py").write_text("")
    (folder / "packages" / "horovod" / "tensorflow" / "__init__.py").write_text(horovod)
    return path


def test_a_machine_that_is_ready(call: Call, tmp_path: Path) -> None:
    result = call("doctor", "--python", str(environment(tmp_path)))
    assert result.exit_code == 0
    assert "TensorFlow  2.15.1" in result.stdout
    assert "Horovod     0.28.1, built with Gloo" in result.stdout
    assert f"Python      {sys.version.split()[0]} (" in result.stdout
    assert result.stdout.endswith("Ready: `distify verify SCRIPT` can run here.\n")


def test_what_is_missing_is_told_with_its_command(call: Call, tmp_path: Path) -> None:
    path = python(tmp_path, {"tensorflow": "2.15.1"})
    result = call("doctor", "--python", str(path))
    assert result.exit_code == 1
    assert "has no Horovod. Install it there" in result.stdout
    assert f"  distify install-horovod --python {path}\n" in result.stdout
    assert "Ready" not in result.stdout


def test_a_horovod_of_another_tensorflow_is_built_anew(call: Call, tmp_path: Path) -> None:
    result = call("doctor", "--python", str(environment(tmp_path, UNDEFINED)))
    assert result.exit_code == 1
    assert "undefined symbol: _ZN4absl" in result.stdout
    assert "\n              distify install-horovod --python /" in result.stdout


def test_gpus_without_nccl(call: Call, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = environment(tmp_path)
    smi = tmp_path / "bin" / "nvidia-smi"
    smi.write_text("#!/bin/sh\necho 'GPU 0: NVIDIA H100 80GB (UUID: GPU-1)'\n")
    smi.chmod(0o755)
    on_path(monkeypatch, tmp_path)
    result = call("doctor", "--python", str(path))
    assert result.exit_code == 0
    assert "GPU 0: NVIDIA H100 80GB\n" in result.stdout
    assert "HOROVOD_GPU_OPERATIONS=NCCL" in result.stdout


def test_gpus_with_nccl(call: Call, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = environment(tmp_path, LOADS.replace("return 0", "return 21000"))
    smi = tmp_path / "bin" / "nvidia-smi"
    smi.write_text("#!/bin/sh\necho 'GPU 0: NVIDIA H100 80GB (UUID: GPU-1)'\n")
    smi.chmod(0o755)
    on_path(monkeypatch, tmp_path)
    told = call("doctor", "--python", str(path)).stdout
    assert "built with NCCL, Gloo" in told
    assert "HOROVOD_GPU_OPERATIONS" not in told


@pytest.mark.parametrize("is_there", [False, True])
def test_horovod_is_loaded_as_keras_is_there(call: Call, tmp_path: Path, is_there: bool) -> None:
    """Where tf_keras is, Keras 2 is asked for: TensorFlow fails if it is asked for without."""
    asks = f"import os\nassert os.environ['TF_USE_LEGACY_KERAS'] == '{int(is_there)}'\n"
    path = environment(tmp_path, asks + LOADS)
    if is_there:
        (tmp_path / "packages" / "tf_keras").mkdir()
        (tmp_path / "packages" / "tf_keras" / "__init__.py").write_text("")
    assert call("doctor", "--python", str(path)).exit_code == 0


def test_nothing_of_the_current_folder_is_imported(call: Call, tmp_path: Path, here: Path) -> None:
    (here / "horovod.py").write_text("raise SystemExit('the wrong one')\n")
    (here / "json.py").write_text("raise SystemExit('the wrong one')\n")
    assert call("doctor", "--python", str(environment(tmp_path))).exit_code == 0


def test_a_missing_compiler_is_noted(
    call: Call, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    result = call("doctor", "--format", "json", "--python", str(environment(tmp_path)))
    found = {each["what"]: each["verdict"] for each in json.loads(result.stdout)}
    assert (found["g++"], found["cmake"]) == ("note", "note")
    assert result.exit_code == 0


def test_no_python(call: Call, tmp_path: Path) -> None:
    result = call("doctor", "--python", str(tmp_path / "none"))
    assert result.exit_code == 1
    assert "can't be run" in result.stdout


def test_for_programs(call: Call, tmp_path: Path) -> None:
    result = call("doctor", "--format", "json", "--python", str(environment(tmp_path)))
    found = {each["what"]: each for each in json.loads(result.stdout)}
    assert found["TensorFlow"]["found"] == "2.15.1"
    assert {each["verdict"] for each in found.values()} <= {"ok", "note"}


def test_a_python_that_can_t_be_run_hides_no_other(
    call: Call, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    broken = tmp_path / "broken" / "bin" / "python"
    broken.parent.mkdir(parents=True)
    broken.write_text("#!/bin/sh\nexit 3\n")
    broken.chmod(0o755)
    path = environment(tmp_path / "good")
    path.rename(path.with_name("python3"))
    on_path(monkeypatch, tmp_path / "broken", tmp_path / "good")
    result = call("doctor")
    assert result.exit_code == 0
    assert "Horovod     0.28.1" in result.stdout


@pytest.mark.parametrize(
    ("version", "advice"),
    [("3.9.0", "2.15.1"), ("3.11.9", "2.15.1"), ("3.12.1", "2.20.0"), ("3.13.0", "2.20.0"),
     ("3.14.0", ""), ("3.8.1", "")],
)  # fmt: skip
def test_the_tensorflow_that_is_advised_exists_for_the_python(version: str, advice: str) -> None:
    assert program_python.suitable(version) == advice
    found = {"python": version, "tensorflow": None, "horovod": None}
    said = str(program_python.problem("/env/bin/python", found))
    assert ("there is no TensorFlow" in said) == (not advice)
    assert ("distify install-horovod --python /env/bin/python" in said) == bool(advice)


@pytest.mark.parametrize("keras", ["3.15.1", "2.15.0"])
def test_another_backend_is_told(
    call: Call, tmp_path: Path, here: Path, monkeypatch: pytest.MonkeyPatch, keras: str
) -> None:
    path = environment(tmp_path)
    packages = tmp_path / "packages"
    (packages / "keras-2.15.0.dist-info").rename(packages / f"keras-{keras}.dist-info")
    (packages / f"keras-{keras}.dist-info" / "METADATA").write_text(
        f"Name: keras\nVersion: {keras}\n"
    )
    (here / "keras").mkdir()
    (here / "keras" / "keras.json").write_text('{"floatx": "float32",\n "backend": "jax"}')
    monkeypatch.setenv("KERAS_HOME", str(here / "keras"))
    result = call("doctor", "--python", str(path))
    assert "Keras on    jax\n" in result.stdout
    assert f"{here / 'keras' / 'keras.json'} says so" in result.stdout
    assert result.exit_code == int(keras.startswith("3"))


def test_the_target_is_told_with_who_says_so(call: Call, tmp_path: Path, here: Path) -> None:
    assert "TensorFlow 2.15: a guess" in call("doctor", "--python", str(tmp_path / "no")).stdout
    (here / "requirements.txt").write_text("tensorflow==2.13.1\n")
    requirements.tensorflow.cache_clear()
    told = " ".join(call("doctor", "--python", str(environment(tmp_path))).stdout.split())
    assert "TensorFlow 2.13: requirements.txt asks for it 2.15.1 is installed there" in told


@pytest.mark.parametrize("variable", ["VIRTUAL_ENV", "CONDA_PREFIX"])
def test_the_active_environment_is_asked_before_path(
    call: Call, tmp_path: Path, here: Path, monkeypatch: pytest.MonkeyPatch, variable: str
) -> None:
    """A distify of pipx or uvx finds what the person has activated, or the project's own."""
    on_path(monkeypatch, environment(tmp_path / "other").parent.parent)
    mine = environment(tmp_path / "mine")
    monkeypatch.setenv(variable, str(tmp_path / "mine"))
    why = {"VIRTUAL_ENV": "it is active", "CONDA_PREFIX": "conda has activated it"}
    assert f"({mine}: {why[variable]})" in call("doctor").stdout


def test_a_python_in_the_project_is_named_and_run_by_verify_alone(
    call: Call, tmp_path: Path, here: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It may have come with a checkout, and neither of these runs anything of one."""
    on_path(monkeypatch, environment(tmp_path / "other").parent.parent)
    mine = environment(here / ".venv")
    mine.write_text(f"#!/bin/sh\ntouch {tmp_path}/run\n" + mine.read_text().partition("\n")[2])
    told = call("doctor").stdout
    assert f"Project's   {here / '.venv'}\n" in told
    assert f"--python {here / '.venv'}" in told
    assert call("install-horovod", "--dry-run").exit_code == 0
    assert not (tmp_path / "run").exists()
    (here / "train.py").touch()
    assert program_python.find(Job(here / "train.py")).python == str(mine)
    assert (tmp_path / "run").exists()
