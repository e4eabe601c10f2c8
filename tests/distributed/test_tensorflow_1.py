"""Programs of TensorFlow 1.15 as they stand, `import tensorflow as tf`: `--training-python=PATH`.

`make test-tensorflow-1` names it, where there is a Python 3.7. The probe of `verify` runs there.
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest
from proof import crime, verify

HERE = Path(__file__).parent
EXAMPLES = sorted((HERE.parents[1] / "examples" / "tf1").glob("*.py"))
BROKEN = (
    "estimator_without_broadcast",
    "monitored_session_hooks_appended",
    "session_of_tf_gradients",
    "session_without_broadcast",
)
# Lines that make TensorFlow 2 run a program of TensorFlow 1.
_MODERN = re.compile(r"^tf\.(?:compat\.v1\.)?disable_\w+\(\)\n", re.MULTILINE)


@pytest.fixture(scope="session")
def python(request: pytest.FixtureRequest) -> str:
    """The Python that trains."""
    given = request.config.getoption("--training-python")
    if not given:
        pytest.skip("no --training-python: `make test-tensorflow-1` names it")
    return str(given)


def plain(program: Path, folder: Path) -> Path:
    """A copy that only TensorFlow 1 runs."""
    text = _MODERN.sub("", program.read_text(encoding="utf-8"))
    text = text.replace("import tensorflow.compat.v1 as tf", "import tensorflow as tf")
    folder.mkdir()
    copy = folder / program.name
    copy.write_text(text, encoding="utf-8")
    return copy


@pytest.mark.parametrize("example", EXAMPLES, ids=lambda path: str(path.stem))
def test_examples_train_in_step(example: Path, tmp_path: Path, python: str, distify: Any) -> None:
    program = plain(example, tmp_path / "plain")
    done = distify("migrate", "--no-cache", "--tensorflow", "1.15", str(program))
    assert done.returncode == 0, done.stdout
    assert "import tensorflow as tf\n" in program.read_text(encoding="utf-8")
    proof = verify(program, tmp_path, "--no-reference", python=python)
    assert not proof.convicted, str(proof)
    assert {"drift", "broadcast", "averaging", "steps"} <= proof.fine, str(proof)


@pytest.mark.parametrize("name", BROKEN)
def test_broken_ones_are_convicted(name: str, tmp_path: Path, python: str) -> None:
    broken = HERE / "hazards" / name / "broken.py"
    proof = verify(plain(broken, tmp_path / "plain"), tmp_path, "--no-reference", python=python)
    assert crime(broken) in proof.convicted, str(proof)
