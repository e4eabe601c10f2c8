"""The first worker of each machine downloads; the others wait, and find the files.

A broadcast ends when all have called it: the others call it before the download, the first worker
behind it. https://github.com/horovod/horovod/pull/756,
https://github.com/tensorflow/datasets/issues/1302.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from ..edits import At, Guard, Hoist, Insert, Places, guard, hoist, insert
from ..edits.patterns import EXPRESSION, STATEMENT
from ..facts import Facts
from ..facts.output.download_turns import Turn, extracts, plan
from ._fetch_edits import files_of, rank_of
from ._new_code import fresh, hvd
from ._rewrite import Query, rewrite

FIRST = """\
if {hvd}.local_rank() != 0:
    {hvd}.broadcast(0, root_rank=0)  # wait while the machine's first worker downloads
"""
OTHERS = """\
if {hvd}.local_rank() == 0:
    {hvd}.broadcast(0, root_rank=0)  # now the others find it
"""
ALL = "{hvd}.broadcast(0, root_rank=0)  # each of them extracts it again\n"
WAIT = "{hvd}.broadcast(0, root_rank=0)  # wait for the {files}\n"


def downloads(facts: Facts) -> Iterator[At]:
    """Around what finds files that are there; under a guard what downloads them again."""
    found = plan(facts)
    for turn in found.turns:
        yield from _turn(facts, turn)
    for fetch in found.fetches:
        yield At(fetch.statement, Guard(f"{hvd(facts)}.{rank_of(facts, fetch)}() == 0"))
    for fetch in {fetch.waiting: fetch for fetch in reversed(found.fetches)}.values():
        wait = WAIT.format(hvd=hvd(facts), files=files_of(facts, fetch))
        yield At(fetch.waiting, Insert(after=wait))


def _turn(facts: Facts, turn: Turn) -> Iterator[At]:
    again = ALL if any(extracts(facts, call) for call in turn.calls) else ""
    before, after = FIRST.format(hvd=hvd(facts)), (OTHERS + again).format(hvd=hvd(facts))
    first, last = _place(turn.first, turn.calls[0]), _place(turn.last, turn.calls[-1])
    if isinstance(turn.last, ast.Return):
        yield At(last, Hoist(fresh(facts, "downloaded")))
    if first is last:
        yield At(first, Insert(before, after))
    else:
        yield At(first, Insert(before))
        yield At(last, Insert(after=after))


def _place(statement: ast.stmt, call: ast.Call) -> ast.AST:
    """The call, where D203 may have taken it out of its statement: it names what is printed."""
    if isinstance(statement, ast.Return) and statement.value is not None:
        return statement.value
    return statement if hasattr(statement, "body") else call


@rewrite(
    code="D207",
    name="download-in-turns",
    summary="Let one worker of each machine download first.",
    needs=("D101", "D102"),
    find=downloads,
    before="""\
import os
import urllib.request

import tensorflow as tf

if not os.path.exists("names.txt"):
    urllib.request.urlretrieve("https://example.org/names.txt", "names.txt")
(x, y), _ = tf.keras.datasets.mnist.load_data()
urllib.request.urlretrieve("https://example.org/today.txt", "today.txt")

model = tf.keras.Sequential([tf.keras.layers.Dense(1)])
model.compile("sgd", "mse")
model.fit(x, y)
""",
    after="""\
import os
import urllib.request

import horovod.tensorflow.keras as hvd
import tensorflow as tf

hvd.init()
gpus = tf.config.list_physical_devices("GPU")
for gpu in gpus:
    tf.config.experimental.set_memory_growth(gpu, True)
if gpus:
    tf.config.set_visible_devices(gpus[hvd.local_rank()], "GPU")

if hvd.local_rank() != 0:
    hvd.broadcast(0, root_rank=0)  # wait while the machine's first worker downloads
if not os.path.exists("names.txt"):
    urllib.request.urlretrieve("https://example.org/names.txt", "names.txt")
(x, y), _ = tf.keras.datasets.mnist.load_data()
if hvd.local_rank() == 0:
    hvd.broadcast(0, root_rank=0)  # now the others find it
if hvd.local_rank() == 0:
    urllib.request.urlretrieve("https://example.org/today.txt", "today.txt")
hvd.broadcast(0, root_rank=0)  # wait for the download

model = tf.keras.Sequential([tf.keras.layers.Dense(1)])
model.compile("sgd", "mse")
model.fit(x, y)
""",
    noop=(
        # a temporary file, no download, and a cache that locks itself
        "import tensorflow as tf\nimport tensorflow_hub as hub\nimport urllib.request\n\n"
        'path, _ = urllib.request.urlretrieve("https://example.org/x.csv")\n'
        "base = tf.keras.applications.ResNet50(weights=None)\n"
        'model = tf.keras.Sequential([hub.KerasLayer("https://tfhub.dev/x/1"), base])\n'
        'model.compile("sgd", "mse")\n'
        "model.fit(tf.ones((8, 4)), tf.ones((8, 1)))\n",
    ),
)
def download_in_turns(at: Places) -> Query:
    """What is returned is named first; what waits for a guarded download stays outside of it."""
    return (
        Query()
        .select(EXPRESSION)
        .filter(at.each(Hoist))
        .modify(hoist)
        .select(STATEMENT)
        .filter(at.each(Insert))
        .modify(insert)
        .select(STATEMENT)
        .filter(at.each(Guard))
        .modify(guard)
    )
