"""A cache file that several workers would write blocks; a cache in memory does not."""

from __future__ import annotations

import pytest

from distify.codemods.migrate import migrate

HEAD = "import tensorflow as tf\nfrom functools import cache\n"
FIT = "m = tf.keras.Sequential([])\nm.compile('sgd')\nm.fit(ds)\n"


def codes(line: str) -> list[tuple[str, int]]:
    """What blocks the program, with lines."""
    return [(finding.code, finding.line) for finding in migrate(HEAD + line + FIT).blocked]


@pytest.mark.parametrize(
    "given", ["'train.cache'", "path", "filename='a' + b", "str(folder / 'x')"]
)
def test_a_file_blocks(given: str) -> None:
    assert codes(f"ds = tf.data.Dataset.range(8).cache({given}).batch(2)\n") == [("K05", 3)]


@pytest.mark.parametrize(
    "line",
    [
        "ds = tf.data.Dataset.range(8).cache().batch(2)\n",
        "ds = tf.data.Dataset.range(8).cache('').batch(2)\n",
        "ds = tf.data.Dataset.range(8).batch(2)\nstore.cache('x')\n",
        "ds = tf.data.Dataset.range(8).batch(2)\ncache(print)\n",
    ],
)
def test_anything_else_does_not(line: str) -> None:
    assert codes(line) == []
