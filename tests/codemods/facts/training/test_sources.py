"""What a tape is asked to differentiate by."""

from __future__ import annotations

import pytest

from distify.codemods.facts import Facts
from distify.codemods.facts.training.sources import Sources, sources_of

HEAD = """\
import tensorflow as tf

w = tf.Variable(1.0)
c = tf.constant(1.0)
t = tf.convert_to_tensor(1.0)
listed = [w]
nested = [[w]]
both = a.variables + b.variables
mine = a.trainable_variables
"""
VARIABLES, LIST, SINGLE, NESTED = Sources.VARIABLES, Sources.LIST, Sources.SINGLE, Sources.NESTED
SHAPES = {
    **{
        f"a.{name}": VARIABLES
        for name in (
            "trainable_variables",
            "trainable_weights",
            "variables",
            "weights",
            "non_trainable_variables",
        )
    },
    "a.variables + b.variables": VARIABLES,
    "a.variables + [w]": LIST,
    "both": VARIABLES,
    "mine": VARIABLES,
    "[w]": LIST,
    "(w, c)": LIST,
    "listed": LIST,
    "[*mine, w]": LIST,
    "[a.variables, b.variables]": NESTED,
    "[mine, w]": NESTED,
    "[listed]": NESTED,
    "[nested, w]": NESTED,
    "[[w], w]": NESTED,
    "[(w,)]": NESTED,
    "[{'a': w}]": NESTED,
    "nested": NESTED,
    "{'a': w}": NESTED,
    "{k: v for k, v in a}": NESTED,
    "w": SINGLE,
    "c": SINGLE,
    "t": SINGLE,
    "tf.Variable(1.0)": SINGLE,
    "tf.ones(3)": LIST,
    "f()": LIST,
    "unknown": LIST,
    "a.b": LIST,
    "a[0]": LIST,
    "[f()]": LIST,
    "w if a else [w]": LIST,
}


@pytest.mark.parametrize("text", SHAPES)
def test_the_shape_of_the_sources(text: str) -> None:
    for call in (f"tape.gradient(loss, {text})", f"tape.gradient(loss, sources={text})"):
        facts = Facts.of(HEAD + call)
        assert sources_of(facts, facts.module.body[-1].value) is SHAPES[text]  # type: ignore[attr-defined]


def test_sources_that_are_not_given() -> None:
    facts = Facts.of("tape.gradient(loss)")
    assert sources_of(facts, facts.module.body[-1].value) is LIST  # type: ignore[attr-defined]


@pytest.mark.parametrize(
    ("text", "shape"),
    [
        ("w = tf.Variable(1)\nif a:\n    w = [b]\n", LIST),
        ("w = tf.Variable(1)\nif a:\n    w = tf.Variable(2)\n", SINGLE),
        ("a, w = f()\n", LIST),
        ("def f(w):\n    ", LIST),
    ],
)
def test_sources_that_may_be_several_things(text: str, shape: Sources) -> None:
    facts = Facts.of("import tensorflow as tf\n" + text + "tape.gradient(loss, w)")
    assert sources_of(facts, next(iter(facts.calls("gradient")))) is shape
