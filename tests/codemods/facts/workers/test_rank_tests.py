"""Which tests the worker's number decides."""

from __future__ import annotations

import ast

import pytest

from distify.codemods.facts import Facts
from distify.codemods.facts.workers.rank_tests import is_by_rank

TEXT = """\
import horovod.tensorflow as hvd
import tensorflow as tf

hvd.init()
{}
step = 0
while True:
    step += 1
    if 500 <= step or log is None:
        break
"""


@pytest.mark.parametrize(
    ("made", "expected"),
    [
        ("log = None if hvd.rank() else open('log')", True),
        ("log = None if hvd.size() == 1 else open('log')", False),
        ("import log", False),  # what the loop leaves with hangs on the test itself
    ],
)
def test_what_may_be_none(made: str, expected: bool) -> None:
    facts = Facts.of(TEXT.format(made))
    (asked,) = (node.test for node in facts.index.nodes(ast.If))
    assert is_by_rank(facts, asked) is expected
