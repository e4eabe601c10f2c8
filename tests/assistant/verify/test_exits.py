"""Where a loop of the program ends early, as its text says."""

from __future__ import annotations

from pathlib import Path

import pytest

from distify.assistant.verify.judges._loop_exits import Exit, early_exit

STEP = """\
def step(x):
    return train(x)


"""
OUTER = """\
for epoch in range(9):
    for x in data:
        step(x)
    if done(epoch):
        print("done")
        break
"""
INNER = """\
for n, x in enumerate(data):
    with timed():
        loss = step(x)
        if loss < 0.5:
            return loss
"""
RESUMED = """\
for epoch in range(begun(), 9):
    for x in data:
        step(x)
    if done(epoch):
        break
"""
OTHERS = """\
for x in data:
    step(x)
    for each in x:
        if each:
            break
    def look():
        if x:
            return
    if x:
        print(x)
for x in data:
    if x:
        break
"""


@pytest.mark.parametrize(
    ("text", "where", "found"),
    [
        (OUTER, "train.py:3", Exit("train.py:4", False)),
        (STEP + OUTER, "train.py:2", Exit("train.py:8", False)),  # the step is a function's
        (INNER, "train.py:3", Exit("train.py:4", True)),
        (RESUMED, "train.py:3", None),  # it may begin elsewhere
        (OTHERS, "train.py:2", None),
        (OUTER, None, None),
        (OUTER, "other.py:3", None),
        ("for", "train.py:1", None),
    ],
)
def test_exits(text: str, where: str | None, found: Exit | None, tmp_path: Path) -> None:
    (tmp_path / "train.py").write_text(text)
    assert early_exit(tmp_path, where) == found
