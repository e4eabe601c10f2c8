"""What variables are given is only searched for gradients where a program computes some."""

from __future__ import annotations

import math

from distify.codemods.facts import Facts
from distify.codemods.facts.training.session_runs import training_runs

HEAD = "import tensorflow as tf\n\na = tf.Variable(0.0)\nx0 = tf.ones(3)\n"


def steps(size: int) -> int:
    """The steps for variables of which each is given what all before it are made of."""
    puts = "".join(f"x{i + 1} = tf.exp(x{i})\na.assign(x{i + 1})\n" for i in range(size))
    facts = Facts.of(f"{HEAD}{puts}with tf.Session() as session:\n    session.run(x{size})\n")
    before = facts.program.steps
    assert not training_runs(facts)
    return facts.program.steps - before + 1


def test_a_chain_of_values_is_not_walked_once_for_each() -> None:
    """Whole projects have hundreds of them, each behind most of a program: N04 refused these."""
    assert math.log(steps(400) / steps(200), 2) < 1.1


def steps_in_order(size: int) -> int:
    """The steps for operations each of which runs behind the one before, the first behind a step."""
    text = "import tensorflow as tf\n\nx0 = tf.train.AdamOptimizer(0.1).minimize(f())\n"
    for i in range(size):
        text += f"with tf.control_dependencies([x{i}]):\n    x{i + 1} = tf.identity(1.0)\n"
    facts = Facts.of(f"{text}with tf.Session() as session:\n    session.run(x{size})\n")
    before = facts.program.steps
    assert len(training_runs(facts)) == 1
    return facts.program.steps - before


def test_a_chain_of_orders_is_not_walked_once_for_each() -> None:
    assert math.log(steps_in_order(200) / steps_in_order(100), 2) < 1.1
