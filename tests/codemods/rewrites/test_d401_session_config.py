"""Every session gets the GPU of its worker, by whatever configuration it has."""

from __future__ import annotations

import pytest

from distify.codemods.migrate import migrate

HEAD = """\
import tensorflow.compat.v1 as tf

weight = tf.get_variable("weight", [])
train = tf.train.GradientDescentOptimizer(0.1).minimize(weight ** 2)
# head
"""
TAIL = "sess.run(tf.global_variables_initializer())\nsess.run(train)\n"
GROW = "{}.gpu_options.allow_growth = True\n"
LIST = "{}.gpu_options.visible_device_list = str(hvd.local_rank())\n"


def pinned(name: str) -> str:
    return (GROW + LIST).format(name, name)


def body(snippet: str, head: str = HEAD) -> str:
    """What stands behind the head until the variables are initialised."""
    found = migrate(head + snippet + TAIL)
    assert found.blocked == ()
    return found.after.partition("# head\n")[2].partition(TAIL[:10])[0]


NEW = "config = tf.ConfigProto()\n" + pinned("config")
CASES = {
    "none is made": ("sess = tf.Session()\n", NEW + "sess = tf.Session(config=config)\n"),
    "None becomes one": (
        "sess = tf.Session(config=None)\n",
        NEW + "sess = tf.Session(config=config)\n",
    ),
    "by its position": (
        "sess = tf.Session('', None, None)\n",
        NEW + "sess = tf.Session('', None, config)\n",
    ),
    "the name of the program is kept": (
        "settings = tf.ConfigProto()\nsess = tf.InteractiveSession(config=settings)\n",
        "settings = tf.ConfigProto()\n"
        + pinned("settings")
        + "sess = tf.InteractiveSession(config=settings)\n",
    ),
    "one that takes memory bit by bit is not told so twice": (
        "c = tf.ConfigProto()\nc.gpu_options.allow_growth = True\nsess = tf.Session(config=c)\n",
        "c = tf.ConfigProto()\n"
        + LIST.format("c")
        + "c.gpu_options.allow_growth = True\nsess = tf.Session(config=c)\n",
    ),
    "what is made in the call gets a name": (
        "sess = tf.Session(config=tf.ConfigProto(allow_soft_placement=True))\n",
        "config = tf.ConfigProto(allow_soft_placement=True)\n"
        + pinned("config")
        + "sess = tf.Session(config=config)\n",
    ),
    "a name that is taken is left alone": (
        "config = 5\nsess = tf.Session()\n",
        "config = 5\nsession_config = tf.ConfigProto()\n"
        + pinned("session_config")
        + "sess = tf.Session(config=session_config)\n",
    ),
    "one for two sessions is amended once": (
        "c = tf.ConfigProto()\nold = tf.Session(config=c)\nold.close()\n"
        "sess = tf.Session(config=c)\n",
        "c = tf.ConfigProto()\n" + pinned("c") + "old = tf.Session(config=c)\nold.close()\n"
        "sess = tf.Session(config=c)\n",
    ),
}


@pytest.mark.parametrize(("before", "after"), CASES.values(), ids=CASES)
def test_each_session_is_given_its_gpu(before: str, after: str) -> None:
    assert body(before) == after


@pytest.mark.parametrize(
    ("module", "spelled"),
    [
        ("import tensorflow as tf", "tf.compat.v1."),
        ("import tensorflow.compat.v1 as tf", "tf."),
    ],
)
def test_a_configuration_is_spelled_as_the_rest(module: str, spelled: str) -> None:
    head = HEAD.replace("import tensorflow.compat.v1 as tf", module).replace("tf.", spelled)
    tail = TAIL.replace("tf.", spelled)
    after = migrate(f"{head}sess = {spelled}Session()\n{tail}").after
    assert f"config = {spelled}ConfigProto()\n" in after


def test_a_program_of_tensorflow_1_itself_stays_one() -> None:
    head = HEAD.replace("tensorflow.compat.v1", "tensorflow")
    after = migrate(f"{head}sess = tf.Session()\n{TAIL}").after
    assert "config = tf.ConfigProto()\n" in after
    assert "compat" not in after


def test_what_trains_without_a_session_gets_no_configuration() -> None:
    text = "import tensorflow as tf\nmodel = tf.keras.Sequential()\nmodel.compile('sgd')\n"
    assert "ConfigProto" not in migrate(text + "model.fit([[1.0]], [[1.0]])\n").after


SECOND = "with tf.Session() as other:\n    other.run(tf.global_variables_initializer())\n"


@pytest.mark.parametrize(
    ("text", "times"),
    [
        (f"sess = tf.Session()\n{SECOND}", 1),
        (
            f"sess = tf.Session()\nfor turn in range(2):\n    {SECOND}".replace(
                "\n    o", "\n        o"
            ),
            1,
        ),
        (f"for turn in range(2):\n    sess = tf.Session()\n{SECOND}", 2),
        (f"def run():\n    sess = tf.Session()\n\n\nrun()\nsess = tf.Session()\n{SECOND}", 2),
        (f"sess = tf.Session()\nlast = tf.Session(config=tf.ConfigProto())\n{SECOND}", 3),
    ],
)
def test_a_configuration_that_is_made_before_is_given_again(text: str, times: int) -> None:
    after = migrate(HEAD + text + TAIL).after
    assert after.count("config = tf.ConfigProto()\n") == times
    assert after.count("(config=config)") == text.count("tf.Session(")


@pytest.mark.parametrize(
    "made",
    [
        "sess, other = tf.Session(), tf.Session()\n",
        "with tf.Session() as sess, tf.Session() as other:\n    pass\nsess = tf.Session()\n",
    ],
)
def test_two_sessions_in_one_statement_have_no_place_for_their_configurations(made: str) -> None:
    found = migrate(f"{HEAD}{made}{TAIL}")
    assert found.after == found.before
    assert any("no statement can be put before this session" in e.message for e in found.blocked)
