"""A monitored session gets Horovod's hook first, whatever list it is given; one worker writes."""

from __future__ import annotations

import pytest

from distify.codemods.migrate import migrate

HEAD = """\
import sys

import numpy as np
import tensorflow.compat.v1 as tf

x = tf.placeholder(tf.float32, [None, 3])
weights = tf.get_variable("weights", [3, 1])
loss = tf.reduce_mean((x @ weights) ** 2)
step = tf.train.get_or_create_global_step()
optimizer = tf.train.AdamOptimizer(0.01)
train = optimizer.minimize(loss, global_step=step)
stop = tf.train.StopAtStepHook(last_step=5000)
log = tf.train.LoggingTensorHook([loss], 5)
config = tf.ConfigProto()
# head
"""
LOOP = """\
    while not sess.should_stop():
        sess.run(train, {x: np.random.rand(4, 3)})
"""
OURS = "hvd.BroadcastGlobalVariablesHook(0)"
TRAIN = "tf.train.MonitoredTrainingSession"
HERE = "hvd.rank() == 0"

SPELLINGS = {
    "no hooks": (f"{TRAIN}(config=config)", f"{TRAIN}(config=config, hooks=[{OURS}])"),
    "None": (f"{TRAIN}(hooks=None, config=config)", f"{TRAIN}(hooks=[{OURS}], config=config)"),
    "an empty list": (
        f"{TRAIN}(hooks=[], config=config)",
        f"{TRAIN}(hooks=[{OURS}], config=config)",
    ),
    "a list": (
        f"{TRAIN}(hooks=[stop], config=config)",
        f"{TRAIN}(hooks=[{OURS}, stop], config=config)",
    ),
    "in its place": (
        f"{TRAIN}('', True, 'm', None, [stop], config=config)",
        f"{TRAIN}('', True, 'm' if {HERE} else None, None, [{OURS}, stop], config=config)",
    ),
    "for the chief": (
        f"{TRAIN}(chief_only_hooks=[log], hooks=[], config=config)",
        f"{TRAIN}(chief_only_hooks=[log] if {HERE} else None, hooks=[{OURS}], config=config)",
    ),
    "a folder for summaries": (
        f"{TRAIN}(summary_dir='m', hooks=[], config=config)",
        f"{TRAIN}(summary_dir='m' if {HERE} else None, hooks=[{OURS}], config=config)",
    ),
    "a session without checkpoints": (
        "tf.train.SingularMonitoredSession([stop], config=config)",
        f"tf.train.SingularMonitoredSession([{OURS}, stop], config=config)",
    ),
    "a session with a creator": (
        "tf.train.MonitoredSession(tf.train.ChiefSessionCreator(config=config), [stop])",
        f"tf.train.MonitoredSession(tf.train.ChiefSessionCreator(config=config), [{OURS}, stop])",
    ),
}
LISTS = {
    "a name": ("hooks = [stop]\n", "hooks", "*hooks"),
    "a list that grows": ("hooks = []\nhooks.append(stop)\n", "hooks", "*hooks"),
    "a function": ("def make():\n    return [stop]\n\n\n", "make()", "*make()"),
    "None, or a list": (
        "hooks = [stop] if sys.argv else None\n",
        "hooks",
        "for hook in hooks or []",
    ),
    "a sum": ("more = [log]\n", "[stop] + more", "for hook in [stop] + more or []"),
}


def after(text: str) -> str:
    found = migrate(HEAD + text)
    assert found.blocked == ()
    return found.after.partition("# head\n")[2]


def flat(text: str) -> str:
    """On one line, without the commas that lines ended in."""
    joined = "".join(line.strip() + " " * line.rstrip().endswith(",") for line in text.splitlines())
    return joined.replace(", )", ")").replace(", ]", "]")


