"""What is drawn for rank 0 alone, and when every worker has to draw."""

from __future__ import annotations

import pytest

from distify.codemods.migrate import migrate

HEAD = """\
import matplotlib.pyplot as plt
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
    "with a value of its own": "plt.plot([1, 1], plt.ylim())\nplt.show()\n",
}
# These stay as they are on every worker.
SHARED = {
    "a name that something else takes": ("figure = plt.figure()\nuse(figure)\n", "figure = "),
    "axes of its own": ("a, b = plt.subplots()\na.plot(images)\nplt.show()\n", "a.plot"),
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
