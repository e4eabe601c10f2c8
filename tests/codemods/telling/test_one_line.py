"""A statement over several lines is told in one; what fits a line is told as it stands."""

from __future__ import annotations

import pytest

from distify.codemods.telling.one_line import in_one_line

TEXT = '''\
a = f(1)
if a:
    model.fit(
        x[shard],
        y[shard],
        callbacks=[
            one(0),
        ],
    )
for b in c:
    pass
data = (
    one()
    .two(3)
)
text = """(
"""
f(
'''


@pytest.mark.parametrize(
    ("line", "told"),
    [
        (1, "a = f(1)"),
        (2, "if a:"),
        (3, "model.fit(x[shard], y[shard], callbacks=[one(0)])"),
        (10, "for b in c:"),
        (12, "data = (one() .two(3))"),
        (18, "f("),
        (99, ""),
    ],
)
def test_it_is_told_whole(line: int, told: str) -> None:
    assert in_one_line(TEXT, line) == told
