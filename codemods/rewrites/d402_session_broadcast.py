"""All workers take over the variables of worker 0 once they have values, and again when restored.

Seed 002; https://horovod.readthedocs.io/en/stable/tensorflow.html, step 5. Before the initializer
it would do nothing: that gives each worker random values of its own.
"""

from __future__ import annotations

from collections.abc import Iterator

from ..edits import At, Enter, Insert, Places, Wrap, enter, insert, wrap
from ..edits.patterns import CALL, STATEMENT, WITH
from ..facts import Facts
from ..facts.sessions.session_starts import Start, broadcasts, told_restores
from ..facts.sessions.supervisor_sessions import manager_of
from ..facts.training.pattern import is_distributed, runs_sessions
from ._new_code import code, hvd
from ._rewrite import Query, rewrite
from ._supervisors import broadcast, of_supervisors


def session_broadcasts(facts: Facts) -> Iterator[At]:
    """Behind the statements that give the variables of a session their values."""
    if not runs_sessions(facts) or is_distributed(facts):
        return
    yield from of_supervisors(facts)
    for start in broadcasts(facts):
        made = broadcast(facts, manager_of(facts, start.session))
        session = _spelled(facts, start)
        line = f"{session}.run({made})\n" if session else f"{made}.run()\n"
        yield At(start.behind, Insert(after=line))
    for site, start in told_restores(facts).items():
        session = _spelled(facts, start)
        by = f", session={session}" if session else ""
        yield At(site, Wrap(f"{hvd(facts)}.broadcast_object(_{by})"))


def _spelled(facts: Facts, start: Start) -> str:
    return start.written or ("" if start.session is None else code(facts, start.session))


@rewrite(
    code="D402",
    name="session-broadcast",
    summary="Start every worker's session from the variables of worker 0.",
    needs=("D101", "D102"),
    find=session_broadcasts,
    before="""\
import os

import tensorflow.compat.v1 as tf

weight = tf.get_variable("weight", [])
train = tf.train.GradientDescentOptimizer(0.1).minimize((weight - 3) ** 2)
saver = tf.train.Saver()

with tf.Session() as sess:
    sess.run(tf.global_variables_initializer())
    if os.path.exists("checkpoint"):
        saver.restore(sess, "model.ckpt")
    for step in range(100):
        sess.run(train)
""",
    after="""\
import os

import horovod.tensorflow as hvd
import tensorflow.compat.v1 as tf

hvd.init()

weight = tf.get_variable("weight", [])
train = tf.train.GradientDescentOptimizer(0.1).minimize((weight - 3) ** 2)
saver = tf.train.Saver()

with tf.Session() as sess:
    sess.run(tf.global_variables_initializer())
    if os.path.exists("checkpoint"):
        saver.restore(sess, "model.ckpt")
    sess.run(hvd.broadcast_global_variables(0))
    for step in range(100):
        sess.run(train)
""",
    noop=(
        # nothing is trained
        "import tensorflow.compat.v1 as tf\n\n"
        "with tf.Session() as sess:\n    print(sess.run(tf.global_variables_initializer()))\n",
    ),
)
def session_broadcast(at: Places) -> Query:
    """A worker that has not restored waits for those that have: it stands behind the `if`."""
    return (
        Query()
        .select(CALL)
        .filter(at.each(Wrap))
        .modify(wrap)
        .select(STATEMENT)
        .filter(at.each(Insert))
        .modify(insert)
        .select(WITH)
        .filter(at.each(Enter))
        .modify(enter)
    )
