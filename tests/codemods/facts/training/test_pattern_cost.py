"""What a function trains is told for all functions together, however they call each other."""

from __future__ import annotations

import math
import sys
from types import FrameType

from distify.codemods.facts import Facts, training_of
from distify.codemods.facts.scopes import FunctionNode
from distify.codemods.facts.training.lattice import Pattern

HEAD = "import tensorflow as tf\n\n\ndef f0(model):\n    model = tf.keras.Sequential()\n"
HEAD += "    model.fit([[1.0]], [[1.0]])\n"


def calls(size: int) -> int:
    """The calls of functions that it takes, where each function calls the one before."""
    text = HEAD + "".join(f"def f{i + 1}(model):\n    f{i}(model)\n" for i in range(size))
    facts = Facts.of(text)
    training, count = training_of(facts), 0
    functions = [node for node in facts.index.scopes if isinstance(node, FunctionNode)]

    def profile(frame: FrameType, event: str, argument: object) -> None:
        nonlocal count
        count += event == "call"

    before = sys.getprofile()
    sys.setprofile(profile)
    try:
        found = {training.summary(function) for function in functions}
    finally:
        sys.setprofile(before)
    assert found == {Pattern.KERAS}
    return count


def test_a_chain_of_calls_is_not_gone_down_once_for_each() -> None:
    assert math.log(calls(200) / calls(100), 2) < 1.1
