"""Which line a line was, also where several next to each other became others."""

from __future__ import annotations

import pytest

from distify.codemods.telling.line_map import LineMap

BEFORE = """\
net = make(size)
net.train(data, steps=9)
print(net.evaluate(tests))
"""
AFTER = """\
config = Config()
net = make(
    size,
    config=config,
)
net.train(
    data, steps=9, hooks=[hook]
)
scores = net.evaluate(tests)
if first:
    print(scores)
"""


@pytest.mark.parametrize(
    ("line", "was"), [("net = make(", 1), ("net.train(", 2), ("scores = net.evaluate(tests)", 3)]
)
def test_a_line_is_the_one_that_it_was_made_of(line: str, was: int) -> None:
    number = AFTER.splitlines().index(line) + 1
    assert LineMap(BEFORE, AFTER).line(number) == was


def test_what_is_new_stands_behind_what_is_there() -> None:
    assert [LineMap("a\nb", "a\nnew\nb").line(n) for n in (1, 2, 3)] == [1, 1, 2]
    assert LineMap("a", "a\nb").line(99) == 1