@pytest.mark.parametrize(("given", "expected"), SPELLINGS.values(), ids=SPELLINGS)
def test_horovods_hook_comes_first(given: str, expected: str) -> None:
    assert f"with {expected} as sess:" in flat(after(f"with {given} as sess:\n{LOOP}"))


@pytest.mark.parametrize(("made", "given", "inside"), LISTS.values(), ids=LISTS)
def test_a_list_from_elsewhere_is_spread_behind_it(made: str, given: str, inside: str) -> None:
    text = after(f"{made}with {TRAIN}(hooks={given}) as sess:\n{LOOP}")
    assert f"hooks=[{OURS}, " in flat(text)
    assert inside in text
    assert ("isinstance(" in text) == ("for hook in" in inside)


def test_what_writes_is_left_to_one_worker_where_its_list_grows() -> None:
    text = after(f"hooks = []\nhooks.append(log)\nwith {TRAIN}(hooks=hooks) as sess:\n{LOOP}")
    assert f"if {HERE}:\n    hooks.append(log)\n" in text


def test_hooks_that_are_all_for_one_worker_get_one_condition() -> None:
    text = f"hooks = [log, log]\nwith {TRAIN}(hooks=hooks) as sess:\n{LOOP}"
    put_in = f"if {HERE}:\n    hooks += [log, log]\n"
    assert f"hooks = []\n{put_in}" in after(text)
    one = f"with {TRAIN}(hooks=[log]) as sess:\n{LOOP}"
    assert f"hooks = [{OURS}]\nif {HERE}:\n    hooks.append(log)\n" in after(one)
    alone = f"with {TRAIN}(hooks=[log, log], config=config) as sess:\n{LOOP}"
    assert f"hooks = [{OURS}]\n{put_in}" in after(alone)
    assert "(hooks=hooks, config=config)" in after(alone)
    second = f"with open('a') as f, {TRAIN}(hooks=[log, log], config=config) as sess:\n{LOOP}"
    assert f"[{OURS}, *([log, log] if {HERE} else [])]" in flat(after(second))


def test_a_session_without_a_creator_gets_one_with_a_configuration() -> None:
    text = after(f"with tf.train.MonitoredSession() as sess:\n{LOOP}")
    assert "session_creator=tf.train.ChiefSessionCreator(config=session_config)" in flat(text)
    assert "session_config.gpu_options.visible_device_list = str(hvd.local_rank())" in text


def test_the_loss_that_ends_the_training_is_that_of_all_workers() -> None:
    text = after(f"with {TRAIN}(hooks=[tf.train.NanTensorHook(loss)]) as sess:\n{LOOP}")
    assert "tf.train.NanTensorHook(hvd.allreduce(loss))" in text


def test_the_last_step_is_divided_where_each_worker_draws_its_own_examples() -> None:
    found = migrate(f"{HEAD}with {TRAIN}(hooks=[stop]) as sess:\n{LOOP}").after
    assert "last_step=5000 // hvd.size()" in found


@pytest.mark.parametrize("given", ["num_steps=5000", "5000", "None, 5000"])
def test_so_is_a_number_of_steps_in_whatever_place(given: str) -> None:
    text = HEAD.replace("last_step=5000", given)
    found = migrate(f"{text}with {TRAIN}(hooks=[stop]) as sess:\n{LOOP}").after
    assert f"({given} // hvd.size())" in found


def test_the_last_step_stays_where_all_workers_see_the_same_examples() -> None:
    loop = LOOP.replace("np.random.rand(4, 3)", "np.ones((4, 3))")
    found = migrate(f"{HEAD}with {TRAIN}(hooks=[stop]) as sess:\n{loop}").after
    assert "StopAtStepHook(last_step=5000)" in found


def test_hooks_of_a_program_that_trains_nothing_stay_as_they_are() -> None:
    text = f"{HEAD}print(stop, log)\nhooks = [log]\n".replace("train = optimizer.minimize", "print")
    assert migrate(text.replace("(loss, global_step=step)", "(loss)")).steps == ()
