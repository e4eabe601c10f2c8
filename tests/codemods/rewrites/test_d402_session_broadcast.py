"""All workers start a session from the variables of worker 0: behind what gives them values."""

from __future__ import annotations

import pytest

from distify.codemods.migrate import migrate

HEAD = """\
import os

import tensorflow.compat.v1 as tf

weight = tf.get_variable("weight", [])
train = tf.train.GradientDescentOptimizer(0.1).minimize(weight ** 2)
init, saver = tf.global_variables_initializer(), tf.train.Saver()
iterator = tf.data.make_initializable_iterator(tf.data.Dataset.range(8))
sess = tf.InteractiveSession()
# head
"""
STEPS = "for step in range(10):\n    sess.run(train)\n"
RUN = "sess.run(hvd.broadcast_global_variables(0))\n"

CASES = {
    "behind the initializer": ("sess.run(init)\n", f"sess.run(init)\n{RUN}"),
    "behind one that runs in the default session": (
        "init.run()\n",
        "init.run()\nhvd.broadcast_global_variables(0).run()\n",
    ),
    "behind the initializer of some variables": (
        "sess.run(weight.initializer)\n",
        f"sess.run(weight.initializer)\n{RUN}",
    ),
    "behind the last of two that follow each other": (
        "sess.run(init)\nsaver.restore(sess, 'c')\n",
        f"sess.run(init)\nsaver.restore(sess, 'c')\n{RUN}",
    ),
    "behind the last of two that spell the only session otherwise": (
        "init.run()\nsaver.restore(sess, 'c')\n",
        f"init.run()\nsaver.restore(sess, 'c')\n{RUN}",
    ),
    "behind both where there are two sessions": (
        "init.run()\nother = tf.Session()\nsaver.restore(other, 'c')\n",
        "init.run()\nhvd.broadcast_global_variables(0).run()\nother = tf.Session(config=config)\n"
        "saver.restore(other, 'c')\nother.run(hvd.broadcast_global_variables(0))\n",
    ),
    "behind a restore that names what it is given": (
        "saver.restore(save_path='c', sess=sess)\n",
        f"saver.restore(save_path='c', sess=sess)\n{RUN}",
    ),
    "outside of an `if` that one worker may answer by itself": (
        "sess.run(init)\nif os.path.exists('c'):\n    saver.restore(sess, 'c')\n",
        f"sess.run(init)\nif os.path.exists('c'):\n    saver.restore(sess, 'c')\n{RUN}",
    ),
    "once for two branches": (
        "if os.path.exists('c'):\n    saver.restore(sess, 'c')\nelse:\n    sess.run(init)\n",
        "if os.path.exists('c'):\n    saver.restore(sess, 'c')\nelse:\n    sess.run(init)\n" + RUN,
    ),
    "an iterator is begun anew, and no variable": (
        "sess.run(init)\nsess.run(iterator.initializer)\n",
        f"sess.run(init)\n{RUN}sess.run(iterator.initializer)\n",
    ),
    "behind a restore that training lies before": (
        "sess.run(init)\nsess.run(train)\nsaver.restore(sess, 'c')\n",
        f"sess.run(init)\n{RUN}sess.run(train)\nsaver.restore(sess, 'c')\n{RUN}",
    ),
}


@pytest.mark.parametrize(("before", "after"), CASES.values(), ids=CASES)
def test_a_broadcast_follows_what_gives_values(before: str, after: str) -> None:
    found = migrate(HEAD + before + STEPS)
    assert found.blocked == ()
    assert found.after.partition("# head\n")[2].partition("for step")[0] == after


def test_what_trains_without_a_session_is_not_broadcast_so() -> None:
    text = "import tensorflow as tf\nmodel = tf.keras.Sequential()\nmodel.compile('sgd')\n"
    assert "broadcast_global" not in migrate(text + "model.fit([[1.0]], [[1.0]])\n").after


TRAINER = """\
import os

import tensorflow.compat.v1 as tf


class Trainer:
    def __init__(self, sess):
        self.sess = sess
        self.weight = tf.get_variable("weight", [])
        self.saver = tf.train.Saver()

    def load(self, folder):
        state = tf.train.get_checkpoint_state(folder)
        if state and state.model_checkpoint_path:
            self.saver.restore(self.sess, state.model_checkpoint_path)
            return True, 7
        else:
            return False, 0

    def train(self):
        step = tf.train.AdamOptimizer(0.1).minimize(self.weight ** 2)
        self.sess.run(tf.global_variables_initializer())
        count = 0
        # head
        for _ in range(10):
            self.sess.run(step)


with tf.Session() as sess:
    trainer = Trainer(sess)
    trainer.train()
    # tail
"""
SELF = "        self.sess.run(hvd.broadcast_global_variables(0))\n"
RETURNING = {
    "behind the call that tells whether it has restored": (
        "        found, told = self.load('c')\n        if found:\n            count = told\n",
        "        found, told = self.load('c')\n" + SELF,
    ),
    "behind the question for it": (
        "        if self.load('c')[0]:\n            count = 1\n        else:\n            count = 2\n",
        "            count = 2\n" + SELF,
    ),
    "where it is asked for only if an option says so": (
        "        if os.environ.get('LOAD'):\n            self.load('c')\n",
        "            self.load('c')\n" + SELF,
    ),
}


