"""What `zip` joins behind `shuffle` and `batch` is shared out before, each dataset for itself."""

from __future__ import annotations

import pytest

from distify.codemods.migrate import migrate

TEXT = """\
import tensorflow as tf

x, y = tf.ones((30, 2)), tf.ones((41, 2))
a = tf.data.Dataset.from_tensor_slices(x).shuffle(30).batch(2)
b = tf.data.Dataset.from_tensor_slices(y).shuffle(41).batch(2)
w = tf.Variable([[1.0], [1.0]])
opt = tf.keras.optimizers.SGD(0.1)
for one, other in tf.data.Dataset.zip((a, b)):
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean((one + other) @ w)
    opt.apply_gradients([(tape.gradient(loss, w), w)])
"""
SHARED = "tf.data.Dataset.from_tensor_slices({0})\n    .take(len({0}) // hvd.size() * hvd.size())\n    .shard(hvd.size(), hvd.rank())\n"


def after(*changes: tuple[str, str]) -> tuple[str, list[str]]:
    text = TEXT
    for old, new in changes:
        assert old in text
        text = text.replace(old, new)
    found = migrate(text)
    assert found.blocked == ()
    return found.after, [note.code for note in found.notes]


@pytest.mark.parametrize(
    "changes",
    [
        (),
        ((".shuffle(30)", ""), (".shuffle(41)", "")),
        (("zip((a, b))", "zip((a, b)).prefetch(1)"),),
        (("zip((a, b))", "zip((a, b)).shuffle(9).repeat(2)"),),
        (("zip((a, b))", "zip([a, b])"),),
        (("for one", "next(iter(a))\nfor one"),),
        (("for one", "print(len(b))\nfor one"),),
        (("for one", "c = tf.data.Dataset.zip((tf.data.Dataset.range(3).batch(2),))\nfor one"),),
    ],
)
def test_each_of_them_is_shared_out(changes: tuple[tuple[str, str], ...]) -> None:
    text, notes = after(*changes)
    assert SHARED.format("x") in text
    assert SHARED.format("y") in text
    assert notes == []


def test_the_count_of_what_comes_of_it_is_divided() -> None:
    text, notes = after(("zip((a, b))", "zip((a, b)).take(8)"))
    assert SHARED.format("x") in text
    assert ".take(max(1, 8 // hvd.size()))" in text
    assert notes == []


@pytest.mark.parametrize(
    "changes",
    [
        (("for one", "from mine import look\nlook(a)\nfor one"),),
        (("for one", "for each in b:\n    print(each)\nfor one"),),
        (("for one", "c = tf.data.Dataset.zip((a, a))\nprint(list(c))\nfor one"),),
        (("for one", "from mine import f\nboth = (a, b)\nf(both)\nfor one"),),
        (("zip((a, b))", "zip((a, b)).filter(lambda p, q: p[0, 0] > 0)"),),
        (("b = tf", "from mine import b\nb_ = tf"),),
        (
            ("for one, other in tf.data.Dataset.zip((a, b))", "for one, other in c"),
            ("w =", "c = tf.data.Dataset.zip((a, b))\nprint(list(c))\nw ="),
        ),
    ],
)
def test_all_or_none(changes: tuple[tuple[str, str], ...]) -> None:
    """What something else needs all of, what is sifted behind, and what can't be followed."""
    text, notes = after(*changes)
    assert ".shard(" not in text
    assert notes == ["D107"]
