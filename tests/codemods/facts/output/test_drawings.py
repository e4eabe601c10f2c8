"""What is drawn for rank 0 alone, and when every worker has to draw."""

from __future__ import annotations

import pytest

from distify.codemods.migrate import migrate

HEAD = """\
import matplotlib.pyplot as plt
import pandas
import seaborn
import tensorflow as tf
from elsewhere import images, use
model = tf.keras.Sequential([tf.keras.layers.Dense(1)])
model.compile("sgd", "mse")
h = model.fit(images, epochs=3)
"""
GUARD = "if hvd.rank() == 0:\n"
# All of it goes under one guard.
ALONE = {
    "beside what is shown": "plt.imshow(images)\nplt.show()\n",
    "before and behind it": "plt.figure()\nplt.plot(h.history['loss'])\nplt.show()\nplt.close()\n",
    "in a loop": "for i in range(4):\n    plt.subplot(2, 2, i + 1)\n    plt.imshow(images)\nplt.savefig('a')\n",
    "with a name that nobody else takes": "figure = plt.figure()\nplt.plot(images)\nplt.show()\n",
    "with a bar of colours": "plt.imshow(images)\nplt.colorbar()\nplt.show()\n",
    "with axes of its own": "a, b = plt.subplots()\nb.plot(images)\nb.set_title('b')\nplt.show()\n",
    "with several axes": "a, b = plt.subplots(1, 2)\nb[0].plot(images)\nb[1].get_xaxis().set_visible(False)\n"
    "a.savefig('a')\nplt.close(a)\n",
    "with the current axes": "plt.imshow(images)\nplt.gca().set_axis_off()\nplt.show()\n",
    "with each of several axes": "a, b = plt.subplots(2)\nfor c in b:\n    c.plot(images)\nplt.show()\n",
    "counted, beside something else": "a, b = plt.subplots(2, 2)\nfor i, (c, d) in enumerate(zip(b.flat, images)):\n"
    "    c.imshow(d)\na.savefig('a')\n",
    "with a part of a figure": "a = plt.figure()\nb = a.add_subplot(111)\nc = b.matshow(images)\na.colorbar(c)\nplt.show()\n",
    "by seaborn": "a, b = plt.subplots()\nseaborn.heatmap(images, ax=b)\nb.set_title('b')\nplt.show()\n",
    "by a table": "pandas.DataFrame(h.history).plot(figsize=(8, 5))\nplt.grid(True)\nplt.show()\n",
    "by a kind of a table's": "a = pandas.DataFrame(h.history)['loss'].plot.line()\na.set_xlabel('b')\nplt.savefig('a')\n",
    "by counts of a table's": "pandas.DataFrame(h.history)['b'].value_counts().plot.bar()\nplt.show()\n",
    "of a list that it fills": "plt.figure()\na = []\nfor b in images:\n    a.append(b)\nplt.plot(a)\nplt.show()\n",
    "with a value of its own": "plt.plot([1, 1], plt.ylim())\nplt.show()\n",
}
# These stay as they are on every worker.
SHARED = {
    "a name that something else takes": ("figure = plt.figure()\nuse(figure)\n", "figure = "),
    "axes that something else takes": ("a, b = plt.subplots()\na.plot(images)\nuse(a)\n", "a.plot"),
    "axes that are kept": ("h.a, b = plt.subplots()\nb.plot(images)\nplt.show()\n", "b.plot"),
    "axes that may be others": ("a = use()\nif h:\n    a = plt.gca()\na.plot(1)\n", "a.plot"),
    "one of several that something else takes": (
        "a, b = plt.subplots(2)\nfor c in b:\n    c.plot(images)\n    use(c)\n",
        "a, b",
    ),
    "a part that something else takes": (
        "a = plt.figure()\nb = a.add_subplot(111)\nb.plot(images)\nuse(b)\nplt.show()\n",
        "b.plot",
    ),
    "a loop over something else": (
        "for c in use():\n    c.plot(images)\nplt.show()\n",
        "for c",
    ),
    "a plot of no table": ("use().plot()\nplt.show()\n", "use()"),
    "axes that are made of themselves": (
        "a = plt.gca()\na = a.twinx()\na.plot(images)\nplt.show()\n",
        "a = a.twinx",
    ),
    "pixels that are read": (
        "a, b = plt.subplots()\nb.plot(1)\nuse(a.canvas.buffer_rgba())\n",
        "b.plot",
    ),
    "a figure of another library": (
        "from elsewhere import a\na.plot(images)\nplt.show()\n",
        "a.plot",
    ),
    "beside what looks for it": ("plt.imshow(images)\nplt.clim(0, 1)\nuse()\n", "plt.imshow"),
    "beside a bar that is used": (
        "plt.imshow(images)\nbar = plt.colorbar()\nuse(bar)\n",
        "plt.imshow",
    ),
    "beside a bar of something computed": (
        "plt.imshow(images)\nplt.colorbar(use())\n",
        "plt.imshow",
    ),
    "beside a count of figures": ("plt.plot(images)\nuse(plt.get_fignums())\n", "plt.plot"),
    "of what changes something": ("plt.plot(use())\n", "use()"),
    "another library": ("from elsewhere import plt\nplt.plot(images)\n", "plt.plot"),
}


