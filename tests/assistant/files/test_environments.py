"""Which environments may run a project's programs, and on what its Keras runs."""

from __future__ import annotations

import base64
import hashlib
from pathlib import Path

import pytest

from distify.assistant.files import environments
from distify.assistant.files.environments import Backend, backend, other_backend

from ..conftest import Call

KERAS = """\
import keras

x, y = keras.datasets.mnist.load_data()[0]
model = keras.Sequential([keras.layers.Dense(1)])
model.compile(optimizer="adam", loss="mse")
model.fit(x, y)
"""


@pytest.fixture(autouse=True)
def _bare(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    for name in ("VIRTUAL_ENV", "CONDA_PREFIX", "KERAS_BACKEND", "POETRY_VIRTUALENVS_PATH"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("KERAS_HOME", str(tmp_path))
    monkeypatch.setenv("POETRY_CACHE_DIR", str(tmp_path / "poetry"))


def test_the_active_ones_come_first_then_the_projects_then_distifys_own(
    here: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("VIRTUAL_ENV", "/active")
    monkeypatch.setenv("CONDA_PREFIX", "/conda")
    found = [each.folder for each in environments.environments([str(here)])]
    mine = [str(here / name) for name in (".venv", "venv", ".pixi/envs/default")]
    assert found[:-1] == ["/active", "/conda", *mine]


def test_what_poetry_keeps_apart_is_found_by_the_projects_path(here: Path, tmp_path: Path) -> None:
    word = base64.urlsafe_b64encode(hashlib.sha256(str(here.resolve()).encode()).digest())[:8]
    made = tmp_path / "poetry" / "virtualenvs" / f"my-project-{word.decode()}-py3.11"
    (made / "bin").mkdir(parents=True)
    (made / "bin" / "python").symlink_to("/bin/sh")
    assert str(made) not in [each.folder for each in environments.environments([str(here)])]
    (here / "poetry.lock").touch()
    (found,) = (e for e in environments.environments([str(here)]) if e.folder == str(made))
    assert (found.python, found.why) == (
        str(made / "bin" / "python"),
        "Poetry made it for the project",
    )


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ('{"backend": "jax"}', "jax"),
        ('{\n    "floatx": "float32",\n    "backend" : "torch"\n}', "torch"),
        ('{"backend": "tensorflow"}', ""),
        ('{"floatx": "float32"}', ""),
        ("not JSON", ""),
        ("", ""),
    ],
)
def test_the_file_of_settings_says_the_backend(tmp_path: Path, text: str, name: str) -> None:
    (tmp_path / "keras.json").write_text(text)
    why = f"{tmp_path / 'keras.json'} says so"
    assert other_backend() == (Backend(name, why) if name else None)


def test_the_variable_comes_before_the_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert backend() is None
    (tmp_path / "keras.json").write_text('{"backend": "jax"}')
    monkeypatch.setenv("KERAS_BACKEND", "tensorflow")
    assert other_backend() is None
    monkeypatch.setenv("KERAS_BACKEND", "torch")
    found = other_backend()
    assert found is not None
    assert found.name == "torch"


@pytest.mark.parametrize(
    ("tensorflow", "head", "is_refused"),
    [
        ("2.20", "", True),
        ("2.20", 'import os\nos.environ["KERAS_BACKEND"] = "tensorflow"\n', False),
        ("2.15", "", False),
    ],
)
def test_a_program_for_jax_is_not_migrated(
    call: Call,
    here: Path,
    monkeypatch: pytest.MonkeyPatch,
    tensorflow: str,
    head: str,
    is_refused: bool,
) -> None:
    monkeypatch.undo()  # the real engine, in this folder
    monkeypatch.chdir(here)
    monkeypatch.setenv("KERAS_BACKEND", "jax")
    text = head + (KERAS if tensorflow == "2.20" else KERAS.replace("import keras", IMPORT))
    (here / "train.py").write_text(text)
    told = call("migrate", "--tensorflow", tensorflow, "train.py")
    said = "Keras runs on jax here (KERAS_BACKEND says so in the environment)"
    assert (said in " ".join(told.stdout.split())) == is_refused
    assert told.exit_code == int(is_refused), told.stdout
    assert (here / "train.py").read_text() == text or not is_refused


IMPORT = "from tensorflow import keras"
