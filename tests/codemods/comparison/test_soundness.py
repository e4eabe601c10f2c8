"""The checks must see every change that a rewrite has no business to make."""

from __future__ import annotations

import ast

import pytest

from distify.codemods.comparison.soundness import check
from distify.codemods.model import UnsoundResult
from distify.codemods.syntax import Source

BEFORE = '''\
"""Docs."""
import tensorflow as tf
import horovod.tensorflow as hvd

# numbers
a = 1
if a:
    b = f(a, 2)  # rate
    # inside
    print(b)
else:
    c = "x"


def train(x):
    """Trains."""
    with tf.GradientTape() as tape:
        loss = g(x)
        other = h(x)
    print(loss)
    return loss


if q:
    text = """
    one
"""
'''


def named(source: Source, *texts: str) -> list[ast.AST]:
    """The nodes with these texts; of several the first, of nested ones the outermost."""
    nodes = list(ast.walk(source.module))
    nodes = [n for n in nodes if not isinstance(getattr(n, "ctx", None), ast.Store)]
    return [
        next(n for n in nodes if ast.get_source_segment(source.text, n) == text) for text in texts
    ]


def verdict(old: str, new: str, *places: str) -> str:
    """What `check` says when `old` becomes `new` in BEFORE: "" or the message."""
    source = Source(BEFORE)
    assert BEFORE.count(old) == 1
    after = BEFORE.replace(old, new)
    parents = {c: n for n in ast.walk(source.module) for c in ast.iter_child_nodes(n)}
    try:
        check(source, [("D999", after, named(source, *places))], parents, "<test>")
    except UnsoundResult as error:
        return error.message
    return ""


SOUND = {
    "an expression at its place": ("f(a, 2)", "f(a, 2 * a)", ("2",)),
    "a line after a place": ("# rate\n", "# rate\n    d = 4\n", ("f(a, 2)",)),
    "a line before a place": ("    b = f", "    d = 4\n    b = f", ("f(a, 2)",)),
    "a guarded statement": (
        "    print(b)\n",
        "    if hvd.rank() == 0:\n        print(b)\n",
        ("print(b)",),
    ),
    "a statement removed": ("    print(loss)\n", "", ("print(loss)",)),
    "a line after a with": (
        "    print(loss)\n",
        "    tape = hvd.wrap(tape)\n    print(loss)\n",
        ("tf.GradientTape()",),
    ),
    "another condition before a changed one": (
        "if a:\n",
        "if not done:\n    done = 1\nif a and hvd.rank() == 0:\n",
        ("a",),
    ),
    "a block that is a place removed": (
        'if q:\n    text = """\n    one\n"""\n',
        "",
        ('if q:\n    text = """\n    one\n"""',),
    ),
    "the condition of a place": (
        "if a:\n",
        "if a and hvd.rank() == 0:\n",
        ('if a:\n    b = f(a, 2)  # rate\n    # inside\n    print(b)\nelse:\n    c = "x"',),
    ),
    "one more condition for an if of places": (
        "if q:\n",
        "if q and hvd.rank() == 0:\n",
        ('text = """\n    one\n"""',),
    ),
    "an else of a place narrowed": ("else:", "elif hvd.rank() == 0:", ('c = "x"',)),
    "a guarded block": (
        """\
    with tf.GradientTape() as tape:
        loss = g(x)
        other = h(x)
""",
        """\
    if q:
        with tf.GradientTape() as tape:
            loss = g(x)
            other = h(x)
""",
        ("with tf.GradientTape() as tape:\n        loss = g(x)\n        other = h(x)",),
    ),
}


@pytest.mark.parametrize("case", SOUND)
def test_what_a_rewrite_may_do_passes(case: str) -> None:
    old, new, places = SOUND[case]
    assert verdict(old, new, *places) == ""