def migrated(text: str) -> str:
    """What becomes of the program behind its training."""
    return migrate(HEAD + "# drawn\n" + text).after.partition("# drawn\n")[2]


@pytest.mark.parametrize("text", ALONE.values(), ids=ALONE)
def test_neighbours_that_only_draw_go_under_the_guard(text: str) -> None:
    inside = "".join(f"    {line}" for line in text.splitlines(keepends=True))
    assert migrated(text) == GUARD + inside


@pytest.mark.parametrize(("text", "line"), SHARED.values(), ids=SHARED)
def test_what_others_may_look_at_is_drawn_everywhere(text: str, line: str) -> None:
    kept = [each for each in migrated(text).splitlines() if line in each]
    assert kept
    assert not kept[0].startswith(" ")


DRAW = "def draw(h):\n    plt.plot(h.history['loss'])\n    plt.show()\n\n\n"


def test_a_function_that_only_draws_is_left_out_where_it_is_called() -> None:
    after = migrated(DRAW + "draw(h)\nuse()\ndraw(h)\n")
    assert after == DRAW + f"{GUARD}    draw(h)\nuse()\n{GUARD}    draw(h)\n"


@pytest.mark.parametrize(
    "calls",
    [
        "draw(use())\n",
        "x = draw(h)\n",
        "use(draw)\n",
        "def run():\n    return draw(h)\n\n\nrun()\n",
        "",
        "draw(h)\nx = draw(h)\n",
        "draw(h)\nuse(draw)\n",
    ],
    ids=[
        "with what has an effect",
        "for its value",
        "handed on",
        "returned",
        "not called",
        "once for its value",
        "called and handed on",
    ],
)
def test_it_keeps_its_guard_where_a_call_can_t_be_left_out(calls: str) -> None:
    assert GUARD.replace("if", "    if") in migrated(DRAW + calls)


def test_a_function_that_does_more_keeps_its_guard() -> None:
    text = DRAW.replace("    plt.show()", "    use()\n    plt.show()") + "draw(h)\n"
    assert migrated(text).endswith("\n\n\ndraw(h)\n")


def test_a_second_run_adds_no_guard_inside() -> None:
    after = migrate(HEAD + DRAW + "draw(h)\n").after
    assert migrate(after).after == after


def test_what_such_a_function_writes_is_waited_for_behind_its_call() -> None:
    text = (
        DRAW.replace("plt.show()", "plt.savefig('a.png')")
        + "draw(h)\nimage = plt.imread('a.png')\n"
    )
    after = migrated(text)
    assert f"{GUARD}    draw(h)\nhvd.broadcast(0, root_rank=0)  # wait" in after