@pytest.mark.parametrize(("before", "after"), RETURNING.values(), ids=RETURNING)
def test_all_meet_behind_a_function_that_may_have_restored(before: str, after: str) -> None:
    found = migrate(TRAINER.replace("        # head\n", before))
    assert found.blocked == (), found.blocked
    assert after in found.after
    assert found.after.count("broadcast_global_variables") == 1, "once for both"


def test_the_session_has_the_name_that_the_caller_gives_it() -> None:
    text = TRAINER.replace(
        "    # tail\n", "    if not trainer.load('c')[0]:\n        raise ValueError\n"
    )
    found = migrate(text)
    assert found.blocked == (), found.blocked
    assert "ValueError\n    trainer.sess.run(hvd.broadcast_global_variables(0))\n" in found.after


FUNCTION = """\
import tensorflow.compat.v1 as tf

weight = tf.get_variable("weight", [])
train = tf.train.GradientDescentOptimizer(0.1).minimize(weight ** 2)
saver = tf.train.Saver()


def load(session, folder):
    path = tf.train.latest_checkpoint(folder)
    if path is None:
        return False
    saver.restore(session, path)
    return True


with tf.Session() as sess:
    sess.run(tf.global_variables_initializer())
    # head
    for step in range(10):
        sess.run(train)
"""


def test_an_early_return_leaves_the_function_alone() -> None:
    found = migrate(FUNCTION.replace("    # head\n", "    load(sess, 'c')\n"))
    assert found.blocked == (), found.blocked
    assert "    load(sess, 'c')\n    sess.run(hvd.broadcast_global_variables(0))\n" in found.after


@pytest.mark.parametrize(
    "call",
    [
        "    if load(sess, 'c'):\n        sess.run(train)\n",
        "    while load(sess, 'c'):\n        pass\n",
        "    first = lambda: load(sess, 'c')\n    first()\n",
        "    list(map(load, [sess], ['c']))\n",
    ],
    ids=["a step in the `if` of the call", "a loop's test", "a lambda", "called by others"],
)
def test_where_no_place_is_for_all_the_reason_is_named(call: str) -> None:
    found = migrate(FUNCTION.replace("    # head\n", call))
    assert {finding.code for finding in found.blocked} <= {"T06", "T07"}
    assert found.blocked


def test_what_a_handler_initializes_is_broadcast_behind_the_try() -> None:
    tried = "try:\n    sess.run(init)\nexcept Exception:\n    init.run()\n"
    found = migrate(HEAD + tried + STEPS)
    assert found.blocked == (), found.blocked
    assert found.after.count("broadcast_global_variables") == 1
    assert "    init.run()\nhvd.broadcast_global_variables(0).run()\n" in found.after


GOING_ON = "        found, told = self.load('c')\n        start = told + 1 if found else 0\n"


def test_worker_0_tells_how_far_a_restore_had_come_where_the_loop_goes_on_from_there() -> None:
    text = TRAINER.replace("        # head\n", GOING_ON).replace("range(10)", "range(start, 10)")
    text = text.replace("True, 7", "True, int(state.model_checkpoint_path.split('-')[-1])")
    found = migrate(text)
    assert found.blocked == (), found.blocked
    told = "found, told = hvd.broadcast_object(self.load('c'), session=self.sess)\n"
    assert f"{told}{SELF}" in found.after
    assert not any("this count" in note.message for note in found.notes)


def test_nobody_is_told_a_count_to_which_another_file_adds() -> None:
    """Each worker would still read that one for itself."""
    text = TRAINER.replace("        # head\n", GOING_ON).replace(
        "range(10)", "range(start + len(os.listdir('more')), 10)"
    )
    text = text.replace("True, 7", "True, int(state.model_checkpoint_path.split('-')[-1])")
    found = migrate(text)
    assert [finding.code for finding in found.blocked] == ["T06"]
    assert "broadcast_object" not in found.after


def test_nobody_is_told_where_the_loop_has_a_count_of_its_own() -> None:
    text = TRAINER.replace("        # head\n", GOING_ON)
    assert "broadcast_object" not in migrate(text).after


def test_a_count_that_a_restore_leaves_in_an_attribute_is_named() -> None:
    text = TRAINER.replace("True, 7", "True, 0").replace("range(10)", "range(self.start, 10)")
    text = text.replace(
        "            return True",
        "            self.start = int(state.model_checkpoint_path.split('-')[-1])\n            return True",
    )
    found = migrate(
        text.replace("        # head\n", "        self.start = 0\n        self.load('c')\n")
    )
    assert any("where the files that it sees say" in each.message for each in found.blocked)


def test_a_method_that_restores_is_called_only_where_a_checkpoint_is() -> None:
    text = FUNCTION.replace(
        "    path = tf.train.latest_checkpoint(folder)\n    if path is None:\n        return False\n",
        "    path = folder\n",
    )
    call = "    if os.path.exists('c'):\n        load(sess, 'c')\n"
    found = migrate("import os\n\n" + text.replace("    # head\n", call))
    assert found.blocked == (), found.blocked
    assert f"{call}    {RUN}" in found.after