UNSOUND = {
    "a constant elsewhere": ("a = 1", "a = 2", ("2",)),
    "an int became a bool": ("a = 1", "a = True", ("2",)),
    "an argument beside the place": ("f(a, 2)", "f(b, 2 * 2)", ("2",)),
    "a line away from the place": ("# numbers", "d = 4\n# numbers", ("2",)),
    "a line after the function": ("    return loss\n", "    return loss\nd = 4\n", ("2",)),
    "an inner statement of a guarded block": ("loss = g(x)", "loss = h(x)", ("tf.GradientTape()",)),
    "a statement gone": ("        other = h(x)\n", "", ("tf.GradientTape()",)),
    "statements swapped": (
        "        loss = g(x)\n        other = h(x)\n",
        "        other = h(x)\n        loss = g(x)\n",
        ("tf.GradientTape()",),
    ),
    "an untouched statement guarded": (
        "    print(loss)\n    return loss\n",
        "    if hvd.rank() == 0:\n        print(loss)\n        return loss\n",
        ("print(loss)",),
    ),
    "a docstring displaced": (
        '    """Trains."""\n',
        '    d = 4\n    """Trains."""\n',
        ("tf.GradientTape()",),
    ),
    "a comment gone": ("# numbers\n", "", ("2",)),
    "a comment changed": ("# inside", "# outside", ("print(b)",)),
    "a quote changed": ('c = "x"', "c = 'x'", ("print(b)",)),
    "inside a string of many lines": ("    one\n", "    two\n", ("print(b)",)),
    "one more condition for other statements": (
        "if a:\n",
        "if a and hvd.rank() == 0:\n",
        ("print(b)",),
    ),
    "another kind of condition": (
        "if q:\n",
        "if q or hvd.rank() == 0:\n",
        ('text = """\n    one\n"""',),
    ),
    "the condition of no place": ("if a:\n", "if b:\n", ("print(b)",)),
    "the block of a place": (
        "    b = f(a, 2)",
        "    b = f(a, 3)",
        ('if a:\n    b = f(a, 2)  # rate\n    # inside\n    print(b)\nelse:\n    c = "x"',),
    ),
    "a space changed": ("a = 1", "a =  1", ("print(b)",)),
    "a newline style changed": ("a = 1\n", "a = 1\r\n", ("print(b)",)),
    "an else narrowed, which holds no place": (
        "else:",
        "elif hvd.rank() == 0:",
        ("print(b)",),
    ),
    "an else gone": ('else:\n    c = "x"\n', "", ("print(b)",)),
    "a name that nothing binds": ("f(a, 2)", "f(a, 2 * size)", ("2",)),
    "a name that only a keyword has": ("f(a, 2)", "f(a, size=2 * size)", ("f(a, 2)",)),
    "no program": ("f(a, 2)", "f(a, 2 * )", ("2",)),
    "a second global": (
        "    print(loss)\n",
        "    global loss\n    print(loss)\n",
        ("print(loss)",),
    ),
}


@pytest.mark.parametrize("case", UNSOUND)
def test_what_no_rewrite_may_do_is_refused(case: str) -> None:
    old, new, places = UNSOUND[case]
    assert verdict(old, new, *places) != ""


def test_the_first_rule_that_did_it_is_named() -> None:
    source = Source("a = 1\nb = 2\n")
    place = named(source, "1")
    steps = [
        ("D001", "a = 1 * 2\nb = 2\n", place),
        ("D002", "a = 1 * 2\nb = 3\n", []),
        ("D003", "a = 1 * 2\nb = 4\n", []),
    ]
    parents = {c: n for n in ast.walk(source.module) for c in ast.iter_child_nodes(n)}
    with pytest.raises(UnsoundResult) as caught:
        check(source, steps, parents, "<test>")
    assert (caught.value.rule, caught.value.line) == ("D002", 2)


def test_an_if_may_get_under_a_guard_with_what_follows_it() -> None:
    """The statements behind the guard have partners, however many stand in the inner `if`."""
    before = """\
import hvd
if a:
    b = 1
    c = 2
    save(b)
print(b)
if d:
    e = 3
    print(e)
"""
    after = """\
import hvd
if hvd.rank() == 0:
    if a:
        b = 1
        c = 2
        save(b)
    print(b)
if d:
    e = 3
    if hvd.rank() == 0:
        print(e)
"""
    source = Source(before)
    first = source.module.body[1]
    places = [first, *named(source, "print(b)", "print(e)")]
    parents = {c: n for n in ast.walk(source.module) for c in ast.iter_child_nodes(n)}
    check(source, [("D203", after, places)], parents, "<test>")
    lost = after.replace("    e = 3\n", "")
    with pytest.raises(UnsoundResult):
        check(source, [("D203", lost, places)], parents, "<test>")


ELSE = """\
import hvd
if a:
    b = 1
else:{comment}
    print(b)
{more}"""


@pytest.mark.parametrize(
    ("comment", "more", "is_sound"),
    [("", "", True), ("  # the last", "", False), ("", "    a = b\n", False)],
)
def test_an_else_that_becomes_an_elif_holds_places_alone(
    comment: str, more: str, is_sound: bool
) -> None:
    before = ELSE.format(comment=comment, more=more)
    after = before.replace(f"else:{comment}", "elif hvd.rank() == 0:")
    source = Source(before)
    places = named(source, "print(b)")
    parents = {c: n for n in ast.walk(source.module) for c in ast.iter_child_nodes(n)}
    steps = [("D203", after, places)]
    if is_sound:
        check(source, steps, parents, "<test>")
    else:
        with pytest.raises(UnsoundResult):
            check(source, steps, parents, "<test>")
