"""`distify verify` under another TensorFlow than that of these tests: `--training-python=PATH`.

`make test-tensorflows` does it for the oldest and the newest. TensorFlow 2.16 and later have no
Estimator, and without it Horovod 0.28.1 has no hook for a MonitoredTrainingSession: there a program
brings its own.
"""

from __future__ import annotations

import json
import subprocess
from pathlib import Path

import pytest
from proof import crime, verify
from recomputed import program, rewritten

from distify.codemods import repairs
from distify.codemods.migrate import migrate
from distify.codemods.model import Options

HERE = Path(__file__).parent
EVERYWHERE = (
    "fit_dataset_not_sharded",
    "fit_rate_not_scaled",
    "monitored_session_broadcast_not_run",
    "session_without_broadcast",
    "session_of_tf_gradients",
    "tape_collective_on_one_worker",
    "tape_rate_without_parentheses",
)
WITH_ESTIMATOR = ("estimator_without_broadcast", "monitored_session_hooks_appended")
FORMS = ("append_returns_none", "python_flag", "train_step_applies")
EXAMPLES = ("keras_fit_arrays", "tape_function", "tape_gan")


@pytest.fixture(scope="session")
def python(request: pytest.FixtureRequest) -> str:
    """The Python that trains."""
    given = request.config.getoption("--training-python")
    if not given:
        pytest.skip("no --training-python: `make test-tensorflows` names them")
    return str(given)


@pytest.fixture(scope="session")
def version(python: str) -> tuple[int, int]:
    """Of its TensorFlow."""
    program = "from importlib.metadata import version as v; print(v('tensorflow-cpu'))"
    said = subprocess.run([python, "-c", program], capture_output=True, text=True, check=True)
    major, minor = said.stdout.split(".")[:2]
    return int(major), int(minor)


@pytest.fixture(autouse=True)
def _keras_2(version: tuple[int, int], monkeypatch: pytest.MonkeyPatch) -> None:
    if version >= (2, 16):
        monkeypatch.setenv("TF_USE_LEGACY_KERAS", "1")


def check(program: Path, folder: Path, python: str, code: str) -> None:
    """Convicted of that code, or with no code: acquitted, its workers seen in step."""
    alone = [] if code == "D104" or not code else ["--no-reference"]
    proof = verify(program, folder, *alone, python=python)
    if code:
        assert code in proof.convicted, str(proof)
    else:
        assert not proof.convicted, str(proof)
        assert "drift" in proof.fine, str(proof)


@pytest.mark.parametrize("name", [*EVERYWHERE, *WITH_ESTIMATOR])
@pytest.mark.parametrize("kind", ["broken", "repaired"])
def test_hazards(
    name: str, kind: str, tmp_path: Path, python: str, version: tuple[int, int]
) -> None:
    if name in WITH_ESTIMATOR and version >= (2, 16):
        pytest.skip("there is no Estimator in this TensorFlow")
    folder = HERE / "hazards" / name
    code = crime(folder / "broken.py") if kind == "broken" else ""
    check(folder / f"{kind}.py", tmp_path, python, code)


@pytest.mark.parametrize("form", FORMS)
def test_published_forms(form: str, tmp_path: Path, python: str) -> None:
    program = HERE / "published" / f"{form}.py"
    check(program, tmp_path, python, crime(program))


@pytest.mark.parametrize("name", EXAMPLES)
def test_examples(name: str, tmp_path: Path, python: str, version: tuple[int, int]) -> None:
    text = (HERE.parents[1] / "examples" / f"{name}.py").read_text(encoding="utf-8")
    keras = "legacy" if version >= (2, 16) else ""
    script = tmp_path / "train.py"
    script.write_text(migrate(text, Options(tensorflow=version, keras=keras)).after, "utf-8")
    proof = verify(script, tmp_path, python=python)
    assert not proof.convicted, str(proof)
    assert {"drift", "ended"} <= set(proof.fine), str(proof)


def test_keras_3_is_convicted(
    tmp_path: Path, python: str, version: tuple[int, int], monkeypatch: pytest.MonkeyPatch
) -> None:
    if version < (2, 16):
        pytest.skip("this TensorFlow has Keras 2")
    monkeypatch.delenv("TF_USE_LEGACY_KERAS")
    check(HERE / "published" / "append_returns_none.py", tmp_path, python, "D100")


LAYERS = """\
class Residual(L.Layer):
    def __init__(self):
        super().__init__()
        self.norm = L.LayerNormalization()
        self.dense = L.Dense(8, activation="gelu")

    def call(self, x):
        return x + self.dense(self.norm(x))


layers = [L.Dense(8, "tanh"), Residual(), Residual(), Residual(), Residual(), L.Dense(8)]
"""


@pytest.mark.parametrize("recompute", ["halves", "sqrt"])
def test_gradients_of_layers_that_are_run_again(
    recompute: str, tmp_path: Path, python: str
) -> None:
    written = (program(LAYERS), rewritten(LAYERS, compiled=True, recompute=recompute))
    paths = [tmp_path / "plain.py", tmp_path / "again.py"]
    for path, text in zip(paths, written):
        path.write_text(text)
    command = [python, str(HERE / "gradients.py"), *map(str, paths)]
    said = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    found = json.loads(said.splitlines()[-1])
    assert found["gradients"] == 20  # two of each dense layer, two of each normalisation
    assert found["eager"] == 0.0
    assert 0.0 <= found["compiled"] <= 1e-5


def test_a_program_of_keras_3_is_in_step_once_it_imports_tf_keras(
    python: str, version: tuple[int, int], tmp_path: Path
) -> None:
    """A17, where TensorFlow has Keras 2 beside it."""
    if version < (2, 16):
        pytest.skip("Keras 2 is that of TensorFlow itself")
    (repair,) = (each for each in repairs.all() if each.rule.code == "A17")
    script = tmp_path / "train.py"
    after = migrate(repair.rule.before, repair.chosen._replace(repair=frozenset({"A17"})))
    assert after.steps[0].code == "A17"
    script.write_text(after.after, encoding="utf-8")
    proof = verify(script, tmp_path, "--no-reference", python=python)
    assert not proof.convicted, str(proof)
    assert {"drift", "ended"} <= set(proof.fine), str(proof)
