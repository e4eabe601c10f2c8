"""Every session sees the GPU of its process only, and takes no more of its memory than it needs.

Seed 002; https://horovod.readthedocs.io/en/stable/tensorflow.html, step 2. The published rule
writes `config.` whatever the program calls its configuration.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from ..edits import (
    At,
    FoldCall,
    Insert,
    Name,
    Places,
    SetArgument,
    fold_call,
    insert,
    name,
    set_argument,
)
from ..edits.patterns import CALL, STATEMENT
from ..facts import Facts
from ..facts.reaching import comes_before
from ..facts.sessions.configs import SessionConfig, configs
from ..facts.training.graph_patterns import is_distributed, runs_graph
from ._new_code import fresh, hvd, member, spell
from ._rewrite import Query, rewrite

GROW = "{config}.gpu_options.allow_growth = True\n"
PIN = """\
{config}.gpu_options.visible_device_list = str({hvd}.local_rank())
"""
MAKE = "{config} = {made}()\n"
RUN_CONFIG = "estimator.RunConfig"
HOLDER = "{made}({name}={config})"


def session_configs(facts: Facts) -> Iterator[At]:
    """Where a configuration is made, or where the session is that has none; each place once."""
    if not runs_graph(facts) or is_distributed(facts):
        return
    places = {one.made or one.session: one for one in configs(facts).found}
    renews = any(one.made is not None and one.name is None for one in places.values())
    made: list[ast.stmt] = []
    for one in places.values():
        statement = facts.statement(one.session)
        is_there = not renews and any(comes_before(facts, each, statement) for each in made)
        made += [statement] if one.made is None else []
        yield from edits(facts, one, is_there)


def edits(facts: Facts, one: SessionConfig, is_there: bool) -> Iterator[At]:
    """What becomes of one configuration; a session that has none may get one that is there."""
    config = one.name or fresh(facts, "config")
    pin = (PIN if one.grows else GROW + PIN).format(config=config, hvd=hvd(facts))
    if one.made is None:
        made = MAKE.format(config=config, made=member(facts, "ConfigProto"))
        if not is_there:
            yield At(facts.statement(one.session), Insert(before=made + pin))
        yield At(one.session, SetArgument(one.argument, given(facts, one, config), one.position))
        yield At(one.session, FoldCall(one.argument, one.position))
    elif one.name is None:
        yield At(one.made, Name(config, pin))
    else:
        yield At(facts.statement(one.made), Insert(after=pin))


def given(facts: Facts, one: SessionConfig, config: str) -> str:
    """The configuration, or what creates a session with it."""
    if not one.through:
        return config
    name = "session_config" if one.through == RUN_CONFIG else "config"
    made = spell(facts, f"tensorflow.{RUN_CONFIG}") if one.through == RUN_CONFIG else None
    return HOLDER.format(made=made or member(facts, one.through), name=name, config=config)


@rewrite(
    code="D401",
    name="session-config",
    summary="Give each session of TensorFlow 1 one GPU.",
    needs=("D101", "D102"),
    find=session_configs,
    before="""\
import tensorflow.compat.v1 as tf

weight = tf.get_variable("weight", [])
train = tf.train.GradientDescentOptimizer(0.1).minimize((weight - 3) ** 2)
settings = tf.ConfigProto(allow_soft_placement=True)

with tf.Session(config=settings) as sess:
    sess.run(tf.global_variables_initializer())
    sess.run(train)
with tf.Session() as sess:
    sess.run(tf.global_variables_initializer())
    sess.run(train)
sess = tf.Session(config=tf.ConfigProto(log_device_placement=True))
sess.run(tf.global_variables_initializer())
sess.run(train)
""",
    after="""\
import horovod.tensorflow as hvd
import tensorflow.compat.v1 as tf

hvd.init()

weight = tf.get_variable("weight", [])
train = tf.train.GradientDescentOptimizer(0.1).minimize((weight - 3) ** 2)
settings = tf.ConfigProto(allow_soft_placement=True)
settings.gpu_options.allow_growth = True
settings.gpu_options.visible_device_list = str(hvd.local_rank())

with tf.Session(config=settings) as sess:
    sess.run(tf.global_variables_initializer())
    sess.run(train)
config = tf.ConfigProto()
config.gpu_options.allow_growth = True
config.gpu_options.visible_device_list = str(hvd.local_rank())
with tf.Session(config=config) as sess:
    sess.run(tf.global_variables_initializer())
    sess.run(train)
config = tf.ConfigProto(log_device_placement=True)
config.gpu_options.allow_growth = True
config.gpu_options.visible_device_list = str(hvd.local_rank())
sess = tf.Session(config=config)
sess.run(tf.global_variables_initializer())
sess.run(train)
""",
    noop=(
        # nothing is trained
        "import tensorflow.compat.v1 as tf\n\nprint(tf.ConfigProto())\n",
    ),
)
def session_config(at: Places) -> Query:
    """What is made in the call of the session gets a name first, so that it can be changed."""
    return (
        Query()
        .select(CALL)
        .filter(at.each(Name))
        .modify(name)
        .select(STATEMENT)
        .filter(at.each(Insert))
        .modify(insert)
        .select(CALL)
        .filter(at.each(SetArgument))
        .modify(set_argument)
        .select(CALL)
        .filter(at.each(FoldCall))
        .modify(fold_call)
    )
