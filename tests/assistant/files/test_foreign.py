"""Programs of other frameworks are told what they are, and what is for them."""

from __future__ import annotations

from pathlib import Path

import pytest

from distify.assistant.files.foreign import FRAMEWORKS, framework, sentence

from ..conftest import ALREADY, TRAIN, Call

SAID = "No TensorFlow training loop here: this is"
TORCH = "import torch\nfrom torch import nn\n"


@pytest.mark.parametrize("words", [[], ["."], ["train.py"]])
@pytest.mark.parametrize(
    ("text", "name", "way"),
    [
        (TORCH, "PyTorch", "torchrun"),
        ("import torch\nfrom transformers import Trainer\n", "transformers", "accelerate"),
        ("import numpy as np\nimport jax.numpy as jnp\n", "JAX", "jax.distributed"),
        ("from sklearn.svm import SVC\nSVC().fit(x, y)\n", "scikit-learn", "joblib"),
        ("def main():\n    import lightning as L\n", "Lightning", "num_nodes"),
    ],
)
def test_it_is_said_what_it_is_and_what_is_for_it(
    call: Call, text: str, name: str, way: str, words: list[str]
) -> None:
    Path("train.py").write_text(text)
    result = call("check", *words)
    assert result.exit_code == 0
    (line,) = [each for each in result.stdout.splitlines() if each.startswith(SAID)]
    assert line.startswith(f"{SAID} {name}; distify is not for it (")
    assert way in line


@pytest.mark.parametrize(
    "text",
    [TRAIN, ALREADY, "x = 1\n", "torch = 1\n", "# import torch\n", "import torchless\n",
     TORCH + "import tensorflow as tf\n"],
)  # fmt: skip
def test_nothing_is_said_of_what_is_no_other_framework(call: Call, text: str) -> None:
    Path("train.py").write_text(text)
    assert SAID not in call("check", "train.py").stdout


def test_where_something_is_found_it_is_not_said(call: Call) -> None:
    Path("train.py").write_text(TRAIN)
    Path("other.py").write_text(TORCH)
    assert SAID not in call("check", ".").stdout


def test_what_most_files_import_counts(tmp_path: Path) -> None:
    for number, text in enumerate(["import sklearn\n", TORCH, TORCH, "\x00"]):
        (tmp_path / f"{number}.py").write_text(text)
    found = framework([*map(str, tmp_path.iterdir()), str(tmp_path / "gone.py")])
    assert found == FRAMEWORKS["torch"]


def test_each_sentence_fits_two_lines() -> None:
    assert max(len(sentence(each)) for each in FRAMEWORKS.values()) <= 160
