"""Where a program counts on the length of a data set, it gets as many examples."""

from __future__ import annotations

import importlib
import sys
from pathlib import Path
from typing import Any

import pytest

PROBE = Path(__file__).resolve().parents[4] / "assistant/verify/probe"
OWN = (60_000, 10_000, 50_000)


@pytest.fixture(name="counts_on")
def _counts_on(monkeypatch: pytest.MonkeyPatch) -> Any:
    monkeypatch.syspath_prepend(str(PROBE))
    yield importlib.import_module("distify_probe.lengths").counts_on
    for name in [name for name in sys.modules if name.startswith("distify_probe")]:
        del sys.modules[name]


@pytest.mark.parametrize(
    "text",
    [
        "x = x.reshape(60000, 784)",
        "x = x.reshape((60_000, 28, 28, 1))",
        "dataset = dataset.shuffle(10000)",
        "x_val, x = x[:5000], x[5000:]",
        "x = x[-2000:]",
        "x = x[2000:4000:2, :]",
    ],
)
def test_it_counts_on_a_length(text: str, counts_on: Any) -> None:
    assert counts_on(OWN, 1024, [text])


@pytest.mark.parametrize(
    "text",
    [
        "x = x.reshape(-1, 784)",
        "x = x[:1000]",
        "x = x[0]",
        "# 60000 examples",
        "print('60000')",
        "epochs, words = 5000, 20000",
        "rate = 60000.0",
        "not Python at all:",
        "",
    ],
)
def test_it_does_not(text: str, counts_on: Any) -> None:
    assert not counts_on(OWN, 1024, [text])
