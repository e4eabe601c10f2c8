"""Notebooks for tests: made of cells, written as the tools write them."""

from __future__ import annotations

import json
from typing import Any

from distify.assistant.files.discovery import Target
from distify.assistant.files.examine import examine_bytes
from distify.assistant.files.outcome import Outcome
from distify.codemods.model import Options

DATA = "import numpy as np\n\nx = np.zeros((64, 4), 'float32')\ny = np.zeros((64, 1), 'float32')"
MODEL = "model = keras.Sequential([keras.layers.Dense(1)])\nmodel.compile('sgd', 'mse')"
FIT = "model.fit(x, y, epochs=2)"
PYTHON = {"kernelspec": {"language": "python"}, "language_info": {"file_extension": ".py"}}


def code(source: str, **more: Any) -> dict[str, Any]:
    lines = source.splitlines(keepends=True)
    start = {"cell_type": "code", "execution_count": None, "metadata": {}, "outputs": []}
    return {**start, "source": lines, **more}


def words(source: str) -> dict[str, Any]:
    return {"cell_type": "markdown", "metadata": {}, "source": source.splitlines(keepends=True)}


def book(*cells: str | dict[str, Any], **more: Any) -> dict[str, Any]:
    made = [code(each) if isinstance(each, str) else each for each in cells]
    return {"cells": made, "metadata": PYTHON, "nbformat": 4, "nbformat_minor": 2, **more}


def training(*before: str, fit: str = FIT, **more: Any) -> dict[str, Any]:
    """One that trains, with the text on top."""
    cells = (*before, f"{DATA}\nfrom tensorflow import keras", MODEL, fit)
    return book(words("# Title"), *cells, **more)


def data(content: Any, **style: Any) -> bytes:
    """As nbformat writes it, unless the style says otherwise."""
    text = json.dumps(content, **{"indent": 1, "ensure_ascii": False, **style}) + "\n"
    return text.encode()


def looked_at(content: bytes, name: str = "train.ipynb") -> Outcome:
    return examine_bytes(Target(name, "", named=True), content, Options())


def migrated(content: bytes) -> Any:
    """The notebook as it becomes."""
    outcome = looked_at(content)
    assert outcome.problem is None, outcome.problem
    assert outcome.after is not None, outcome
    return json.loads(outcome.after)


def sources(content: Any) -> list[str]:
    return ["".join(cell["source"]) for cell in content["cells"]]
